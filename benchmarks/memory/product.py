def multiply(a, b, c, n):
    for i in range(n):
        for j in range(n):
            c[i][j] = 0.0
            for k in range(n):
                c[i][j] += a[i][k] * b[k][j]


def work(n):
    a = [[float((i + 2 * j) % 7) for j in range(n)] for i in range(n)]
    b = [[float(i * j % 5) for j in range(n)] for i in range(n)]
    c = [[0.0] * n for _ in range(n)]
    multiply(a, b, c, n)
    trace = 0.0
    for i in range(n):
        trace += c[i][i]
    return int(trace)
