/* Drives giflib's gifalloc.c: makes two colour maps of unknown size and
   colours, unites them, translates pixels, adds extension blocks and frees
   everything. The two helpers from other files are stubbed. */
#include "../src/giflib/gifalloc.c"
#include "__fc_builtin.h"

static GifColorType colours[16];
static GifPixelType pixels[32], translation[256];
static unsigned char data[32];

void *openbsd_reallocarray(void *old, size_t count, size_t size) {
    if (size && count > (size_t) -1 / size) return NULL;
    return realloc(old, count * size);
}

int main(void) {
    int n_blocks = 0;
    ExtensionBlock *blocks = NULL;
    Frama_C_make_unknown((char *) colours, sizeof colours);
    Frama_C_make_unknown((char *) pixels, sizeof pixels);
    Frama_C_make_unknown((char *) data, sizeof data);
    ColorMapObject *one = GifMakeMapObject(1 << Frama_C_interval(1, 4), colours);
    ColorMapObject *two = GifMakeMapObject(1 << Frama_C_interval(1, 4), colours);
    if (one && two) {
        ColorMapObject *both = GifUnionColorMap(one, two, translation);
        GifFreeMapObject(both);
    }
    GifFreeMapObject(one);
    GifFreeMapObject(two);
    for (int i = 0; i < 3; i++)
        if (GifAddExtensionBlock(&n_blocks, &blocks, 0xf9, Frama_C_interval(0, 32), data) == GIF_ERROR)
            break;
    GifFreeExtensions(&n_blocks, &blocks);
    return 0;
}
