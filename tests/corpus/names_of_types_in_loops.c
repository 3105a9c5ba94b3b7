// Names of types that the header of a `for` hides, and that denote types again after the loop.
// why: the scanner distinguishes names of types by scopes, and a loop is a scope without braces.
// expect: 6 6 15 3 4 11 -1
#include <stdio.h>
typedef int T; typedef long U;
int f(int n) { if (n) for (int T = 0; T < 3; T++) n += T; else { T x = 5; n = x; } T y = 1; return n + y; }
int g(void) { int s = 0; for (int T = 0, U = 2; T < 3; T++) { s += U; { typedef char T; T c = 1; s += c; } s += T; } U z = 2; T w = 1; return s + z + w; }
int h(void) { for (int T = 0; T < 2; T++) for (int U = 0; U < 2; U++) if (U) continue; else break; T a = 1; U b = 2; return a + b; }
int i(void) { for (int T = 0; T < 2; T++) do { T++; } while (T < 5); return sizeof(T); }
int j(void) { int s = 0; for (int T[] = {1, 2}, *U = T; U < T + 2; U++) s += *U; return s + sizeof(U); }
T k(T a) { while (a--) for (T T = 0; T < 2; T++) ; return (T)a; }
int main(void) { printf("%d %d %d %d %d %d %d\n", f(0), f(2), g(), h(), i(), j(), k(2)); return 0; }
