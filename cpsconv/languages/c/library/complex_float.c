// The functions of <complex.h> for `float`. glibc sums squares in `double`.

#define REAL float
#define F(name) name##f
#define OF_TYPE(name) FLT_##name
#define C(number) number##f
#define WIDER double

#include "complex.c"
