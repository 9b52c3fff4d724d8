# Two outputs of one graph, and all gradients stay
class Node:
    def __init__(self, value, edges=()):
        self.value, self.edges, self.grad = value, edges, 0.0


def mul(a, b):
    return Node(a.value * b.value, ((a, b.value), (b, a.value)))


def sweep(nodes):
    nodes[-1].grad = 1.0
    for n in reversed(nodes):
        for parent, weight in n.edges:
            parent.grad += weight * n.grad  # finds h


a, b = Node(2.0), Node(5.0)
h = mul(a, b)
first = mul(h, a)
second = mul(h, b)
sweep([a, b, h, first])
sweep([a, b, h, second])
print(a.grad, b.grad)
