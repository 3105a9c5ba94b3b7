// Arithmetic on 128 bits as number theory, cryptography and random generators use it.
// why: products and quotients need all bits, for both signs
// expect: 12045155585626108020979678482134755200
// expect: -170141183460469231731687303715884105728
// expect: -1219326311370217861743636654061881
// expect: 4041881087484464000 1 0
// expect: 14759604945044498069 14759604945044498069
// expect: 4647963831255307162 17096482257289067021 9005068463966194610,
// expect: 6c155799fdc8eec4b91523808e7726b7
// expect: 9314156002d8a0 2ea4f2e6c946e 3b8dbd6f40e2b 212aa18cdd192 61455412bbad8
// expect: -1840644096
// expect: 1509097674388560
// expect: -1329227986480319967541567287
// expect: -489373567
// expect: -72057593
// expect: -9841795165875912678372802560

#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void print(i128 value)
{
    char digits[40];
    int n = 0;
    u128 rest = value < 0 ? -(u128)value : (u128)value;
    do
        digits[n++] = '0' + (int)(rest % 10);
    while (rest /= 10);
    if (value < 0)
        putchar('-');
    while (n)
        putchar(digits[--n]);
    putchar('\n');
}

static uint64_t modular_product(uint64_t a, uint64_t b, uint64_t m) { return (u128)a * b % m; }

static uint64_t modular_power(uint64_t base, uint64_t exponent, uint64_t m)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base = modular_product(base, base, m))
        if (exponent & 1)
            result = modular_product(result, base, m);
    return result;
}

static int is_prime(uint64_t n)
{
    static const uint64_t witnesses[] = { 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37 };
    int twos = __builtin_ctzl(n - 1);
    for (int i = 0; i < 12; i++) {
        uint64_t x = modular_power(witnesses[i], (n - 1) >> twos, n);
        int k = 0;
        if (x == 1)
            continue;
        for (; x != n - 1; k++, x = modular_product(x, x, n))
            if (k == twos - 1)
                return 0;
    }
    return 1;
}

// Montgomery's reduction of t modulo n, without a division; inverse is -1 / n modulo 2^64.
static uint64_t reduced(u128 t, uint64_t n, uint64_t inverse)
{
    uint64_t m = (uint64_t)t * inverse;
    u128 sum = t + (u128)m * n;
    uint64_t high = sum >> 64;
    return sum < t || high >= n ? high - n : high;
}

static uint64_t montgomery(uint64_t a, uint64_t b, uint64_t n)
{
    uint64_t inverse = n;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - n * inverse;
    uint64_t square = (u128)(-n % n) * (-n % n) % n;
    uint64_t x = reduced((u128)a * square, n, -inverse), y = reduced((u128)b * square, n, -inverse);
    return reduced(reduced((u128)x * y, n, -inverse), n, -inverse);
}

// The permuted congruential generator with a state of 128 bits (XSL-RR).
static u128 state;

static uint64_t random64(void)
{
    state = state * (((u128)2549297995355413924u << 64) + 4865540595714422341u)
        + (((u128)6364136223846793005u << 64) + 1442695040888963407u);
    uint64_t folded = (uint64_t)(state >> 64) ^ (uint64_t)state;
    unsigned turn = state >> 122;
    return folded >> turn | folded << (-turn & 63);
}

static u128 fowler_noll_vo(const char *text)
{
    u128 hash = ((u128)0x6c62272e07bb0142u << 64) + 0x62b821756295c58du;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * (((u128)1 << 88) + 0x13b);
    return hash;
}

// Products of four limbs of 51 bits and more modulo 2^255 - 19, as for Curve25519.
static void field_product(uint64_t out[5], const uint64_t a[5], const uint64_t b[5])
{
    u128 sums[5], carry = 0;
    for (int i = 0; i < 5; i++) {
        sums[i] = 0;
        for (int j = 0; j < 5; j++)
            sums[i] += (u128)a[j] * b[(i - j + 5) % 5] * (j > i ? 19 : 1);
    }
    for (int i = 0; i < 5; i++, carry >>= 51) {
        carry += sums[i];
        out[i] = (uint64_t)carry & 0x7ffffffffffff;
    }
    out[0] += (uint64_t)carry * 19;
}

static i128 fixed_product(i128 a, i128 b) { return (a >> 16) * (b >> 16); } // 64 bits after the point, 32 of them used

static u128 square_root(u128 n)
{
    u128 x = n, y = (x >> 1) + 1;
    while (y < x) {
        x = y;
        y = (x + n / x) / 2;
    }
    return x;
}

int main(void)
{
    print((u128)0xfedcba9876543210u * 0x123456789abcdef0u >> 1);
    print((i128)1 << 127);
    print(-12345678901234567 * (i128)98765432109876543);
    const uint64_t prime = 18446744073709551557u, x = 123456789123456789, y = 987654321987654321;
    printf("%lu %d %d\n", modular_power(3, 1000000006, prime), is_prime(prime), is_prime(prime - 2));
    printf("%lu %lu\n", montgomery(x, y, prime), modular_product(x, y, prime));
    state = 42;
    for (int i = 0; i < 3; i++)
        printf("%lu%c", random64(), i < 2 ? ' ' : ',');
    u128 hash = fowler_noll_vo("hello world");
    printf("\n%016lx%016lx\n", (uint64_t)(hash >> 64), (uint64_t)hash);
    uint64_t a[5] = { 0x7ffffffffffec, 0x7ffffffffffff, 1, 2, 3 }, c[5];
    field_product(c, a, a);
    for (int i = 0; i < 20; i++)
        field_product(c, c, a);
    printf("%lx %lx %lx %lx %lx\n", c[0], c[1], c[2], c[3], c[4]);
    print(fixed_product((i128)-3 << 32, ((i128)1 << 32) / 7));
    print(square_root(((u128)123456789 << 64) * 1000));
    i128 dividend = (i128)-1 << 120, divisor = 1000000007;
    print(dividend / divisor), print(dividend % divisor);
    print(dividend / (divisor << 64)), print(dividend % -(divisor << 64));
    return 0;
}
