# What happens without zero_grad
import torch

def train(clear):
    w = torch.tensor(0.0, requires_grad=True)
    opt = torch.optim.SGD([w], lr=0.1)
    values = []
    for _ in range(6):
        if clear:
            opt.zero_grad()
        loss = (w - 1) ** 2
        loss.backward()
        opt.step()
        values.append(f"{w.item():.3f}")
    return " ".join(values)

print("with   ", train(True))
print("without", train(False))
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
(w * 2).backward()
opt.zero_grad()
print(w.grad)
(w * 2).backward()
opt.zero_grad(set_to_none=False)
print(w.grad)
