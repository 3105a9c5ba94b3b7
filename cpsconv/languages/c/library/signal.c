// Signals: a program gets those that it raises itself.

typedef void (*__sighandler_t)(int);
typedef struct {
    unsigned long words[16];
} sigset_t;

struct sigaction {
    __sighandler_t sa_handler;
    sigset_t sa_mask;
    int sa_flags;
    void (*sa_restorer)(void);
};

#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_ERR ((__sighandler_t)-1)

enum { SIGABRT = 6, SIGKILL = 9, SIGCHLD = 17, SIGCONT = 18, SIGSTOP = 19, SIGURG = 23, SIGWINCH = 28, SIGNALS = 65, EINVAL = 22, ESRCH = 3 };
enum { SA_RESETHAND = (int)0x80000000 };

int *__errno_location(void);
void abort(void);

static struct sigaction actions[SIGNALS];

static int wrong(void)
{
    *__errno_location() = EINVAL;
    return -1;
}

static int is_signal(int number) { return number > 0 && number < SIGNALS; }
static int is_fixed(int number) { return !is_signal(number) || number == SIGKILL || number == SIGSTOP; }

int sigaction(int number, const struct sigaction *action, struct sigaction *previous)
{
    if (!is_signal(number) || (action != 0 && is_fixed(number)))
        return wrong();
    struct sigaction old = actions[number];
    if (action != 0)
        actions[number] = *action;
    if (previous != 0)
        *previous = old;
    return 0;
}

__sighandler_t signal(int number, __sighandler_t handler)
{
    if (is_fixed(number)) {
        wrong();
        return SIG_ERR;
    }
    __sighandler_t previous = actions[number].sa_handler;
    actions[number].sa_handler = handler;
    actions[number].sa_flags = 0;
    return previous;
}

static unsigned long bit(int number) { return 1UL << (number - 1); }

static unsigned long blocked, pending;

int raise(int number)
{
    if (!is_signal(number))
        return wrong();
    if (!is_fixed(number) && blocked & bit(number)) {
        pending |= bit(number);
        return 0;
    }
    __sighandler_t handler = actions[number].sa_handler;
    int is_ignored = number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
    if (handler == SIG_IGN || (handler == SIG_DFL && is_ignored))
        return 0;
    if (handler == SIG_DFL)
        abort();
    if (actions[number].sa_flags & SA_RESETHAND)
        actions[number].sa_handler = SIG_DFL;
    handler(number);
    return 0;
}

int getpid(void);

// The only process is the program itself.
int kill(int process, int number)
{
    if (process != getpid() && process != 0) {
        *__errno_location() = ESRCH;
        return -1;
    }
    return number == 0 ? 0 : raise(number);
}

int sigprocmask(int action, const sigset_t *set, sigset_t *previous)
{
    enum { BLOCK, UNBLOCK, SET };
    unsigned long before = blocked;
    if (set != 0 && (action < BLOCK || action > SET))
        return wrong();
    if (set != 0)
        blocked = action == BLOCK ? before | set->words[0] : action == SET ? set->words[0] : before & ~set->words[0];
    if (previous != 0)
        *previous = (sigset_t){ { before } };
    for (int number = SIGNALS - 1; number > 0 && pending & ~blocked; number--) // as Linux, which nests the handlers
        if (pending & ~blocked & bit(number)) {
            pending &= ~bit(number);
            raise(number);
        }
    return 0;
}

// `abort` calls the handler even if the signal is blocked.
void __run_abort_handler(void)
{
    enum { UNBLOCK = 1 };
    sigset_t aborted = { { bit(SIGABRT) } };
    sigprocmask(UNBLOCK, &aborted, 0);
    if (actions[SIGABRT].sa_handler != SIG_DFL)
        raise(SIGABRT);
}

int sigpending(sigset_t *set)
{
    *set = (sigset_t){ { pending } };
    return 0;
}

// ------------------------------------------------------------------------------------------------------------- sets

static int filled(sigset_t *set, unsigned long word)
{
    for (int i = 0; i < 16; i++)
        set->words[i] = word;
    return 0;
}

int sigemptyset(sigset_t *set) { return filled(set, 0); }
int sigfillset(sigset_t *set) { return filled(set, ~0UL); }

int sigaddset(sigset_t *set, int number)
{
    if (!is_signal(number))
        return wrong();
    set->words[0] |= bit(number);
    return 0;
}

int sigdelset(sigset_t *set, int number)
{
    if (!is_signal(number))
        return wrong();
    set->words[0] &= ~bit(number);
    return 0;
}

int sigismember(const sigset_t *set, int number)
{
    return is_signal(number) ? (set->words[0] & bit(number)) != 0 : wrong();
}
