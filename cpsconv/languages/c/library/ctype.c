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

// Tables for the macros of glibc's header. They begin with character -128.

enum { NEGATIVE = 128, CHARACTERS = 384 };

static unsigned short table_of_classes[CHARACTERS];
static int table_of_lower_case[CHARACTERS], table_of_upper_case[CHARACTERS];

static const unsigned short *classes_from_zero;
static const int *lower_case_from_zero, *upper_case_from_zero;

const unsigned short **__ctype_b_loc(void)
{
    if (!classes_from_zero)
        for (int c = 0; c < 128; c++)
            table_of_classes[NEGATIVE + c] = classes_of_characters[c];
    classes_from_zero = table_of_classes + NEGATIVE;
    return &classes_from_zero;
}

const int **__ctype_tolower_loc(void)
{
    if (!lower_case_from_zero)
        for (int c = -NEGATIVE; c < CHARACTERS - NEGATIVE; c++)
            table_of_lower_case[NEGATIVE + c] = tolower(c);
    lower_case_from_zero = table_of_lower_case + NEGATIVE;
    return &lower_case_from_zero;
}

const int **__ctype_toupper_loc(void)
{
    if (!upper_case_from_zero)
        for (int c = -NEGATIVE; c < CHARACTERS - NEGATIVE; c++)
            table_of_upper_case[NEGATIVE + c] = toupper(c);
    upper_case_from_zero = table_of_upper_case + NEGATIVE;
    return &upper_case_from_zero;
}
