/* Drives redis's intset.c: adds, finds and removes unknown integers, so that
   the set is reallocated and changes its encoding. zmalloc.c is stubbed by
   malloc that ends the program when memory is short, as the real one does. */
#include "../src/redis/src/intset.c"
#include "__fc_builtin.h"

void *zmalloc(size_t size) {
    void *p = malloc(size);
    if (!p) exit(1);
    return p;
}

void *zrealloc(void *old, size_t size) {
    void *p = realloc(old, size);
    if (!p) exit(1);
    return p;
}

void zfree(void *p) { free(p); }

void _serverAssert(const char *text, const char *file, int line) { exit(1); }

int main(void) {
    intset *set = intsetNew();
    int64_t value = 0;
    int removed = 0;
    for (int i = 0; i < 8; i++)
        set = intsetAdd(set, Frama_C_long_long_interval(-100000, 100000), 0);
    for (int i = 0; i < 4; i++)
        set = intsetRemove(set, Frama_C_interval(-1000, 1000), &removed);
    if (intsetFind(set, Frama_C_interval(-1000, 1000)) && intsetLen(set))
        value = intsetRandom(set);
    intsetGet(set, Frama_C_interval(0, 10), &value);
    zfree(set);
    return (int) (value & 1);
}
