def relax(grid, after, n):
    for i in range(1, n - 1):
        for j in range(1, n - 1):
            after[i][j] = 0.2 * (grid[i][j] + grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1])
    for i in range(1, n - 1):
        for j in range(1, n - 1):
            grid[i][j] = after[i][j]


def work(n):
    grid = [[float(i * j % 100) for j in range(n)] for i in range(n)]
    after = [[0.0] * n for _ in range(n)]
    for _ in range(n // 2):
        relax(grid, after, n)
    total = 0.0
    for i in range(n):
        total += grid[i][n // 2]
    return int(1000 * total)
