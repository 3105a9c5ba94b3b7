// POSIX threads whose results do not depend on their order: joins, mutexes, conditions, semaphores, keys and locks.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 5, ROUNDS = 100 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER, ended = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t items, places;
static int total, state, destroyed;

static void print_once(void) { puts("once"); }

static void destroy(void *value) { destroyed += *(int *)value; }

static void *add(void *argument) {
    int number = *(int *)argument;
    pthread_once(&once, print_once);
    pthread_setspecific(key, argument);
    for (int i = 0; i < ROUNDS; i++) {
        pthread_mutex_lock(&lock);
        total += number;
        pthread_mutex_unlock(&lock);
        if (i % 40 == 0)
            sched_yield();
    }
    if (number % 2 == 0)
        pthread_exit((void *)(long)(number * 10));
    return *(int *)pthread_getspecific(key) == number ? argument : NULL;
}

static void sums(void) {
    pthread_t threads[THREADS];
    int numbers[THREADS];
    if (pthread_key_create(&key, destroy) != 0)
        abort();
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i + 1;
        if (pthread_create(&threads[i], NULL, add, &numbers[i]) != 0)
            abort();
    }
    for (int i = THREADS - 1; i >= 0; i--) {
        void *result;
        int error = pthread_join(threads[i], &result);
        printf("%d %d\n", error, i % 2 ? (int)(long)result : *(int *)result);
    }
    printf("total %d, destroyed %d, own value %d\n", total, destroyed, pthread_getspecific(key) != NULL);
    printf("key %d", pthread_key_delete(key));
    printf(" %d\n", pthread_setspecific(key, &total) == EINVAL);
}

static void *wait_for_state(void *argument) {
    pthread_mutex_lock(&lock);
    while (state < 1)
        pthread_cond_wait(&changed, &lock);
    state = 2;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
    return argument;
}

static void *set_state(void *argument) {
    pthread_mutex_lock(&lock);
    state = *(int *)argument;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void conditions(void) {
    pthread_t waiting, setting;
    pthread_cond_t never;
    pthread_condattr_t attributes;
    int one = 1;
    pthread_create(&waiting, NULL, wait_for_state, &one);
    pthread_create(&setting, NULL, set_state, &one);
    pthread_mutex_lock(&lock);
    while (state < 2)
        pthread_cond_wait(&ended, &lock);
    pthread_mutex_unlock(&lock);
    pthread_join(waiting, NULL);
    pthread_join(setting, NULL);
    printf("state %d\n", state);
    pthread_condattr_init(&attributes);
    pthread_cond_init(&never, &attributes);
    pthread_condattr_destroy(&attributes);
    struct timespec past = { 1, 0 };
    pthread_mutex_lock(&lock);
    printf("no signal: %d\n", pthread_cond_timedwait(&never, &lock, &past) == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
    printf("%d\n", pthread_cond_destroy(&never));
}

static void *produce(void *buffer) {
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&places);
        ((int *)buffer)[i] = i * i;
        sem_post(&items);
    }
    return NULL;
}

static void *consume(void *buffer) {
    long sum = 0;
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&items);
        sum += ((int *)buffer)[i];
        sem_post(&places);
    }
    return (void *)sum;
}

static void semaphores(void) {
    static int buffer[ROUNDS];
    pthread_t producer, consumer;
    struct timespec past = { 1, 0 };
    void *sum;
    int value;
    sem_init(&items, 0, 0);
    sem_init(&places, 0, ROUNDS);
    pthread_create(&consumer, NULL, consume, buffer);
    pthread_create(&producer, NULL, produce, buffer);
    pthread_join(producer, NULL);
    pthread_join(consumer, &sum);
    sem_getvalue(&places, &value);
    printf("sum %ld, %d places\n", (long)sum, value);
    printf("%d", sem_trywait(&items));
    printf(" %d\n", errno == EAGAIN);
    printf("%d", sem_timedwait(&items, &past));
    printf(" %d\n", errno == ETIMEDOUT);
    printf("%d %d\n", sem_destroy(&items), sem_destroy(&places));
}

static void kinds_of_mutexes(void) {
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    struct timespec past = { 1, 0 };
    for (int kind = PTHREAD_MUTEX_NORMAL; kind <= PTHREAD_MUTEX_ERRORCHECK; kind++) {
        int stated;
        pthread_mutexattr_init(&attributes);
        pthread_mutexattr_settype(&attributes, kind);
        pthread_mutexattr_gettype(&attributes, &stated);
        pthread_mutex_init(&mutex, &attributes);
        pthread_mutexattr_destroy(&attributes);
        printf("kind %d:", stated);
        if (kind == PTHREAD_MUTEX_ERRORCHECK)
            printf(" %d", pthread_mutex_unlock(&mutex) == EPERM);
        printf(" %d", pthread_mutex_lock(&mutex));
        printf(" %d", pthread_mutex_trylock(&mutex));
        if (kind == PTHREAD_MUTEX_ERRORCHECK)
            printf(" %d", pthread_mutex_lock(&mutex) == EDEADLK);
        if (kind == PTHREAD_MUTEX_NORMAL)
            printf(" %d", pthread_mutex_timedlock(&mutex, &past) == ETIMEDOUT);
        if (kind == PTHREAD_MUTEX_RECURSIVE)
            printf(" %d", pthread_mutex_unlock(&mutex));
        printf(" %d", pthread_mutex_unlock(&mutex));
        printf(" %d\n", pthread_mutex_destroy(&mutex));
    }
}

static void other_locks(void) {
    pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER, made;
    pthread_spinlock_t spinlock;
    printf("%d", pthread_rwlock_rdlock(&rwlock));
    printf(" %d", pthread_rwlock_tryrdlock(&rwlock));
    printf(" %d", pthread_rwlock_trywrlock(&rwlock) == EBUSY);
    printf(" %d %d", pthread_rwlock_unlock(&rwlock), pthread_rwlock_unlock(&rwlock));
    printf(" %d", pthread_rwlock_wrlock(&rwlock));
    printf(" %d", pthread_rwlock_tryrdlock(&rwlock) == EBUSY);
    printf(" %d %d\n", pthread_rwlock_unlock(&rwlock), pthread_rwlock_destroy(&rwlock));
    printf("%d %d\n", pthread_rwlock_init(&made, NULL), pthread_rwlock_destroy(&made));
    printf("%d", pthread_spin_init(&spinlock, PTHREAD_PROCESS_PRIVATE));
    printf(" %d", pthread_spin_lock(&spinlock));
    printf(" %d", pthread_spin_trylock(&spinlock) == EBUSY);
    printf(" %d %d\n", pthread_spin_unlock(&spinlock), pthread_spin_destroy(&spinlock));
}

static pthread_barrier_t barrier;

static void *meet(void *argument) {
    int result = pthread_barrier_wait(&barrier);
    return (void *)(long)(result == PTHREAD_BARRIER_SERIAL_THREAD);
}

static void barriers(void) {
    pthread_t threads[2];
    void *first, *second;
    pthread_barrier_init(&barrier, NULL, 3);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, meet, NULL);
    int own = pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD;
    pthread_join(threads[0], &first);
    pthread_join(threads[1], &second);
    printf("serial %d, %d\n", own + (int)(long)first + (int)(long)second, pthread_barrier_destroy(&barrier));
}

static void *identify(void *argument) {
    *(pthread_t *)argument = pthread_self();
    pthread_testcancel();
    sem_post(&items);
    return NULL;
}

static void attributes_of_threads(void) {
    pthread_attr_t attributes;
    pthread_t thread, seen;
    size_t size;
    int detached, before;
    pthread_attr_init(&attributes);
    pthread_attr_getdetachstate(&attributes, &detached);
    printf("%d", detached == PTHREAD_CREATE_JOINABLE);
    printf(" %d", pthread_attr_setstacksize(&attributes, 1 << 20));
    pthread_attr_getstacksize(&attributes, &size);
    printf(" %d", size == 1 << 20);
    printf(" %d\n", pthread_attr_setstacksize(&attributes, 5) == EINVAL);
    sem_init(&items, 0, 0);
    pthread_create(&thread, &attributes, identify, &seen);
    pthread_join(thread, NULL);
    printf("%d %d\n", pthread_equal(thread, seen) != 0, pthread_equal(pthread_self(), seen) != 0);
    sem_wait(&items);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, identify, &seen);
    sem_wait(&items);
    pthread_attr_destroy(&attributes);
    pthread_create(&thread, NULL, identify, &seen);
    pthread_detach(thread);
    sem_wait(&items);
    printf("%d", pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before));
    printf(" %d", before == PTHREAD_CANCEL_ENABLE);
    printf(" %d\n", pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &before));
    printf("%d\n", pthread_join(pthread_self(), NULL) == EDEADLK);
}

static sem_t room;
static int inside, ready;

static void prepare(void) {
    usleep(1000);
    ready = 1;
}

static void *sleep_inside(void *argument) {
    pthread_once(argument, prepare);
    sem_wait(&room);
    printf("%d inside, ready %d\n", ++inside, ready);
    usleep(1000);
    inside--;
    sem_post(&room);
    return NULL;
}

static void pauses_in_locks(void) {
    pthread_t threads[2];
    static pthread_once_t prepared = PTHREAD_ONCE_INIT;
    sem_init(&room, 0, 1);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, sleep_inside, &prepared);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    sem_destroy(&room);
}

static void *last(void *argument) {
    usleep(1000);
    puts(argument);
    return NULL;
}

static void *count_up(void *unused) {
    __atomic_add_fetch(&state, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void sleeping(void) {
    pthread_t thread;
    state = 0;
    for (int i = 0; i < 3; i++) {
        pthread_create(&thread, NULL, count_up, NULL);
        pthread_detach(thread);
    }
    for (int i = 0; i < 1000 && __atomic_load_n(&state, __ATOMIC_SEQ_CST) < 3; i++)
        usleep(10000);
    printf("%d\n", __atomic_load_n(&state, __ATOMIC_SEQ_CST));
}

static void *forever(void *argument) {
    for (;;)
        sleep(1);
    return argument;
}

int main(void) {
    pthread_t thread;
    void *result;
    sums();
    conditions();
    semaphores();
    kinds_of_mutexes();
    other_locks();
    barriers();
    attributes_of_threads();
    sleeping();
    pauses_in_locks();
    pthread_create(&thread, NULL, forever, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    printf("%d\n", result == PTHREAD_CANCELED);
    pthread_create(&thread, NULL, last, "after the end of main");
    pthread_exit(NULL);
}
