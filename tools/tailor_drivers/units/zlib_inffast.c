/* Drives zlib's inffast.c: inflate_fast() decodes unknown bytes with one-level
   decoding tables of unknown entries (literal, length or distance with extra
   bits, end of block, invalid code). */
#include "../src/zlib/inffast.c"
#include "__fc_builtin.h"

static struct inflate_state state;
static z_stream stream;
static unsigned char in[64], out[600], window[512];

static code some_code(void) {
    code entry = { 0, Frama_C_interval(1, 9), Frama_C_interval(0, 258) };
    switch (Frama_C_interval(0, 3)) {
    case 1: entry.op = 16 + Frama_C_interval(0, 13); break;
    case 2: entry.op = 96; break;
    case 3: entry.op = 64; break;
    }
    return entry;
}

int main(void) {
    Frama_C_make_unknown((char *) in, sizeof in);
    Frama_C_make_unknown((char *) window, sizeof window);
    for (int i = 0; i < ENOUGH; i++)
        state.codes[i] = some_code();
    state.lencode = state.codes;
    state.distcode = state.codes + ENOUGH_LENS;
    state.lenbits = 9;
    state.distbits = 6;
    state.sane = 1;
    state.wsize = sizeof window;
    state.whave = Frama_C_interval(0, 1) ? sizeof window : 0;
    state.wnext = 0;
    state.window = window;
    state.mode = LEN;
    stream.state = (struct internal_state *) &state;
    stream.next_in = in;
    stream.avail_in = Frama_C_interval(6, sizeof in);
    stream.next_out = out;
    stream.avail_out = Frama_C_interval(258, sizeof out);
    inflate_fast(&stream, sizeof out);
    return (int) stream.avail_in;
}
