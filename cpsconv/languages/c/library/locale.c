// Locales: there is the locale "C" only.

enum { LC_ALL = 6, CHAR_MAX = 127 };

struct lconv {
    char *decimal_point, *thousands_sep, *grouping, *int_curr_symbol, *currency_symbol;
    char *mon_decimal_point, *mon_thousands_sep, *mon_grouping, *positive_sign, *negative_sign;
    char int_frac_digits, frac_digits, p_cs_precedes, p_sep_by_space, n_cs_precedes, n_sep_by_space;
    char p_sign_posn, n_sign_posn, int_p_cs_precedes, int_p_sep_by_space, int_n_cs_precedes, int_n_sep_by_space;
    char int_p_sign_posn, int_n_sign_posn;
};

int strcmp(const char *, const char *);

#define NONE CHAR_MAX

static struct lconv conventions = {
    ".", "", "", "", "", "", "", "", "", "",
    NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
};

struct lconv *localeconv(void) { return &conventions; }

char *setlocale(int category, const char *name)
{
    int is_known = name == 0 || *name == 0 || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
    return category >= 0 && category <= LC_ALL && is_known ? "C" : 0;
}
