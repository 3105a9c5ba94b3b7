// Non-local jumps: values, variables, scopes, loops, several buffers, jumps out of callbacks and deep recursion.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf env;

static void fail(int code) {
    char text[] = "fail 0";
    text[5] += code;
    puts(text);
    longjmp(env, code);
}

static int deep(int n) {
    int here[4] = { n, n, n, n };
    if (n == 0)
        fail(7);
    return deep(n - 1) + here[n & 3];
}

// The value that setjmp returns: longjmp passes 1 instead of 0.
static void values(void) {
    volatile int next = 3;
    int unchanged = 42;
    int code = setjmp(env);
    printf("code %d, next %d, unchanged %d\n", code, next, unchanged);
    if (next >= -1)
        longjmp(env, next--);
    switch (setjmp(env)) {
        case 0: puts("first"); fail(5);
        case 5: puts("five"); break;
        default: puts("other");
    }
}

// Variables in registers, in memory, in structs and arrays; changed ones are volatile.
struct pair { int a; double b; };
static int variables(int parameter, const char *text) {
    volatile struct pair pair = { 1, 2.5 };
    volatile long counts[3] = { 0 };
    volatile char *volatile at = 0;
    double unchanged = parameter * 1.5;
    if (setjmp(env) == 0) {
        pair.a += parameter;
        pair.b *= 2;
        counts[1] = 11;
        at = (volatile char *)text + 1;
        deep(50);
    } else {
        int again = counts[2] == 0;
        counts[2]++;
        if (again)
            longjmp(env, 2);
    }
    return printf("%d %g %ld %ld %c %g %s\n", pair.a, pair.b, counts[1], counts[2], *at, unchanged, text);
}

// A loop that continues after errors, and one whose body sets another buffer each time.
static void loops(void) {
    volatile int tries = 0;
    while (setjmp(env) < 4) {
        tries++;
        if (tries < 3)
            fail(1);
        fail(tries);
    }
    printf("%d tries\n", tries);
    for (volatile int i = 0; i < 3; i++) {
        jmp_buf inner;
        volatile int steps = 0;
        if (setjmp(inner) == 0) {
            steps = 10 * i;
            longjmp(inner, 1);
        }
        printf("%d: %d\n", i, steps);
    }
}

// Several buffers at once: exceptions with handlers that are nested dynamically.
struct handler { jmp_buf buffer; struct handler *around; int code; };
static struct handler *handlers;
static void raise_error(int code) {
    handlers->code = code;
    longjmp(handlers->buffer, 1);
}
static int guarded(int (*function)(int), int argument) {
    struct handler handler;
    int result;
    handler.around = handlers;
    handlers = &handler;
    if (setjmp(handler.buffer) == 0)
        result = function(argument);
    else
        result = -handler.code;
    handlers = handler.around;
    return result;
}
static int checked(int n) {
    if (n % 3 == 0)
        raise_error(n);
    return n;
}
static int nested(int n) {
    int result = guarded(checked, n);
    if (result < -5)
        raise_error(100 + n);
    return result * 2;
}

// Jumps out of functions of the library.
static int compare(const void *left, const void *right) {
    if (*(const int *)left == 3 || *(const int *)right == 3)
        longjmp(env, 3);
    return *(const int *)left - *(const int *)right;
}

// Buffers on the heap; two sites in one function; jumps between them.
static void ping_pong(void) {
    jmp_buf *buffers = malloc(2 * sizeof *buffers);
    volatile int turns = 0;
    volatile int is_set = 0;
    if (setjmp(buffers[0]))
        printf("ping %d\n", turns);
    if (turns > 5) {
        free(buffers);
        return;
    }
    if (!is_set && setjmp(buffers[1]))
        printf("pong %d\n", turns);
    is_set = 1;
    turns++;
    longjmp(buffers[turns % 2], 1);
}

// Scopes: a jump into the block of the call, and a variable declared after the call.
static int scopes(int n) {
    volatile int sum = 0;
    {
        int before[2] = { n, n + 1 };
        int code = setjmp(env);
        volatile int after;
        after = code;
        sum += before[1] + after;
        if (code < 3)
            longjmp(env, code + 1);
    }
    return sum;
}

// A value that is computed before the call and used after the jump, in a loop around the call.
static int kept(int n) {
    volatile int sum = 0;
    for (int i = 0; i < n; i++) {
        const int square = i * i;
        if (setjmp(env) == 0) {
            if (square % 2)
                fail(1);
            sum += square;
        } else
            sum += 1000 * square;
    }
    return sum;
}

int main(void) {
    int numbers[] = { 5, 4, 3, 2, 1 };
    values();
    variables(3, "text");
    loops();
    for (int i = 1; i < 8; i++)
        printf("%d ", guarded(nested, i));
    puts("");
    if (setjmp(env) == 0) {
        qsort(numbers, 5, sizeof *numbers, compare);
        puts("not reached");
    }
    if (sigsetjmp(env, 1) == 0)
        siglongjmp(env, 9);
    if (_setjmp(env) == 0)
        _longjmp(env, 9);
    ping_pong();
    printf("%d %d %d\n", scopes(10), kept(5), (int)(sizeof(jmp_buf) >= 64));
    return setjmp(env) ? 3 : (fail(2), 4);
}
