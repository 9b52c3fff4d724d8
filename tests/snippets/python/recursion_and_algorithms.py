# Recursion, sorting, string work: Newton's square root and bisection with autograd
import torch

def newton(f, x0, tol=1e-6, depth=0):
    x = torch.tensor(x0, dtype=torch.float64, requires_grad=True)
    y = f(x)
    if abs(y.item()) < tol or depth > 20:
        return x.item(), depth
    y.backward()
    return newton(f, (x - y / x.grad).item(), tol, depth + 1)

root, steps = newton(lambda x: x ** 2 - 2, 1.0)
print(f"sqrt(2) = {root:.6f} in {steps} steps")
root, steps = newton(lambda x: torch.cos(x) - x, 1.0)
print(f"dottie  = {root:.6f} in {steps} steps")

def bisect(f, lo, hi):
    while hi - lo > 1e-3:
        mid = (lo + hi) / 2
        if f(mid) > 0:
            hi = mid
        else:
            lo = mid
    return lo

print(round(bisect(lambda v: v ** 3 - 2, 0, 2), 2))
words = "Gradients flow backward through the graph".split()
print(sorted(words, key=str.lower), " ".join(reversed(words)).title(), [w[:3] for w in words if "g" in w.lower()])
print(sum(ord(c) for c in words[0]), words[0].replace("G", "g").upper().count("A"), "-".join(map(str, range(3))))
print(all(len(w) > 2 for w in words), any(w.startswith("b") for w in words), divmod(17, 5), 2 ** 10, 7 // 2, -7 % 3, round(2.675, 2))
