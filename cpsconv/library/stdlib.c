// Conversions of strings, pseudo-random numbers, searching and sorting.

typedef unsigned long size_t;
typedef int comparison(const void *, const void *);

void *malloc(size_t);
void free(void *);
void *memcpy(void *, const void *, size_t);

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
    for (int digit; base >= 2 && base <= 36 && (digit = digit_value(*at)) < base; at++) {
        is_number = 1;
        if (value > (limit - digit) / base)
            is_too_large = 1;
        else
            value = value * base + digit;
    }
    if (end != 0)
        *end = (char *)(is_number ? at : string);
    if (is_too_large)
        return limit;
    return is_negative ? -value : value;
}

long strtol(const char *string, char **end, int base) { return number_at(string, end, base, 1); }
long long strtoll(const char *string, char **end, int base) { return number_at(string, end, base, 1); }
unsigned long strtoul(const char *string, char **end, int base) { return number_at(string, end, base, 0); }
unsigned long long strtoull(const char *string, char **end, int base) { return number_at(string, end, base, 0); }
int atoi(const char *string) { return (int)number_at(string, 0, 10, 1); }
long atol(const char *string) { return number_at(string, 0, 10, 1); }
long long atoll(const char *string) { return number_at(string, 0, 10, 1); }

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
    char *merged = malloc(count * size);
    sort(base, count, size, compare, merged);
    free(merged);
}
