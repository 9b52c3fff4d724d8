# Three thousand nodes of an autograd engine, visited once each by a set: objects hashed by what they are
class Value:
    def __init__(self, data, children=()):
        self.data, self.grad, self._prev = data, 0.0, set(children)
        self._backward = lambda: None

    def __add__(self, other):
        out = Value(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out


def topological(root):
    order, visited, stack = [], set(), [(root, False)]
    while stack:
        node, done = stack.pop()
        if done:
            order.append(node)
        elif node not in visited:
            visited.add(node)
            stack.append((node, True))
            stack.extend((child, False) for child in node._prev if child not in visited)
    return order


leaves = [Value(i / 4) for i in range(1500)]
total = leaves[0]
for leaf in leaves[1:]:
    total = total + leaf
total.grad = 1.0
order = topological(total)
for node in reversed(order):
    node._backward()
print(total.data, len(order), {leaf.grad for leaf in leaves}, len({*leaves, *leaves}))
table = {leaf: i for i, leaf in enumerate(leaves)}
print(table[leaves[700]], leaves[3] in table, Value(0) in table)
