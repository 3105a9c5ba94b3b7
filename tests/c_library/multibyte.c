// Conversions with a state, classes and conversions by name, times and numbers in wide strings.
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>

static void convert(void)
{
    mbstate_t state = { 0 };
    wchar_t wide[20] = L"?", c = L'?';
    char bytes[20] = "?";
    const char *text = "some text";
    const wchar_t *source = L"wide text";
    printf("%d %d\n", mbsinit(&state) != 0, mbsinit(NULL) != 0);
    size_t n = mbrtowc(&c, "xy", 2, &state);
    printf("%zu %c %zu ", n, (char)c, mbrtowc(NULL, "", 1, &state));
    printf("%zd %zu\n", (ssize_t)mbrtowc(&c, "x", 0, &state), mbrtowc(NULL, NULL, 0, &state));
    printf("%zu %zu\n", mbrlen("abc", 3, &state), mbrlen("", 1, &state));
    n = wcrtomb(bytes, L'z', &state);
    printf("%zu %zu %s\n", n, wcrtomb(NULL, L'z', &state), bytes);
    printf("%zu ", mbsrtowcs(NULL, &text, 0, &state));
    n = mbsrtowcs(wide, &text, 4, &state);
    printf("%zu %s ", n, text);
    n = mbsrtowcs(wide, &text, 20, &state);
    printf("%zu %d %ls\n", n, text == NULL, wide);
    printf("%zu ", wcsrtombs(NULL, &source, 0, &state));
    n = wcsrtombs(bytes, &source, 5, &state);
    printf("%zu %ls ", n, source);
    n = wcsrtombs(bytes, &source, 20, &state);
    printf("%zu %d %s\n", n, source == NULL, bytes);
    source = L"a\x100";
    printf("%zd\n", (ssize_t)wcsrtombs(bytes, &source, 20, &state));
}

static void classify(void)
{
    static const char names[][7] = { "alnum", "alpha", "blank", "cntrl", "digit", "graph",
                                   "lower", "print", "punct", "space", "upper", "xdigit" };
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        wctype_t class = wctype(names[i]);
        for (wint_t c = 0; c < 130; c += 3)
            putchar(iswctype(c, class) ? '1' : '0');
        putchar('\n');
    }
    printf("%d %d\n", wctype("none") == 0, wctrans("none") == 0);
    printf("%c%c\n", (char)towctrans(L'a', wctrans("toupper")), (char)towctrans(L'B', wctrans("tolower")));
}

int main(void)
{
    struct tm time = { .tm_year = 124, .tm_mon = 1, .tm_mday = 29, .tm_hour = 13 };
    wchar_t text[40], *end;
    convert();
    classify();
    printf("%zu ", wcsftime(text, 40, L"%Y-%m-%d at %H", &time));
    printf("%ls\n", text);
    printf("%zu\n", wcsftime(text, 3, L"%Y-%m-%d", &time));
    printf("%zu ", wcsxfrm(text, L"abc", 40));
    printf("%ls %zu\n", text, wcsxfrm(NULL, L"abcd", 0));
    printf("%.9g ", wcstof(L" 0.1x", &end));
    printf("%ls\n", end);
    return 0;
}
