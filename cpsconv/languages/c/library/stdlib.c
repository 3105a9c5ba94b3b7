// Conversions of strings, pseudo-random numbers, searching and sorting.

typedef unsigned long size_t;
typedef int comparison(const void *, const void *);

enum { EEXIST = 17, EINVAL = 22, ERANGE = 34 };
enum { O_RDWR = 2, O_CREAT = 64, O_EXCL = 128 };

int __open(const char *, int);
long __environment(const char *, char *, size_t);
int *__errno_location(void);
void __run_abort_handler(void);
void *memcpy(void *, const void *, size_t);
int memcmp(const void *, const void *, size_t);
size_t strlen(const char *);

// Pointers to the operations.

void *malloc(size_t size) { return __builtin_malloc(size); }
void *calloc(size_t count, size_t size) { return __builtin_calloc(count, size); }
void *realloc(void *place, size_t size) { return __builtin_realloc(place, size); }
void free(void *place) { __builtin_free(place); }
int abs(int number) { return __builtin_abs(number); }
long labs(long number) { return __builtin_labs(number); }
long long llabs(long long number) { return __builtin_llabs(number); }

void abort(void)
{
    __run_abort_handler();
    __builtin_abort();
}

void exit(int status) { __builtin_exit(status); }

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// The value of a digit; 36 for other characters.
static int digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 36;
}

// The number at the start of a string. Its magnitude is at most `limit`, or `limit` + 1 for a negative number if
// `is_signed`.
static unsigned long number_at(const char *string, char **end, int base, int is_signed)
{
    const char *at = string;
    if (base < 0 || base == 1 || base > 36) {
        *__errno_location() = EINVAL;
        return 0;
    }
    while (is_space(*at))
        at++;
    int is_negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && digit_value(at[2]) < 16) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    unsigned long limit = is_signed ? 0x7fffffffffffffffUL + is_negative : ~0UL, value = 0;
    int is_number = 0, is_too_large = 0;
    for (int digit; (digit = digit_value(*at)) < base; at++) {
        is_number = 1;
        if (value > (limit - digit) / base)
            is_too_large = 1;
        else
            value = value * base + digit;
    }
    if (end != 0)
        *end = (char *)(is_number ? at : string);
    if (is_too_large) {
        *__errno_location() = ERANGE;
        return limit;
    }
    return is_negative ? -value : value;
}

long strtol(const char *string, char **end, int base) { return number_at(string, end, base, 1); }
long long strtoll(const char *string, char **end, int base) { return number_at(string, end, base, 1); }
unsigned long strtoul(const char *string, char **end, int base) { return number_at(string, end, base, 0); }
unsigned long long strtoull(const char *string, char **end, int base) { return number_at(string, end, base, 0); }
int atoi(const char *string) { return (int)number_at(string, 0, 10, 1); }
long atol(const char *string) { return number_at(string, 0, 10, 1); }
long long atoll(const char *string) { return number_at(string, 0, 10, 1); }

// ---------------------------------------------------------------------------------------------------- floating point

#define INFINITE (1e308 * 10)

// The number 0.ddd times 10 to the power of `point`. Further digits than `MOST_DIGITS` are only noted as `is_cut`.
enum { MOST_DIGITS = 800, SPARE_DIGITS = 20 };

struct decimal {
    int count, point, is_cut;
    unsigned char digits[MOST_DIGITS + SPARE_DIGITS];
};

static void drop_zeros(struct decimal *number)
{
    while (number->count > 0 && number->digits[number->count - 1] == 0)
        number->count--;
}

// Divide by 2 to the power of `bits`, which is at most 59.
static void halve(struct decimal *number, int bits)
{
    unsigned long rest = 0, mask = (1UL << bits) - 1;
    int read = 0, written = 0;
    while (rest >> bits == 0 && (read < number->count || rest != 0)) {
        rest = rest * 10 + (read < number->count ? number->digits[read] : 0);
        read++;
    }
    number->point -= read - 1;
    for (;; read++) {
        int digit = (int)(rest >> bits);
        rest = (rest & mask) * 10;
        if (written < MOST_DIGITS)
            number->digits[written++] = (unsigned char)digit;
        else if (digit != 0)
            number->is_cut = 1;
        if (read < number->count)
            rest += number->digits[read];
        else if (rest == 0)
            break;
    }
    number->count = written;
    drop_zeros(number);
}

// Multiply by 2 to the power of `bits`, which is at most 59.
static void twice(struct decimal *number, int bits)
{
    unsigned long carry = 0;
    unsigned char extra[SPARE_DIGITS];
    int added = 0;
    for (int i = number->count - 1; i >= 0; i--) {
        carry += (unsigned long)number->digits[i] << bits;
        number->digits[i] = (unsigned char)(carry % 10);
        carry /= 10;
    }
    for (; carry != 0; carry /= 10)
        extra[added++] = (unsigned char)(carry % 10);
    for (int i = number->count - 1; i >= 0; i--)
        number->digits[i + added] = number->digits[i];
    for (int i = 0; i < added; i++)
        number->digits[i] = extra[added - 1 - i];
    number->count += added;
    number->point += added;
    drop_zeros(number);
    if (number->count > MOST_DIGITS) {
        number->count = MOST_DIGITS;
        number->is_cut = 1;
    }
}

// The number of digits by which the shifts move the point at most.
static int shift_for(int digits) { return digits > 17 ? 59 : digits * 3 + (digits == 0); }

// The number without the fraction, halves to even.
static unsigned long rounded(struct decimal *number)
{
    unsigned long whole = 0;
    int at = 0;
    for (; at < number->point; at++)
        whole = whole * 10 + (at < number->count ? number->digits[at] : 0);
    int next = number->point >= 0 && at < number->count ? number->digits[at] : 0;
    int is_half = next == 5 && at + 1 == number->count && !number->is_cut;
    return whole + (is_half ? whole & 1 : (unsigned long)(next >= 5));
}

// A format of floating numbers: the bits of its mantissa, and the exponents of its least and largest numbers.
struct format {
    int bits, least, most;
};

static const struct format binary64 = { 53, -1021, 1024 }, binary32 = { 24, -125, 128 },
                           extended = { 64, -16381, 16384 };

// A number: the mantissa times 2 to the power of the exponent; in formats of at most 53 bits also its value.
struct number {
    double value;
    unsigned long mantissa;
    int exponent, is_negative;
};

enum { SPECIAL = 0x7fff, LEAST_EXPONENT = -16445 }; // of infinity and NaN, and of the last bit of a small number

static struct number special(double value, unsigned long mantissa)
{
    return (struct number){ value, mantissa, SPECIAL + LEAST_EXPONENT - 1 };
}

static struct number not_a_number(unsigned long payload, struct format format)
{
    unsigned long bits = 0x7ff8000000000000UL | (payload << (53 - format.bits & 63) & 0x7ffffffffffffUL);
    union { unsigned long bits; double value; } both = { bits };
    return special(both.value, 3UL << 62 | payload);
}

static struct number out_of_range(int is_infinite)
{
    *__errno_location() = ERANGE;
    return is_infinite ? special(INFINITE, 1UL << 63) : (struct number){ 0 };
}

// 2 to the power of `exponent`, times `mantissa`, which has at most 53 bits. The result is exact or infinite.
static double scaled(double mantissa, int exponent)
{
    for (; exponent > 0; exponent--)
        mantissa *= 2;
    for (; exponent < 0; exponent++)
        mantissa /= 2;
    return mantissa;
}

static struct number finite(unsigned long mantissa, int exponent, struct format format)
{
    return (struct number){ format.bits > 53 ? 0 : scaled((double)mantissa, exponent), mantissa, exponent };
}

// The number nearest to the decimal one times 2 to the power of `exponent`.
static struct number nearest(struct decimal *number, int exponent, struct format format)
{
    static const double powers[] = { 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    drop_zeros(number);
    int power = number->point - number->count;
    if (number->count == 0)
        return (struct number){ 0 };
    if (format.bits == 53 && exponent == 0 && number->count <= 15 && power >= -22 && power <= 22) { // both are exact
        unsigned long whole = 0;
        for (int i = 0; i < number->count; i++)
            whole = whole * 10 + number->digits[i];
        return (struct number){ power < 0 ? (double)whole / powers[-power] : (double)whole * powers[power] };
    }
    if (number->point > format.most / 2 || number->point < -format.most / 2)
        return out_of_range(number->point > 0);
    while (number->point > 0) {
        int bits = shift_for(number->point);
        halve(number, bits);
        exponent += bits;
    }
    while (number->point < 0 || number->digits[0] < 5) {
        int bits = shift_for(-number->point);
        twice(number, bits);
        exponent -= bits;
    }
    int below = exponent < format.least ? format.least - exponent : 0, bits = format.bits - below;
    if (bits < 0)
        return out_of_range(0);
    twice(number, format.bits / 2);
    twice(number, format.bits - format.bits / 2);
    int is_tiny = below != 0 && rounded(number) << (64 - format.bits) != 0; // even if it is rounded with all bits
    if (below != 0) {
        halve(number, below / 2);
        halve(number, below - below / 2);
    }
    unsigned long mantissa = rounded(number);
    if (bits == 64 && mantissa == 0) { // 2 to the power of 64
        mantissa = 1UL << 63;
        exponent++;
    }
    if (mantissa == 0 || exponent + (bits < 64 && mantissa >> bits != 0) > format.most)
        return out_of_range(mantissa != 0);
    if (is_tiny && (number->count > number->point || number->is_cut))
        *__errno_location() = ERANGE;
    return finite(mantissa, exponent - bits, format);
}

// The number of characters of `word`, in lower case, at the start of `text` in any case; 0 if they differ.
static int matches(const char *text, const char *word)
{
    int length = 0;
    for (; word[length] != 0; length++)
        if ((text[length] | 32) != word[length])
            return 0;
    return length;
}

// The exponent after the letter at `*at`, which is passed; 0 if there is none.
static int exponent_at(const char **at, char letter)
{
    const char *digits = *at + 1;
    if ((**at | 32) != letter)
        return 0;
    int is_negative = *digits == '-', value = 0;
    if (*digits == '-' || *digits == '+')
        digits++;
    if (digit_value(*digits) > 9)
        return 0;
    for (; digit_value(*digits) <= 9; digits++)
        value = value < 100000 ? value * 10 + digit_value(*digits) : value;
    *at = digits;
    return is_negative ? -value : value;
}

static struct number decimal_number_at(const char **at, struct format format)
{
    struct decimal number;
    int is_after_point = 0;
    number.count = number.point = number.is_cut = 0;
    for (;; ++*at) {
        if (**at == '.' && !is_after_point) {
            is_after_point = 1;
            continue;
        }
        int digit = digit_value(**at);
        if (digit > 9)
            break;
        if (!is_after_point && (number.count > 0 || digit != 0))
            number.point++;
        if (number.count == 0 && digit == 0) {
            number.point -= is_after_point;
        } else if (number.count < MOST_DIGITS) {
            number.digits[number.count++] = (unsigned char)digit;
        } else if (digit != 0) {
            number.is_cut = 1;
        }
    }
    number.point += exponent_at(at, 'e');
    return nearest(&number, 0, format);
}

static struct number hexadecimal_number_at(const char **at, struct format format)
{
    enum { HALF = 60, DIGITS = 37 };
    struct decimal number;
    unsigned long high = 0, low = 0; // two halves of the mantissa
    int exponent = 0, is_after_point = 0;
    number.count = number.point = DIGITS;
    number.is_cut = 0;
    for (;; ++*at) {
        if (**at == '.' && !is_after_point) {
            is_after_point = 1;
            continue;
        }
        int digit = digit_value(**at);
        if (digit > 15)
            break;
        if (high >> (HALF - 4) == 0) {
            high = high << 4 | low >> (HALF - 4);
            low = (low << 4 | (unsigned long)digit) & ((1UL << HALF) - 1);
            exponent -= 4 * is_after_point;
        } else {
            number.is_cut |= digit != 0;
            exponent += 4 * !is_after_point;
        }
    }
    for (int i = DIGITS - 1; i >= 0; i--) {
        low |= high % 10 << HALF;
        high /= 10;
        number.digits[i] = (unsigned char)(low % 10);
        low /= 10;
    }
    exponent += exponent_at(at, 'p');
    return nearest(&number, exponent, format);
}

// The payload in parentheses after "nan" at `*at`, which is passed; 0 if it is no number.
static unsigned long payload_at(const char **at)
{
    const char *last = *at + 1;
    char *end;
    if (**at != '(')
        return 0;
    while (digit_value(*last) < 36 || *last == '_')
        last++;
    if (*last != ')')
        return 0;
    unsigned long payload = number_at(*at + 1, &end, 0, 0);
    *at = last + 1;
    return end == last ? payload : 0;
}

static struct number floating_at(const char *string, char **end, struct format format)
{
    const char *at = string;
    struct number number = { 0 };
    while (is_space(*at))
        at++;
    int is_negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    const char *start = at;
    if (at[0] == '0' && (at[1] | 32) == 'x' && (digit_value(at[2]) < 16 || (at[2] == '.' && digit_value(at[3]) < 16))) {
        at += 2;
        number = hexadecimal_number_at(&at, format);
    } else if (digit_value(*at) <= 9 || (*at == '.' && digit_value(at[1]) <= 9)) {
        number = decimal_number_at(&at, format);
    } else if (matches(at, "inf")) {
        at += matches(at, "infinity") ? 8 : 3;
        number = special(INFINITE, 1UL << 63);
    } else if (matches(at, "nan")) {
        at += 3;
        number = not_a_number(payload_at(&at), format);
    }
    if (end != 0)
        *end = (char *)(at == start ? string : at);
    if (is_negative && at != start) {
        number.is_negative = 1;
        number.value = -number.value;
    }
    return number;
}

double strtod(const char *string, char **end) { return floating_at(string, end, binary64).value; }
float strtof(const char *string, char **end) { return (float)floating_at(string, end, binary32).value; }
double atof(const char *string) { return floating_at(string, 0, binary64).value; }

// Write the parts of a `long double`, which targets without the type read, too.
void __strtold(const char *string, char **end, unsigned long *parts)
{
    struct number number = floating_at(string, end, extended);
    parts[0] = number.mantissa;
    parts[1] = (unsigned long)number.is_negative << 15;
    if (number.mantissa >> 63 != 0)
        parts[1] |= (unsigned long)(number.exponent - LEAST_EXPONENT + 1);
}

long double strtold(const char *string, char **end)
{
    union { unsigned long parts[2]; long double value; } both;
    __strtold(string, end, both.parts);
    return both.value;
}

// ------------------------------------------------------------------------------------------------------- environment

// The variables that the program has set, ``name=value``, or removed, ``name``.
static struct variable {
    struct variable *next;
    size_t length; // of the name
    char *text;
} *variables;

static struct variable *variable_named(const char *name, size_t length)
{
    struct variable *found = variables;
    while (found != 0 && (found->length != length || memcmp(found->text, name, length) != 0))
        found = found->next;
    return found;
}

char *getenv(const char *name)
{
    static char value[8192];
    struct variable *set = variable_named(name, strlen(name));
    if (set != 0)
        return set->text[set->length] == 0 ? 0 : set->text + set->length + 1;
    return __environment(name, value, sizeof value) < 0 ? 0 : value;
}

static size_t length_of_name(const char *text)
{
    size_t length = 0;
    while (text[length] != 0 && text[length] != '=')
        length++;
    return length;
}

int putenv(char *text)
{
    size_t length = length_of_name(text);
    struct variable *found = variable_named(text, length);
    if (found == 0) {
        found = __builtin_malloc(sizeof *found);
        found->next = variables;
        found->length = length;
        variables = found;
    }
    found->text = text;
    return 0;
}

int setenv(const char *name, const char *value, int replaces)
{
    size_t length = strlen(name), size = strlen(value) + 1;
    if (length == 0 || length_of_name(name) != length) {
        *__errno_location() = EINVAL;
        return -1;
    }
    if (!replaces && getenv(name) != 0)
        return 0;
    char *text = __builtin_malloc(length + 1 + size);
    memcpy(text, name, length);
    text[length] = '=';
    memcpy(text + length + 1, value, size);
    return putenv(text);
}

int unsetenv(const char *name)
{
    if (setenv(name, "", 1) != 0)
        return -1;
    struct variable *removed = variable_named(name, strlen(name));
    removed->text[removed->length] = 0;
    return 0;
}

// Replace the last 6 characters of a path so that there is no such file, and create it.
int mkstemp(char *path)
{
    static unsigned number;
    char *end = path + strlen(path);
    int descriptor = -EEXIST;
    for (int tries = 0; descriptor == -EEXIST && tries < 100000; tries++) {
        unsigned rest = number++;
        for (int i = 1; i <= 6; i++, rest /= 26)
            end[-i] = (char)('a' + rest % 26);
        descriptor = __open(path, O_RDWR | O_CREAT | O_EXCL);
    }
    if (descriptor >= 0)
        return descriptor;
    *__errno_location() = -descriptor;
    return -1;
}

int system(const char *command) { return command == 0 ? 0 : -1; }

// ---------------------------------------------------------------------------------------------------- random numbers

// The sequence of glibc: r[i] = r[i - 3] + r[i - 31], after the first 310 numbers, without the lowest bit.
static int random_state[31];
static int random_index = -1;

static int next_random(void)
{
    int front = random_index + 3 < 31 ? random_index + 3 : random_index - 28;
    unsigned sum = (unsigned)random_state[front] + (unsigned)random_state[random_index];
    random_state[front] = (int)sum;
    random_index = random_index == 30 ? 0 : random_index + 1;
    return (int)(sum >> 1);
}

void srand(unsigned seed)
{
    int word = seed == 0 ? 1 : (int)seed;
    random_state[0] = word;
    for (int i = 1; i < 31; i++) {
        word = (int)(16807L * (word % 127773) - 2836L * (word / 127773));
        if (word < 0)
            word += 2147483647;
        random_state[i] = word;
    }
    random_index = 0;
    for (int i = 0; i < 310; i++)
        next_random();
}

int rand(void)
{
    if (random_index < 0)
        srand(1);
    return next_random();
}

long random(void) { return rand(); }
void srandom(unsigned seed) { srand(seed); }

static unsigned short state_of_48_bits[3];

static unsigned long next_of_48_bits(unsigned short state[3])
{
    unsigned long before = state[0] | (unsigned long)state[1] << 16 | (unsigned long)state[2] << 32;
    unsigned long next = (before * 0x5DEECE66D + 0xB) & 0xFFFFFFFFFFFF;
    for (int i = 0; i < 3; i++)
        state[i] = (unsigned short)(next >> 16 * i);
    return next;
}

double erand48(unsigned short state[3]) { return (double)next_of_48_bits(state) / 281474976710656.0; }
long nrand48(unsigned short state[3]) { return (long)(next_of_48_bits(state) >> 17); }
long jrand48(unsigned short state[3]) { return (int)(next_of_48_bits(state) >> 16); }
double drand48(void) { return erand48(state_of_48_bits); }
long lrand48(void) { return nrand48(state_of_48_bits); }
long mrand48(void) { return jrand48(state_of_48_bits); }

unsigned short *seed48(unsigned short state[3])
{
    static unsigned short before[3];
    memcpy(before, state_of_48_bits, sizeof before);
    memcpy(state_of_48_bits, state, sizeof before);
    return before;
}

void srand48(long seed)
{
    unsigned short state[3] = {0x330E, (unsigned short)seed, (unsigned short)(seed >> 16)};
    seed48(state);
}

int rand_r(unsigned *seed)
{
    unsigned next = *seed, result;
    next = next * 1103515245 + 12345;
    result = next / 65536 % 2048;
    next = next * 1103515245 + 12345;
    result = (result << 10) ^ (next / 65536 % 1024);
    next = next * 1103515245 + 12345;
    result = (result << 10) ^ (next / 65536 % 1024);
    *seed = next;
    return (int)result;
}

// ------------------------------------------------------------------------------------------------ searching, sorting

void *bsearch(const void *key, const void *base, size_t count, size_t size, comparison *compare)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const char *element = (const char *)base + middle * size;
        int order = compare(key, element);
        if (order < 0)
            high = middle;
        else if (order > 0)
            low = middle + 1;
        else
            return (void *)element;
    }
    return 0;
}

// Sorts by merging, with the comparisons of glibc 2.36 in their order.
static void sort(char *base, size_t count, size_t size, comparison *compare, char *merged)
{
    if (count <= 1)
        return;
    size_t first = count / 2, second = count - first, done = 0;
    char *left = base, *right = base + first * size;
    sort(left, first, size, compare, merged);
    sort(right, second, size, compare, merged);
    for (; first > 0 && second > 0; done++) {
        if (compare(left, right) <= 0) {
            memcpy(merged + done * size, left, size);
            left += size;
            first--;
        } else {
            memcpy(merged + done * size, right, size);
            right += size;
            second--;
        }
    }
    memcpy(merged + done * size, left, first * size);
    memcpy(base, merged, (count - second) * size);
}

void qsort(void *base, size_t count, size_t size, comparison *compare)
{
    if (count <= 1 || size == 0)
        return;
    char *merged = __builtin_malloc(count * size);
    sort(base, count, size, compare, merged);
    __builtin_free(merged);
}

// ---------------------------------------------------------------------------------------------------- wide characters

typedef int wchar_t;

enum { EILSEQ = 84 };

static int fail_to_convert(void)
{
    *__errno_location() = EILSEQ;
    return -1;
}

// In the locale "C", a wide character is one byte of ASCII.
int mbtowc(wchar_t *target, const char *text, size_t size)
{
    if (text == 0)
        return 0;
    if (size == 0 || (unsigned char)*text > 127)
        return fail_to_convert();
    if (target != 0)
        *target = *text;
    return *text != 0;
}

int mblen(const char *text, size_t size) { return mbtowc(0, text, size); }

int wctomb(char *target, wchar_t c)
{
    if (target == 0)
        return 0;
    if (c < 0 || c > 127)
        return fail_to_convert();
    *target = (char)c;
    return 1;
}

size_t mbstowcs(wchar_t *target, const char *text, size_t most)
{
    size_t length = 0;
    for (; target == 0 || length < most; length++) {
        if ((unsigned char)text[length] > 127)
            return (size_t)fail_to_convert();
        if (target != 0)
            target[length] = text[length];
        if (text[length] == 0)
            break;
    }
    return length;
}

size_t wcstombs(char *target, const wchar_t *text, size_t most)
{
    size_t length = 0;
    for (; target == 0 || length < most; length++) {
        if (text[length] < 0 || text[length] > 127)
            return (size_t)fail_to_convert();
        if (target != 0)
            target[length] = (char)text[length];
        if (text[length] == 0)
            break;
    }
    return length;
}

// --------------------------------------------------------------------------------------------- the end of the program

struct handlers {
    void (**functions)(void);
    size_t count;
};

static struct handlers at_exit, at_quick_exits;

static int add(struct handlers *handlers, void (*function)(void))
{
    void (**grown)(void) = __builtin_realloc(handlers->functions, (handlers->count + 1) * sizeof *grown);
    if (grown == 0)
        return -1;
    handlers->functions = grown;
    grown[handlers->count++] = function;
    return 0;
}

// The functions are called in the reverse order of their registration.
static void call(struct handlers *handlers)
{
    while (handlers->count > 0)
        handlers->functions[--handlers->count]();
    __builtin_free(handlers->functions);
    handlers->functions = 0;
}

int atexit(void (*function)(void)) { return add(&at_exit, function); }
int at_quick_exit(void (*function)(void)) { return add(&at_quick_exits, function); }
void __run_exit_handlers(void) { call(&at_exit); }
void _Exit(int status) { __builtin_exit(status); }

void quick_exit(int status)
{
    call(&at_quick_exits);
    __builtin_exit(status);
}

// The address of each object is a multiple of every alignment.
void *aligned_alloc(size_t alignment, size_t size) { return malloc(size); }

int posix_memalign(void **result, size_t alignment, size_t size)
{
    if (alignment == 0 || alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0)
        return EINVAL;
    *result = malloc(size);
    return 0;
}
