# KeyError: 1
for i in range(3):
    print(i)
    if i == 1:
        raise KeyError(i)
