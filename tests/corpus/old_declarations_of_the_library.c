// Library functions that the program declares itself, without prototypes or with other types.
// why: such calls take what the library takes, and give what the program declares.
// expect: abc 3 -1
// expect: 3 2
int printf(const char *, ...);
int strlen(char *);
char *malloc();
char *strcpy();
unsigned char abs(int);
void free(), exit();
static int (*length)(const char *);

int main() {
    char *p = malloc(4), *q = strcpy(p, "abc");
    printf("%s %d %d\n", q, strlen(p), -1);
    printf("%d %d\n", abs(-259), (int)sizeof abs(-1) + 1 + (length != 0));
    free(p);
    exit(0);
}
