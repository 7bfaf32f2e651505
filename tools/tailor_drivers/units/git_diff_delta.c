/* Drives git's diff-delta.c: indexes 32 to 64 unknown bytes and makes the
   delta to another 1 to 48 unknown bytes.
   git's large common header is replaced by the few names the files use. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
#include <sys/types.h>
#include "__fc_builtin.h"

#define GIT_COMPAT_UTIL_H
#define FLEX_ARRAY

static size_t st_left_shift(size_t a, unsigned shift) { return a << shift; }

#include "../src/git/diff-delta.c"

static unsigned char source[64], target[48];

int main(void) {
    unsigned long size = 0;
    Frama_C_make_unknown((char *) source, sizeof source);
    Frama_C_make_unknown((char *) target, sizeof target);
    struct delta_index *index = create_delta_index(source, Frama_C_interval(32, sizeof source));
    if (index) {
        void *delta = create_delta(index, target, Frama_C_interval(1, sizeof target), &size, 0);
        free(delta);
        free_delta_index(index);
    }
    return (int) size;
}
