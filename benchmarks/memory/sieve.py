def work(n):
    composite = bytearray(n)
    count = 0
    for i in range(2, n):
        if not composite[i]:
            count += 1
            j = 2 * i
            while j < n:
                composite[j] = 1
                j += i
    return count
