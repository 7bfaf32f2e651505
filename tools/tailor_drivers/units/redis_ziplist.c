/* Drives redis's ziplist.c: pushes unknown entries on a list that is
   reallocated, looks one up, deletes one and frees the list.
   zmalloc.c and the number parser of util.c are stubbed. */
#include "../src/redis/src/ziplist.c"
#include "__fc_builtin.h"

static unsigned char text[32];

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

int string2ll(const char *s, size_t slen, long long *value) {
    *value = Frama_C_interval(-1000, 1000);
    return Frama_C_interval(0, 1);
}

void _serverAssert(const char *text, const char *file, int line) { exit(1); }

int main(void) {
    Frama_C_make_unknown((char *) text, sizeof text);
    unsigned char *list = ziplistNew();
    for (int i = 0; i < 2; i++)
        list = ziplistPush(list, text, Frama_C_interval(1, 32), Frama_C_interval(0, 1));
    unsigned char *entry = ziplistIndex(list, Frama_C_interval(0, 1));
    if (entry)
        list = ziplistDelete(list, &entry);
    int n = (int) ziplistLen(list);
    zfree(list);
    return n;
}
