#include <cstdio>
#include <new>
extern int limit;
struct Error { int code; };
struct Guard { const char *n; Guard(const char *n) : n(n) { printf("+%s\n", n); } ~Guard() { printf("-%s\n", n); } };
static Guard global("global");
extern "C" char __libc_single_threaded;
struct Shape { virtual int area() const = 0; virtual ~Shape() {} };
struct Square : Shape { int s; Square(int s) : s(s) {} int area() const override { return s * s; } };
static int f(int n) { Guard g("f"); if (n > limit) throw Error{n}; return n * 2; }
template <class T> T most(T a, T b) { return a > b ? a : b; }
int main(int argc, char **) {
  static Guard inner("main");
  int total = 0;
  for (int i = 0; i < 4; i++)
    try { Guard g("loop"); total += f(i); }
    catch (const Error &e) { printf("caught %d\n", e.code); total += 100; }
    catch (...) { printf("other\n"); }
  Shape *s = new Square(5); total += s->area(); delete s;
  int *p = new (std::nothrow) int[10]; p[3] = 4; total += p[3] * __libc_single_threaded; delete[] p;
  printf("%d %g\n", total, most(1.5, 2.5));
  return 0;
}
