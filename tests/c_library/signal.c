#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static volatile sig_atomic_t count;

static void handle(int number) { count += number; }

int main(void) {
    printf("%d ", signal(SIGINT, handle) == SIG_DFL);
    raise(SIGINT);
    printf("%d ", count);
    printf("%d ", signal(SIGINT, SIG_IGN) == handle);
    raise(SIGINT);
    raise(SIGCHLD);
    printf("%d ", count);
    printf("%d ", signal(SIGKILL, handle) == SIG_ERR);
    printf("%d\n", errno == EINVAL);
    struct sigaction action, previous;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    action.sa_flags = (int)SA_RESETHAND;
    sigfillset(&action.sa_mask);
    sigdelset(&action.sa_mask, SIGTERM);
    printf("%d %d ", sigismember(&action.sa_mask, SIGTERM), sigismember(&action.sa_mask, SIGUSR1));
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGTERM);
    printf("%d %d ", sigismember(&action.sa_mask, SIGTERM), sigismember(&action.sa_mask, SIGUSR1));
    printf("%d ", sigaction(SIGTERM, &action, &previous));
    printf("%d ", previous.sa_handler == SIG_DFL);
    raise(SIGTERM);
    sigaction(SIGTERM, NULL, &previous);
    printf("%d %d\n", count, previous.sa_handler == SIG_DFL);
    return (int)sizeof(struct sigaction);
}
