/* Drives giflib's quantize.c: GifQuantizeBuffer() on an image of unknown size
   (up to 16 by 16) and unknown colours, down to 2 to 16 colours. */
#include "../src/giflib/quantize.c"
#include "__fc_builtin.h"

static GifByteType red[256], green[256], blue[256], out[256];
static GifColorType map[16];

int main(void) {
    int colours = Frama_C_interval(2, 16);
    unsigned width = Frama_C_interval(1, 16), height = Frama_C_interval(1, 16);
    Frama_C_make_unknown((char *) red, sizeof red);
    Frama_C_make_unknown((char *) green, sizeof green);
    Frama_C_make_unknown((char *) blue, sizeof blue);
    return GifQuantizeBuffer(width, height, &colours, red, green, blue, out, map);
}
