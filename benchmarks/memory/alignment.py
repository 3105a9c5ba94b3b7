def distance(best, first, second, n):
    for i in range(n + 1):
        best[i][0] = i
        best[0][i] = i
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            changed = best[i - 1][j - 1] + (0 if first[i - 1] == second[j - 1] else 1)
            shorter = best[i - 1][j] + 1 if best[i - 1][j] < best[i][j - 1] else best[i][j - 1] + 1
            best[i][j] = changed if changed < shorter else shorter
    return best[n][n]


def work(n):
    first = [0] * n
    second = [0] * n
    seed = 42
    for i in range(n):
        seed = seed * 1664525 + 1013904223 & 0xFFFFFFFF
        first[i] = 97 + (seed >> 16) % 4
        second[i] = 97 + (seed >> 20) % 4
    best = [[0] * (n + 1) for _ in range(n + 1)]
    return sum(distance(best, first, second, length) for length in range(n - 15, n + 1))
