// Dynamic loading, which a run does not permit.

void *dlopen(const char *path, int mode) { return 0; }
void *dlsym(void *library, const char *name) { return 0; }
int dlclose(void *library) { return -1; }
char *dlerror(void) { return "dynamic loading is not available"; }
