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
