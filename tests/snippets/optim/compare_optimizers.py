# The same valley with every optimizer
import torch

def valley(p):
    return p[0] ** 2 + 10 * p[1] ** 2

makers = {
    "SGD": lambda p: torch.optim.SGD(p, lr=0.05), "Adagrad": lambda p: torch.optim.Adagrad(p, lr=0.5),
    "RMSprop": lambda p: torch.optim.RMSprop(p, lr=0.1), "Adadelta": lambda p: torch.optim.Adadelta(p),
    "Adam": lambda p: torch.optim.Adam(p, lr=0.1), "AdamW": lambda p: torch.optim.AdamW(p, lr=0.1),
    "Adamax": lambda p: torch.optim.Adamax(p, lr=0.1), "NAdam": lambda p: torch.optim.NAdam(p, lr=0.1),
    "RAdam": lambda p: torch.optim.RAdam(p, lr=0.1), "Rprop": lambda p: torch.optim.Rprop(p, lr=0.1), "ASGD": lambda p: torch.optim.ASGD(p, lr=0.05),
}
for name, make in makers.items():
    p = torch.tensor([2.0, 1.0], requires_grad=True)
    opt = make([p])
    for _ in range(10):
        opt.zero_grad()
        loss = valley(p)
        loss.backward()
        opt.step()
    print(f"{name:9} {valley(p).item():10.6f}  {p[0].item():+.4f} {p[1].item():+.4f}")
