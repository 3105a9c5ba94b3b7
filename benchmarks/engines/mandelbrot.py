def work(n):
    sum = 0
    for row in range(n):
        for column in range(n):
            re = 3.0 * column / n - 2.0
            im = 2.0 * row / n - 1.0
            x = y = 0.0
            rounds = 0
            while rounds < 100 and x * x + y * y <= 4.0:
                x, y = x * x - y * y + re, 2.0 * x * y + im
                rounds += 1
            sum += rounds
    return sum
