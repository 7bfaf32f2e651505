/* Drives git's block-sha1/sha1.c: two updates with unknown bytes and the
   digest. git's large common header is replaced by the few names it uses. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "__fc_builtin.h"

#define GIT_COMPAT_UTIL_H

static uint32_t get_be32(const void *p) {
    const unsigned char *b = p;
    return (uint32_t) b[0] << 24 | (uint32_t) b[1] << 16 | (uint32_t) b[2] << 8 | b[3];
}

static void put_be32(void *p, uint32_t v) {
    unsigned char *b = p;
    b[0] = v >> 24; b[1] = v >> 16; b[2] = v >> 8; b[3] = v;
}

static uint32_t htonl(uint32_t v) {
    uint32_t r;
    put_be32(&r, v);
    return r;
}

#include "../src/git/block-sha1/sha1.c"

static unsigned char data[256], digest[20];

int main(void) {
    blk_SHA_CTX ctx;
    Frama_C_make_unknown((char *) data, sizeof data);
    blk_SHA1_Init(&ctx);
    blk_SHA1_Update(&ctx, data, Frama_C_interval(0, 100));
    blk_SHA1_Update(&ctx, data, Frama_C_interval(0, 256));
    blk_SHA1_Final(digest, &ctx);
    return digest[0];
}
