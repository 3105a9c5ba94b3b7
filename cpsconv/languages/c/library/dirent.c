// Directories: the entries in the order of the system, after ``.`` and ``..``.

typedef unsigned long size_t;

// As in glibc.
struct dirent {
    unsigned long d_ino;
    long d_off;
    unsigned short d_reclen;
    unsigned char d_type, d_name[256];
};

typedef struct {
    long next;
    struct dirent entry;
    char path[];
} DIR;

// The kind of the entry of a directory with an index, plus 1, or 0 after the last one. Its name is written, of at most
// 255 bytes. The entries are those of the time when that with the index 0 was requested.
int __entry(const char *, long, void *);
int *__errno_location(void);
void *malloc(size_t);
void free(void *);
char *strcpy(char *, const char *);
size_t strlen(const char *);

static int checked(int result)
{
    if (result < 0)
        *__errno_location() = -result;
    return result;
}

DIR *opendir(const char *path)
{
    struct dirent first;
    if (checked(__entry(path, 0, first.d_name)) < 0)
        return 0;
    DIR *opened = malloc(sizeof *opened + strlen(path) + 1);
    strcpy(opened->path, path);
    opened->next = 0;
    return opened;
}

void *readdir(DIR *directory)
{
    struct dirent *entry = &directory->entry;
    int kind = checked(__entry(directory->path, directory->next, entry->d_name));
    if (kind <= 0)
        return 0;
    entry->d_ino = (unsigned long)++directory->next;
    entry->d_off = directory->next;
    entry->d_reclen = sizeof *entry;
    entry->d_type = (unsigned char)(kind - 1);
    return entry;
}

void rewinddir(DIR *directory) { directory->next = 0; }

int closedir(DIR *directory)
{
    rewinddir(directory); // a directory that was closed is an error of an access
    free(directory);
    return 0;
}
