// Variables of the environment, random numbers of given states, and signals of the program to itself.
#define _GNU_SOURCE
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int seen;

static void print(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vdprintf(1, format, list);
    va_end(list);
}

static void note(int number) { seen = seen * 100 + number; }

static void environment(void) {
    static char own[] = "OWN=1";
    printf("%d", setenv("A", "one", 0));
    printf(" %d", setenv("A", "two", 0));
    printf(" %s", getenv("A"));
    printf(" %d", setenv("A", "three", 1));
    printf(" %s", getenv("A"));
    printf(" %d", unsetenv("A"));
    printf(" %d\n", getenv("A") == NULL);
    printf("%d", putenv(own));
    own[4] = '7';
    printf(" %s", getenv("OWN"));
    putenv("OWN");
    printf(" %d %d\n", getenv("OWN") == NULL, setenv("x=", "", 1));
}

static void numbers(void) {
    unsigned short state[3] = { 1, 2, 3 };
    printf("%f", erand48(state));
    printf(" %ld", nrand48(state));
    printf(" %ld", jrand48(state));
    printf(" %d", seed48(state)[0]);
    printf(" %f", drand48());
    srand48(-5);
    printf(" %ld\n", mrand48());
}

static void signals(void) {
    sigset_t set, before, waiting;
    signal(SIGUSR1, note);
    signal(SIGTERM, note);
    printf("%d", kill(getpid(), SIGUSR1));
    printf(" %d", seen);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGTERM);
    printf(" %d", sigprocmask(SIG_BLOCK, &set, &before));
    raise(SIGTERM);
    raise(SIGUSR1);
    printf(" %d", seen);
    sigpending(&waiting);
    printf(" %d", sigismember(&waiting, SIGTERM));
    sigprocmask(SIG_SETMASK, &before, &set);
    printf(" %d %d", seen, sigismember(&set, SIGTERM));
    printf(" %d\n", kill(getpid(), 0));
}

int main(void) {
    environment();
    numbers();
    signals();
    setlinebuf(stdout);
    setbuffer(stdout, NULL, 0);
    fflush(stdout);
    dprintf(1, "%s %d\n", "end", 1);
    print("%s %d\n", "end", 2);
    return 0;
}
