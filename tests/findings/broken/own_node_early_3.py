# Sorted by the shortest way to a leaf
class T:
    def __init__(self, x, depth=0, back=None, args=()):
        self.x, self.depth, self.back, self.args, self.g = x, depth, back, args, 0.0


def depth(*args):
    return 1 + min(a.depth for a in args)


def mul(a, b):
    return T(a.x * b.x, depth(a, b), lambda g: (g * b.x, g * a.x), (a, b))


u = T(1.5)
v = T(2.0)
p = mul(u, v)
q = mul(p, v)
r = mul(q, p)
r.g = 1.0
for t in sorted([r, p, q], key=lambda t: -t.depth):
    for a, g in zip(t.args, t.back(t.g)):
        a.g += g  # finds p
print(u.g, v.g)
