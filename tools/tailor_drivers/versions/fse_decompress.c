/* Drives fse_decompress.c of one release of zstd (with entropy_common.c, which
   reads its tables): decompresses 8 to 48 unknown bytes with tables of up to
   2^6 entries. (With less than 8 bytes the reader calls itself, which stops
   Eva.) The name and parameters of the function differ by release. Frama-C
   knows memcpy() and memset(), but not the names that gcc has for them. */
#define ZSTD_NO_INTRINSICS
#define DYNAMIC_BMI2 0
#define __builtin_memcpy memcpy
#define __builtin_memset memset
#include <string.h>
#include "@SRC@/entropy_common.c"
#include "@SRC@/fse_decompress.c"
#include "__fc_builtin.h"

static unsigned char in[48], out[64];
static unsigned workspace[2048];

int main(void) {
    Frama_C_make_unknown((char *) in, sizeof in);
    size_t size = Frama_C_interval(8, sizeof in);
#ifdef FSE_DECOMPRESS_WKSP_SIZE
    return (int) FSE_decompress_wksp_bmi2(out, sizeof out, in, size, 6, workspace, sizeof workspace, 0);
#else
    return (int) FSE_decompress_wksp(out, sizeof out, in, size, workspace, 6);
#endif
}
