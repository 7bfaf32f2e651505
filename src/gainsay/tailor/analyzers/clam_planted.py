"""Errors that some execution runs into, one in each function, for Clam: no recipe may call one safe."""

from __future__ import annotations

from collections.abc import Mapping

KIND_OF = {"division": ("division_by_zero",), "overflow": ("signed_overflow",), "bounds": ("index_bound", "mem_access")}
KIND_OF |= {"uaf": ("dangling",), "assert": ("assertion",)}
PROLOGUE = (
    "#include <stdlib.h>\nextern void __CRAB_assert(int);\nextern void __CRAB_assume(int);\nextern int any(void);\nint "
    "table[10];\n"
)
PLANTED: Mapping[str, str] = {
    "division": """
int planted_division_1(int n) { int d = 4; for (int i = 0; i < 4; i++) d--; return n / d; }
int planted_division_2(int n) { int d = any(); if (d < 0 || d > 9) return 0; return n % d; }
int planted_division_3(int n, int d) { if (d != 5 && d != 0) return 0; return n / d; }
""",
    "overflow": """
int planted_overflow_1(int n) { if (n < 2147483000) return 0; return n + 1000; }
int planted_overflow_2(int n) { int s = 1; for (int i = 0; i < 40; i++) s = s * 2; return s + n; }
int planted_overflow_3(int n) { if (n > -5) return 0; return -n; }
""",
    "bounds": """
int planted_bounds_1(int n) { int t[8]; for (int i = 0; i <= 8; i++) t[i] = n; return t[0]; }
int planted_bounds_2(int n) { static int t[8]; if (n < -1 || n > 7) return 0; return t[n]; }
int planted_bounds_3(int n) {
  int *p = malloc(8 * sizeof(int)); if (!p) return 0;
  if (n < 0 || n > 8) return 0;
  p[n] = 1; free(p); return n;
}
int planted_bounds_4(void) {
  static int t[10]; int v = any(); if (v > 3) return 0;
  for (int i = 0; i < 10; i++) t[i] = 5;
  return t[v];
}
""",
    "uaf": """
int planted_uaf_1(void) { int *p = malloc(sizeof(int)); if (!p) return 0; *p = 1; free(p); return *p; }
int planted_uaf_2(int n) {
  int *p = malloc(sizeof(int)); if (!p) return 0;
  *p = n; int *q = p; if (n > 3) free(p);
  return *q;
}
""",
    "assert": """
int planted_assert_1(void) { int v = any(); if (v > 3) return 0; __CRAB_assert(v >= 4); return v; }
int planted_assert_2(void) {
  for (int k = 0; k < 10; k++) table[k] = 5;
  int q = any();
  __CRAB_assume(q >= 0); __CRAB_assume(q < 10);
  __CRAB_assert(table[q] <= 5);
  int v = any();
  __CRAB_assume(v <= 3);
  __CRAB_assert(v >= 4);
  return 0;
}
int planted_assert_3(void) {
  int n = any(), i = 0, s = 0;
  __CRAB_assume(n >= 1); __CRAB_assume(n <= 1000);
  while (i < n) { i++; s += 2; }
  __CRAB_assert(s == 2 * i);
  int y = any();
  __CRAB_assert(y > 5);
  int v = any();
  __CRAB_assume(v <= 3);
  __CRAB_assert(v >= 4);
  return 0;
}
""",
}
