// Classes of wide characters in the locale "C": those of ASCII. The bits are those of glibc.

int strcmp(const char *, const char *);
int isalnum(int);
int isalpha(int);
int isblank(int);
int iscntrl(int);
int isdigit(int);
int isgraph(int);
int islower(int);
int isprint(int);
int ispunct(int);
int isspace(int);
int isupper(int);
int isxdigit(int);

int iswalnum(unsigned c) { return c < 128 ? isalnum((int)c) : 0; }
int iswalpha(unsigned c) { return c < 128 ? isalpha((int)c) : 0; }
int iswblank(unsigned c) { return c < 128 ? isblank((int)c) : 0; }
int iswcntrl(unsigned c) { return c < 128 ? iscntrl((int)c) : 0; }
int iswdigit(unsigned c) { return c < 128 ? isdigit((int)c) : 0; }
int iswgraph(unsigned c) { return c < 128 ? isgraph((int)c) : 0; }
int iswlower(unsigned c) { return c < 128 ? islower((int)c) : 0; }
int iswprint(unsigned c) { return c < 128 ? isprint((int)c) : 0; }
int iswpunct(unsigned c) { return c < 128 ? ispunct((int)c) : 0; }
int iswspace(unsigned c) { return c < 128 ? isspace((int)c) : 0; }
int iswupper(unsigned c) { return c < 128 ? isupper((int)c) : 0; }
int iswxdigit(unsigned c) { return c < 128 ? isxdigit((int)c) : 0; }

unsigned towlower(unsigned c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
unsigned towupper(unsigned c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }

enum { CLASSES = 12 };

static const char classes[CLASSES][7] = { "alnum", "alpha", "blank", "cntrl", "digit", "graph", "lower", "print", "punct",
                                          "space", "upper", "xdigit" };

// The number of the class with the name; 0 if there is none.
unsigned long wctype(const char *name)
{
    for (unsigned long number = 0; number < CLASSES; number++)
        if (strcmp(name, classes[number]) == 0)
            return number + 1;
    return 0;
}

int iswctype(unsigned c, unsigned long class)
{
    switch (class) {
        case 1: return iswalnum(c);
        case 2: return iswalpha(c);
        case 3: return iswblank(c);
        case 4: return iswcntrl(c);
        case 5: return iswdigit(c);
        case 6: return iswgraph(c);
        case 7: return iswlower(c);
        case 8: return iswprint(c);
        case 9: return iswpunct(c);
        case 10: return iswspace(c);
        case 11: return iswupper(c);
        case 12: return iswxdigit(c);
        default: return 0;
    }
}

static const int conversions[2];

const int *wctrans(const char *name)
{
    if (strcmp(name, "tolower") == 0)
        return &conversions[0];
    return strcmp(name, "toupper") == 0 ? &conversions[1] : 0;
}

unsigned towctrans(unsigned c, const int *conversion)
{
    if (conversion == &conversions[0])
        return towlower(c);
    return conversion == &conversions[1] ? towupper(c) : c;
}
