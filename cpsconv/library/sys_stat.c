// The status of files: kind, size, permissions and times. `struct stat` is the one of glibc, which the engines write.

struct timespec {
    long tv_sec, tv_nsec;
};

// A file is denoted by a path or, if the path is null, by a descriptor. With the path of a symbolic link, NOT_FOLLOWED
// denotes the link.
int __status(const char *, int, void *);
int __change_mode(const char *, int, unsigned);
int __change_times(const char *, int, const long *);
int *__errno_location(void);

enum { FOLLOWED = -1, NOT_FOLLOWED = -2, ENOSYS = 38, AT_FDCWD = -100 };

static int checked(int result)
{
    if (result >= 0)
        return result;
    *__errno_location() = -result;
    return -1;
}

int stat(const char *path, void *status) { return checked(__status(path, FOLLOWED, status)); }
int lstat(const char *path, void *status) { return checked(__status(path, NOT_FOLLOWED, status)); }
int fstat(int descriptor, void *status) { return checked(__status(0, descriptor, status)); }
int chmod(const char *path, unsigned mode) { return checked(__change_mode(path, FOLLOWED, mode)); }
int fchmod(int descriptor, unsigned mode) { return checked(__change_mode(0, descriptor, mode)); }

unsigned umask(unsigned mask)
{
    static unsigned current = 022;
    unsigned before = current;
    current = mask & 0777;
    return before;
}

// The nanoseconds since 1970; the two least numbers are the present, and no change.
static long nanoseconds(const struct timespec *time)
{
    const long least = -9223372036854775807 - 1;
    const long now = (1 << 30) - 1, omitted = (1 << 30) - 2;
    if (time == 0 || time->tv_nsec == now)
        return least;
    return time->tv_nsec == omitted ? least + 1 : time->tv_sec * 1000000000 + time->tv_nsec;
}

static int change_times(const char *path, int descriptor, const struct timespec *times)
{
    const long both[] = { nanoseconds(times), nanoseconds(times == 0 ? 0 : times + 1) };
    return checked(__change_times(path, descriptor, both));
}

int futimens(int descriptor, const struct timespec *times) { return change_times(0, descriptor, times); }

int utimensat(int folder, const char *path, const struct timespec *times, int flags)
{
    return folder == AT_FDCWD ? change_times(path, FOLLOWED, times) : checked(-ENOSYS);
}
