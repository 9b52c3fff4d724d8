# L-BFGS needs a closure
import torch

p = torch.tensor([-1.2, 1.0], dtype=torch.float64, requires_grad=True)
opt = torch.optim.LBFGS([p], lr=1, max_iter=10, line_search_fn="strong_wolfe")
calls = 0

def closure():
    global calls
    calls += 1
    opt.zero_grad()
    loss = (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2
    loss.backward()
    return loss

for i in range(4):
    loss = opt.step(closure)
    print(f"step {i}: loss {loss.item():.6f} p {p.detach().numpy().round(4)}")
print("calls", calls)
