def sort(a, n):
    gap = n // 2
    while gap > 0:
        for i in range(gap, n):
            x = a[i]
            j = i
            while j >= gap and a[j - gap] > x:
                a[j] = a[j - gap]
                j -= gap
            a[j] = x
        gap //= 2


def work(n):
    a = [0] * n
    seed = 42
    for i in range(n):
        seed = seed * 1664525 + 1013904223 & 0xFFFFFFFF
        a[i] = seed >> 8
    sort(a, n)
    total = 0
    for i in range(n):
        total = (total * 31 + a[i]) % 1000003
    return total
