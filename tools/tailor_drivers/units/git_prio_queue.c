/* Drives git's prio-queue.c: a heap of unknown numbers of unknown count, put
   and taken back, then a last-in-first-out queue that is reversed.
   git's large common header is replaced by the few names the file uses. */
#include <stdlib.h>
#include <string.h>
#include "__fc_builtin.h"

#define CACHE_H
#define SWAP(a, b) do { __typeof__(a) swap_ = (a); (a) = (b); (b) = swap_; } while (0)
#define FREE_AND_NULL(p) do { free(p); (p) = NULL; } while (0)
#define alloc_nr(x) (((x) + 16) * 3 / 2)
#define ALLOC_GROW(x, nr, alloc) do { \
        if ((nr) > alloc) { \
            if (alloc_nr(alloc) < (nr)) alloc = (nr); \
            else alloc = alloc_nr(alloc); \
            x = grow((x), (alloc) * sizeof(*(x))); \
        } \
    } while (0)
#define BUG(text) exit(128)

static void *grow(void *old, size_t size) {
    void *p = realloc(old, size);
    if (!p) exit(128);
    return p;
}

#include "../src/git/prio-queue.c"

static int number[40];

static int by_value(const void *a, const void *b, void *data) {
    int x = *(const int *) a, y = *(const int *) b;
    return (x > y) - (x < y);
}

int main(void) {
    struct prio_queue heap = { by_value };
    struct prio_queue stack = { NULL };
    int n = Frama_C_interval(0, 40), sum = 0;
    for (int i = 0; i < 40; i++)
        number[i] = Frama_C_interval(-1000, 1000);
    for (int i = 0; i < n; i++) {
        prio_queue_put(&heap, &number[i]);
        prio_queue_put(&stack, &number[i]);
    }
    prio_queue_reverse(&stack);
    for (int *p; (p = prio_queue_get(&heap)); )
        sum ^= *p;
    if (prio_queue_peek(&stack))
        sum ^= *(int *) prio_queue_get(&stack);
    clear_prio_queue(&heap);
    clear_prio_queue(&stack);
    return sum;
}
