// The products and quotients of numbers `float _Complex`. The quotient is computed in `double`.

#define REAL float
#define F(name) name##f
#define LIBGCC(verb) __##verb##sc3
#define OF_TYPE(name) FLT_##name
#define WIDER double

#include "libgcc.c"
