struct body { double x, y, z, vx, vy, vz, mass; };

static void advance(struct body *bodies, int count, double dt) {
    for (int i = 0; i < count; i++) {
        struct body *a = &bodies[i];
        for (int j = i + 1; j < count; j++) {
            struct body *b = &bodies[j];
            double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
            double square = dx * dx + dy * dy + dz * dz;
            double force = dt / (square * square);
            a->vx -= dx * b->mass * force;
            a->vy -= dy * b->mass * force;
            a->vz -= dz * b->mass * force;
            b->vx += dx * a->mass * force;
            b->vy += dy * a->mass * force;
            b->vz += dz * a->mass * force;
        }
    }
    for (int i = 0; i < count; i++) {
        bodies[i].x += dt * bodies[i].vx;
        bodies[i].y += dt * bodies[i].vy;
        bodies[i].z += dt * bodies[i].vz;
    }
}

int work(int n) {
    struct body bodies[5];
    for (int i = 0; i < 5; i++) {
        bodies[i].x = i;
        bodies[i].y = i * i;
        bodies[i].z = 5 - i;
        bodies[i].vx = bodies[i].vy = bodies[i].vz = 0;
        bodies[i].mass = 1 + i;
    }
    for (int i = 0; i < n; i++)
        advance(bodies, 5, 0.001);
    return (int)(bodies[0].x * 1000000);
}
