// Opening files. The mode of a new file is 0666, as far as the process permits.

int __open(const char *, int);
int *__errno_location(void);

int open(const char *path, int flags, ...)
{
    int descriptor = __open(path, flags);
    if (descriptor >= 0)
        return descriptor;
    *__errno_location() = -descriptor;
    return -1;
}

enum { WRITING = 1, CREATING = 64, EMPTYING = 512 };

int creat(const char *path, unsigned mode) { return open(path, WRITING | CREATING | EMPTYING, mode); }
