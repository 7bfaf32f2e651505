#include <stdlib.h>

extern int any(void);

static int table[10];

int element(int n) {
  if (n < 0 || n >= 10)
    return 0;
  return table[n];
}

int beyond(int n) {
  int row[4], i;
  for (i = 0; i < 4; i++)
    row[i] = n;
  return row[i] + row[i + 1];
}

int quotient(int a, int b) {
  return a / b;
}

int freed(void) {
  int *p = malloc(sizeof(int));
  if (!p)
    return 0;
  *p = 1;
  free(p);
  return *p;
}
