// Planets that attract each other.
// why: an array of structs of doubles, and structs passed and returned by value.
// expect: 0.032 -0.008  69.180 67.139  49.349 -192.042  
#include <stdio.h>

struct vector {
    double x, y;
};

struct body {
    struct vector position, velocity;
    double mass;
};

static struct vector sum(struct vector a, struct vector b) {
    return (struct vector){a.x + b.x, a.y + b.y};
}

static struct vector scaled(double f, struct vector v) {
    v.x *= f;
    v.y *= f;
    return v;
}

static double root(double x) {
    double r = x > 1 ? x : 1;
    for (int i = 0; i < 60; i++) r = (r + x / r) / 2;
    return r;
}

static struct body bodies[] = {
    {.mass = 1000},
    {.position = {100, 0}, .velocity = {0, 3}, .mass = 1},
    {.position = {0, -200}, .velocity.x = 2, .mass = 2},
};

enum { BODIES = sizeof bodies / sizeof *bodies };

static void advance(double time) {
    for (struct body *a = bodies; a < bodies + BODIES; a++) {
        for (struct body *b = bodies; b != &bodies[BODIES]; b++) {
            if (a == b) continue;
            struct vector d = sum(b->position, scaled(-1, a->position));
            double square = d.x * d.x + d.y * d.y;
            a->velocity = sum(a->velocity, scaled(time * b->mass / (square * root(square)), d));
        }
    }
    for (int i = 0; i < BODIES; i++) {
        bodies[i].position = sum(bodies[i].position, scaled(time, bodies[i].velocity));
    }
}

int main(void) {
    for (int step = 0; step < 50; step++) advance(0.5);
    for (int i = 0; i < BODIES; i++) printf("%.3f %.3f  ", bodies[i].position.x, bodies[i].position.y);
    printf("\n");
    return 0;
}
