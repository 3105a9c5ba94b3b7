// The status of files: kind, size, permissions and times.

struct timespec {
    long tv_sec, tv_nsec;
};

struct timeval {
    long tv_sec, tv_usec;
};

struct utimbuf {
    long actime, modtime;
};

// As in glibc; the engines write it.
struct stat {
    unsigned long st_dev, st_ino, st_nlink;
    unsigned st_mode;
    unsigned char others[116];
};

// A file is denoted by a path and flags or, if the path is null, by a descriptor.
int __status(const char *, int, struct stat *);
int __change_mode(const char *, int, unsigned);
int __make_directory(const char *, unsigned);
int __change_times(const char *, int, const struct timespec *);
int *__errno_location(void);

enum { EACCES = 13, EINVAL = 22, ENOSYS = 38 };
enum { AT_FDCWD = -100, AT_SYMLINK_NOFOLLOW = 0x100, UTIME_NOW = (1 << 30) - 1, MILLION = 1000000 };

static int checked(int result)
{
    if (result >= 0)
        return result;
    *__errno_location() = -result;
    return -1;
}

int stat(const char *path, void *status) { return checked(__status(path, 0, status)); }
int lstat(const char *path, void *status) { return checked(__status(path, AT_SYMLINK_NOFOLLOW, status)); }
int fstat(int descriptor, void *status) { return checked(__status(0, descriptor, status)); }
int mkdir(const char *path, unsigned mode) { return checked(__make_directory(path, mode)); }
int chmod(const char *path, unsigned mode) { return checked(__change_mode(path, 0, mode)); }
int fchmod(int descriptor, unsigned mode) { return checked(__change_mode(0, descriptor, mode)); }

// As the owner of the file.
int access(const char *path, int mode)
{
    struct stat status;
    int result = __status(path, 0, &status);
    return checked(result < 0 || (status.st_mode >> 6 & (unsigned)mode) == (unsigned)mode ? result : -EACCES);
}

unsigned umask(unsigned mask)
{
    static unsigned current = 022;
    unsigned before = current;
    current = mask & 0777;
    return before;
}

static int change_times(const char *path, int file, const struct timespec *times)
{
    const struct timespec now[] = { { 0, UTIME_NOW }, { 0, UTIME_NOW } };
    return checked(__change_times(path, file, times == 0 ? now : times));
}

int futimens(int descriptor, const struct timespec *times) { return change_times(0, descriptor, times); }

int utimensat(int folder, const char *path, const struct timespec *times, int flags)
{
    return folder == AT_FDCWD ? change_times(path, flags, times) : checked(-ENOSYS);
}

static int is_valid(struct timeval time) { return time.tv_usec >= 0 && time.tv_usec < MILLION; }

int utimes(const char *path, const struct timeval *times)
{
    if (times == 0)
        return change_times(path, 0, 0);
    if (!is_valid(times[0]) || !is_valid(times[1]))
        return checked(-EINVAL);
    struct timespec both[] = { { times[0].tv_sec, times[0].tv_usec * 1000 }, { times[1].tv_sec, times[1].tv_usec * 1000 } };
    return change_times(path, 0, both);
}

int utime(const char *path, const void *times)
{
    if (times == 0)
        return change_times(path, 0, 0);
    const struct utimbuf *seconds = times;
    struct timespec both[] = { { seconds->actime }, { seconds->modtime } };
    return change_times(path, 0, both);
}
