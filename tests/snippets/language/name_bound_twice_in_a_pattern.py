# A pattern that binds a name twice
match (1, 1):
    case (a, {"b": a}):
        print(a)
