// Wide characters: strings, conversions, formats. The streams are used by functions for wide characters only.
// input: first line\n42 word 0x1f rest of the line\nlast
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

static wchar_t text[100];
static int sign(int number) { return (number > 0) - (number < 0); }

static void print_strings(void)
{
    wchar_t a[20] = L"one two,three", b[20], *rest, *copy = wcsdup(a);
    wprintf(L"%d %d %ls\n", (int)wcslen(a), (int)wcsnlen(a, 5), copy);
    wcscpy(b, L"bc");
    wcscat(b, L"de");
    wcsncat(b, L"fgh", 2);
    wprintf(L"%ls\n", b);
    wprintf(L"%d\n", (int)(wcpcpy(b + 1, L"xyz") - b));
    wprintf(L"%ls\n", wcsncpy(b, L"1234567", 3));
    wprintf(L"%d %d %d\n", sign(wcscmp(a, b)), sign(wcsncmp(L"abc", L"abd", 2)), sign(wcscoll(L"a", L"ab")));
    wprintf(L"%d %d\n", (int)(wcschr(a, L't') - a), (int)(wcsrchr(a, L't') - a));
    wprintf(L"%d %d %d\n", wcschr(a, L'z') == 0, (int)(wcsstr(a, L"th") - a), wcsstr(a, L"x") == 0);
    wprintf(L"%d %d %ls\n", (int)wcsspn(a, L"neo"), (int)wcscspn(a, L", "), wcspbrk(a, L","));
    for (wchar_t *word = wcstok(a, L" ,", &rest); word != 0; word = wcstok(0, L" ,", &rest))
        wprintf(L"[%ls]", word);
    wmemset(b, L'-', 4);
    wmemcpy(b + 4, L"ab", 3);
    wmemmove(b + 1, b, 7);
    wprintf(L"%ls %d %d\n", b, sign(wmemcmp(b, b + 1, 2)), (int)(wmemchr(b, L'a', 9) - b));
    free(copy);
}

static void print_conversions(void)
{
    wchar_t *end, wide[10];
    char bytes[10];
    wprintf(L"%ld ", wcstol(L" -12x", &end, 10));
    wprintf(L"%ls ", end);
    wprintf(L"%g ", wcstod(L"1.5e2!", &end));
    wprintf(L"%ls %lu %lld %llu\n", end, wcstoul(L"0x1F", 0, 0), wcstoll(L"77", 0, 8), wcstoull(L"18446744073709551615", 0, 10));
    wprintf(L"%d %d %d %d\n", btowc('a'), btowc(200) == WEOF, wctob(L'b'), wctob(300));
    wprintf(L"%d %d\n", (int)mbstowcs(wide, "many", 10), (int)mbstowcs(0, "bytes", 0));
    wcstombs(bytes, L"wide", 10);
    wprintf(L"%d %d %s\n", (int)wcstombs(0, L"wide", 0), (int)wcstombs(0, L"\u00e9", 0) == -1, bytes);
    wprintf(L"%d %d %d\n", mbtowc(wide, "q", 1), mblen("", 1), mbtowc(0, 0, 0));
    wprintf(L"%d %d\n", wctomb(bytes, L'w'), wctomb(0, 500));
    wprintf(L"%lc %c\n", wide[0], bytes[0]);
    for (wint_t c = 0; c < 200; c += 7)
        wprintf(L"%d%d%d%d%d%d%d%d%d%d%d%d%lc%lc ", !!iswalnum(c), !!iswalpha(c), !!iswblank(c), !!iswcntrl(c),
                !!iswdigit(c), !!iswgraph(c), !!iswlower(c), !!iswprint(c), !!iswpunct(c), !!iswspace(c), !!iswupper(c),
                !!iswxdigit(c), towlower(c % 26 + 65), towupper(c % 26 + 97));
}

int main(void)
{
    char bytes[40];
    int number, other;
    wchar_t word[10], letter;
    print_strings();
    print_conversions();
    wprintf(L"\n%5d|%s|%ls|%6.2f|%lc|%c|%8ls|%-5.2ls|\n", 42, "bytes", L"wide", 2.5, L'x', 'y', L"abc", L"def");
    wprintf(L"%d\n", swprintf(text, 4, L"%d", 12345));
    wprintf(L"%d\n", swprintf(text, 100, L"%ls %d", L"number", 7));
    wprintf(L"%ls\n", text);
    wprintf(L"%d\n", snprintf(bytes, 40, "%ls and %lc", L"wide", L'z'));
    wprintf(L"%s %d\n", bytes, snprintf(0, 0, "%ls", L"\u00e9"));
    wprintf(L"%d\n", swscanf(L"12 abc", L"%d %9ls", &number, word));
    wprintf(L"%ls %d\n", word, number);
    wprintf(L"%ls", fgetws(text, 100, stdin));
    wprintf(L"%d\n", fwscanf(stdin, L"%d%ls", &number, word));
    wprintf(L"%d %ls\n", number, word);
    wprintf(L"%d\n", wscanf(L"%x %lc%s", &other, &letter, bytes));
    wprintf(L"%x %lc %s\n", other, letter, bytes);
    wprintf(L"%d\n", getwchar());
    wprintf(L"%d\n", fgetwc(stdin));
    ungetwc(L'!', stdin);
    putwchar(getwc(stdin));
    putwc(L'?', stdout);
    fputwc(L'\n', stdout);
    fputws(L"a line\n", stdout);
    while (fgetws(text, 5, stdin) != 0)
        fwprintf(stdout, L"<%ls>", text);
    return getwchar() == WEOF;
}
