/* Drives ultrajsonenc.c of one release of ujson: encode() writes one value (a
   string of unknown bytes and length, an unknown integer, a constant) to a
   buffer that must be reallocated. Lack of memory ends the program. */
#include "@SRC@/ultrajsonenc.c"
#include "__fc_builtin.h"

static char text[24];

static void begin(JSOBJ object, JSONTypeContext *context, JSONObjectEncoder *encoder) {
    static const int types[] = { JT_UTF8, JT_LONG, JT_ULONG, JT_RAW, JT_NULL };
    context->type = types[Frama_C_interval(0, 4)];
}

static void end(JSOBJ object, JSONTypeContext *context) { }

static const char *string_value(JSOBJ object, JSONTypeContext *context, size_t *length) {
    *length = Frama_C_interval(0, sizeof text);
    return text;
}

static JSINT64 long_value(JSOBJ object, JSONTypeContext *context) {
    return Frama_C_long_long_interval(-1000000000, 1000000000);
}

static JSUINT64 unsigned_long_value(JSOBJ object, JSONTypeContext *context) {
    return Frama_C_unsigned_long_interval(0, -1UL);
}

static void *more(void *old, size_t size) {
    void *p = realloc(old, size);
    if (!p) exit(1);
    return p;
}

int main(void) {
    JSONObjectEncoder encoder = { 0 };
    Frama_C_make_unknown(text, sizeof text);
    encoder.beginTypeContext = begin;
    encoder.endTypeContext = end;
    encoder.getStringValue = string_value;
    encoder.getLongValue = long_value;
    encoder.getUnsignedLongValue = unsigned_long_value;
    encoder.realloc = more;
    encoder.recursionMax = 10;
    encoder.forceASCII = Frama_C_interval(0, 1);
    encoder.encodeHTMLChars = Frama_C_interval(0, 1);
    encoder.heap = 1;
    encoder.start = encoder.offset = more(NULL, 64);
    encoder.end = encoder.start + 64;
    encode(NULL, &encoder, NULL, 0);
    free(encoder.start);
    return encoder.errorMsg != NULL;
}
