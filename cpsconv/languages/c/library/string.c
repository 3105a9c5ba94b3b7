// Functions on strings. They read no byte after those that the standard names, so that each wrong access is an error.

typedef unsigned long size_t;

void *malloc(size_t);
void *memcpy(void *, const void *, size_t);
void *memset(void *, int, size_t);
int strcmp(const char *, const char *);
size_t strlen(const char *);
size_t strnlen(const char *, size_t);
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
    size_t length = strnlen(source, count);
    memcpy(end, source, length < count ? length + 1 : length); // checks that the places do not overlap
    end[length] = 0;
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
    size_t length = strnlen(source, count), size = length < count ? length + 1 : length;
    memcpy(target, source, size); // checks that the places do not overlap
    memset(target + size, 0, count - size);
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

char *strtok_r(char *string, const char *separators, char **rest)
{
    if (string == 0)
        string = *rest;
    string += strspn(string, separators);
    *rest = string;
    if (*string == 0)
        return 0;
    char *end = string + strcspn(string, separators);
    if (*end != 0)
        *end++ = 0;
    *rest = end;
    return string;
}

char *strtok(char *string, const char *separators)
{
    static char *rest_of_strtok;
    return strtok_r(string, separators, &rest_of_strtok);
}

size_t strnlen(const char *string, size_t most)
{
    size_t length = 0;
    while (length < most && string[length] != 0)
        length++;
    return length;
}

char *strndup(const char *string, size_t most)
{
    size_t length = strnlen(string, most);
    char *copy = malloc(length + 1);
    if (copy == 0)
        return 0;
    memcpy(copy, string, length);
    copy[length] = 0;
    return copy;
}

char *stpcpy(char *target, const char *source) { return strcpy(target, source) + strlen(source); }
int strcoll(const char *left, const char *right) { return strcmp(left, right); }

size_t strxfrm(char *target, const char *source, size_t size)
{
    size_t length = strlen(source);
    if (size > 0) {
        memcpy(target, source, length < size ? length : size - 1);
        target[length < size ? length : size - 1] = 0;
    }
    return length;
}

// The messages of glibc, for the errors that calls of this library report, and those that programs use themselves.
char *strerror(int number)
{
    static char unknown[32];
    static const struct { int number; const char *message; } errors[] = {
        { 0, "Success" }, { 1, "Operation not permitted" }, { 2, "No such file or directory" },
        { 3, "No such process" }, { 4, "Interrupted system call" }, { 5, "Input/output error" },
        { 7, "Argument list too long" }, { 9, "Bad file descriptor" }, { 10, "No child processes" },
        { 11, "Resource temporarily unavailable" }, { 12, "Cannot allocate memory" }, { 13, "Permission denied" },
        { 14, "Bad address" }, { 16, "Device or resource busy" }, { 17, "File exists" },
        { 18, "Invalid cross-device link" }, { 19, "No such device" }, { 20, "Not a directory" },
        { 21, "Is a directory" }, { 22, "Invalid argument" }, { 23, "Too many open files in system" },
        { 24, "Too many open files" }, { 25, "Inappropriate ioctl for device" }, { 27, "File too large" },
        { 28, "No space left on device" }, { 29, "Illegal seek" }, { 30, "Read-only file system" },
        { 32, "Broken pipe" }, { 33, "Numerical argument out of domain" },
        { 34, "Numerical result out of range" }, { 36, "File name too long" }, { 38, "Function not implemented" },
        { 84, "Invalid or incomplete multibyte or wide character" },
    };
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].number == number)
            return (char *)errors[i].message;
    char digits[12];
    int count = 0;
    unsigned rest = number < 0 ? -(unsigned)number : (unsigned)number;
    for (; rest != 0; rest /= 10)
        digits[count++] = (char)('0' + rest % 10);
    char *end = stpcpy(unknown, number < 0 ? "Unknown error -" : "Unknown error ");
    while (count > 0)
        *end++ = digits[--count];
    *end = 0;
    return unknown;
}

int strncasecmp(const char *, const char *, size_t);

void *mempcpy(void *target, const void *source, size_t size) { return (char *)memcpy(target, source, size) + size; }

void *memccpy(void *target, const void *source, int c, size_t size)
{
    const unsigned char *from = source;
    unsigned char *to = target;
    for (; size > 0; size--)
        if ((*to++ = *from++) == (unsigned char)c)
            return to;
    return 0;
}

void *memrchr(const void *memory, int c, size_t count)
{
    const unsigned char *start = memory;
    while (count > 0)
        if (start[--count] == (unsigned char)c)
            return (void *)(start + count);
    return 0;
}

char *strchrnul(const char *string, int c)
{
    while (*string != (char)c && *string != 0)
        string++;
    return (char *)string;
}

char *strcasestr(const char *string, const char *part)
{
    size_t length = strlen(part);
    for (;; string++) {
        if (strncasecmp(string, part, length) == 0)
            return (char *)string;
        if (*string == 0)
            return 0;
    }
}

char *strsep(char **rest, const char *separators)
{
    char *start = *rest;
    if (start == 0)
        return 0;
    char *end = start + strcspn(start, separators);
    *rest = *end != 0 ? end + 1 : 0;
    *end = 0;
    return start;
}
