// The functions of <math.h> for `long double`: those for `double`, with other names and limits.

#define LONG_DOUBLE
#define DIGITS LDBL_MANT_DIG
#define EPSILON LDBL_EPSILON
#define LEAST (LDBL_MIN_EXP - 1)
#define MOST (LDBL_MAX_EXP - 1)

#define OPERATION_1(name) double name##l(double x) { return __builtin_##name##l(x); }
#define OPERATION_2(name) double name##l(double x, double y) { return __builtin_##name##l(x, y); }

#define double long double
#define __builtin_fabs __builtin_fabsl
#define __builtin_sqrt __builtin_sqrtl
#define __builtin_trunc __builtin_truncl
#define __builtin_round __builtin_roundl
#define __builtin_copysign __builtin_copysignl
#define __builtin_fmod __builtin_fmodl
#define __builtin_fma __builtin_fmal
#define fma fmal
#define rint rintl
#define nearbyint nearbyintl
#define lround lroundl
#define llround llroundl
#define lrint lrintl
#define llrint llrintl
#define modf modfl
#define scalbn scalbnl
#define ldexp ldexpl
#define scalbln scalblnl
#define ilogb ilogbl
#define logb logbl
#define frexp frexpl
#define nextafter nextafterl
#define remquo remquol
#define remainder remainderl
#define fmax fmaxl
#define fmin fminl
#define fdim fdiml
#define nan nanl
#define strtod strtold

#include "math.c"

#undef double

double nexttoward(double x, long double y) { return next(x, y, DBL_MIN_EXP - 1, DBL_MANT_DIG - 1); }
float nexttowardf(float x, long double y) { return next(x, y, FLT_MIN_EXP - 1, FLT_MANT_DIG - 1); }
long double nexttowardl(long double x, long double y) { return nextafterl(x, y); }
