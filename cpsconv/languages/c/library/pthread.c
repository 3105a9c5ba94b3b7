// Threads, without a scheduler: <pthread.h>, <threads.h>, <semaphore.h> and <sched.h>.
//
// A new thread waits until another one has to wait: for its end, for a mutex, for a condition, or for time. Then it runs,
// on the stack of that thread, until it ends or has to wait itself. So all threads that are not at their ends are on one
// stack, and only the topmost one can go on. A run stops where that one waits for what none of the others can do.
//
// Mutexes and the like have the initial contents of glibc, but other contents later.

#include <setjmp.h>

struct timespec;

void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
void *memset(void *, int, unsigned long);
void exit(int);
void abort(void);
long write(int, const void *, unsigned long);
void __run_exit_handlers(void);

enum { ESRCH = 3, EAGAIN = 11, EBUSY = 16, EINVAL = 22, EDEADLK = 35, ETIMEDOUT = 110, EPERM = 1 };
enum { KEYS = 1024, ROUNDS = 4 };
enum { NEW, STARTED, ENDED };

typedef struct thread {
    unsigned long id;
    void *(*start)(void *);
    int (*start_in_c)(void *); // of `thrd_create`
    void *argument, *result;
    int state, is_detached;
    struct __jmp_buf_tag *end;
    void **values; // of the keys
    struct thread *next;
} thread;

static thread main_thread = {.id = 1, .state = STARTED};
static thread *running = &main_thread, *last = &main_thread;
static unsigned long number_of_threads = 1;
static int number_of_locks; // that are held, with the semaphores that are used as locks
static int depth;           // the number of threads on the stack above the main thread

// ----------------------------------------------------------------------------------------------------------- scheduling

static thread *thread_of(unsigned long id)
{
    thread *found = &main_thread;
    while (found != 0 && found->id != id)
        found = found->next;
    return found;
}

static void forget(thread *ended)
{
    thread *before = &main_thread;
    while (before->next != ended)
        before = before->next;
    before->next = ended->next;
    if (last == ended)
        last = before;
    free(ended);
}

static struct {
    int is_used;
    void (*destructor)(void *);
} keys[KEYS];

static void destroy_values(thread *of)
{
    int is_empty = of->values == 0;
    for (int round = 0; round < ROUNDS && !is_empty; round++) {
        is_empty = 1;
        for (int key = 0; key < KEYS; key++) {
            void *value = of->values[key];
            of->values[key] = 0;
            if (value != 0 && keys[key].is_used && keys[key].destructor != 0) {
                is_empty = 0;
                keys[key].destructor(value);
            }
        }
    }
    if (of != &main_thread)
        free(of->values);
    of->values = 0;
}

static void run(thread *next)
{
    thread *before = running;
    jmp_buf end;
    running = next;
    depth++;
    next->state = STARTED;
    next->end = end;
    if (setjmp(end) == 0)
        next->result = next->start_in_c != 0 ? (void *)(long)next->start_in_c(next->argument) : next->start(next->argument);
    destroy_values(next);
    next->state = ENDED;
    depth--;
    running = before;
    if (next->is_detached)
        forget(next);
}

// Run the first new thread, if there is one.
static int run_next(void)
{
    thread *next = &main_thread;
    while (next != 0 && next->state != NEW)
        next = next->next;
    if (next != 0)
        run(next);
    return next != 0;
}

static void let_another_run(void)
{
    static const char deadlock[] = "error: deadlock: the only thread waits\n";
    static const char message[] = "error: this thread waits for one that cannot go on, since threads share a stack\n";
    if (run_next())
        return;
    if (depth == 0)
        write(2, deadlock, sizeof deadlock - 1);
    else
        write(2, message, sizeof message - 1);
    abort();
}

// Set when the first thread is created, so that programs without threads do not contain `run`, which saves a continuation.
static int (*run_another)(void);

// A thread gives up the processor for a time, in which all new ones run, but holds no lock that they may wait for.
int sched_yield(void)
{
    while (run_another != 0 && number_of_locks == 0 && run_another())
        ;
    return 0;
}

// -------------------------------------------------------------------------------------------------------------- threads

static thread *create(unsigned long *id, void *argument)
{
    thread *created = calloc(1, sizeof *created);
    run_another = run_next;
    if (created != 0) {
        created->argument = argument;
        *id = created->id = ++number_of_threads;
        last->next = created;
        last = created;
    }
    return created;
}

int pthread_create(unsigned long *id, const void *attributes, void *(*start)(void *), void *argument)
{
    thread *created = create(id, argument);
    if (created == 0)
        return EAGAIN;
    created->start = start;
    created->is_detached = attributes != 0 && *(const int *)attributes == 1;
    return 0;
}

int pthread_join(unsigned long id, void **result)
{
    thread *joined = thread_of(id);
    if (joined == 0)
        return ESRCH;
    if (joined == running)
        return EDEADLK;
    if (joined->is_detached || joined == &main_thread)
        return EINVAL;
    while (joined->state != ENDED)
        let_another_run();
    if (result != 0)
        *result = joined->result;
    forget(joined);
    return 0;
}

int pthread_detach(unsigned long id)
{
    thread *detached = thread_of(id);
    if (detached == 0)
        return ESRCH;
    if (detached->is_detached)
        return EINVAL;
    detached->is_detached = 1;
    if (detached->state == ENDED)
        forget(detached);
    return 0;
}

void pthread_exit(void *result)
{
    if (running != &main_thread) {
        running->result = result;
        longjmp(running->end, 1);
    }
    destroy_values(running);
    while (run_next())
        ;
    __run_exit_handlers();
    exit(0);
}

// Only a new thread can be cancelled: the others end before a cancellation point, or wait below.
int pthread_cancel(unsigned long id)
{
    thread *cancelled = thread_of(id);
    if (cancelled == 0)
        return ESRCH;
    if (cancelled->state == NEW) {
        cancelled->state = ENDED;
        cancelled->result = (void *)-1;
        if (cancelled->is_detached)
            forget(cancelled);
    }
    return 0;
}

int pthread_setcancelstate(int state, int *before)
{
    if (before != 0)
        *before = 0;
    return 0;
}

int pthread_setcanceltype(int type, int *before) { return pthread_setcancelstate(type, before); }
void pthread_testcancel(void) {}
unsigned long pthread_self(void) { return running->id; }
int pthread_equal(unsigned long one, unsigned long other) { return one == other; }

int pthread_once(int *once, void (*function)(void))
{
    if (*once == 0) {
        *once = 1;
        number_of_locks++; // no other thread runs before the end of the function
        function();
        number_of_locks--;
    }
    return 0;
}

// The first number of attributes is 1 for detached threads, as PTHREAD_CREATE_DETACHED, and the second the stack's size.

int pthread_attr_init(void *attributes)
{
    memset(attributes, 0, 56);
    ((int *)attributes)[1] = 1 << 23;
    return 0;
}

int pthread_attr_destroy(void *attributes) { return 0; }

int pthread_attr_setdetachstate(void *attributes, int state)
{
    if (state != 0 && state != 1)
        return EINVAL;
    *(int *)attributes = state;
    return 0;
}

int pthread_attr_getdetachstate(const void *attributes, int *state)
{
    *state = *(const int *)attributes;
    return 0;
}

int pthread_attr_setstacksize(void *attributes, unsigned long size)
{
    if (size < 16384 || size > 1 << 30)
        return EINVAL;
    ((int *)attributes)[1] = (int)size;
    return 0;
}

int pthread_attr_getstacksize(const void *attributes, unsigned long *size)
{
    *size = (unsigned long)((const int *)attributes)[1];
    return 0;
}

// ----------------------------------------------------------------------------------------------------------------- keys

int pthread_key_create(unsigned *key, void (*destructor)(void *))
{
    for (unsigned each = 0; each < KEYS; each++)
        if (!keys[each].is_used) {
            keys[each].is_used = 1;
            keys[each].destructor = destructor;
            *key = each;
            return 0;
        }
    return EAGAIN;
}

int pthread_key_delete(unsigned key)
{
    if (key >= KEYS || !keys[key].is_used)
        return EINVAL;
    keys[key].is_used = 0;
    for (thread *each = &main_thread; each != 0; each = each->next)
        if (each->values != 0)
            each->values[key] = 0;
    return 0;
}

int pthread_setspecific(unsigned key, const void *value)
{
    static void *of_main[KEYS];
    if (key >= KEYS || !keys[key].is_used)
        return EINVAL;
    if (running->values == 0)
        running->values = running == &main_thread ? of_main : calloc(KEYS, sizeof(void *));
    running->values[key] = (void *)value;
    return 0;
}

void *pthread_getspecific(unsigned key) { return key < KEYS && running->values != 0 ? running->values[key] : 0; }

// -------------------------------------------------------------------------------------------------------------- mutexes

typedef struct {
    int depth, unused, owner, also_unused, kind; // the kind is where initialisers of glibc have it
} mutex;

enum { NORMAL, RECURSIVE, CHECKED };

int pthread_mutex_init(mutex *made, const void *attributes)
{
    memset(made, 0, 40);
    made->kind = attributes != 0 ? *(const int *)attributes : NORMAL;
    return 0;
}

int pthread_mutex_destroy(mutex *destroyed) { return destroyed->depth > 0 ? EBUSY : 0; }

static int is_own(mutex *locked) { return locked->depth > 0 && locked->owner == (int)running->id; }

static int take(mutex *taken)
{
    taken->depth++;
    taken->owner = (int)running->id;
    number_of_locks++;
    return 0;
}

int pthread_mutex_lock(mutex *locked)
{
    if (is_own(locked) && locked->kind == RECURSIVE)
        return take(locked);
    if (is_own(locked) && locked->kind == CHECKED)
        return EDEADLK;
    while (locked->depth > 0)
        let_another_run();
    return take(locked);
}

int pthread_mutex_trylock(mutex *locked)
{
    if (locked->depth > 0 && !(is_own(locked) && locked->kind == RECURSIVE))
        return EBUSY;
    return take(locked);
}

int pthread_mutex_timedlock(mutex *locked, const void *end)
{
    while (locked->depth > 0 && !is_own(locked) && run_next())
        ;
    return pthread_mutex_trylock(locked) != 0 ? ETIMEDOUT : 0;
}

int pthread_mutex_unlock(mutex *locked)
{
    if (locked->depth == 0 || (locked->kind != NORMAL && !is_own(locked)))
        return locked->depth == 0 && locked->kind == NORMAL ? 0 : EPERM;
    locked->depth--;
    number_of_locks--;
    return 0;
}

int pthread_mutexattr_init(int *attributes)
{
    *attributes = NORMAL;
    return 0;
}

int pthread_mutexattr_destroy(int *attributes) { return 0; }

int pthread_mutexattr_settype(int *attributes, int kind)
{
    if (kind < NORMAL || kind > 3)
        return EINVAL;
    *attributes = kind;
    return 0;
}

int pthread_mutexattr_gettype(const int *attributes, int *kind)
{
    *kind = *attributes;
    return 0;
}

// A lock that waits busily is a mutex of one number.

int pthread_spin_init(int *made, int is_shared)
{
    *made = 0;
    return 0;
}

int pthread_spin_destroy(int *destroyed) { return 0; }

int pthread_spin_trylock(int *locked)
{
    if (*locked != 0)
        return EBUSY;
    number_of_locks++;
    *locked = 1;
    return 0;
}

int pthread_spin_lock(int *locked)
{
    while (*locked != 0)
        let_another_run();
    return pthread_spin_trylock(locked);
}

int pthread_spin_unlock(int *locked)
{
    number_of_locks -= *locked;
    *locked = 0;
    return 0;
}

// ----------------------------------------------------------------------------------------------------------- conditions

typedef unsigned long condition; // the number of signals so far: all threads that wait for one wake up

int pthread_cond_init(condition *made, const void *attributes)
{
    memset(made, 0, 48);
    return 0;
}

int pthread_cond_destroy(condition *destroyed) { return 0; }

int pthread_cond_signal(condition *signalled)
{
    ++*signalled;
    return 0;
}

int pthread_cond_broadcast(condition *signalled) { return pthread_cond_signal(signalled); }

int pthread_cond_wait(condition *awaited, mutex *locked)
{
    condition before = *awaited;
    int result = pthread_mutex_unlock(locked);
    if (result != 0)
        return result;
    while (*awaited == before)
        let_another_run();
    return pthread_mutex_lock(locked);
}

int pthread_cond_timedwait(condition *awaited, mutex *locked, const void *end)
{
    condition before = *awaited;
    int result = pthread_mutex_unlock(locked);
    if (result != 0)
        return result;
    while (*awaited == before && run_next())
        ;
    result = *awaited == before ? ETIMEDOUT : 0;
    pthread_mutex_lock(locked);
    return result;
}

int pthread_condattr_init(int *attributes) { return pthread_mutexattr_init(attributes); }
int pthread_condattr_destroy(int *attributes) { return 0; }

typedef struct {
    unsigned needed, arrived, round;
} barrier;

int pthread_barrier_init(barrier *made, const void *attributes, unsigned count)
{
    if (count == 0)
        return EINVAL;
    memset(made, 0, 32);
    made->needed = count;
    return 0;
}

int pthread_barrier_destroy(barrier *destroyed) { return destroyed->arrived > 0 ? EBUSY : 0; }

int pthread_barrier_wait(barrier *awaited)
{
    unsigned round = awaited->round;
    if (++awaited->arrived == awaited->needed) {
        awaited->arrived = 0;
        awaited->round++;
        return -1;
    }
    while (awaited->round == round)
        let_another_run();
    return 0;
}

typedef struct {
    int readers, is_written;
} rwlock;

int pthread_rwlock_init(rwlock *made, const void *attributes)
{
    memset(made, 0, 56);
    return 0;
}

int pthread_rwlock_destroy(rwlock *destroyed) { return 0; }

int pthread_rwlock_tryrdlock(rwlock *locked)
{
    if (locked->is_written)
        return EBUSY;
    locked->readers++;
    number_of_locks++;
    return 0;
}

int pthread_rwlock_trywrlock(rwlock *locked)
{
    if (locked->is_written || locked->readers > 0)
        return EBUSY;
    locked->is_written = 1;
    number_of_locks++;
    return 0;
}

int pthread_rwlock_rdlock(rwlock *locked)
{
    while (pthread_rwlock_tryrdlock(locked) != 0)
        let_another_run();
    return 0;
}

int pthread_rwlock_wrlock(rwlock *locked)
{
    while (pthread_rwlock_trywrlock(locked) != 0)
        let_another_run();
    return 0;
}

int pthread_rwlock_unlock(rwlock *locked)
{
    if (locked->is_written)
        locked->is_written = 0;
    else if (locked->readers > 0)
        locked->readers--;
    else
        return 0;
    number_of_locks--;
    return 0;
}

// ----------------------------------------------------------------------------------------------------------- semaphores

// The second number is 1 if the semaphore begins with the value 1, thus is used as a lock.

int *__errno_location(void);

static int failed(int error)
{
    *__errno_location() = error;
    return -1;
}

int sem_init(unsigned *made, int is_shared, unsigned value)
{
    memset(made, 0, 32);
    made[0] = value;
    made[1] = value == 1;
    return 0;
}

int sem_destroy(unsigned *destroyed) { return 0; }

int sem_post(unsigned *increased)
{
    if (++*increased == 1)
        number_of_locks -= increased[1];
    return 0;
}

int sem_trywait(unsigned *decreased)
{
    if (*decreased == 0)
        return failed(EAGAIN);
    if (--*decreased == 0)
        number_of_locks += decreased[1];
    return 0;
}

int sem_wait(unsigned *decreased)
{
    while (*decreased == 0)
        let_another_run();
    return sem_trywait(decreased);
}

int sem_timedwait(unsigned *decreased, const void *end)
{
    while (*decreased == 0 && run_next())
        ;
    return *decreased == 0 ? failed(ETIMEDOUT) : sem_trywait(decreased);
}

int sem_getvalue(unsigned *semaphore, int *value)
{
    *value = (int)*semaphore;
    return 0;
}

// ------------------------------------------------------------------------------------------------ <threads.h> of C17

enum { SUCCESS, BUSY, ERROR, NO_MEMORY, TIMED_OUT };

static int result_in_c(int result)
{
    return result == 0 ? SUCCESS : result == EBUSY ? BUSY : result == ETIMEDOUT ? TIMED_OUT : ERROR;
}

int thrd_create(unsigned long *id, int (*start)(void *), void *argument)
{
    thread *created = create(id, argument);
    if (created == 0)
        return NO_MEMORY;
    created->start_in_c = start;
    return SUCCESS;
}

int thrd_join(unsigned long id, int *status)
{
    void *result;
    int error = pthread_join(id, &result);
    if (error == 0 && status != 0)
        *status = (int)(long)result;
    return result_in_c(error);
}

void thrd_exit(int status) { pthread_exit((void *)(long)status); }
int thrd_detach(unsigned long id) { return result_in_c(pthread_detach(id)); }
unsigned long thrd_current(void) { return pthread_self(); }
int thrd_equal(unsigned long one, unsigned long other) { return one == other; }
void thrd_yield(void) { sched_yield(); }

int thrd_sleep(const struct timespec *duration, struct timespec *rest)
{
    sched_yield();
    return 0;
}

int mtx_init(mutex *made, int kind)
{
    memset(made, 0, 40);
    made->kind = kind & 1 ? RECURSIVE : NORMAL;
    return SUCCESS;
}

void mtx_destroy(mutex *destroyed) {}
int mtx_lock(mutex *locked) { return result_in_c(pthread_mutex_lock(locked)); }
int mtx_trylock(mutex *locked) { return result_in_c(pthread_mutex_trylock(locked)); }
int mtx_timedlock(mutex *locked, const void *end) { return result_in_c(pthread_mutex_timedlock(locked, end)); }
int mtx_unlock(mutex *locked) { return result_in_c(pthread_mutex_unlock(locked)); }

int cnd_init(condition *made) { return pthread_cond_init(made, 0); }
void cnd_destroy(condition *destroyed) {}
int cnd_signal(condition *signalled) { return pthread_cond_signal(signalled); }
int cnd_broadcast(condition *signalled) { return pthread_cond_signal(signalled); }
int cnd_wait(condition *awaited, mutex *locked) { return result_in_c(pthread_cond_wait(awaited, locked)); }

int cnd_timedwait(condition *awaited, mutex *locked, const void *end)
{
    return result_in_c(pthread_cond_timedwait(awaited, locked, end));
}

void call_once(int *once, void (*function)(void)) { pthread_once(once, function); }
int tss_create(unsigned *key, void (*destructor)(void *)) { return result_in_c(pthread_key_create(key, destructor)); }
void tss_delete(unsigned key) { pthread_key_delete(key); }
int tss_set(unsigned key, void *value) { return result_in_c(pthread_setspecific(key, value)); }
void *tss_get(unsigned key) { return pthread_getspecific(key); }
