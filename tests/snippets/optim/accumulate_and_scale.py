# Gradient accumulation, manual loss scaling, overflow skip, clip by norm and value, per layer norms
import torch
import torch.nn as nn

torch.manual_seed(9)
model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
X, Y = torch.randn(8, 3), torch.randn(8, 1)
crit = nn.MSELoss()
crit(model(X), Y).backward()
full = [p.grad.clone() for p in model.parameters()]
model.zero_grad()
assert all(p.grad is None for p in model.parameters())
accum = 4
for i, (x, y) in enumerate(zip(X.chunk(accum), Y.chunk(accum)), start=1):
    (crit(model(x), y) / accum).backward()
    print(i, [f"{p.grad.norm():.4f}" for p in model.parameters()])
print(all(torch.allclose(a, p.grad, atol=1e-6) for a, p in zip(full, model.parameters())))
scale, growth = 2.0 ** 10, 0
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    opt.zero_grad(set_to_none=False)
    loss = crit(model(X), Y) * scale
    if step == 1:
        loss = loss * float("inf")
    loss.backward()
    found_inf = any(not torch.isfinite(p.grad).all() for p in model.parameters())
    if found_inf:
        scale /= 2
        print("skip, scale ->", scale)
        continue
    for p in model.parameters():
        p.grad.div_(scale)
    total = torch.nn.utils.clip_grad_norm_(model.parameters(), 0.5, norm_type=2)
    after = torch.sqrt(sum(p.grad.pow(2).sum() for p in model.parameters()))
    opt.step()
    print(step, f"{loss.item() / scale:.5f} total {total:.4f} after {after:.4f}")
n_inf = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, norm_type=float("inf"))
print(n_inf)
torch.nn.utils.clip_grad_value_(model.parameters(), 0.01)
print(max(p.grad.abs().max().item() for p in model.parameters()))
model[0].weight.grad[0, 0] = float("nan")
try:
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0, error_if_nonfinite=True)
except RuntimeError as e:
    print(e)
vec = torch.nn.utils.parameters_to_vector(model.parameters())
torch.nn.utils.vector_to_parameters(torch.zeros_like(vec), model.parameters())
print(vec.shape, sum(p.abs().sum().item() for p in model.parameters()), vec.grad_fn)
print(torch.nn.utils.get_total_norm([p.grad for p in model[2].parameters()]))
