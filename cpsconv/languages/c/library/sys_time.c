// The time of the day.

long __time(void);
int *__errno_location(void);

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
