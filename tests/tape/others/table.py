def fib(n):
    t = [0] * (n + 1)
    t[1] = 1
    for i in range(2, n + 1):
        t[i] = t[i - 1] + t[i - 2] * 1
    return t[n]

print(fib(20))
