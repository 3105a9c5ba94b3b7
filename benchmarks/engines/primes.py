def is_prime(n):
    if n < 2:
        return False
    divisor = 2
    while divisor * divisor <= n:
        if n % divisor == 0:
            return False
        divisor += 1
    return True


def work(n):
    found = 0
    for i in range(n + 1):
        if is_prime(i):
            found += 1
    return found
