// Functions on strings. They read no byte after those that the standard names, so that each wrong access is an error.

typedef unsigned long size_t;

void *malloc(size_t);
void *memcpy(void *, const void *, size_t);
size_t strlen(const char *);
char *strcpy(char *, const char *);

void *memchr(const void *memory, int c, size_t count)
{
    const unsigned char *at = memory;
    for (; count > 0; at++, count--)
        if (*at == (unsigned char)c)
            return (void *)at;
    return 0;
}

char *strcat(char *target, const char *source)
{
    strcpy(target + strlen(target), source);
    return target;
}

char *strchr(const char *string, int c)
{
    for (; *string != (char)c; string++)
        if (*string == 0)
            return 0;
    return (char *)string;
}

static int is_among(char c, const char *set)
{
    for (; *set != 0; set++)
        if (*set == c)
            return 1;
    return 0;
}

size_t strcspn(const char *string, const char *set)
{
    size_t length = 0;
    while (string[length] != 0 && !is_among(string[length], set))
        length++;
    return length;
}

char *strdup(const char *string)
{
    size_t size = strlen(string) + 1;
    char *copy = malloc(size);
    return copy == 0 ? 0 : memcpy(copy, string, size);
}

char *strncat(char *target, const char *source, size_t count)
{
    char *end = target + strlen(target);
    for (; count > 0 && *source != 0; count--)
        *end++ = *source++;
    *end = 0;
    return target;
}

int strncmp(const char *left, const char *right, size_t count)
{
    for (; count > 0; left++, right++, count--) {
        int difference = (unsigned char)*left - (unsigned char)*right;
        if (difference != 0)
            return difference;
        if (*left == 0)
            return 0;
    }
    return 0;
}

char *strncpy(char *target, const char *source, size_t count)
{
    size_t index = 0;
    for (; index < count && source[index] != 0; index++)
        target[index] = source[index];
    for (; index < count; index++)
        target[index] = 0;
    return target;
}

char *strpbrk(const char *string, const char *set)
{
    string += strcspn(string, set);
    return *string == 0 ? 0 : (char *)string;
}

char *strrchr(const char *string, int c)
{
    const char *last = 0;
    for (;; string++) {
        if (*string == (char)c)
            last = string;
        if (*string == 0)
            return (char *)last;
    }
}

size_t strspn(const char *string, const char *set)
{
    size_t length = 0;
    while (string[length] != 0 && is_among(string[length], set))
        length++;
    return length;
}

char *strstr(const char *string, const char *part)
{
    for (;; string++) {
        size_t index = 0;
        while (part[index] != 0 && string[index] == part[index])
            index++;
        if (part[index] == 0)
            return (char *)string;
        if (string[index] == 0)
            return 0;
    }
}

static char *rest_of_strtok;

char *strtok(char *string, const char *separators)
{
    if (string == 0)
        string = rest_of_strtok;
    string += strspn(string, separators);
    rest_of_strtok = string;
    if (*string == 0)
        return 0;
    char *end = string + strcspn(string, separators);
    if (*end != 0)
        *end++ = 0;
    rest_of_strtok = end;
    return string;
}
