def insert(table, mask, key):
    i = (key * 7919) & mask
    while table[i][1] and table[i][0] != key:
        i = (i + 1) & mask
    entry = table[i]
    entry[0] = key
    entry[1] += 1
    return entry[1]


def work(n):
    size = 1024
    while size < n:
        size *= 2
    table = [[0, 0] for _ in range(size)]
    seed = 42
    repeated = 0
    for _ in range(n):
        seed = seed * 1664525 + 1013904223 & 0xFFFFFFFF
        if insert(table, size - 1, (seed >> 8) % (n // 2)) > 1:
            repeated += 1
    return repeated
