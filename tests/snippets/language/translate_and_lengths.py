# str.translate, and lengths that are asked for
print("banana".translate({97: "a long replacement"}))
class V:
    def __len__(self):
        print("len")
        return 2
    def __getitem__(self, i):
        if i > 1: raise IndexError
        return i
print(list(V()), [*V()], sorted(V()))
