// A queue in an array, with a breadth-first search.
// why: a struct that contains an array, passed by pointer and returned.
// expect: 0 1 1 2 2 2 3 
#include <stdbool.h>
#include <stdio.h>

enum { SIZE = 8, NODES = 7 };

struct queue {
    int items[SIZE];
    unsigned head, length;
};

static struct queue empty_queue(void) {
    struct queue q = {.length = 0};
    return q;
}

static void put(struct queue *q, int item) {
    q->items[(q->head + q->length++) % SIZE] = item;
}

static int take(struct queue *q) {
    int item = q->items[q->head];
    q->head = (q->head + 1) % SIZE;
    q->length--;
    return item;
}

static const bool edge[NODES][NODES] = {
    [0] = {[1] = true, [2] = true}, [1] = {[3] = true, [4] = true}, [2] = {[5] = true}, [5] = {[6] = true},
};

int main(void) {
    int distance[NODES];
    for (int i = 0; i < NODES; i++) distance[i] = -1;
    struct queue q = empty_queue();
    distance[0] = 0;
    put(&q, 0);
    while (q.length > 0) {
        int node = take(&q);
        for (int next = 0; next < NODES; next++) {
            if (!edge[node][next] || distance[next] >= 0) continue;
            distance[next] = distance[node] + 1;
            put(&q, next);
        }
    }
    for (int i = 0; i < NODES; i++) printf("%d ", distance[i]);
    printf("\n");
    return 0;
}
