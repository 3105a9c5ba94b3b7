def shorten(d, n):
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i][k] + d[k][j] < d[i][j]:
                    d[i][j] = d[i][k] + d[k][j]


def work(n):
    d = [[0] * n for _ in range(n)]
    seed = 42
    for i in range(n):
        for j in range(n):
            seed = seed * 1664525 + 1013904223 & 0xFFFFFFFF
            d[i][j] = 0 if i == j else (seed >> 8) % 1000 + 1
    shorten(d, n)
    total = 0
    for i in range(n):
        for j in range(n):
            total = (total * 31 + d[i][j]) % 1000003
    return total
