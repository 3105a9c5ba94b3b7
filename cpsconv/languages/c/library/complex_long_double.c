// The functions of <complex.h> for `long double`.

#define REAL long double
#define F(name) name##l
#define OF_TYPE(name) LDBL_##name
#define C(number) number##l

#include "complex.c"
