// Memory that is mapped: new memory, or a copy of a part of a file, which changes of the memory do not change.

typedef unsigned long size_t;

long __read(int, void *, size_t);
long __seek(int, long, int);
int *__errno_location(void);
void *calloc(size_t, size_t);
void free(void *);

enum { WRITABLE = 2, SHARED = 1, ANONYMOUS = 32, EINVAL = 22, ENOMEM = 12, ENODEV = 19 };

static void *failed(int error)
{
    *__errno_location() = error;
    return (void *)-1;
}

void *mmap(void *place, size_t size, int protection, int flags, int descriptor, long offset)
{
    if (size == 0 || size > 1UL << 40)
        return failed(size == 0 ? EINVAL : ENOMEM);
    int is_file = !(flags & ANONYMOUS);
    if (is_file && flags & SHARED && protection & WRITABLE)
        return failed(ENODEV);
    long before = is_file ? __seek(descriptor, 0, 1) : 0;
    if (before < 0)
        return failed((int)-before);
    char *mapped = calloc(1, size);
    if (mapped == 0)
        return failed(ENOMEM);
    if (is_file) {
        __seek(descriptor, offset, 0);
        size_t end = 0;
        for (long read = 1; read > 0 && end < size; end += read > 0 ? (size_t)read : 0)
            read = __read(descriptor, mapped + end, size - end);
        __seek(descriptor, before, 0);
    }
    return mapped;
}

int munmap(void *place, size_t size)
{
    free(place);
    return 0;
}

int mprotect(void *place, size_t size, int protection) { return 0; }
int msync(void *place, size_t size, int flags) { return 0; }
