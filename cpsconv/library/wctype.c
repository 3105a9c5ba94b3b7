// Classes of wide characters in the locale "C": those of ASCII. The bits are those of glibc.

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
