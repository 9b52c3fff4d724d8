# Rosenbrock with LBFGS, Adam and Newton; a closure counts its calls
import torch

def rosen(p):
    x, y = p
    return (1 - x) ** 2 + 100 * (y - x ** 2) ** 2

class Counter:
    def __init__(self, fn):
        self.fn, self.n = fn, 0

    def __call__(self, *a, **k):
        self.n += 1
        return self.fn(*a, **k)

p = torch.tensor([-1.2, 1.0], dtype=torch.float64, requires_grad=True)
opt = torch.optim.LBFGS([p], lr=1, max_iter=20, history_size=5, line_search_fn="strong_wolfe")

@Counter
def closure():
    opt.zero_grad()
    loss = rosen(p)
    loss.backward()
    return loss

for i in range(4):
    loss = opt.step(closure)
    print(i, f"{loss.item():.3e}", closure.n, [round(v, 6) for v in p.tolist()])
print(opt.state[p]["n_iter"], opt.state[p]["func_evals"])

q = torch.tensor([-1.2, 1.0], dtype=torch.float64)
for i in range(6):
    g = torch.autograd.functional.jacobian(rosen, q)
    H = torch.autograd.functional.hessian(rosen, q)
    q = q - torch.linalg.solve(H, g)
    print(i, q.tolist(), rosen(q).item())
ev, vec = torch.linalg.eigh(H)
print(ev, vec.abs())
r = torch.nn.Parameter(torch.tensor([-1.2, 1.0]))
adam = torch.optim.Adam([r], lr=0.1, amsgrad=True)
for i in range(10):
    adam.zero_grad()
    loss = rosen(r)
    loss.backward()
    adam.step()
print(r, loss)
print(adam.state_dict()["param_groups"])
