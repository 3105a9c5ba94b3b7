// The threads of C17, with results that do not depend on their order.
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

enum { THREADS = 4 };

static mtx_t lock;
static cnd_t changed;
static once_flag once = ONCE_FLAG_INIT;
static tss_t own;
static int total, arrived;

static void print_once(void) { puts("once"); }

static int add(void *argument) {
    int number = *(int *)argument;
    call_once(&once, print_once);
    tss_set(own, argument);
    mtx_lock(&lock);
    total += number;
    arrived++;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    thrd_yield();
    if (number == 3)
        thrd_exit(300);
    return *(int *)tss_get(own) * 10;
}

static int wait_for_all(void *argument) {
    mtx_lock(&lock);
    while (arrived < THREADS)
        cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    return *(int *)argument;
}

static int nothing(void *argument) { return argument == NULL; }

int main(void) {
    thrd_t threads[THREADS], waiting, other;
    int numbers[THREADS], result, seven = 7;
    struct timespec past = { 1, 0 }, short_time = { 0, 1000 };
    printf("%d %d %d\n", mtx_init(&lock, mtx_plain | mtx_timed), cnd_init(&changed), tss_create(&own, NULL));
    if (thrd_create(&waiting, wait_for_all, &seven) != thrd_success)
        abort();
    for (int i = 0; i < THREADS; i++) {
        numbers[i] = i;
        if (thrd_create(&threads[i], add, &numbers[i]) != thrd_success)
            abort();
    }
    for (int i = 0; i < THREADS; i++) {
        printf("%d", thrd_join(threads[i], &result));
        printf(" %d\n", result);
    }
    thrd_join(waiting, &result);
    printf("%d %d\n", result, total);
    printf("%d", mtx_trylock(&lock));
    printf(" %d", mtx_trylock(&lock) == thrd_busy);
    printf(" %d", mtx_timedlock(&lock, &past) == thrd_timedout);
    printf(" %d", cnd_timedwait(&changed, &lock, &past) == thrd_timedout);
    printf(" %d %d\n", mtx_unlock(&lock), cnd_broadcast(&changed));
    mtx_destroy(&lock);
    cnd_destroy(&changed);
    mtx_init(&lock, mtx_recursive);
    printf("%d", mtx_lock(&lock));
    printf(" %d", mtx_lock(&lock));
    printf(" %d %d\n", mtx_unlock(&lock), mtx_unlock(&lock));
    mtx_destroy(&lock);
    tss_delete(own);
    thrd_create(&other, nothing, NULL);
    printf("%d %d\n", thrd_equal(other, thrd_current()) != 0, thrd_equal(thrd_current(), thrd_current()) != 0);
    printf("%d %d\n", thrd_detach(other), thrd_sleep(&short_time, NULL));
    return 0;
}
