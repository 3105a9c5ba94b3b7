// The products and quotients of numbers `long double _Complex`.

#define REAL long double
#define F(name) name##l
#define LIBGCC(verb) __##verb##xc3
#define OF_TYPE(name) LDBL_##name

#include "libgcc.c"
