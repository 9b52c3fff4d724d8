# IndexError: list assignment index out of range
lst = [1,2,3]
lst[10] = 5
