/* Drives redis's zipmap.c: sets, gets and deletes keys of unknown bytes and
   lengths in a map that is reallocated, and checks an unknown map.
   zmalloc.c is stubbed by malloc that ends the program when memory is short. */
#include "../src/redis/src/zipmap.c"
#include <stdlib.h>
#include "__fc_builtin.h"

static unsigned char key[8], val[16], blob[64];

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

int main(void) {
    unsigned char *found = 0;
    unsigned int found_len = 0;
    int done = 0;
    Frama_C_make_unknown((char *) key, sizeof key);
    Frama_C_make_unknown((char *) val, sizeof val);
    Frama_C_make_unknown((char *) blob, sizeof blob);
    unsigned char *map = zipmapNew();
    for (int i = 0; i < 3; i++)
        map = zipmapSet(map, key, Frama_C_interval(1, 8), val, Frama_C_interval(0, 16), &done);
    if (zipmapGet(map, key, Frama_C_interval(1, 8), &found, &found_len))
        done += found_len;
    map = zipmapDel(map, key, Frama_C_interval(1, 8), &done);
    zfree(map);
    return zipmapValidateIntegrity(blob, Frama_C_interval(0, sizeof blob), 1);
}
