def advance(bodies, dt):
    for i in range(len(bodies)):
        a = bodies[i]
        for j in range(i + 1, len(bodies)):
            b = bodies[j]
            dx = a[0] - b[0]
            dy = a[1] - b[1]
            dz = a[2] - b[2]
            square = dx * dx + dy * dy + dz * dz
            force = dt / (square * square)
            a[3] -= dx * b[6] * force
            a[4] -= dy * b[6] * force
            a[5] -= dz * b[6] * force
            b[3] += dx * a[6] * force
            b[4] += dy * a[6] * force
            b[5] += dz * a[6] * force
    for body in bodies:
        body[0] += dt * body[3]
        body[1] += dt * body[4]
        body[2] += dt * body[5]


def work(n):
    bodies = [[float(i), float(i * i), float(5 - i), 0.0, 0.0, 0.0, float(1 + i)] for i in range(5)]
    for _ in range(n):
        advance(bodies, 0.001)
    return int(bodies[0][0] * 1000000)
