// System calls under their names in POSIX.

typedef unsigned long size_t;

long __read(int, void *, size_t);
long __write(int, const void *, size_t);
int __close(int);
long __seek(int, long, int);
int __unlink(const char *);
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
int isatty(int descriptor) { return 0; }

enum { EPERM = 1 };

// A file keeps its owner.
int chown(const char *path, unsigned user, unsigned group) { return (int)checked(-EPERM); }
int fchown(int descriptor, unsigned user, unsigned group) { return (int)checked(-EPERM); }

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
