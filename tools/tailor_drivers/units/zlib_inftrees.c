/* Drives zlib's inftrees.c: inflate_table() builds a decoding table from
   1 to 288 unknown code lengths, for each of the three kinds of code. */
#include "../src/zlib/inftrees.c"
#include "__fc_builtin.h"

static unsigned short lens[320];
static unsigned short work[288];
static code table[ENOUGH];

int main(void) {
    code *next = table;
    unsigned bits = Frama_C_interval(1, 9);
    unsigned codes = Frama_C_interval(1, 288);
    int kind = Frama_C_interval(0, 2);
    for (unsigned i = 0; i < 288; i++)
        lens[i] = Frama_C_interval(0, 15);
    return inflate_table((codetype) kind, lens, codes, &next, &bits, work);
}
