/* Drives git's linear-assignment.c: the cheapest assignment of up to 5
   columns to up to 5 rows with unknown costs.
   git's large common header is replaced by the few names the file uses. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "__fc_builtin.h"

#define CACHE_H
#define SWAP(a, b) do { __typeof__(a) swap_ = (a); (a) = (b); (b) = swap_; } while (0)
#define ALLOC_ARRAY(x, n) (x) = xalloc((n) * sizeof(*(x)))
#define BUG(...) exit(128)

static void *xalloc(size_t size) {
    void *p = malloc(size);
    if (!p) exit(128);
    return p;
}

#include "../src/git/linear-assignment.c"

static int cost[25], to_row[5], to_column[5];

int main(void) {
    int columns = Frama_C_interval(2, 5), rows = Frama_C_interval(2, 5);
    for (int i = 0; i < 25; i++)
        cost[i] = Frama_C_interval(0, COST_MAX);
    compute_assignment(columns, rows, cost, to_row, to_column);
    return to_row[0];
}
