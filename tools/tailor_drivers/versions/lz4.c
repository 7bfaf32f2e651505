/* Drives lz4.c of one release of lz4: LZ4_decompress_safe() on 1 to 64 unknown
   bytes, into a buffer of 1 to 128 bytes. Frama-C
   knows memcpy(), memmove() and memset(), but not the names that gcc has for
   them. */
#include <string.h>
#define __builtin_memcpy memcpy
#define __builtin_memmove memmove
#define __builtin_memset memset
#include "@SRC@/lz4.c"
#include "__fc_builtin.h"

static char in[64], out[128];

int main(void) {
    Frama_C_make_unknown(in, sizeof in);
    return LZ4_decompress_safe(in, out, Frama_C_interval(1, sizeof in), Frama_C_interval(1, sizeof out));
}
