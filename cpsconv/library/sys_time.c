// The time of the day, and the times of files in microseconds.

long __time(void);
int *__errno_location(void);

struct timespec {
    long tv_sec, tv_nsec;
};

int utimensat(int, const char *, const struct timespec *, int);

struct timeval {
    long tv_sec, tv_usec;
};

int gettimeofday(struct timeval *found, void *zone)
{
    long now = __time();
    if (now < 0) {
        *__errno_location() = (int)-now;
        return -1;
    }
    found->tv_sec = now;
    found->tv_usec = 0;
    return 0;
}

int utimes(const char *path, const struct timeval *times)
{
    if (times == 0)
        return utimensat(-100, path, 0, 0);
    struct timespec both[] = { { times[0].tv_sec, times[0].tv_usec * 1000 }, { times[1].tv_sec, times[1].tv_usec * 1000 } };
    return utimensat(-100, path, both, 0);
}
