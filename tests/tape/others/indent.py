class Item:
    def __init__(self, weight, parts=()):
        self.weight, self.parts = weight, parts

    def show(self, depth):
        print(" " * depth + str(self.weight))
        for part in self.parts:
            part.show(depth + 1)


bolt, plate = Item(2.0), Item(3.0)
box = Item(bolt.weight * plate.weight, (bolt, plate))
box.show(0)
