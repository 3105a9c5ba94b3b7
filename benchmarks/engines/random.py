def work(n):
    state = 1
    heads = 0
    for _ in range(n):
        state = (state * 1664525 + 1013904223) & 0xFFFFFFFF
        heads += state >> 31
    return heads
