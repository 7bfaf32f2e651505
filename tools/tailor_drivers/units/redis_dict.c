/* Drives redis's dict.c: adds, finds, replaces and deletes unknown keys in a
   hash table that grows, then frees it. zmalloc.c is stubbed by malloc that
   ends the program when memory is short; the random numbers are unknown. */
#include "../src/redis/src/dict.c"
#include "__fc_builtin.h"

static int key[8];

void *zmalloc(size_t size) {
    void *p = malloc(size);
    if (!p) exit(1);
    return p;
}

void *zcalloc(size_t size) {
    void *p = calloc(1, size);
    if (!p) exit(1);
    return p;
}

void *ztrycalloc(size_t size) { return calloc(1, size); }

void zfree(void *p) { free(p); }

void _serverAssert(const char *text, const char *file, int line) { exit(1); }

uint64_t siphash(const uint8_t *in, const size_t inlen, const uint8_t *k) { return 0; }

uint64_t siphash_nocase(const uint8_t *in, const size_t inlen, const uint8_t *k) { return 0; }

unsigned long long genrand64_int64(void) { return Frama_C_unsigned_long_interval(0, -1UL); }

static uint64_t hash(const void *k) { return *(const int *) k * 2654435761u; }

static int same(dict *d, const void *a, const void *b) { return *(const int *) a == *(const int *) b; }

int main(void) {
    dictType type = { hash, 0, 0, same };
    Frama_C_make_unknown((char *) key, sizeof key);
    dict *d = dictCreate(&type);
    int n = Frama_C_interval(1, 8);
    for (int i = 0; i < n; i++)
        dictAdd(d, &key[i], &key[0]);
    dictReplace(d, &key[0], &key[1]);
    int found = dictFetchValue(d, &key[2]) != NULL;
    dictDelete(d, &key[3]);
    dictRelease(d);
    return found;
}
