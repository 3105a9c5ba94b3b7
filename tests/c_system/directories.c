// Directories, mapped files, and what a program knows about its process.
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int compare(const void *one, const void *other) { return strcmp(one, other); }

static void list(const char *path) {
    char names[10][32];
    int count = 0, directories = 0;
    DIR *directory = opendir(path);
    if (directory == NULL) {
        printf("%s: %d\n", path, errno);
        return;
    }
    for (int round = 0; round < 2; round++) {
        struct dirent *entry;
        count = directories = 0;
        while ((entry = readdir(directory)) != NULL) {
            strcpy(names[count++], entry->d_name);
            directories += entry->d_type == DT_DIR;
        }
        rewinddir(directory);
    }
    closedir(directory);
    qsort(names, count, sizeof names[0], compare);
    printf("%s, %d directories:", path, directories);
    for (int i = 0; i < count; i++)
        printf(" %s", names[i]);
    puts("");
}

static void remove_all(const char *path) {
    char place[300];
    int removed = 0;
    for (int i = 0; i < 5; i++) {
        snprintf(place, sizeof place, "%s/%d", path, i);
        close(open(place, O_WRONLY | O_CREAT, 0644));
    }
    DIR *directory = opendir(path);
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        snprintf(place, sizeof place, "%s/%s", path, entry->d_name);
        removed += unlink(place) == 0;
    }
    closedir(directory);
    printf("%d removed\n", removed);
}

static void map(void) {
    int descriptor = open("made/text", O_RDWR | O_CREAT, 0644);
    dprintf(descriptor, "%s %d\n", "mapped", 42);
    char *text = mmap(NULL, 10, PROT_READ, MAP_PRIVATE, descriptor, 0);
    printf("%.10s", text);
    munmap(text, 10);
    close(descriptor);
    int *numbers = mmap(NULL, 100 * sizeof *numbers, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    numbers[99] = 5;
    printf("%d %d\n", numbers[0], numbers[99]);
    printf("%d %d\n", mprotect(numbers, 400, PROT_READ), msync(numbers, 400, MS_SYNC));
    munmap(numbers, 400);
    printf("%d\n", mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
}

int main(void) {
    char path[4096], parts[] = "/usr//lib/", others[] = "/usr//lib/", *own = getcwd(NULL, 0);
    printf("%d", mkdir("made", 0755));
    printf(" %d", mkdir("made", 0755));
    printf(" %d", errno == EEXIST);
    printf(" %d\n", mkdir("made/inner", 0700));
    list("made");
    remove_all("made/inner");
    map();
    list("made");
    list("missing");
    printf("%d", rmdir("made"));
    printf(" %d\n", errno == ENOTEMPTY);
    printf("%d", unlink("made/text"));
    printf(" %d", rmdir("made/inner"));
    printf(" %d\n", rmdir("made"));
    printf("%d %d\n", strcmp(getcwd(path, sizeof path), own), getcwd(path, 1) == NULL && errno == ERANGE);
    free(own);
    printf("%s %s\n", basename(parts), dirname(others));
    printf("%d %d\n", getpid() > getppid() || getppid() > 0, getuid() == geteuid() && getgid() == getegid());
    printf("%d %ld\n", getpagesize(), sysconf(_SC_PAGESIZE));
    return 0;
}
