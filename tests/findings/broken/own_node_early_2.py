# In the order of the parents
class Var:
    def __init__(self, value, parents=(), weights=()):
        self.value, self.parents, self.weights = value, parents, weights
        self.grad = 0.0


def add(a, b):
    return Var(a.value + b.value, (a, b), (1.0, 1.0))


def mul(a, b):
    return Var(a.value * b.value, (a, b), (b.value, a.value))


def order(v, done):
    if v not in done:
        done.append(v)
        for p in v.parents:
            order(p, done)
    return done


a = Var(2.0)
b = Var(4.0)
h = mul(a, b)
k = mul(h, b)
out = add(h, k)
out.grad = 1.0
for v in order(out, []):
    for p, weight in zip(v.parents, v.weights):
        p.grad += weight * v.grad  # finds h
print(a.grad, b.grad)
