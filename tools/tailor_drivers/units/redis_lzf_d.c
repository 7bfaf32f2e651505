/* Drives redis's lzf_d.c: lzf_decompress() on 1 to 256 unknown bytes. */
#include "../src/redis/src/lzf_d.c"
#include "__fc_builtin.h"

static unsigned char in[256];
static unsigned char out[512];

int main(void) {
    size_t in_len = Frama_C_interval(1, sizeof in);
    size_t out_len = Frama_C_interval(1, sizeof out);
    Frama_C_make_unknown((char *) in, sizeof in);
    return (int) lzf_decompress(in, in_len, out, out_len);
}
