// Functions that run before and after `main`, by attributes of GNU C.
// why: priorities order them, and the end by `exit` runs the destructors, after the functions of `atexit`.
// expect: first
// expect: second
// expect: third 1
// expect: both 2
// expect: main 3
// expect: at exit
// expect: both 4
// expect: last but one
// expect: last
// status: 5
#include <stdio.h>
#include <stdlib.h>

static int count;

__attribute__((constructor())) static void third(void) { printf("third %d\n", ++count); }
void second(void) __attribute__((constructor(201)));
static void __attribute__((__constructor__(0x65))) first(void) { puts("first"); }
void second(void) { puts("second"); }
__attribute__((destructor(101))) static void last(void) { puts("last"); }
static void last_but_one(void) __attribute__((__destructor__(102)));
static void last_but_one(void) { puts("last but one"); }
__attribute__((constructor, destructor)) void both(void) { printf("both %d\n", ++count); }

static void at_exit(void) { puts("at exit"); }

int main(void) {
    atexit(at_exit);
    printf("main %d\n", ++count);
    exit(5);
}
