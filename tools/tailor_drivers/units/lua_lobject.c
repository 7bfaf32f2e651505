/* Drives lua's lobject.c (with lctype.c, its table of character classes):
   unknown text to a number and to the name of a chunk, numbers to UTF-8. */
#include "../src/lua5.4/src/lctype.c"
#include "../src/lua5.4/src/lobject.c"
#include "__fc_builtin.h"

static char text[25], name[65], out[LUA_IDSIZE], utf8[UTF8BUFFSZ];

int main(void) {
    TValue value;
    Frama_C_make_unknown(text, 24);
    Frama_C_make_unknown(name, 64);
    lua_Integer whole = 0;
    int n = l_str2int(text, &whole) != NULL;
    n += luaO_utf8esc(utf8, Frama_C_unsigned_long_interval(0, 0x7fffffff));
    n += luaO_ceillog2(Frama_C_unsigned_int_interval(1, -1u));
    luaO_chunkid(out, name, strlen(name));
    n += (int) luaO_str2num(text, &value);
    return n;
}
