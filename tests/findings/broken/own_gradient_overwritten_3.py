# A square by a product with itself
class Node:
    def __init__(self, v, inputs=()):
        self.v, self.inputs, self.d = v, inputs, 0.0


class Times(Node):
    def __init__(self, a, b):
        super().__init__(a.v * b.v, (a, b))

    def push(self):
        a, b = self.inputs
        a.d = b.v * self.d
        b.d = a.v * self.d  # finds s


s = Node(5.0)
q = Times(s, s)
q.d = 1.0
q.push()
print(s.d)
