// Files, times and the environment, with access to the system.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

char *fgets_unlocked(char *line, int size, FILE *stream);
int fputs_unlocked(const char *text, FILE *stream);
struct record { char name[10]; int number; double value; };

int main(int argc, char *argv[])
{
    printf("%d %s %s\n", argc, argv[1], argv[2]);
    FILE *none = fopen("missing", "r");
    printf("%d %d %s\n", none == NULL, errno, strerror(errno));
    FILE *f = fopen("text", "w");
    for (int i = 0; i < 300; i++)
        fprintf(f, "line %d\n", i);
    fputs("end", f);
    printf("%d %ld\n", fclose(f), 0L);
    printf("%d ", fopen("", "r") == NULL && errno == ENOENT);
    printf("%d\n", fopen("text/", "r") == NULL && errno == ENOTDIR);
    f = fopen("text", "r");
    char line[100];
    int lines = 0;
    while (fgets(line, sizeof line, f))
        lines++;
    printf("%d %s %d %d\n", lines, line, feof(f) != 0, ferror(f));
    rewind(f);
    int first, second;
    printf("%d\n", fscanf(f, "line %d line %d", &first, &second));
    printf("%d %d %ld\n", first, second, ftell(f));
    fseek(f, -3, SEEK_END);
    printf("%c", getc(f));
    printf("%c\n", fgetc(f));
    fseek(f, 5, SEEK_SET);
    fpos_t here;
    fgetpos(f, &here);
    int c = fgetc(f);
    fsetpos(f, &here);
    printf("%c %c\n", c, fgetc(f));
    printf("%d", fputc('x', f));
    printf(" %d\n", ferror(f) != 0);
    clearerr(f);
    printf("%d\n", ferror(f));
    fclose(f);
    f = fopen("text", "a+");
    fputs("!more", f);
    fseek(f, -8, SEEK_END);
    printf("%s\n", fgets(line, sizeof line, f));
    fclose(f);
    struct record records[3] = { { "one", 1, 1.5 }, { "two", 2, 2.5 }, { "three", 3, 3.5 } }, again[3];
    f = fopen("binary", "wb+");
    printf("%zu\n", fwrite(records, sizeof *records, 3, f));
    fseek(f, sizeof *records, SEEK_SET);
    printf("%zu\n", fread(again, sizeof *again, 3, f));
    printf("%s %d %g %s\n", again[0].name, again[0].number, again[0].value, again[1].name);
    setvbuf(f, NULL, _IONBF, 0);
    setbuf(f, NULL);
    f = freopen("text", "r+", f);
    fgets(line, 6, f);
    fseek(f, 0, SEEK_CUR);
    fputs("X", f);
    rewind(f);
    printf("%s", fgets(line, sizeof line, f));
    char *whole = NULL;
    size_t size = 0;
    printf("%zd ", getdelim(&whole, &size, '4', f));
    printf("%s\n", whole);
    free(whole);
    fclose(f);
    printf("%d\n", rename("binary", "moved"));
    printf("%d\n", remove("moved"));
    printf("%d", remove("moved"));
    printf(" %d\n", errno);
    int d = creat("raw", 0666);
    printf("%d\n", close(d) || (char *)sbrk(16) + 16 != sbrk(0));
    d = open("raw", O_RDWR | O_CREAT | O_TRUNC, 0666);
    printf("%zd\n", write(d, "abcdef", 6));
    printf("%ld\n", (long)lseek(d, 2, SEEK_SET));
    char bytes[4] = "";
    ssize_t got = read(d, bytes, 3);
    printf("%zd %s\n", got, bytes);
    printf("%d", close(d));
    printf(" %d", close(d));
    printf(" %d\n", unlink("raw"));
    char name[L_tmpnam];
    printf("%d ", tmpnam(name) == name && fopen(name, "r") == NULL && fopen(tmpnam(NULL), "r") == NULL);
    f = tmpfile();
    fputs("temporary", f);
    printf("%d ", fseeko(f, 2, SEEK_SET) == 0 && getc_unlocked(f) == 'm' && ftello(f) == 3 && fclose(f) == 0);
    f = tmpfile();
    printf("%d ", fputs_unlocked("ab", f) >= 0 && fputc_unlocked('c', f) == 'c' && fwrite_unlocked("de", 1, 2, f) == 2);
    rewind(f);
    printf("%c", fgetc_unlocked(f));
    printf("%s ", fgets_unlocked(name, 3, f));
    printf("%d ", fread_unlocked(name, 1, 3, f) == 2 && memcmp(name, "de", 2) == 0);
    printf("%d%d%d", feof_unlocked(f) != 0, ferror_unlocked(f), fileno_unlocked(f) == fileno(f));
    clearerr_unlocked(f);
    printf("%d%d", feof_unlocked(f), fflush_unlocked(f));
    putchar_unlocked(' ');
    fclose(f);
    strcpy(name, "madeXXXXXX");
    f = fdopen(mkstemp(name), "w");
    flockfile(f);
    printf("%d ", putc_unlocked('x', f) == 'x');
    funlockfile(f);
    printf("%d %d\n", fclose(f), remove(name));
    printf("%d %d\n", isatty(0), time(NULL) > 1700000000);
    time_t now = time(NULL), same = mktime(localtime(&now));
    struct tm tm;
    printf("%d %d %d\n", now == same, gmtime_r(&now, &tm) == &tm, localtime_r(&now, &tm) == &tm);
    printf("%d %d\n", clock() >= 0, strlen(ctime(&now)) == 25);
    struct timespec span;
    struct timeval day;
    printf("%d", timespec_get(&span, TIME_UTC));
    printf(" %d %d\n", span.tv_sec > 1700000000, timespec_get(&span, 2));
    printf("%d", clock_gettime(CLOCK_MONOTONIC, &span));
    printf(" %d\n", span.tv_sec >= 0 && span.tv_nsec >= 0);
    printf("%d %d\n", clock_getres(CLOCK_MONOTONIC, &span), clock_gettime(99, &span));
    printf("%d", gettimeofday(&day, NULL));
    printf(" %d\n", day.tv_sec - now <= 1);
    printf("%s\n", getenv("CPSCONV_TEST"));
    printf("%d\n", system(NULL) == 0 || 1);
    errno = 0;
    perror("no error");
    if (ungetc('x', stdin) != 'x' || getchar_unlocked() != 'x' || getchar() != EOF)
        return 1;
    FILE *streams[3] = { fopen("text", "r"), tmpfile(), fopen("text", "r") };
    int opened = open("text", O_RDONLY);
    for (int i = 0; i < 3; i++) printf("%d ", fileno(streams[i]) - fileno(*streams));
    fclose(streams[1]);
    printf("%d %d ", opened - fileno(*streams), open("text", O_RDONLY) - fileno(*streams));
    close(opened);
    streams[1] = fopen("text", "r");
    printf("%d %d\n", fileno(streams[1]) - fileno(*streams), lseek(fileno(streams[1]), 1, SEEK_END) > 0);
    d = freopen("text", "r", stdin) == stdin;
    d += scanf("%5s", line);
    printf("%d %s", d, line);
    printf(" %d", fclose(stdin));
    printf(" %d\n", freopen("missing/text", "r", stdin) == NULL);
    return putc('\n', stdout);
}
