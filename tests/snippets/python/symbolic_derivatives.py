# A symbolic expression tree that evaluates with torch and differentiates itself
import torch, operator
class Expr:
    def __add__(self, o): return Bin("+", operator.add, self, wrap(o))
    def __mul__(self, o): return Bin("*", operator.mul, self, wrap(o))
    def __sub__(self, o): return Bin("-", operator.sub, self, wrap(o))
    def __rmul__(self, o): return wrap(o) * self
    def __radd__(self, o): return wrap(o) + self
    def __pow__(self, n): return Pow(self, n)
    def __neg__(self): return wrap(-1) * self
    def __call__(self, **env): return self.ev(env)
class Const(Expr):
    def __init__(self, v): self.v = v
    def ev(self, env): return torch.tensor(float(self.v), dtype=torch.double)
    def d(self, x): return Const(0)
    def __str__(self): return str(self.v)
class Var(Expr):
    def __init__(self, n): self.n = n
    def ev(self, env): return env[self.n]
    def d(self, x): return Const(int(self.n == x))
    def __str__(self): return self.n
class Bin(Expr):
    def __init__(self, s, f, a, b): self.s, self.f, self.a, self.b = s, f, a, b
    def ev(self, env): return self.f(self.a.ev(env), self.b.ev(env))
    def d(self, x):
        if self.s == "*": return self.a.d(x) * self.b + self.a * self.b.d(x)
        return Bin(self.s, self.f, self.a.d(x), self.b.d(x))
    def __str__(self): return f"({self.a} {self.s} {self.b})"
class Pow(Expr):
    def __init__(self, a, n): self.a, self.n = a, n
    def ev(self, env): return self.a.ev(env) ** self.n
    def d(self, x): return Const(self.n) * Pow(self.a, self.n - 1) * self.a.d(x)
    def __str__(self): return f"{self.a}^{self.n}"
def wrap(v): return v if isinstance(v, Expr) else Const(v)
x, y = Var("x"), Var("y"); e = 3 * x ** 2 * y - y + -x
vals = {n: torch.tensor(v, dtype=torch.double, requires_grad=True) for n, v in (("x", 2.0), ("y", 0.5))}
out = e(**vals); out.backward(); print(e, "=", out.item())
for n in "xy": print(n, e.d(n)(**vals).item(), vals[n].grad.item(), e.d(n) if n == "y" else "")
