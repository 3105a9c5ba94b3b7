// Comparisons of strings without regard to case.

typedef unsigned long size_t;

static int lower(char c) { return c >= 'A' && c <= 'Z' ? c + 32 : (unsigned char)c; }

int strncasecmp(const char *left, const char *right, size_t count)
{
    for (; count > 0; left++, right++, count--) {
        int difference = lower(*left) - lower(*right);
        if (difference != 0)
            return difference;
        if (*left == 0)
            return 0;
    }
    return 0;
}

int strcasecmp(const char *left, const char *right) { return strncasecmp(left, right, ~0UL); }

void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
int memcmp(const void *, const void *, size_t);
char *strchr(const char *, int);
char *strrchr(const char *, int);

int bcmp(const void *left, const void *right, size_t size) { return memcmp(left, right, size); }
void bcopy(const void *source, void *target, size_t size) { memmove(target, source, size); }
void bzero(void *target, size_t size) { memset(target, 0, size); }
char *index(const char *text, int c) { return strchr(text, c); }
char *rindex(const char *text, int c) { return strrchr(text, c); }

// The position of the lowest bit that is set, from 1 on.
int ffsll(long long bits)
{
    int position = 1;
    if (bits == 0)
        return 0;
    while (!(bits & 1)) {
        bits = (long long)((unsigned long long)bits >> 1);
        position++;
    }
    return position;
}

int ffsl(long bits) { return ffsll(bits); }
int ffs(int bits) { return ffsll(bits); }
