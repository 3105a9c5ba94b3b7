def multiply(a, b, c, n):
    for i in range(n):
        for j in range(n):
            total = 0.0
            for k in range(n):
                total += a[i * n + k] * b[k * n + j]
            c[i * n + j] = total


def work(n):
    a = [0.0] * (n * n)
    b = [0.0] * (n * n)
    c = [0.0] * (n * n)
    for i in range(n * n):
        a[i] = float(i % 7)
        b[i] = float(i % 5)
    multiply(a, b, c, n)
    trace = 0.0
    for i in range(n):
        trace += c[i * n + i]
    return int(trace)
