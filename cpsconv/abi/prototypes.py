"""The functions of C's library that are external functions of programs: their headers and prototypes.

This is the only table of them: the C front end, the C target and `cpsconv.languages.c.library` derive their types from
it. The functions of `PROVIDED` are part of every engine; `cpsconv.languages.c.library` has the others, written in C. It
is built on the *system calls*, which programs do not call themselves: their header is `SYSTEM`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from cpsconv.abi.attributes import SETJMP
from cpsconv.core.ir import (
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONG_DOUBLE,
    PTR,
    UNSIGNED,
    UNSIGNED_LONG,
    VOID,
    ContinuationType,
    Function,
    Scalar,
)
from cpsconv.core.operations.mathematics import MATHEMATICS
from cpsconv.core.source import DiagnosticError, error

SYSTEM = "system"
"""The header of the system calls, which no program includes."""

COMPLEX_HEADER = "complex.h"
"""The header of the functions of complex numbers."""

LIBGCC = "libgcc"
"""The header of the functions of libgcc, which no program includes."""

RUN_EXIT_HANDLERS = "__run_exit_handlers"
"""The function that calls those that `atexit` has registered."""

RUN_ABORT_HANDLER = "__run_abort_handler"
"""The function that calls the handler of SIGABRT, if there is one."""

CREATING_THREADS = frozenset(["pthread_create", "thrd_create"])
"""The functions that create threads."""

NEVER_RETURNING = frozenset(["_Exit", "_exit", "quick_exit"])
"""The functions that end the program."""

MALLOC_ALIGNMENT = 16
"""The alignment of what `malloc` allocates."""

_PROTOTYPES = {
    "ctype.h": """
        int isalnum(int)
        int isalpha(int)
        int isascii(int)
        int isblank(int)
        int iscntrl(int)
        int isdigit(int)
        int isgraph(int)
        int islower(int)
        int isprint(int)
        int ispunct(int)
        int isspace(int)
        int isupper(int)
        int isxdigit(int)
        int toascii(int)
        int tolower(int)
        int toupper(int)
        const unsigned short **__ctype_b_loc(void)
        const int **__ctype_tolower_loc(void)
        const int **__ctype_toupper_loc(void)
    """,
    "getopt.h": """
        int getopt(int, char *const *, const char *)
        int getopt_long(int, char *const *, const char *, const struct option *, int *)
        int getopt_long_only(int, char *const *, const char *, const struct option *, int *)
    """,
    "inttypes.h": """
        intmax_t imaxabs(intmax_t)
        intmax_t strtoimax(const char *, char **, int)
        uintmax_t strtoumax(const char *, char **, int)
        intmax_t wcstoimax(const wchar_t *, wchar_t **, int)
        uintmax_t wcstoumax(const wchar_t *, wchar_t **, int)
    """,
    "math.h": """
        double fdim(double, double)
        double fmax(double, double)
        double fmin(double, double)
        double frexp(double, int *)
        int ilogb(double)
        double ldexp(double, int)
        long long llrint(double)
        long long llround(double)
        double logb(double)
        long lrint(double)
        long lround(double)
        double modf(double, double *)
        double nan(const char *)
        double nearbyint(double)
        double nextafter(double, double)
        double nexttoward(double, long double)
        float nexttowardf(float, long double)
        long double nexttowardl(long double, long double)
        double remainder(double, double)
        double remquo(double, double, int *)
        double rint(double)
        double scalbln(double, long)
        double scalbn(double, int)
    """,
    "system": """
        long __read(int, void *, size_t)
        long __write(int, const void *, size_t)
        int __open(const char *, int)
        int __close(int)
        int __redirect(int)
        long __seek(int, long, int)
        long __environment(const char *, char *, size_t)
        int __unlink(const char *)
        int __rename(const char *, const char *)
        int __make_directory(const char *, unsigned)
        int __remove_directory(const char *)
        long __current_directory(char *, size_t)
        int __entry(const char *, long, void *)
        int __status(const char *, int, void *)
        int __change_mode(const char *, int, unsigned)
        int __change_times(const char *, int, const void *)
        long __time(void)
        long __clock(void)
    """,
    "dirent.h": """
        int closedir(void *)
        void *opendir(const char *)
        void *readdir(void *)
        void rewinddir(void *)
    """,
    "sys/mman.h": """
        void *mmap(void *, size_t, int, int, int, off_t)
        int mprotect(void *, size_t, int)
        int msync(void *, size_t, int)
        int munmap(void *, size_t)
    """,
    "libgen.h": """
        char *__xpg_basename(char *)
        char *dirname(char *)
    """,
    "dlfcn.h": """
        int dlclose(void *)
        char *dlerror(void)
        void *dlopen(const char *, int)
        void *dlsym(void *, const char *)
    """,
    "errno.h": """
        int *__errno_location(void)
    """,
    "setjmp.h": """
        int setjmp(struct __jmp_buf_tag *)
        int __begin_activation(void)
        int __end_activation(void)
    """,
    "fcntl.h": """
        int creat(const char *, mode_t)
        int open(const char *, int, ...)
    """,
    "locale.h": """
        struct lconv *localeconv(void)
        char *setlocale(int, const char *)
    """,
    "signal.h": f"""
        int kill(int, int)
        int sigpending(sigset_t *)
        int sigprocmask(int, const sigset_t *, sigset_t *)
        int raise(int)
        void {RUN_ABORT_HANDLER}(void)
        int sigaction(int, const struct sigaction *, struct sigaction *)
        int sigaddset(sigset_t *, int)
        int sigdelset(sigset_t *, int)
        int sigemptyset(sigset_t *)
        int sigfillset(sigset_t *)
        int sigismember(const sigset_t *, int)
        __sighandler_t signal(int, __sighandler_t)
    """,
    "stdarg.h": """
        double __va_double(va_list, int, int, int, int)
        void __va_expect(va_list, unsigned, unsigned)
        void *__va_general(va_list, int)
        void *__va_memory(va_list, size_t, size_t)
        void *__va_struct(va_list, void *, size_t, int, size_t)
        void *__va_vector(va_list)
        long __va_word(va_list, int, int, int, int)
    """,
    "stdio.h": """
        int dprintf(int, const char *, ...)
        int vdprintf(int, const char *, va_list)
        void setbuffer(FILE *, char *, size_t)
        void setlinebuf(FILE *)
        void clearerr(FILE *)
        void clearerr_unlocked(FILE *)
        int fclose(FILE *)
        FILE *fdopen(int, const char *)
        int feof(FILE *)
        int feof_unlocked(FILE *)
        int ferror(FILE *)
        int ferror_unlocked(FILE *)
        int fflush(FILE *)
        int fflush_unlocked(FILE *)
        int fgetc(FILE *)
        int fgetc_unlocked(FILE *)
        void flockfile(FILE *)
        int fgetpos(FILE *, fpos_t *)
        char *fgets(char *, int, FILE *)
        char *fgets_unlocked(char *, int, FILE *)
        int fileno(FILE *)
        int fileno_unlocked(FILE *)
        FILE *fopen(const char *, const char *)
        int fprintf(FILE *, const char *, ...)
        int fputc(int, FILE *)
        int fputc_unlocked(int, FILE *)
        int fputs(const char *, FILE *)
        int fputs_unlocked(const char *, FILE *)
        size_t fread(void *, size_t, size_t, FILE *)
        size_t fread_unlocked(void *, size_t, size_t, FILE *)
        FILE *freopen(const char *, const char *, FILE *)
        int fscanf(FILE *, const char *, ...)
        int fseek(FILE *, long, int)
        int fseeko(FILE *, off_t, int)
        int fsetpos(FILE *, const fpos_t *)
        long ftell(FILE *)
        off_t ftello(FILE *)
        void funlockfile(FILE *)
        size_t fwrite(const void *, size_t, size_t, FILE *)
        size_t fwrite_unlocked(const void *, size_t, size_t, FILE *)
        int getc(FILE *)
        int getchar(void)
        int getc_unlocked(FILE *)
        int getchar_unlocked(void)
        ssize_t getdelim(char **, size_t *, int, FILE *)
        ssize_t getline(char **, size_t *, FILE *)
        char *gets(char *)
        int pclose(FILE *)
        void perror(const char *)
        FILE *popen(const char *, const char *)
        int printf(const char *, ...)
        int putc(int, FILE *)
        int putc_unlocked(int, FILE *)
        int putchar(int)
        int putchar_unlocked(int)
        int puts(const char *)
        int remove(const char *)
        int rename(const char *, const char *)
        void rewind(FILE *)
        int scanf(const char *, ...)
        void setbuf(FILE *, char *)
        int setvbuf(FILE *, char *, int, size_t)
        int asprintf(char **, const char *, ...)
        int snprintf(char *, size_t, const char *, ...)
        int sprintf(char *, const char *, ...)
        int sscanf(const char *, const char *, ...)
        FILE *tmpfile(void)
        char *tmpnam(char *)
        int ungetc(int, FILE *)
        int vasprintf(char **, const char *, va_list)
        int vfprintf(FILE *, const char *, va_list)
        int vfscanf(FILE *, const char *, va_list)
        int vprintf(const char *, va_list)
        int vscanf(const char *, va_list)
        int vsnprintf(char *, size_t, const char *, va_list)
        int vsprintf(char *, const char *, va_list)
        int vsscanf(const char *, const char *, va_list)
    """,
    "stdlib.h": f"""
        int putenv(char *)
        int setenv(const char *, const char *, int)
        int unsetenv(const char *)
        double erand48(unsigned short *)
        long jrand48(unsigned short *)
        long nrand48(unsigned short *)
        unsigned short *seed48(unsigned short *)
        double atof(const char *)
        int atoi(const char *)
        long atol(const char *)
        long long atoll(const char *)
        void *aligned_alloc(size_t, size_t)
        int posix_memalign(void **, size_t, size_t)
        char *getenv(const char *)
        void _Exit(int)
        int atexit(void (*)(void))
        int at_quick_exit(void (*)(void))
        void quick_exit(int)
        void abort(void)
        int abs(int)
        void *calloc(size_t, size_t)
        void exit(int)
        void free(void *)
        long labs(long)
        long long llabs(long long)
        void *malloc(size_t)
        void *realloc(void *, size_t)
        void {RUN_EXIT_HANDLERS}(void)
        void *bsearch(const void *, const void *, size_t, size_t, int (*)(const void *, const void *))
        void qsort(void *, size_t, size_t, int (*)(const void *, const void *))
        double drand48(void)
        long lrand48(void)
        long mrand48(void)
        int rand(void)
        int rand_r(unsigned *)
        long random(void)
        void srand48(long)
        void srandom(unsigned)
        void srand(unsigned)
        double strtod(const char *, char **)
        long double strtold(const char *, char **)
        void __strtold(const char *, char **, unsigned long *)
        float strtof(const char *, char **)
        int mkstemp(char *)
        int mblen(const char *, size_t)
        size_t mbstowcs(wchar_t *, const char *, size_t)
        int mbtowc(wchar_t *, const char *, size_t)
        long strtol(const char *, char **, int)
        long long strtoll(const char *, char **, int)
        unsigned long strtoul(const char *, char **, int)
        unsigned long long strtoull(const char *, char **, int)
        int system(const char *)
        size_t wcstombs(char *, const wchar_t *, size_t)
        int wctomb(char *, wchar_t)
    """,
    "string.h": """
        void *memccpy(void *, const void *, int, size_t)
        void *memchr(const void *, int, size_t)
        int memcmp(const void *, const void *, size_t)
        void *memcpy(void *, const void *, size_t)
        void *memmove(void *, const void *, size_t)
        void *mempcpy(void *, const void *, size_t)
        void *memrchr(const void *, int, size_t)
        void *memset(void *, int, size_t)
        char *stpcpy(char *, const char *)
        char *strcat(char *, const char *)
        char *strcasestr(const char *, const char *)
        char *strchr(const char *, int)
        char *strchrnul(const char *, int)
        int strcmp(const char *, const char *)
        int strcoll(const char *, const char *)
        char *strcpy(char *, const char *)
        size_t strcspn(const char *, const char *)
        char *strdup(const char *)
        char *strerror(int)
        size_t strlen(const char *)
        char *strncat(char *, const char *, size_t)
        int strncmp(const char *, const char *, size_t)
        char *strncpy(char *, const char *, size_t)
        char *strndup(const char *, size_t)
        size_t strnlen(const char *, size_t)
        char *strpbrk(const char *, const char *)
        char *strrchr(const char *, int)
        char *strsep(char **, const char *)
        size_t strspn(const char *, const char *)
        char *strstr(const char *, const char *)
        char *strtok(char *, const char *)
        char *strtok_r(char *, const char *, char **)
        size_t strxfrm(char *, const char *, size_t)
    """,
    "pthread.h": """
        int pthread_create(unsigned long *, const void *, void *(*)(void *), void *)
        int pthread_join(unsigned long, void **)
        int pthread_detach(unsigned long)
        void pthread_exit(void *)
        int pthread_cancel(unsigned long)
        int pthread_setcancelstate(int, int *)
        int pthread_setcanceltype(int, int *)
        void pthread_testcancel(void)
        unsigned long pthread_self(void)
        int pthread_equal(unsigned long, unsigned long)
        int pthread_once(void *, void (*)(void))
        int pthread_attr_init(void *)
        int pthread_attr_destroy(void *)
        int pthread_attr_setdetachstate(void *, int)
        int pthread_attr_getdetachstate(const void *, int *)
        int pthread_attr_setstacksize(void *, unsigned long)
        int pthread_attr_getstacksize(const void *, unsigned long *)
        int pthread_key_create(unsigned *, void (*)(void *))
        int pthread_key_delete(unsigned)
        int pthread_setspecific(unsigned, const void *)
        void *pthread_getspecific(unsigned)
        int pthread_mutex_init(void *, const void *)
        int pthread_mutex_destroy(void *)
        int pthread_mutex_lock(void *)
        int pthread_mutex_trylock(void *)
        int pthread_mutex_timedlock(void *, const void *)
        int pthread_mutex_unlock(void *)
        int pthread_mutexattr_init(void *)
        int pthread_mutexattr_destroy(void *)
        int pthread_mutexattr_settype(void *, int)
        int pthread_mutexattr_gettype(const void *, int *)
        int pthread_spin_init(volatile int *, int)
        int pthread_spin_destroy(volatile int *)
        int pthread_spin_trylock(volatile int *)
        int pthread_spin_lock(volatile int *)
        int pthread_spin_unlock(volatile int *)
        int pthread_cond_init(void *, const void *)
        int pthread_cond_destroy(void *)
        int pthread_cond_signal(void *)
        int pthread_cond_broadcast(void *)
        int pthread_cond_wait(void *, void *)
        int pthread_cond_timedwait(void *, void *, const void *)
        int pthread_condattr_init(void *)
        int pthread_condattr_destroy(void *)
        int pthread_barrier_init(void *, const void *, unsigned)
        int pthread_barrier_destroy(void *)
        int pthread_barrier_wait(void *)
        int pthread_rwlock_init(void *, const void *)
        int pthread_rwlock_destroy(void *)
        int pthread_rwlock_tryrdlock(void *)
        int pthread_rwlock_trywrlock(void *)
        int pthread_rwlock_rdlock(void *)
        int pthread_rwlock_wrlock(void *)
        int pthread_rwlock_unlock(void *)
    """,
    "sched.h": """
        int sched_yield(void)
    """,
    "semaphore.h": """
        int sem_init(void *, int, unsigned)
        int sem_destroy(void *)
        int sem_post(void *)
        int sem_trywait(void *)
        int sem_wait(void *)
        int sem_timedwait(void *, const void *)
        int sem_getvalue(void *, int *)
    """,
    "threads.h": """
        int thrd_create(unsigned long *, int (*)(void *), void *)
        int thrd_join(unsigned long, int *)
        void thrd_exit(int)
        int thrd_detach(unsigned long)
        unsigned long thrd_current(void)
        int thrd_equal(unsigned long, unsigned long)
        void thrd_yield(void)
        int thrd_sleep(const void *, void *)
        int mtx_init(void *, int)
        void mtx_destroy(void *)
        int mtx_lock(void *)
        int mtx_trylock(void *)
        int mtx_timedlock(void *, const void *)
        int mtx_unlock(void *)
        int cnd_init(void *)
        void cnd_destroy(void *)
        int cnd_signal(void *)
        int cnd_broadcast(void *)
        int cnd_wait(void *, void *)
        int cnd_timedwait(void *, void *, const void *)
        void call_once(void *, void (*)(void))
        int tss_create(unsigned *, void (*)(void *))
        void tss_delete(unsigned)
        int tss_set(unsigned, void *)
        void *tss_get(unsigned)
    """,
    "strings.h": """
        int bcmp(const void *, const void *, size_t)
        void bcopy(const void *, void *, size_t)
        void bzero(void *, size_t)
        int ffs(int)
        int ffsl(long)
        int ffsll(long long)
        char *index(const char *, int)
        char *rindex(const char *, int)
        int strcasecmp(const char *, const char *)
        int strncasecmp(const char *, const char *, size_t)
    """,
    "sys/stat.h": """
        int mkdir(const char *, mode_t)
        int chmod(const char *, mode_t)
        int fchmod(int, mode_t)
        int fstat(int, void *)
        int futimens(int, const struct timespec *)
        int lstat(const char *, void *)
        int stat(const char *, void *)
        mode_t umask(mode_t)
        int utimensat(int, const char *, const struct timespec *, int)
    """,
    "sys/time.h": """
        int gettimeofday(struct timeval *, void *)
        int utimes(const char *, const struct timeval *)
    """,
    "time.h": """
        char *asctime(const struct tm *)
        clock_t clock(void)
        int clock_getres(clockid_t, struct timespec *)
        int clock_gettime(clockid_t, struct timespec *)
        char *ctime(const time_t *)
        double difftime(time_t, time_t)
        struct tm *gmtime(const time_t *)
        struct tm *gmtime_r(const time_t *, struct tm *)
        struct tm *localtime(const time_t *)
        struct tm *localtime_r(const time_t *, struct tm *)
        time_t mktime(struct tm *)
        int nanosleep(const struct timespec *, struct timespec *)
        size_t strftime(char *, size_t, const char *, const struct tm *)
        time_t time(time_t *)
        time_t timegm(struct tm *)
        int timespec_get(struct timespec *, int)
    """,
    "unistd.h": """
        char *getcwd(char *, size_t)
        unsigned getegid(void)
        unsigned geteuid(void)
        unsigned getgid(void)
        int getpagesize(void)
        int getpid(void)
        int getppid(void)
        unsigned getuid(void)
        int rmdir(const char *)
        long sysconf(int)
        void _exit(int)
        int access(const char *, int)
        int chown(const char *, unsigned, unsigned)
        int close(int)
        int fchown(int, unsigned, unsigned)
        int isatty(int)
        off_t lseek(int, off_t, int)
        ssize_t read(int, void *, size_t)
        void *sbrk(intptr_t)
        unsigned sleep(unsigned)
        int unlink(const char *)
        int usleep(unsigned)
        ssize_t write(int, const void *, size_t)
    """,
    "utime.h": """
        int utime(const char *, const void *)
    """,
    "wchar.h": """
        wint_t btowc(int)
        wint_t fgetwc(FILE *)
        wchar_t *fgetws(wchar_t *, int, FILE *)
        wint_t fputwc(wchar_t, FILE *)
        int fputws(const wchar_t *, FILE *)
        int fwprintf(FILE *, const wchar_t *, ...)
        int fwscanf(FILE *, const wchar_t *, ...)
        wint_t getwc(FILE *)
        wint_t getwchar(void)
        wint_t putwc(wchar_t, FILE *)
        wint_t putwchar(wchar_t)
        int swprintf(wchar_t *, size_t, const wchar_t *, ...)
        int swscanf(const wchar_t *, const wchar_t *, ...)
        wint_t ungetwc(wint_t, FILE *)
        int vfwprintf(FILE *, const wchar_t *, va_list)
        int vfwscanf(FILE *, const wchar_t *, va_list)
        int vswprintf(wchar_t *, size_t, const wchar_t *, va_list)
        int vswscanf(const wchar_t *, const wchar_t *, va_list)
        int vwprintf(const wchar_t *, va_list)
        int vwscanf(const wchar_t *, va_list)
        wchar_t *wcpcpy(wchar_t *, const wchar_t *)
        wchar_t *wcscat(wchar_t *, const wchar_t *)
        wchar_t *wcschr(const wchar_t *, wchar_t)
        int wcscmp(const wchar_t *, const wchar_t *)
        int wcscoll(const wchar_t *, const wchar_t *)
        wchar_t *wcscpy(wchar_t *, const wchar_t *)
        size_t wcscspn(const wchar_t *, const wchar_t *)
        wchar_t *wcsdup(const wchar_t *)
        size_t wcslen(const wchar_t *)
        wchar_t *wcsncat(wchar_t *, const wchar_t *, size_t)
        int wcsncmp(const wchar_t *, const wchar_t *, size_t)
        wchar_t *wcsncpy(wchar_t *, const wchar_t *, size_t)
        size_t wcsnlen(const wchar_t *, size_t)
        wchar_t *wcspbrk(const wchar_t *, const wchar_t *)
        wchar_t *wcsrchr(const wchar_t *, wchar_t)
        size_t wcsspn(const wchar_t *, const wchar_t *)
        wchar_t *wcsstr(const wchar_t *, const wchar_t *)
        double wcstod(const wchar_t *, wchar_t **)
        long double wcstold(const wchar_t *, wchar_t **)
        wchar_t *wcstok(wchar_t *, const wchar_t *, wchar_t **)
        long wcstol(const wchar_t *, wchar_t **, int)
        long long wcstoll(const wchar_t *, wchar_t **, int)
        unsigned long wcstoul(const wchar_t *, wchar_t **, int)
        unsigned long long wcstoull(const wchar_t *, wchar_t **, int)
        int wctob(wint_t)
        size_t mbrlen(const char *, size_t, mbstate_t *)
        size_t mbrtowc(wchar_t *, const char *, size_t, mbstate_t *)
        int mbsinit(const mbstate_t *)
        size_t mbsrtowcs(wchar_t *, const char **, size_t, mbstate_t *)
        size_t wcrtomb(char *, wchar_t, mbstate_t *)
        size_t wcsftime(wchar_t *, size_t, const wchar_t *, const struct tm *)
        size_t wcsrtombs(char *, const wchar_t **, size_t, mbstate_t *)
        float wcstof(const wchar_t *, wchar_t **)
        size_t wcsxfrm(wchar_t *, const wchar_t *, size_t)
        wchar_t *wmemchr(const wchar_t *, wchar_t, size_t)
        int wmemcmp(const wchar_t *, const wchar_t *, size_t)
        wchar_t *wmemcpy(wchar_t *, const wchar_t *, size_t)
        wchar_t *wmemmove(wchar_t *, const wchar_t *, size_t)
        wchar_t *wmemset(wchar_t *, wchar_t, size_t)
        int wprintf(const wchar_t *, ...)
        int wscanf(const wchar_t *, ...)
    """,
    "wctype.h": """
        int iswalnum(wint_t)
        int iswalpha(wint_t)
        int iswblank(wint_t)
        int iswcntrl(wint_t)
        int iswdigit(wint_t)
        int iswgraph(wint_t)
        int iswlower(wint_t)
        int iswprint(wint_t)
        int iswpunct(wint_t)
        int iswspace(wint_t)
        int iswupper(wint_t)
        int iswxdigit(wint_t)
        wint_t towlower(wint_t)
        wint_t towupper(wint_t)
        int iswctype(wint_t, wctype_t)
        wctype_t wctype(const char *)
        wint_t towctrans(wint_t, const int *)
        const int *wctrans(const char *)
    """,
}


COPYING = frozenset(["memcpy", "memmove"])
"""The functions that copy an object of any type."""

RESULT_OBJECTS: dict[str, int | None] = {
    "bsearch": 1,
    **dict.fromkeys(
        [
            "__ctype_b_loc",
            "__ctype_tolower_loc",
            "__ctype_toupper_loc",
            "__errno_location",
            "aligned_alloc",
            "calloc",
            "fopen",
            "freopen",
            "getenv",
            "malloc",
            "realloc",
            "strdup",
            "strerror",
            "strndup",
            "strsep",
            "strtok",
            "wcsdup",
        ]
    ),
    **dict.fromkeys(
        ["dlerror", "dlopen", "dlsym", "fdopen", "localeconv", "popen", "setlocale", "signal", "tmpfile", "wctrans"]
    ),
    **dict.fromkeys(
        ["__xpg_basename", "dirname", "mmap", "opendir", "pthread_getspecific", "readdir", "seed48", "tss_get"]
    ),
    **dict.fromkeys(["asctime", "ctime", "gmtime", "localtime", "strtok_r", "wcstok"]),
    **dict.fromkeys(["gmtime_r", "localtime_r"], 1),
}
"""The parameter into whose object a returned pointer points (None if into another object); else it is the first."""


_OF_STATUS = frozenset(["access", "utime", "utimes"])
"""The functions of other headers that are defined beside those of <sys/stat.h>."""

_THREADS = frozenset(["pthread.h", "sched.h", "semaphore.h", "threads.h"])
"""The headers whose functions `pthread.c` defines."""


class Prototype(NamedTuple):
    """The header and the declaration of a function, from which its types are read when they are requested."""

    header: str
    declaration: str

    @property
    def name(self) -> str:
        """The name of the function."""
        return self.declaration.partition("(")[0].rpartition(" ")[2].lstrip("*")

    @property
    def source(self) -> str:
        """The name of the file of the library that defines the function."""
        if self.name in _OF_STATUS:
            return "sys_stat"
        if self.header in _THREADS:
            return "pthread"
        name = self.header.removesuffix(".h").replace("/", "_")
        if self.header in ("math.h", COMPLEX_HEADER, LIBGCC) and "long double" in self.declaration:
            return f"{name}_long_double"
        return f"{name}_float" if self.header in (COMPLEX_HEADER, LIBGCC) and "float" in self.declaration else name

    @property
    def result(self) -> str:
        """The type of the result, as text."""
        return self.declaration.partition("(")[0].removesuffix(self.name).strip()

    @property
    def parameters(self) -> tuple[str, ...]:
        """The types of the parameters, as text, without ``...`` for variable arguments."""
        return tuple(parameter_types(self.declaration.partition("(")[2].removesuffix(")")))

    @property
    def is_variadic(self) -> bool:
        """Whether the function takes variable arguments."""
        return self.declaration.endswith("...)")

    @property
    def type(self) -> ContinuationType:
        """The type of the function in the program."""
        result = () if self.result == "void" else (type_of(self.result),)
        return ContinuationType((*map(type_of, self.parameters), ContinuationType(result)))


def parameter_types(listed: str) -> list[str]:
    """The types in a list of parameters, without ``void`` and ``...``."""
    types = [each.strip() for each in re.findall(r"(?:[^,(]|\([^)]*\))+", listed)]
    return [each for each in types if each not in ("void", "...")]


def is_complex(type: str) -> bool:
    """Whether a type, as text, is a complex one, which functions of programs take and return by pointers."""
    return type.endswith("_Complex")


FUNCTION_POINTER = re.compile(r"(?P<result>.*)\(\*\)\((?P<parameters>.*)\)")
"""The type of a pointer to functions, as text."""


def is_pointer(type: str) -> bool:
    """Whether a type, as text, is one of pointers."""
    return "*" in type or type in ("va_list", "__sighandler_t")


def type_of(type: str) -> Scalar:
    """The type of a program for a type, as text, that is not complex."""
    return PTR if is_pointer(type) else _SCALARS[type]


_SCALARS = {
    "void": VOID,
    "int": INT,
    "unsigned": UNSIGNED,
    "double": DOUBLE,
    "float": FLOAT,
    "wchar_t": INT,
    "mode_t": UNSIGNED,
    "wint_t": UNSIGNED,
    "clockid_t": INT,
}
_SCALARS["long double"] = LONG_DOUBLE
_SCALARS |= dict.fromkeys(["long", "long long", "ssize_t", "off_t", "time_t", "clock_t", "intmax_t", "intptr_t"], LONG)
_SCALARS |= dict.fromkeys(["wctype_t", "size_t", "unsigned long", "unsigned long long", "uintmax_t"], UNSIGNED_LONG)


_STATED = [
    Prototype(header, line.strip()) for header, lines in _PROTOTYPES.items() for line in lines.strip().splitlines()
]


def _mathematics() -> Iterator[Prototype]:
    """The operations of <math.h>, and the functions of <math.h> for `float` and `long double`."""
    found = [row for row in _STATED if row.header == "math.h"]
    for name, count in {"fabs": 1, **MATHEMATICS}.items():
        found.append(Prototype("math.h", f"double {name}({', '.join(['double'] * count)})"))
    for row in found:
        yield row
        if "nexttoward" in row.name:  # which takes a `long double` in each case
            continue
        for suffix, type in (("f", "float"), ("l", "long double")):
            declaration = row.declaration.replace(f"{row.name}(", f"{row.name}{suffix}(")
            yield Prototype(row.header, declaration.replace("double", type))


_OF_COMPLEX = "cabs carg cimag creal"
_COMPLEX_OF_COMPLEX = """cacos cacosh casin casinh catan catanh ccos ccosh cexp clog conj cpow cproj csin csinh csqrt
    ctan ctanh"""


def _of_complex_numbers() -> Iterator[Prototype]:
    """The functions of <complex.h>, and those of libgcc that multiply and divide."""
    for suffix, letter, type in (("", "d", "double"), ("f", "s", "float"), ("l", "x", "long double")):
        number = f"{type} _Complex"
        for name in _OF_COMPLEX.split():
            yield Prototype(COMPLEX_HEADER, f"{type} {name}{suffix}({number})")
        for name in _COMPLEX_OF_COMPLEX.split():
            yield Prototype(COMPLEX_HEADER, f"{number} {name}{suffix}({number}{f', {number}' * (name == 'cpow')})")
        for verb in ("mul", "div"):
            yield Prototype(LIBGCC, f"{number} __{verb}{letter}c3({', '.join([type] * 4)})")


PROTOTYPES = {row.name: row for row in (*_STATED, *_mathematics(), *_of_complex_numbers())}
"""The prototypes by the names of the functions."""

_GNU = "asprintf fgets_unlocked fputs_unlocked gets mempcpy memrchr strcasestr strchrnul vasprintf"
UNDECLARED = frozenset(_GNU.split())
"""The functions that the headers of glibc declare for `_GNU_SOURCE` only, so that emitted C declares them itself."""

NOT_INCLUDED = frozenset(
    [COMPLEX_HEADER, LIBGCC, "dirent.h", "libgen.h", "sys/mman.h", "sys/stat.h", "utime.h", *_THREADS]
)
"""The headers that emitted C does not include, so that it declares their functions itself.

They do not exist, or define macros with names of one letter, or structs that the program has, too.
"""


class LibraryObject(NamedTuple):
    """The header that declares an object, and its type, as text."""

    header: str
    type: str


OBJECTS = {
    **dict.fromkeys(["stdin", "stdout", "stderr"], LibraryObject("stdio.h", "FILE *")),
    **dict.fromkeys(["optind", "opterr", "optopt"], LibraryObject("getopt.h", "int")),
    "optarg": LibraryObject("getopt.h", "char *"),
}
"""The objects that the library defines."""

INCLUDED = {"tgmath.h": ("math.h", COMPLEX_HEADER), "unistd.h": ("getopt.h",)}
"""For a header, others whose functions and objects it declares, too."""

_IN_MEMORY = frozenset(["memcmp", "memcpy", "memmove", "memset", "strcmp", "strcpy", "strlen"])

BEGIN_ACTIVATION, END_ACTIVATION = "__begin_activation", "__end_activation"
"""The functions between which a call of a function can save continuations."""

CONTROL = frozenset([SETJMP, BEGIN_ACTIVATION, END_ACTIVATION])
"""The functions that save continuations, or forget them."""

PROVIDED = _IN_MEMORY | CONTROL | {row.name for row in _STATED if row.header == SYSTEM}
"""The functions that every engine, and every functional target with memory, implements itself."""

ARGUMENT_ACCESS = frozenset(row.name for row in _STATED if row.header == "stdarg.h")
"""The functions that `va_arg` calls, which no platform has."""


def is_system_call(function: Function) -> bool:
    """Whether an external function is a system call."""
    return function.name in PROTOTYPES and PROTOTYPES[function.name].header == SYSTEM


def require_provided(function: Function, provider: str) -> None:
    """Raise `DiagnosticError`, which names the `provider`, unless it has the external function with its type."""
    if function.name not in PROVIDED:
        known = ", ".join(f"`{name}`" for name, row in PROTOTYPES.items() if row.header != SYSTEM)
        message = f"{provider} has no external function `{function.name}`"
        raise DiagnosticError([error(message, function.span, help=f"it has {known}", rule="external")])
    type = PROTOTYPES[function.name].type
    if function.type != type:
        message = f"the external function `{function.name}` of {provider} has the type `{type}`"
        raise DiagnosticError([error(message, function.span, rule="external")])
