# A pattern that matches anything, before others
x = 3
match x:
    case 1:
        print("one")
    case other:
        print(other)
    case 3:
        print("three")
