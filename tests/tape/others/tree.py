class Node:
    def __init__(self, value, children=()):
        self.value, self.children, self.size = value, children, 0

def count(n):
    n.size = 1 + sum(count(c) * 1 for c in n.children)
    return n.size

print(count(Node(3.0, [Node(1.0), Node(2.0, [Node(5.0)])])))
