class Folder:
    def __init__(self, size, inside=()):
        self.inside = inside
        self.size = size + sum(f.size for f in inside)

    def share(self, part):
        for f in self.inside:
            f.share(part * 1)


root = Folder(0.0, (Folder(2.0), Folder(3.0)))
root.share(1.0)
print(root.size)
