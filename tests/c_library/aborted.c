// `abort` calls the handler of its signal, even if it is blocked.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static void at_exit(void) { puts("exit"); }

static void handle(int number) {
    printf("%d\n", number);
    fflush(stdout);
}

int main(void) {
    void (*end)(void) = abort;
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGABRT);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGABRT, handle);
    atexit(at_exit);
    if (signal(SIGABRT, handle) != handle) abort();
    end();
}
