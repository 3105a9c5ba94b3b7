def make(depth):
    p = [None, None]
    p[0] = make(depth - 1) if depth > 0 else None
    p[1] = make(depth - 1) if depth > 0 else None
    return p


def check(p):
    if p[0] is None:
        return 1
    return check(p[0]) + check(p[1]) + 1


def work(n):
    total = 0
    for _ in range(4):
        total += check(make(n))
    return total
