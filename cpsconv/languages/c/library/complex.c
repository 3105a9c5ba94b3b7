// The functions of <complex.h> for `double`. complex_float.c and complex_long_double.c include this file for the other
// types. The results are those of glibc, whose formulas are
// those of Kahan (Branch cuts for complex elementary functions, 1987), with care near zeros and overflow.
//
// The trigonometric functions are the hyperbolic ones with exchanged parts: sin(x + iy) and sinh(y + ix) are exchanged.

#include <float.h>

#ifndef REAL
#define REAL double
#define F(name) name
#define OF_TYPE(name) DBL_##name
#define C(number) number
#endif

typedef REAL real;
typedef REAL _Complex number;

#define CALL(name) F(__builtin_##name)
#define EPSILON OF_TYPE(EPSILON)
#define LEAST OF_TYPE(MIN)
#define MOST OF_TYPE(MAX)
#define PI C(3.14159265358979323846264338327950288)
#define LN2 C(0.693147180559945309417232121458176568)
#define INFINITE ((real)__builtin_inf())
#define NOT_A_NUMBER ((real)__builtin_nan(""))

static number pair(real x, real y) { return __builtin_complex(x, y); }
static number exchanged(number z) { return pair(__imag__ z, __real__ z); }
static int is_finite(real x) { return x - x == 0; }
static int is_nan(real x) { return x != x; }
static int is_infinite(real x) { return !is_finite(x) && !is_nan(x); }
static int is_negative(real x) { return CALL(copysign)(1, x) < 0; }
static real with_sign(real x, real sign) { return CALL(copysign)(x, sign); }
static real magnitude(real x) { return CALL(fabs)(x); }

// Parts and projections.

real F(creal)(number z) { return __real__ z; }
real F(cimag)(number z) { return __imag__ z; }
real F(cabs)(number z) { return CALL(hypot)(__real__ z, __imag__ z); }
real F(carg)(number z) { return CALL(atan2)(__imag__ z, __real__ z); }
number F(conj)(number z) { return ~z; }

number F(cproj)(number z)
{
    int is_at_infinity = is_infinite(__real__ z) || is_infinite(__imag__ z);
    return is_at_infinity ? pair(INFINITE, with_sign(0, __imag__ z)) : z;
}

// Exponentials.

static real sine(real x) { return magnitude(x) > LEAST ? CALL(sin)(x) : x; }
static real cosine(real x) { return magnitude(x) > LEAST ? CALL(cos)(x) : 1; }

// exp(x) * (c + is), where exp(x) may overflow.
static number scaled_exponential(real x, real c, real s)
{
    const int step = (OF_TYPE(MAX_EXP) - 1) * LN2;
    for (int steps = 0; steps < 2 && x > step; steps++) {
        real factor = CALL(exp)((real)step);
        x -= step, c *= factor, s *= factor;
    }
    real factor = x > step ? MOST : CALL(exp)(x);
    return pair(factor * c, factor * s);
}

number F(cexp)(number z)
{
    real x = __real__ z, y = __imag__ z;
    if (is_nan(x))
        return pair(NOT_A_NUMBER, y == 0 ? y : NOT_A_NUMBER);
    if (is_finite(x))
        return is_finite(y) ? scaled_exponential(x, cosine(y), sine(y)) : pair(NOT_A_NUMBER, NOT_A_NUMBER);
    real size = x < 0 ? 0 : INFINITE;
    if (y == 0)
        return pair(size, y);
    if (is_finite(y))
        return pair(with_sign(size, cosine(y)), with_sign(size, sine(y)));
    return x < 0 ? pair(0, with_sign(0, y)) : pair(INFINITE, y - y);
}

// The hyperbolic functions of x + iy, whose x is so large that cosh(x) and sinh(x) are exp(x) / 2.
static number half_exponential(real x, real c, real s)
{
    const int step = (OF_TYPE(MAX_EXP) - 1) * LN2;
    real half = CALL(exp)((real)step) / 2;
    c *= half, s *= half, x -= step;
    if (x > step) {
        half = CALL(exp)((real)step);
        c *= half, s *= half, x -= step;
    }
    real factor = x > step ? MOST : CALL(exp)(x);
    return pair(factor * c, factor * s);
}

static int is_large(real x) { return magnitude(x) > (int)((OF_TYPE(MAX_EXP) - 1) * LN2); }

number F(ccosh)(number z)
{
    real x = __real__ z, y = __imag__ z, sign = with_sign(1, x);
    if (is_finite(x) && is_finite(y)) {
        if (is_large(x))
            return half_exponential(magnitude(x), cosine(y), sign * sine(y));
        return pair(CALL(cosh)(x) * cosine(y), CALL(sinh)(x) * sine(y));
    }
    if (is_finite(x))
        return pair(y - y, x == 0 ? 0 : NOT_A_NUMBER);
    if (is_nan(x))
        return pair(NOT_A_NUMBER, y == 0 ? y : NOT_A_NUMBER);
    if (y == 0)
        return pair(INFINITE, y * sign);
    if (is_finite(y))
        return pair(with_sign(INFINITE, cosine(y)), with_sign(INFINITE, sine(y)) * sign);
    return pair(INFINITE, y - y);
}

number F(csinh)(number z)
{
    real x = __real__ z, y = __imag__ z, sign = with_sign(1, x);
    if (is_finite(x) && is_finite(y)) {
        if (is_large(x))
            return half_exponential(magnitude(x), sign * cosine(y), sine(y));
        return pair(CALL(sinh)(magnitude(x)) * (sign * cosine(y)), CALL(cosh)(x) * sine(y));
    }
    if (is_finite(x))
        return x == 0 ? pair(x, y - y) : pair(NOT_A_NUMBER, NOT_A_NUMBER);
    if (is_nan(x))
        return pair(NOT_A_NUMBER, y == 0 ? y : NOT_A_NUMBER);
    if (y == 0)
        return z;
    if (is_finite(y))
        return pair(with_sign(INFINITE, cosine(y)) * sign, with_sign(INFINITE, sine(y)));
    return pair(INFINITE, y - y);
}

static number tangent_at_infinity(real x, real y)
{
    if (is_infinite(x)) {
        int is_periodic = is_finite(y) && magnitude(y) > 1;
        return pair(with_sign(1, x), with_sign(0, is_periodic ? CALL(sin)(y) * CALL(cos)(y) : y));
    }
    if (y == 0)
        return pair(x, y);
    return pair(x == 0 ? x : NOT_A_NUMBER, NOT_A_NUMBER);
}

// (sinh x cosh x + i sin y cos y) / (sinh² x + cos² y)
number F(ctanh)(number z)
{
    real x = __real__ z, y = __imag__ z;
    if (!is_finite(x) || !is_finite(y))
        return tangent_at_infinity(x, y);
    real s = sine(y), c = cosine(y);
    const int step = (OF_TYPE(MAX_EXP) - 1) * LN2 / 2;
    if (magnitude(x) > step) {
        real rest = magnitude(x) - step, square = CALL(exp)((real)(2 * step));
        return pair(with_sign(1, x), 4 * s * c / square / (rest > step ? square : CALL(exp)(2 * rest)));
    }
    real sh = x, ch = 1;
    if (magnitude(x) > LEAST)
        sh = CALL(sinh)(x), ch = CALL(cosh)(x);
    real divisor = magnitude(sh) > magnitude(c) * EPSILON ? sh * sh + c * c : c * c;
    return pair(sh * ch / divisor, s * c / divisor);
}

number F(ccos)(number z) { return F(ccosh)(pair(-__imag__ z, __real__ z)); }

number F(csin)(number z)
{
    real x = __real__ z;
    return exchanged(F(csinh)(pair(__imag__ z, is_nan(x) ? NOT_A_NUMBER : x)));
}

number F(ctan)(number z) { return exchanged(F(ctanh)(exchanged(z))); }

// Logarithms.

// x² + y² - 1 for 1 > x >= y.
#ifdef WIDER

static real excess(real x, real y)
{
    WIDER wide = x, other = y;
    return (wide - 1) * (wide + 1) + other * other;
}

#else

// Move the number at the start of the sorted numbers to its place by magnitude.
static void sort_first(real *numbers, int count)
{
    for (int i = 1; i < count && magnitude(numbers[i - 1]) > magnitude(numbers[i]); i++) {
        real moved = numbers[i - 1];
        numbers[i - 1] = numbers[i], numbers[i] = moved;
    }
}

// x² - x * x (Dekker).
static real error_of_square(real x)
{
    real shifted = x * ((1ull << (OF_TYPE(MANT_DIG) + 1) / 2) + 1), high = shifted - (shifted - x), low = x - high;
    return high * high - x * x + 2 * high * low + low * low;
}

// The sum of five exact terms: that of the two smallest ones, and its error, replace them, and so on.
static real excess(real x, real y)
{
    real terms[5] = {-1, x * x, y * y, error_of_square(x), error_of_square(y)};
    for (int i = 3; i >= 0; i--)
        sort_first(terms + i, 5 - i);
    for (int i = 0; i < 4; i++) {
        real sum = terms[i + 1] + terms[i];
        terms[i] = terms[i + 1] - sum + terms[i];
        terms[i + 1] = sum;
        sort_first(terms + i + 1, 4 - i);
    }
    return terms[4] + terms[3] + terms[2] + terms[1] + terms[0];
}

#endif

static real logarithm_of_size(real x, real y)
{
    real larger = magnitude(x), smaller = magnitude(y);
    if (larger < smaller)
        larger = magnitude(y), smaller = magnitude(x);
    if (larger > MOST / 2) {
        smaller = smaller >= 2 * LEAST ? smaller / 2 : 0;
        return CALL(log)(CALL(hypot)(larger / 2, smaller)) + LN2;
    }
    if (larger < LEAST) {
        real size = CALL(hypot)(larger * (2 / EPSILON), smaller * (2 / EPSILON));
        return CALL(log)(size) - OF_TYPE(MANT_DIG) * LN2;
    }
    if (larger == 1)
        return CALL(log1p)(smaller * smaller) / 2;
    if (larger > 1 && larger < 2 && smaller < 1) {
        real square = (larger - 1) * (larger + 1);
        return CALL(log1p)(smaller >= EPSILON ? square + smaller * smaller : square) / 2;
    }
    if (larger < 1 && larger >= C(0.5)) {
        if (smaller < EPSILON / 2)
            return CALL(log1p)((larger - 1) * (larger + 1)) / 2;
        if (larger * larger + smaller * smaller >= C(0.5))
            return CALL(log1p)(excess(larger, smaller)) / 2;
    }
    return CALL(log)(CALL(hypot)(larger, smaller));
}

number F(clog)(number z)
{
    real x = __real__ z, y = __imag__ z;
    if (x == 0 && y == 0)
        return pair(-INFINITE, with_sign(is_negative(x) ? PI : 0, y));
    if (is_nan(x) || is_nan(y))
        return pair(is_infinite(x) || is_infinite(y) ? INFINITE : NOT_A_NUMBER, NOT_A_NUMBER);
    return pair(logarithm_of_size(x, y), CALL(atan2)(y, x));
}

number F(cpow)(number z, number w) { return F(cexp)(w * F(clog)(z)); }

// The square root.

static number root_at_infinity(real x, real y)
{
    if (is_infinite(y))
        return pair(INFINITE, y);
    if (!is_infinite(x))
        return pair(NOT_A_NUMBER, NOT_A_NUMBER);
    if (x < 0)
        return pair(is_nan(y) ? NOT_A_NUMBER : 0, with_sign(INFINITE, y));
    return pair(x, is_nan(y) ? NOT_A_NUMBER : with_sign(0, y));
}

static number root_on_axis(real x, real y)
{
    if (y == 0)
        return x < 0 ? pair(0, with_sign(CALL(sqrt)(-x), y)) : pair(magnitude(CALL(sqrt)(x)), y);
    real size = magnitude(y);
    real root = size >= 2 * LEAST ? CALL(sqrt)(C(0.5) * size) : C(0.5) * CALL(sqrt)(2 * size);
    return pair(root, with_sign(root, y));
}

number F(csqrt)(number z)
{
    real x = __real__ z, y = __imag__ z, scale = 1;
    if (!is_finite(x) || !is_finite(y))
        return root_at_infinity(x, y);
    if (x == 0 || y == 0)
        return root_on_axis(x, y);
    if (magnitude(x) > MOST / 4 || magnitude(y) > MOST / 4) {
        x = magnitude(x) > MOST / 4 || magnitude(x) >= 4 * LEAST ? x / 4 : 0;
        y /= 4, scale = 2;
    } else if (magnitude(x) < 2 * LEAST && magnitude(y) < 2 * LEAST) {
        real power = (real)(1ull << (OF_TYPE(MANT_DIG) + 1) / 2);
        x = x * power * power, y = y * power * power, scale = 1 / power;
    }
    real size = CALL(hypot)(x, y), root = CALL(sqrt)(C(0.5) * (size + magnitude(x))), other;
    if (scale == 2 && magnitude(y) < 2) // 2 * root * other is y
        other = y / root, root *= 2;
    else
        other = C(0.5) * (y / root) * scale, root *= scale;
    return x > 0 ? pair(root, with_sign(other, y)) : pair(magnitude(other), with_sign(root, y));
}

// Inverse functions. (Kahan's formulas.)

// asinh(x + iy) for x, y >= 0, which are not both zero; acosh and acos need atan2(Re, sign * Im) of the argument of the
// logarithm, instead of atan2(Im, Re).
static real angle(real x, real y, int is_adjoint, real sign)
{
    return is_adjoint ? CALL(atan2)(x, with_sign(y, sign)) : CALL(atan2)(y, x);
}

static number logarithm(real x, real y, int is_adjoint, real sign)
{
    return F(clog)(is_adjoint ? pair(with_sign(y, sign), x) : pair(x, y));
}

static number sine_above_one(real x, real y, int is_adjoint, real sign) // 1 < y < 1.5, x < 0.5
{
    real above = (y + 1) * (y - 1);
    if (x < EPSILON * EPSILON) {
        real root = CALL(sqrt)(above);
        real size = CALL(log1p)(2 * (above + y * root)) / 2;
        return pair(size, angle(x, root, is_adjoint, sign));
    }
    real square = x * x, f = square * (2 + square + 2 * y * y), d = CALL(sqrt)(above * above + f);
    real sum = d + above, difference = f / sum;
    real one = CALL(sqrt)((difference + square) / 2), other = x * y / one;
    real size = CALL(log1p)(square + sum + 2 * (x * one + y * other)) / 2;
    return pair(size, angle(x + one, y + other, is_adjoint, sign));
}

static number sine_at_one(real x, int is_adjoint, real sign) // y = 1, x < 0.5
{
    if (x < EPSILON / 8) {
        real root = CALL(sqrt)(x);
        return pair(CALL(log1p)(2 * (x + root)) / 2, angle(root, 1, is_adjoint, sign));
    }
    real d = x * CALL(sqrt)(4 + x * x), one = CALL(sqrt)((d + x * x) / 2), other = CALL(sqrt)((d - x * x) / 2);
    real size = CALL(log1p)(x * x + d + 2 * (x * one + other)) / 2;
    return pair(size, angle(x + one, 1 + other, is_adjoint, sign));
}

static number sine_below_one(real x, real y, int is_adjoint, real sign) // y < 1, x < 0.5
{
    if (y < EPSILON) {
        real size = CALL(hypot)((real)1, x);
        return pair(CALL(log1p)(2 * x * (x + size)) / 2, angle(size, y, is_adjoint, sign));
    }
    real below = (1 + y) * (1 - y);
    if (x < EPSILON * EPSILON) {
        real root = CALL(sqrt)(below);
        return pair(CALL(log1p)(2 * x / root) / 2, angle(root, y, is_adjoint, sign));
    }
    real square = x * x, f = square * (2 + square + 2 * y * y), d = CALL(sqrt)(below * below + f);
    real sum = d + below, difference = f / sum;
    real one = CALL(sqrt)((sum + square) / 2), other = x * y / one;
    real size = CALL(log1p)(square + difference + 2 * (x * one + y * other)) / 2;
    return pair(size, angle(x + one, y + other, is_adjoint, sign));
}

static number inverse_sine(real x, real y, int is_adjoint, real sign)
{
    if (x >= 1 / EPSILON || y >= 1 / EPSILON)
        return logarithm(x, y, is_adjoint, sign) + LN2;
    if (x >= C(0.5) && y < EPSILON / 8) {
        real size = CALL(hypot)((real)1, x);
        return pair(CALL(log)(x + size), angle(size, y, is_adjoint, sign));
    }
    if (x < EPSILON / 8 && y >= C(1.5)) {
        real root = CALL(sqrt)((y + 1) * (y - 1));
        return pair(CALL(log)(y + root), angle(x, root, is_adjoint, sign));
    }
    if (x < C(0.5) && y > 1 && y < C(1.5))
        return sine_above_one(x, y, is_adjoint, sign);
    if (x < C(0.5) && y == 1)
        return sine_at_one(x, is_adjoint, sign);
    if (x < C(0.5) && y < 1)
        return sine_below_one(x, y, is_adjoint, sign);
    number root = F(csqrt)(pair((x - y) * (x + y) + 1, 2 * x * y));
    return logarithm(__real__ root + x, __imag__ root + y, is_adjoint, sign);
}

static number signed_inverse_sine(number z, int is_adjoint)
{
    real x = __real__ z, y = __imag__ z;
    number found = inverse_sine(magnitude(x), magnitude(y), is_adjoint, y);
    return pair(with_sign(__real__ found, x), with_sign(__imag__ found, is_adjoint ? 1 : y));
}

number F(casinh)(number z)
{
    real x = __real__ z, y = __imag__ z;
    if (is_infinite(y))
        return pair(with_sign(INFINITE, x), is_nan(x) ? NOT_A_NUMBER : with_sign(is_finite(x) ? PI / 2 : PI / 4, y));
    if (!is_finite(x) && ((is_infinite(x) && is_finite(y)) || y == 0))
        return pair(x, with_sign(0, y));
    if (!is_finite(x))
        return pair(x, NOT_A_NUMBER);
    if (is_nan(y))
        return pair(NOT_A_NUMBER, NOT_A_NUMBER);
    return x == 0 && y == 0 ? z : signed_inverse_sine(z, 0);
}

number F(casin)(number z)
{
    number found = exchanged(F(casinh)(exchanged(z)));
    int is_unknown = is_nan(__imag__ z) && __real__ z != 0 && !is_infinite(__real__ z);
    return is_unknown ? pair(__real__ found, NOT_A_NUMBER) : found;
}

number F(cacos)(number z)
{
    real x = __real__ z, y = __imag__ z;
    if (!is_finite(x) || !is_finite(y) || (x == 0 && y == 0)) {
        number sine = F(casin)(z);
        real angle = PI / 2 - __real__ sine;
        return pair(angle == 0 ? 0 : angle, -__imag__ sine);
    }
    return exchanged(signed_inverse_sine(pair(-y, x), 1));
}

static number inverse_cosine_at_infinity(real x, real y)
{
    real size = is_infinite(x) || is_infinite(y) ? INFINITE : NOT_A_NUMBER;
    if (is_infinite(y)) {
        if (is_nan(x))
            return pair(size, NOT_A_NUMBER);
        return pair(size, with_sign(is_finite(x) ? PI / 2 : x < 0 ? PI - PI / 4 : PI / 4, y));
    }
    if (is_infinite(x))
        return pair(size, is_nan(y) ? NOT_A_NUMBER : with_sign(x < 0 ? PI : 0, y));
    return pair(size, x == 0 ? PI / 2 : NOT_A_NUMBER);
}

number F(cacosh)(number z)
{
    real x = __real__ z, y = __imag__ z;
    if (!is_finite(x) || !is_finite(y))
        return inverse_cosine_at_infinity(x, y);
    if (x == 0 && y == 0)
        return pair(0, with_sign(PI / 2, y));
    number found = signed_inverse_sine(pair(-y, x), 1);
    return is_negative(y) ? ~found : pair(-__real__ found, __imag__ found);
}

static real inverse_tangent_size(real x, real y)
{
    if (magnitude(x) == 1 && magnitude(y) < EPSILON * EPSILON)
        return with_sign(C(0.5), x) * (LN2 - CALL(log)(magnitude(y)));
    real square = magnitude(y) >= EPSILON * EPSILON ? y * y : 0;
    real above = square + (1 + x) * (1 + x), below = square + (1 - x) * (1 - x);
    if (above / below < C(0.5))
        return C(0.25) * CALL(log)(above / below);
    return C(0.25) * CALL(log1p)(4 * x / below);
}

static real inverse_tangent_angle(real x, real y)
{
    real larger = magnitude(x), smaller = magnitude(y), rest;
    if (larger < smaller)
        larger = magnitude(y), smaller = magnitude(x);
    if (larger < 1 && smaller >= EPSILON / 2 && (larger >= C(0.75) || smaller >= C(0.5)))
        rest = -excess(larger, smaller);
    else
        rest = (1 - larger) * (1 + larger) - (smaller < EPSILON / 2 ? 0 : smaller * smaller);
    return C(0.5) * CALL(atan2)(2 * y, rest == 0 && smaller < EPSILON / 2 ? 0 : rest);
}

number F(catanh)(number z)
{
    real x = __real__ z, y = __imag__ z, far = 16 / EPSILON;
    if (is_infinite(y) || ((is_infinite(x) || x == 0) && !is_finite(y)) || (is_infinite(x) && is_finite(y)))
        return pair(with_sign(0, x), is_nan(y) ? NOT_A_NUMBER : with_sign(PI / 2, y));
    if (is_nan(x) || is_nan(y))
        return pair(NOT_A_NUMBER, NOT_A_NUMBER);
    if (x == 0 && y == 0)
        return z;
    if (magnitude(x) < far && magnitude(y) < far)
        return pair(inverse_tangent_size(x, y), inverse_tangent_angle(x, y));
    real half = CALL(hypot)(x / 2, y / 2);
    real size = magnitude(y) <= 1 ? 1 / x : magnitude(x) <= 1 ? x / y / y : x / half / half / 4;
    return pair(size, with_sign(PI / 2, y));
}

number F(catan)(number z) { return exchanged(F(catanh)(exchanged(z))); }
