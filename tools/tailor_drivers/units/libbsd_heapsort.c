/* Drives libbsd's heapsort.c: sorts 0 to 20 unknown integers. */
#include "../src/libbsd/src/heapsort.c"
#include "__fc_builtin.h"

static int number[20];

static int by_value(const void *a, const void *b) {
    int x = *(const int *) a, y = *(const int *) b;
    return (x > y) - (x < y);
}

int main(void) {
    Frama_C_make_unknown((char *) number, sizeof number);
    return heapsort(number, Frama_C_interval(0, 20), sizeof number[0], by_value);
}
