/* Drives zlib's trees.c: build_tree() makes the codes for unknown frequencies
   of the 19 bit lengths, and scan_tree() counts the runs. */
#include "../src/zlib/trees.c"
#include "__fc_builtin.h"

static deflate_state state;
static z_stream stream;
static uch pending[2048];

int main(void) {
    state.strm = &stream;
    state.pending_buf = pending;
    state.pending_buf_size = sizeof pending;
    _tr_init(&state);
    for (int i = 0; i < BL_CODES; i++)
        state.bl_tree[i].Freq = Frama_C_interval(0, 100);
    build_tree(&state, &state.bl_desc);
    scan_tree(&state, state.bl_tree, state.bl_desc.max_code);
    return (int) state.opt_len;
}
