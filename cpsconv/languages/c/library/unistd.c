// System calls under their names in POSIX.

typedef unsigned long size_t;

long __read(int, void *, size_t);
long __write(int, const void *, size_t);
int __close(int);
long __seek(int, long, int);
int __unlink(const char *);
int __remove_directory(const char *);
long __current_directory(char *, size_t);
int *__errno_location(void);

static long checked(long result)
{
    if (result >= 0)
        return result;
    *__errno_location() = (int)-result;
    return -1;
}

long read(int descriptor, void *target, size_t size) { return checked(__read(descriptor, target, size)); }
long write(int descriptor, const void *source, size_t size) { return checked(__write(descriptor, source, size)); }
int close(int descriptor) { return (int)checked(__close(descriptor)); }
long lseek(int descriptor, long offset, int whence) { return checked(__seek(descriptor, offset, whence)); }
int unlink(const char *path) { return (int)checked(__unlink(path)); }
int rmdir(const char *path) { return (int)checked(__remove_directory(path)); }
int isatty(int descriptor) { return 0; }

enum { EPERM = 1 };

// A file keeps its owner.
int chown(const char *path, unsigned user, unsigned group) { return (int)checked(-EPERM); }
int fchown(int descriptor, unsigned user, unsigned group) { return (int)checked(-EPERM); }

void *malloc(size_t);
void free(void *);

// A null pointer stands for memory that the program deallocates.
char *getcwd(char *path, size_t size)
{
    char *found = path == 0 ? malloc(size = size == 0 ? 4096 : size) : path;
    if (checked(__current_directory(found, size)) >= 0)
        return found;
    if (path == 0)
        free(found);
    return 0;
}

// The process of a run, which belongs to the superuser, as in a container.

enum { OWN_PROCESS = 2, PAGE = 4096 };

int getpid(void) { return OWN_PROCESS; }
int getppid(void) { return OWN_PROCESS - 1; }
unsigned getuid(void) { return 0; }
unsigned geteuid(void) { return 0; }
unsigned getgid(void) { return 0; }
unsigned getegid(void) { return 0; }
int getpagesize(void) { return PAGE; }

long sysconf(int name)
{
    enum { TICKS = 2, OPEN_FILES = 4, PAGE_SIZE = 30, CONFIGURED_PROCESSORS = 83, PROCESSORS = 84 };
    switch (name) {
    case TICKS: return 100;
    case OPEN_FILES: return 1024;
    case PAGE_SIZE: return PAGE;
    case CONFIGURED_PROCESSORS:
    case PROCESSORS: return 1;
    }
    return checked(-22);
}

// Waiting only lets another thread run.

int sched_yield(void);

unsigned sleep(unsigned seconds) { return (unsigned)sched_yield(); }
int usleep(unsigned microseconds) { return sched_yield(); }

void *calloc(size_t, size_t);

// The end of the data segment is in an object of 16 MiB.
void *sbrk(long increment)
{
    static char *segment;
    static long size;
    const long most = 1L << 24;
    if (segment == 0)
        segment = calloc(1, most);
    if (segment == 0 || increment > most - size || increment < -size) {
        *__errno_location() = 12;
        return (void *)-1;
    }
    size += increment;
    return segment + size - increment;
}

void exit(int);

void _exit(int status) { exit(status); }
