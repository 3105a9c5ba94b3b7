// Functions for intmax_t, which is long.

long strtol(const char *, char **, int);
unsigned long strtoul(const char *, char **, int);

long wcstol(const int *, int **, int);
unsigned long wcstoul(const int *, int **, int);

long imaxabs(long number) { return number < 0 ? -number : number; }
long strtoimax(const char *text, char **end, int base) { return strtol(text, end, base); }
unsigned long strtoumax(const char *text, char **end, int base) { return strtoul(text, end, base); }
long wcstoimax(const int *text, int **end, int base) { return wcstol(text, end, base); }
unsigned long wcstoumax(const int *text, int **end, int base) { return wcstoul(text, end, base); }
