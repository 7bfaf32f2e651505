/* Drives redis's sha256.c: two updates with unknown bytes and the digest. */
#include "../src/redis/src/sha256.c"
#include "__fc_builtin.h"

static BYTE data[128];
static BYTE digest[SHA256_BLOCK_SIZE];

int main(void) {
    SHA256_CTX ctx;
    Frama_C_make_unknown((char *) data, sizeof data);
    sha256_init(&ctx);
    sha256_update(&ctx, data, Frama_C_interval(0, sizeof data));
    sha256_update(&ctx, data, Frama_C_interval(0, 63));
    sha256_final(&ctx, digest);
    return digest[0];
}
