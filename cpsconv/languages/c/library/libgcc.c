// The products and quotients of complex numbers, as in libgcc (C17 G.5.1). libgcc_float.c and libgcc_long_double.c include
// this file for the other types.

#include <float.h>

#ifndef REAL
#define REAL double
#define F(name) name
#define LIBGCC(verb) __##verb##dc3
#define OF_TYPE(name) DBL_##name
#endif

typedef REAL real;
typedef REAL _Complex number;

#define EPSILON OF_TYPE(EPSILON)
#define LEAST OF_TYPE(MIN)
#define MOST OF_TYPE(MAX)
#define INFINITE ((real)__builtin_inf())

static number pair(real x, real y) { return __builtin_complex(x, y); }
static int is_finite(real x) { return x - x == 0; }
static int is_nan(real x) { return x != x; }
static int is_infinite(real x) { return !is_finite(x) && !is_nan(x); }
static real with_sign(real x, real sign) { return F(__builtin_copysign)(x, sign); }
static real magnitude(real x) { return F(__builtin_fabs)(x); }

static real boxed(real x) { return with_sign(is_infinite(x), x); } // infinities become 1, finite numbers 0
static real number_or_zero(real x) { return is_nan(x) ? with_sign(0, x) : x; } // NaN becomes 0

number LIBGCC(mul)(real a, real b, real c, real d)
{
    real ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc;
    if (!is_nan(x) || !is_nan(y))
        return pair(x, y);
    int again = 0;
    if (is_infinite(a) || is_infinite(b)) {
        a = boxed(a), b = boxed(b), c = number_or_zero(c), d = number_or_zero(d);
        again = 1;
    }
    if (is_infinite(c) || is_infinite(d)) {
        c = boxed(c), d = boxed(d), a = number_or_zero(a), b = number_or_zero(b);
        again = 1;
    }
    if (!again && (is_infinite(ac) || is_infinite(bd) || is_infinite(ad) || is_infinite(bc))) {
        a = number_or_zero(a), b = number_or_zero(b), c = number_or_zero(c), d = number_or_zero(d);
        again = 1;
    }
    return again ? pair(INFINITE * (a * c - b * d), INFINITE * (a * d + b * c)) : pair(x, y);
}

#ifdef WIDER

static real factor(real a, real b, real larger) { return 1; }

static number quotient(real a, real b, real c, real d)
{
    WIDER wa = a, wb = b, wc = c, wd = d, square = wc * wc + wd * wd;
    return pair((wa * wc + wb * wd) / square, (wb * wc - wa * wd) / square);
}

#else

static int is_small(real x) { return magnitude(x) < LEAST; }
static int is_in_range(real x) { return magnitude(x) < MOST / 2 * EPSILON; }

// The factor of all parts against overflow and underflow (Baudin and Smith, 2012).
static real factor(real a, real b, real larger)
{
    if (magnitude(larger) >= MOST / 2)
        return 0.5;
    int loses = is_in_range(larger) && ((is_small(a) && is_in_range(b)) || (is_small(b) && is_in_range(a)));
    return magnitude(larger) < EPSILON || loses ? 1 / EPSILON : 1;
}

static number quotient(real a, real b, real c, real d)
{
    if (magnitude(c) < magnitude(d)) { // the quotient of both numbers times -i
        real ratio = c / d, divisor = c * ratio + d;
        if (magnitude(ratio) > LEAST)
            return pair((a * ratio + b) / divisor, (b * ratio - a) / divisor);
        return pair((c * (a / d) + b) / divisor, (c * (b / d) - a) / divisor);
    }
    real ratio = d / c, divisor = d * ratio + c;
    if (magnitude(ratio) > LEAST)
        return pair((b * ratio + a) / divisor, (b - a * ratio) / divisor);
    return pair((d * (b / c) + a) / divisor, (b - d * (a / c)) / divisor);
}

#endif

number LIBGCC(div)(real a, real b, real c, real d)
{
    real scale = factor(a, b, magnitude(c) < magnitude(d) ? d : c);
    a *= scale, b *= scale, c *= scale, d *= scale;
    number z = quotient(a, b, c, d);
    if (!is_nan(__real__ z) || !is_nan(__imag__ z))
        return z;
    if (c == 0 && d == 0 && (!is_nan(a) || !is_nan(b)))
        return pair(with_sign(INFINITE, c) * a, with_sign(INFINITE, c) * b);
    if ((is_infinite(a) || is_infinite(b)) && is_finite(c) && is_finite(d)) {
        a = boxed(a), b = boxed(b);
        return pair(INFINITE * (a * c + b * d), INFINITE * (b * c - a * d));
    }
    if ((is_infinite(c) || is_infinite(d)) && is_finite(a) && is_finite(b)) {
        c = boxed(c), d = boxed(d);
        return pair(0 * (a * c + b * d), 0 * (b * c - a * d));
    }
    return z;
}
