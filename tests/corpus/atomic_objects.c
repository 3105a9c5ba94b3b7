// Atomic objects: <stdatomic.h>, and gcc's built-in functions.
// why: a program here has one thread, so that operations on atomic objects are plain accesses.
// expect: 3 5 5
// expect: 250 251
// expect: 5 13 12 22 7 5
// expect: 0 1 7 9
// expect: 1 2
// expect: 1 3 1 11 1099511627781 11 3 8 7 0 0
// status: 9
#include <stdatomic.h>
#include <stdio.h>

static _Atomic int total;
static atomic_int counter = ATOMIC_VAR_INIT(3);
static _Atomic(unsigned char) byte = 250;
static atomic_flag flag = ATOMIC_FLAG_INIT;
struct node { int value; struct node *_Atomic next; };

static int operations(void) {
    atomic_store(&total, 5);
    int old = atomic_fetch_add(&counter, 2);
    printf("%d %d %d\n", old, atomic_load(&counter), atomic_exchange(&total, 6));
    printf("%d ", atomic_fetch_sub(&byte, 255));
    printf("%d\n", byte);
    printf("%d ", atomic_fetch_or_explicit(&counter, 8, memory_order_relaxed));
    printf("%d ", atomic_fetch_and(&counter, 12));
    printf("%d ", atomic_fetch_xor(&counter, 7));
    total++;
    byte += 10;
    counter <<= 1;
    printf("%d %d %d\n", counter, total, byte);
    int expected = 4;
    int first = atomic_compare_exchange_strong(&total, &expected, 9);
    int second = atomic_compare_exchange_weak_explicit(&total, &expected, 9, memory_order_acq_rel, memory_order_acquire);
    printf("%d %d %d %d\n", first, second, expected, total);
    first = atomic_flag_test_and_set(&flag);
    second = atomic_flag_test_and_set(&flag);
    atomic_flag_clear(&flag);
    atomic_thread_fence(memory_order_seq_cst);
    return first * 10 + second;
}

static void built_in(void) {
    int x = 1, *p = &x, to = 7, from;
    long wide = 1L << 40;
    volatile short s = 3;
    printf("%d ", __sync_fetch_and_add(p++, 4));
    printf("%d ", __sync_sub_and_fetch(--p, 2));
    printf("%d ", __sync_bool_compare_and_swap(&x, 3, 11));
    printf("%d ", __sync_val_compare_and_swap(&x, 3, 12));
    printf("%ld ", __atomic_or_fetch(&wide, 5, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_fetch_nand(&x, 6, __ATOMIC_RELAXED));
    printf("%d ", __sync_lock_test_and_set(&s, 9));
    __sync_synchronize();
    __sync_lock_release(&s);
    __atomic_store(&x, &to, __ATOMIC_RELEASE);
    __atomic_load(&x, &from, __ATOMIC_ACQUIRE);
    __atomic_store_n(&to, from + 1, __ATOMIC_RELEASE);
    __atomic_exchange(&x, &to, &from, __ATOMIC_SEQ_CST);
    printf("%d %d %d ", x, from, s);
    printf("%d\n", __atomic_compare_exchange_n(&x, &from, 1, 0, 5, 5));
}

int main(void) {
    struct node last = {2, 0}, first = {1, 0};
    atomic_store(&first.next, &last);
    printf("%d %d\n", operations(), atomic_load(&first.next)->value);
    built_in();
    return (int)sizeof(atomic_long) + (int)sizeof byte;
}
