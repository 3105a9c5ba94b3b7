// Classes of characters in the locale "C". The bits are those of glibc, which programs may print.

enum { UPPER = 256, LOWER = 512, DIGIT = 2048, XDIGIT = 4096, SPACE = 8192, PRINT = 16384, GRAPH = 32768,
       ALPHA = 1024, BLANK = 1, CNTRL = 2, PUNCT = 4, ALNUM = 8 };

static const unsigned short classes_of_characters[128] = {
    2, 2, 2, 2, 2, 2, 2, 2, 2, 8195, 8194, 8194, 8194, 8194, 2, 2,
    2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
    24577, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156, 49156,
    55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 55304, 49156, 49156, 49156, 49156, 49156, 49156,
    49156, 54536, 54536, 54536, 54536, 54536, 54536, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440,
    50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 50440, 49156, 49156, 49156, 49156, 49156,
    49156, 54792, 54792, 54792, 54792, 54792, 54792, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696,
    50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 50696, 49156, 49156, 49156, 49156, 2,
};

// glibc accepts negative characters, too. Any other number is an index out of bounds.
static int has_class(int c, int bits)
{
    if ((c >= -128 && c < 0) || (c >= 128 && c < 256))
        return 0;
    return classes_of_characters[c] & bits;
}

int isalnum(int c) { return has_class(c, ALNUM); }
int isalpha(int c) { return has_class(c, ALPHA); }
int isblank(int c) { return has_class(c, BLANK); }
int iscntrl(int c) { return has_class(c, CNTRL); }
int isdigit(int c) { return has_class(c, DIGIT); }
int isgraph(int c) { return has_class(c, GRAPH); }
int islower(int c) { return has_class(c, LOWER); }
int isprint(int c) { return has_class(c, PRINT); }
int ispunct(int c) { return has_class(c, PUNCT); }
int isspace(int c) { return has_class(c, SPACE); }
int isupper(int c) { return has_class(c, UPPER); }
int isxdigit(int c) { return has_class(c, XDIGIT); }

// The results for negative characters are those of glibc.
static int without_sign(int c) { return c >= -128 && c < -1 ? c + 256 : c; }

int tolower(int c) { return c >= 'A' && c <= 'Z' ? c + 32 : without_sign(c); }
int toupper(int c) { return c >= 'a' && c <= 'z' ? c - 32 : without_sign(c); }
int isascii(int c) { return c >= 0 && c < 128; }
int toascii(int c) { return c & 127; }
