// Functions for intmax_t, which is long.

long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);

long imaxabs(long number) { return number < 0 ? -number : number; }
long strtoimax(const char *text, char **end, int base) { return strtol(text, end, base); }
unsigned long strtoumax(const char *text, char **end, int base) { return strtoul(text, end, base); }
