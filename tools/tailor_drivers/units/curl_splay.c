/* Drives curl's splay.c: inserts nodes with unknown keys into the tree, takes
   out the best ones and removes any one.
   curl's large set-up header is replaced by the few names the file uses. */
#include <stdlib.h>
#include <time.h>
#include "__fc_builtin.h"

#define HEADER_CURL_SETUP_H
#define HEADER_CURL_TIMEVAL_H
#define DEBUGASSERT(x) do { } while (0)
struct curltime { time_t tv_sec; int tv_usec; };

#include "../src/curl/lib/splay.c"

static struct Curl_tree node[6];

static struct curltime some_time(void) {
    struct curltime t = { Frama_C_interval(0, 100), Frama_C_interval(0, 999999) };
    return t;
}

int main(void) {
    struct Curl_tree *root = NULL, *removed = NULL;
    int n = Frama_C_interval(1, 6);
    for (int i = 0; i < n; i++)
        root = Curl_splayinsert(some_time(), root, &node[i]);
    Curl_splayremove(root, &node[Frama_C_interval(0, n - 1)], &root);
    for (int i = 0; i < 4; i++) {
        root = Curl_splaygetbest(some_time(), root, &removed);
        if (!removed) break;
    }
    return root != NULL;
}
