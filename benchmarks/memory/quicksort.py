def sort(a, low, high):
    i = low
    j = high
    pivot = a[(low + high) // 2]
    while i <= j:
        while a[i] < pivot:
            i += 1
        while pivot < a[j]:
            j -= 1
        if i <= j:
            a[i], a[j] = a[j], a[i]
            i += 1
            j -= 1
    if low < j:
        sort(a, low, j)
    if i < high:
        sort(a, i, high)


def work(n):
    a = [0] * n
    seed = 42
    for i in range(n):
        seed = seed * 1664525 + 1013904223 & 0xFFFFFFFF
        a[i] = seed >> 8
    sort(a, 0, n - 1)
    total = 0
    for i in range(n):
        total = (total * 31 + a[i]) % 1000003
    return total
