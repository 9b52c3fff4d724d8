# Arithmetic, comparisons and boolean operators
x = 5
x += 2.5
print(x, x//2, x%2, -x, not x, ~7, 7^2, 6&3, 6|1, 1<<4, 256>>3, 2**10, 2**-1, 7/2)
print(1 if x else 2, x and 3, 0 or [], None is None, 1 < 2 < 3, 3 > 2 > 5, 1 in [1,2], 'a' not in 'abc')
