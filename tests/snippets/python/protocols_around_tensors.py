# Objects with __iter__, __next__, __getitem__, __enter__, __call__, __lt__, __hash__ around tensors
import torch
class Steps:
    def __init__(s, f, x, lr): s.f, s.x, s.lr = f, x, lr
    def __iter__(s): s.n = 0; return s
    def __next__(s):
        if s.n == 3: raise StopIteration
        s.n += 1; x = s.x.detach().requires_grad_(); l = s.f(x); l.backward(); s.x = x - s.lr * x.grad; return s.n, l.item()
print(list(Steps(lambda v: (v - 1).pow(2), torch.tensor(3.), .25)), max(Steps(lambda v: v * v, torch.tensor(2.), .1)))
class Poly:
    def __init__(s, *c): s.c = [torch.tensor(float(v), requires_grad=True) for v in c]
    def __call__(s, x): return sum(c * x ** i for i, c in enumerate(s.c))
    def __getitem__(s, i): return s.c[i] if not isinstance(i, slice) else Poly(*s.c[i])
    def __len__(s): return len(s.c)
    def __bool__(s): return any(c.item() for c in s.c)
    def __eq__(s, o): return [c.item() for c in s.c] == [c.item() for c in o.c]
    def __hash__(s): return hash(tuple(c.item() for c in s.c))
    def __lt__(s, o): return len(s) < len(o)
    def __matmul__(s, o): return s(o(torch.tensor(1.)))
    def __neg__(s): return Poly(*[-c for c in s.c])
    def __iadd__(s, k): s.c[0] = s.c[0] + k; return s
    def __format__(s, spec): return " + ".join(f"{c.item():{spec or 'g'}}x^{i}" for i, c in enumerate(s.c))
    def __index__(s): return len(s)
p, q = Poly(1, 2, 3), Poly(1, 2); p(torch.tensor(2.)).backward(); print([c.grad for c in p.c], f"{p} {q:.1f}", p == Poly(1, 2, 3), {p: 1}[Poly(1, 2, 3)], sorted([p, q])[0] is q, bool(Poly(0)), (p @ q).item(), len(p[1:]), [*p], [10, 20, 30, 40][p], format(-q, ".2f")); p += 5; print(p[0])
