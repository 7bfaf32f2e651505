/* Errors that some execution runs into, one in each function. The name says which kind of assertion is violated: no recipe may prove all
   assertions of that kind in the function. `pick` is any number from low to high. */
#include <stdlib.h>
#include <string.h>
#ifdef __FRAMAC__
#include "__fc_builtin.h"
static int pick(int low, int high) { return Frama_C_interval(low, high); }
#else
extern int pick(int low, int high);
#endif

static int table[16];
struct node { struct node *next; int value; };

int planted_division_by_zero_1(int n) { int d = 10; for (int i = 0; i < n; i++) d--; return 100 / d; }
int planted_division_by_zero_2(int n) { int d = n * n - 2 * n + 1; return 7 % d; }
int planted_division_by_zero_3(int n) { int d = 0; switch (n & 3) { case 0: d = 1; break; case 1: d = 2; break; case 2: d = 3; break; } return 9 / d; }
int planted_signed_overflow_1(int n) { int s = 1; for (int i = 0; i < n; i++) s = s * 2; return s; }
int planted_signed_overflow_2(int n) { int a = 2147483600; a = a + n; return a; }
int planted_signed_overflow_3(int n) { int lowest = -2147483647 - 1; return n == 7 ? -lowest : n; }
int planted_index_bound_1(int n) { int s = 0; for (int i = 0; i <= n; i++) s += table[i & 31]; return s; }
int planted_index_bound_2(int n) { int k = 0; while (k < 16 && table[k] == 0) k++; return n > 3 ? table[k] : 0; }
int planted_index_bound_3(int n) { int i = n; if (i > 15) i = 15; i = i - 8; return table[i]; }
int planted_mem_access_1(int n) { char *p = malloc(8); int s = 0; if (!p) return 0; memset(p, 1, 8); for (int i = 0; i < n; i++) s += p[i]; return s; }
int planted_mem_access_2(int n) { int x = 3; int *p = n < 20 ? &x : NULL; return *p; }
int planted_mem_access_3(int n) { int *q = table + 8; q = q + n; return *q; }
int planted_dangling_1(int n) { int *p = malloc(sizeof(int)); if (!p) return 0; *p = n; if (n > 20) free(p); return *p; }
int planted_dangling_2(int n)
{
  struct node *head = NULL;
  int s = 0;
  for (int i = 0; i < 3; i++) {
    struct node *fresh = malloc(sizeof(struct node));
    if (!fresh) return 0;
    fresh->next = head; fresh->value = i; head = fresh;
  }
  struct node *at = head;
  while (at) { struct node *old = at; if (n > 9) free(old); at = old->next; s++; }
  return s;
}

int main(void)
{
  int s = 0;
  switch (pick(0, 13)) {
  case 0: s = planted_division_by_zero_1(pick(0, 12)); break;
  case 1: s = planted_division_by_zero_2(pick(0, 12)); break;
  case 2: s = planted_division_by_zero_3(pick(0, 31)); break;
  case 3: s = planted_signed_overflow_1(pick(0, 40)); break;
  case 4: s = planted_signed_overflow_2(pick(0, 60)); break;
  case 5: s = planted_signed_overflow_3(pick(0, 9)); break;
  case 6: s = planted_index_bound_1(pick(0, 40)); break;
  case 7: s = planted_index_bound_2(pick(0, 5)); break;
  case 8: s = planted_index_bound_3(pick(0, 31)); break;
  case 9: s = planted_mem_access_1(pick(0, 9)); break;
  case 10: s = planted_mem_access_2(pick(0, 31)); break;
  case 11: s = planted_mem_access_3(pick(0, 31)); break;
  case 12: s = planted_dangling_1(pick(0, 31)); break;
  case 13: s = planted_dangling_2(pick(0, 31)); break;
  }
  table[0] = s;
  return 0;
}
