// The parts of a path.

typedef unsigned long size_t;

size_t strlen(const char *);

// The end of the path without slashes at its end, but with the one that it begins with.
static char *end_of(char *path)
{
    char *end = path + strlen(path);
    while (end > path + 1 && end[-1] == '/')
        end--;
    return end;
}

char *__xpg_basename(char *path)
{
    if (path == 0 || *path == 0)
        return ".";
    char *end = end_of(path), *start = end;
    if (*path == '/' && end == path + 1)
        return "/";
    *end = 0;
    while (start > path && start[-1] != '/')
        start--;
    return start;
}

char *dirname(char *path)
{
    if (path == 0 || *path == 0)
        return ".";
    char *end = end_of(path);
    while (end > path && end[-1] != '/')
        end--;
    if (end == path)
        return *path == '/' ? "/" : ".";
    *end = 0;
    *end_of(path) = 0;
    return path;
}
