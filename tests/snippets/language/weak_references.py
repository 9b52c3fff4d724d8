# weakref: parents in trees, values kept for objects, the outputs of functions in a small autograd.
import weakref
class Node:
    def __init__(self, v): self.v = v
    def __repr__(self): return f"Node({self.v})"
n = Node(1)
r = weakref.ref(n)
print(r() is n, r().v, r == weakref.ref(n), isinstance(r, weakref.ref))
d = weakref.WeakKeyDictionary(); d[n] = "x"; print(d[n], len(d), n in d, list(d.items()), d.get(Node(2), "none"))
w = weakref.WeakValueDictionary(); w["a"] = n; print(w["a"], dict(w), w.get("b"), list(w.values()))
p = weakref.proxy(n); print(p.v, p); p.v = 3; print(n.v)
s = weakref.WeakSet([n]); s.add(n); print(len(s), n in s, [x.v for x in s]); s.discard(n); print(len(s))
class Tree:
    def __init__(self, name, parent=None):
        self.name=name; self._p = weakref.ref(parent) if parent else None; self.children=[]
        if parent: parent.children.append(self)
    @property
    def parent(self): return self._p() if self._p else None
root = Tree("root"); c = Tree("c", root); print(c.parent.name, root.parent)
for bad in (1, "a", [1], {}, None, (1,), 2.5):
    try: weakref.ref(bad)
    except TypeError as e: print(e)
try: d[1] = 2
except TypeError as e: print(e)
try: w["k"] = "v"
except TypeError as e: print(e)
class Positive:
    def __init__(self): self.values = weakref.WeakKeyDictionary()
    def __set_name__(self, owner, name): self.name = name
    def __get__(self, obj, owner=None): return self if obj is None else self.values.get(obj, 0)
    def __set__(self, obj, value):
        if value < 0: raise ValueError(f"{self.name} must be positive")
        self.values[obj] = value
class Item: price = Positive()
a, b = Item(), Item(); a.price = 3; print(a.price, b.price)
class Variable:
    def __init__(self, data): self.data, self.creator, self.grad = data, None, None
    def backward(self):
        self.grad = 1.0; funcs = [self.creator]
        while funcs:
            f = funcs.pop()
            gys = [out().grad for out in f.outputs]
            for x, g in zip(f.inputs, f.backward(*gys)):
                x.grad = g if x.grad is None else x.grad + g
                if x.creator: funcs.append(x.creator)
class Function:
    def __call__(self, *inputs):
        ys = self.forward(*[x.data for x in inputs]); out = Variable(ys); out.creator = self
        self.inputs, self.outputs = inputs, [weakref.ref(out)]
        return out
class Mul(Function):
    def forward(self, a, b): return a * b
    def backward(self, g): return g * self.inputs[1].data, g * self.inputs[0].data
x, y = Variable(3.0), Variable(4.0); z = Mul()(Mul()(x, y), x); z.backward(); print(z.data, x.grad, y.grad)
import torch; t = torch.ones(2); print(weakref.ref(t)() is t, weakref.ref(print.__class__) is not None, weakref.ref(Node)() is Node)
