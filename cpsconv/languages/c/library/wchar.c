// Wide characters in the locale "C": each is one byte, a character of ASCII. Streams have no orientation.
// Formatted input and output convert the format to bytes and call the functions for `char`.

typedef unsigned long size_t;
typedef int wchar_t;
typedef unsigned wint_t;
typedef __builtin_va_list va_list;
typedef struct _IO_FILE FILE;
typedef struct {
    int __count;
    unsigned __value;
} mbstate_t;

struct tm;

#define va_start __builtin_va_start
#define va_copy __builtin_va_copy
#define va_end __builtin_va_end
#define EOF (-1)
#define WEOF (~0U)

enum { EILSEQ = 84 };

extern FILE *stdin;
extern FILE *stdout;

int *__errno_location(void);
void *malloc(size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
int fgetc(FILE *);
int fputc(int, FILE *);
int ungetc(int, FILE *);
int vfprintf(FILE *, const char *, va_list);
int vsnprintf(char *, size_t, const char *, va_list);
int vfscanf(FILE *, const char *, va_list);
int vsscanf(const char *, const char *, va_list);
double strtod(const char *, char **);
float strtof(const char *, char **);
size_t strftime(char *, size_t, const char *, const struct tm *);
void free(void *);
long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);

// --------------------------------------------------------------------------------------------------------- characters

static int fail(void)
{
    *__errno_location() = EILSEQ;
    return -1;
}

wint_t btowc(int c) { return c >= 0 && c < 128 ? (wint_t)c : WEOF; }
int wctob(wint_t c) { return c < 128 ? (int)c : EOF; }

// A conversion is complete after each byte, so that its state is always the initial one.
int mbsinit(const mbstate_t *state) { return state == 0 || state->__count == 0; }

size_t mbrtowc(wchar_t *target, const char *text, size_t size, mbstate_t *state)
{
    if (text == 0)
        return 0;
    if (size == 0)
        return (size_t)-2;
    if ((unsigned char)*text > 127)
        return (size_t)fail();
    if (target != 0)
        *target = *text;
    return *text != 0;
}

size_t mbrlen(const char *text, size_t size, mbstate_t *state) { return mbrtowc(0, text, size, state); }

size_t wcrtomb(char *target, wchar_t c, mbstate_t *state)
{
    if (target == 0)
        return 1;
    if (c < 0 || c > 127)
        return (size_t)fail();
    *target = (char)c;
    return 1;
}

size_t mbsrtowcs(wchar_t *target, const char **text, size_t most, mbstate_t *state)
{
    const char *at = *text;
    size_t length = 0;
    for (; target == 0 || length < most; length++, at++) {
        size_t size = mbrtowc(target == 0 ? 0 : &target[length], at, 1, state);
        if (target != 0)
            *text = size == 0 ? 0 : at;
        if (size != 1)
            return size == 0 ? length : size;
    }
    *text = at;
    return length;
}

size_t wcsrtombs(char *target, const wchar_t **text, size_t most, mbstate_t *state)
{
    const wchar_t *at = *text;
    size_t length = 0;
    for (; target == 0 || length < most; length++, at++) {
        char byte;
        size_t size = wcrtomb(&byte, *at, state);
        if (target != 0) {
            *text = *at == 0 ? 0 : at;
            if (size == 1)
                target[length] = byte;
        }
        if (*at == 0 || size != 1)
            return size == 1 ? length : size;
    }
    *text = at;
    return length;
}

wint_t fgetwc(FILE *stream)
{
    int c = fgetc(stream);
    return c < 128 ? (wint_t)c : (wint_t)fail();
}

wint_t getwc(FILE *stream) { return fgetwc(stream); }
wint_t getwchar(void) { return fgetwc(stdin); }
wint_t ungetwc(wint_t c, FILE *stream) { return (wint_t)ungetc(wctob(c), stream); }
wint_t fputwc(wchar_t c, FILE *stream) { return (wint_t)(c >= 0 && c < 128 ? fputc(c, stream) : fail()); }
wint_t putwc(wchar_t c, FILE *stream) { return fputwc(c, stream); }
wint_t putwchar(wchar_t c) { return fputwc(c, stdout); }

wchar_t *fgetws(wchar_t *line, int size, FILE *stream)
{
    int length = 0;
    while (length < size - 1) {
        wint_t c = fgetwc(stream);
        if (c == WEOF && length == 0)
            return 0;
        if (c == WEOF)
            break;
        line[length++] = (wchar_t)c;
        if (c == '\n')
            break;
    }
    if (size > 0)
        line[length] = 0;
    return size > 0 ? line : 0;
}

int fputws(const wchar_t *text, FILE *stream)
{
    for (; *text != 0; text++)
        if (fputwc(*text, stream) == WEOF)
            return EOF;
    return 1;
}

// ------------------------------------------------------------------------------------------------------------ strings

wchar_t *wmemcpy(wchar_t *target, const wchar_t *source, size_t count)
{
    return memcpy(target, source, count * sizeof *target);
}

wchar_t *wmemmove(wchar_t *target, const wchar_t *source, size_t count)
{
    return memmove(target, source, count * sizeof *target);
}

wchar_t *wmemset(wchar_t *target, wchar_t c, size_t count)
{
    for (size_t i = 0; i < count; i++)
        target[i] = c;
    return target;
}

wchar_t *wmemchr(const wchar_t *memory, wchar_t c, size_t count)
{
    for (; count > 0; memory++, count--)
        if (*memory == c)
            return (wchar_t *)memory;
    return 0;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t count)
{
    for (; count > 0; a++, b++, count--)
        if (*a != *b)
            return *a < *b ? -1 : 1;
    return 0;
}

size_t wcslen(const wchar_t *string)
{
    size_t length = 0;
    while (string[length] != 0)
        length++;
    return length;
}

size_t wcsnlen(const wchar_t *string, size_t most)
{
    size_t length = 0;
    while (length < most && string[length] != 0)
        length++;
    return length;
}

wchar_t *wcpcpy(wchar_t *target, const wchar_t *source)
{
    size_t length = wcslen(source);
    wmemcpy(target, source, length + 1);
    return target + length;
}

wchar_t *wcscpy(wchar_t *target, const wchar_t *source)
{
    wcpcpy(target, source);
    return target;
}

wchar_t *wcsncpy(wchar_t *target, const wchar_t *source, size_t count)
{
    size_t length = wcsnlen(source, count);
    wmemcpy(target, source, length);
    wmemset(target + length, 0, count - length);
    return target;
}

wchar_t *wcscat(wchar_t *target, const wchar_t *source)
{
    wcscpy(target + wcslen(target), source);
    return target;
}

wchar_t *wcsncat(wchar_t *target, const wchar_t *source, size_t most)
{
    size_t length = wcsnlen(source, most);
    wchar_t *end = target + wcslen(target);
    wmemcpy(end, source, length);
    end[length] = 0;
    return target;
}

wchar_t *wcsdup(const wchar_t *string)
{
    wchar_t *copy = malloc((wcslen(string) + 1) * sizeof *copy);
    return copy == 0 ? 0 : wcscpy(copy, string);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t most)
{
    for (; most > 0; a++, b++, most--) {
        if (*a != *b)
            return *a < *b ? -1 : 1;
        if (*a == 0)
            return 0;
    }
    return 0;
}

int wcscmp(const wchar_t *a, const wchar_t *b) { return wcsncmp(a, b, ~0UL); }
int wcscoll(const wchar_t *a, const wchar_t *b) { return wcscmp(a, b); }

size_t wcsxfrm(wchar_t *target, const wchar_t *source, size_t size)
{
    size_t length = wcslen(source);
    for (size_t index = 0; index <= length && index < size; index++)
        target[index] = source[index];
    return length;
}

wchar_t *wcschr(const wchar_t *string, wchar_t c)
{
    for (; *string != c; string++)
        if (*string == 0)
            return 0;
    return (wchar_t *)string;
}

wchar_t *wcsrchr(const wchar_t *string, wchar_t c)
{
    const wchar_t *found = 0;
    for (;; string++) {
        if (*string == c)
            found = string;
        if (*string == 0)
            return (wchar_t *)found;
    }
}

size_t wcsspn(const wchar_t *string, const wchar_t *set)
{
    size_t length = 0;
    while (string[length] != 0 && wcschr(set, string[length]) != 0)
        length++;
    return length;
}

size_t wcscspn(const wchar_t *string, const wchar_t *set)
{
    size_t length = 0;
    while (string[length] != 0 && wcschr(set, string[length]) == 0)
        length++;
    return length;
}

wchar_t *wcspbrk(const wchar_t *string, const wchar_t *set)
{
    string += wcscspn(string, set);
    return *string == 0 ? 0 : (wchar_t *)string;
}

wchar_t *wcsstr(const wchar_t *string, const wchar_t *part)
{
    size_t length = wcslen(part);
    for (;; string++) {
        if (wcsncmp(string, part, length) == 0)
            return (wchar_t *)string;
        if (*string == 0)
            return 0;
    }
}

wchar_t *wcstok(wchar_t *string, const wchar_t *set, wchar_t **rest)
{
    if (string == 0)
        string = *rest;
    if (string == 0)
        return 0;
    string += wcsspn(string, set);
    wchar_t *end = string + wcscspn(string, set);
    *rest = *end == 0 ? 0 : end + 1;
    if (end == string)
        return 0;
    *end = 0;
    return string;
}

// -------------------------------------------------------------------------------------------------- numbers, formats

// Convert a string to bytes. A character that is none of ASCII ends it, if `is_number`; else the result is -1.
static int narrow(char *target, const wchar_t *source, int is_number)
{
    for (;; source++, target++) {
        if ((*source < 0 || *source > 127) && !is_number)
            return fail();
        *target = (char)(*source < 0 || *source > 127 ? 0 : *source);
        if (*target == 0)
            return 0;
    }
}

static void note_end(wchar_t **end, const wchar_t *string, long length)
{
    if (end != 0)
        *end = (wchar_t *)string + length;
}

double wcstod(const wchar_t *string, wchar_t **end)
{
    char text[wcslen(string) + 1], *last;
    narrow(text, string, 1);
    double value = strtod(text, &last);
    note_end(end, string, last - text);
    return value;
}

long double wcstold(const wchar_t *string, wchar_t **end)
{
    char text[wcslen(string) + 1], *last;
    narrow(text, string, 1);
    long double value = strtold(text, &last);
    note_end(end, string, last - text);
    return value;
}

float wcstof(const wchar_t *string, wchar_t **end)
{
    char text[wcslen(string) + 1], *last;
    narrow(text, string, 1);
    float value = strtof(text, &last);
    note_end(end, string, last - text);
    return value;
}

long wcstol(const wchar_t *string, wchar_t **end, int base)
{
    char text[wcslen(string) + 1], *last;
    narrow(text, string, 1);
    long value = strtol(text, &last, base);
    note_end(end, string, last - text);
    return value;
}

unsigned long wcstoul(const wchar_t *string, wchar_t **end, int base)
{
    char text[wcslen(string) + 1], *last;
    narrow(text, string, 1);
    unsigned long value = strtoul(text, &last, base);
    note_end(end, string, last - text);
    return value;
}

long long wcstoll(const wchar_t *string, wchar_t **end, int base) { return wcstol(string, end, base); }
unsigned long long wcstoull(const wchar_t *string, wchar_t **end, int base) { return wcstoul(string, end, base); }

size_t wcsftime(wchar_t *target, size_t size, const wchar_t *format, const struct tm *time)
{
    char bytes[wcslen(format) + 1], *text = size > 0 ? malloc(size) : 0;
    if (text == 0)
        return 0;
    narrow(bytes, format, 1);
    size_t length = strftime(text, size, bytes, time);
    for (size_t index = 0; length > 0 && index <= length; index++)
        target[index] = text[index];
    free(text);
    return length;
}

int vfwprintf(FILE *stream, const wchar_t *format, va_list list)
{
    char bytes[wcslen(format) + 1];
    return narrow(bytes, format, 0) < 0 ? -1 : vfprintf(stream, bytes, list);
}

int vwprintf(const wchar_t *format, va_list list) { return vfwprintf(stdout, format, list); }

int vswprintf(wchar_t *text, size_t size, const wchar_t *format, va_list list)
{
    char bytes[wcslen(format) + 1];
    va_list copy;
    if (narrow(bytes, format, 0) < 0)
        return -1;
    va_copy(copy, list);
    int length = vsnprintf(0, 0, bytes, copy);
    va_end(copy);
    if (length < 0)
        return -1;
    size_t used = (size_t)length < size ? (size_t)length + 1 : size;
    char printed[used + 1];
    vsnprintf(printed, used, bytes, list);
    for (size_t i = 0; i < used; i++)
        text[i] = printed[i];
    return (size_t)length < size ? length : -1;
}

int fwprintf(FILE *stream, const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vfwprintf(stream, format, list);
    va_end(list);
    return length;
}

int wprintf(const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vfwprintf(stdout, format, list);
    va_end(list);
    return length;
}

int swprintf(wchar_t *text, size_t size, const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vswprintf(text, size, format, list);
    va_end(list);
    return length;
}

int vfwscanf(FILE *stream, const wchar_t *format, va_list list)
{
    char bytes[wcslen(format) + 1];
    return narrow(bytes, format, 0) < 0 ? EOF : vfscanf(stream, bytes, list);
}

int vwscanf(const wchar_t *format, va_list list) { return vfwscanf(stdin, format, list); }

int vswscanf(const wchar_t *text, const wchar_t *format, va_list list)
{
    char bytes[wcslen(format) + 1], source[wcslen(text) + 1];
    return narrow(bytes, format, 0) < 0 || narrow(source, text, 0) < 0 ? EOF : vsscanf(source, bytes, list);
}

int fwscanf(FILE *stream, const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vfwscanf(stream, format, list);
    va_end(list);
    return count;
}

int wscanf(const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vwscanf(format, list);
    va_end(list);
    return count;
}

int swscanf(const wchar_t *text, const wchar_t *format, ...)
{
    va_list list;
    va_start(list, format);
    int count = vswscanf(text, format, list);
    va_end(list);
    return count;
}
