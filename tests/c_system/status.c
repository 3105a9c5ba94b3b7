// Reads and changes the status of files.
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>
#include <errno.h>

static void show(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        printf("%s: error %d\n", path, errno);
        return;
    }
    printf("%s: %d %o %ld ", path, S_ISDIR(status.st_mode), status.st_mode & 0777, (long)status.st_size);
    printf("%ld", (long)status.st_nlink);
    printf(" %ld %ld %ld\n", (long)status.st_mtime, (long)status.st_atime, (long)status.st_mtim.tv_nsec);
}

static int refused(int result)
{
    return result == -1 && errno == EINVAL;
}

int main(void)
{
    struct stat status, other;
    struct utimbuf seconds = { 1000, 2000 };
    struct timeval both[] = { { 5, 6 }, { 7, 8 } };
    struct timespec spans[] = { { 9, 10 }, { 11, 12 } }, one[] = { { 0, UTIME_OMIT }, { 13, 14 } };
    struct timespec wrong[] = { { 0, 0 }, { 0, 1000000000 } }, negative[] = { { 0, -1 }, { 0, 0 } };
    struct timespec late[] = { { 0, 0 }, { 1L << 40, 999999999 } };
    umask(umask(077));
    show("absent");
    FILE *f = fopen("file", "w");
    fputs("text\n", f);
    fclose(f);
    printf("%d ", chmod("file", 0640));
    printf("%d ", utime("file", &seconds));
    show("file");
    printf("%d ", utimes("file", both));
    show("file");
    printf("%d ", utimensat(AT_FDCWD, "file", one, 0));
    show("file");
    printf("%d ", refused(utimensat(AT_FDCWD, "file", wrong, 0)));
    printf("%d ", refused(utimensat(AT_FDCWD, "file", negative, 0)));
    printf("%d ", refused(utimensat(AT_FDCWD, "file", one, 0x40000)));
    both[1].tv_usec = 1000000;
    printf("%d ", refused(utimes("file", both)));
    printf("%d ", utimensat(AT_FDCWD, "file", late, 0));
    show("file");
    printf("%d ", utimensat(AT_FDCWD, "link", one, 0));
    printf("%d ", utimensat(AT_FDCWD, "link", spans, AT_SYMLINK_NOFOLLOW));
    show("file");
    printf("%d ", lstat("link", &status));
    printf("%ld\n", (long)status.st_mtime);
    printf("%d ", chmod("file", 04640));
    stat("file", &status);
    printf("%o\n", status.st_mode & 07777);
    int d = open("file", O_RDONLY);
    printf("%d %d ", futimens(d, spans), fchmod(d, 0400));
    show("file");
    printf("%d %d ", fstat(d, &status), lstat("file", &other));
    printf("%d %d %ld\n", status.st_ino == other.st_ino, S_ISREG(status.st_mode), (long)(status.st_mtim.tv_nsec));
    printf("%d %d %d\n", access("file", F_OK), access("absent", R_OK), access("file", R_OK | X_OK));
    printf("%d %d %d\n", fstat(99, &status), chown("absent", 0, 0), fchown(99, 0, 0));
    printf("%d\n", stat(".", &status) == 0 && S_ISDIR(status.st_mode));
    close(d);
    chmod("file", 0600);
    remove("file");
    return 0;
}
