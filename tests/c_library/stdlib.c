#include <stdio.h>
#include <stdlib.h>

static const char *texts[] = {
    "", " ", "0", "-0", "+7", "--7", "12abc", "  \t\n-42 ", "0x", "0x1F", "-0X1fg", "017", "08", "0b11", "zZ", "1 2",
    "2147483647", "-2147483649", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
    "-9223372036854775809", "18446744073709551615", "-18446744073709551615", "18446744073709551616",
    "99999999999999999999999", "-99999999999999999999999",
};

struct pair { int key, position; };

static int by_key(const void *a, const void *b) {
    const struct pair *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

static int by_character(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }

static void convert(const char *text) {
    static const int bases[] = {0, 2, 8, 10, 16, 36};
    printf("[%s] %d %ld %lld\n", text, atoi(text), atol(text), atoll(text));
    for (int i = 0; i < 6; i++) {
        char *ends[4];
        long a = strtol(text, &ends[0], bases[i]);
        unsigned long b = strtoul(text, &ends[1], bases[i]);
        long long c = strtoll(text, &ends[2], bases[i]);
        unsigned long long d = strtoull(text, &ends[3], bases[i]);
        printf("%ld %lu %lld %llu", a, b, c, d);
        for (int j = 0; j < 4; j++)
            printf(" %ld", (long)(ends[j] - text));
        printf(" %ld\n", strtol(text, 0, bases[i]));
    }
}

static void sort(int count, int range) {
    struct pair pairs[60];
    for (int i = 0; i < count; i++)
        pairs[i] = (struct pair){rand() % range, i};
    qsort(pairs, count, sizeof pairs[0], by_key);
    for (int i = 0; i < count; i++)
        printf("%d.%d ", pairs[i].key, pairs[i].position);
    for (int key = 0; key < range; key++) {
        struct pair wanted = {key}, *found = bsearch(&wanted, pairs, count, sizeof pairs[0], by_key);
        printf("%ld ", found == 0 ? -1L : (long)(found - pairs));
    }
    printf("\n");
}

int main(void) {
    double *aligned = aligned_alloc(64, 128);
    aligned[15] = 2;
    printf("%g %d ", aligned[15], (int)((unsigned long)aligned % 64));
    free(aligned);
    for (int i = 0; i < 5; i++)
        printf("%d ", rand());
    for (unsigned seed = 0; seed < 4; seed++) {
        srand(seed == 3 ? 4294967295U : seed);
        for (int i = 0; i < 40; i++)
            printf("%d ", rand());
        printf("\n");
    }
    for (int i = 0; i < sizeof texts / sizeof *texts; i++)
        convert(texts[i]);
    for (int count = 0; count < 60; count += 7)
        sort(count, 9);
    char letters[] = "the quick brown fox";
    qsort(letters, sizeof letters - 1, 1, by_character);
    puts(letters);
    unsigned seed = 7;
    for (int i = 0; i < 5; i++)
        printf("%d ", rand_r(&seed));
    printf("%u\n", seed);
    srandom(42);
    printf("%ld ", random());
    printf("%d\n", rand());
    for (long start = -1; start < 3; start++) {
        printf("%.17g ", drand48());
        printf("%ld ", lrand48());
        printf("%ld\n", mrand48());
        srand48(start);
    }
    return 0;
}
