def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


def work(n):
    sum = 0
    for a in range(1, n + 1):
        for b in range(1, n + 1):
            sum += gcd(a, b)
    return sum
