# ZeroDivisionError: division by zero
print(sum(i/0 for i in range(3)))
