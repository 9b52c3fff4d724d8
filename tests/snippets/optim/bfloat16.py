# Optimizers on parameters of bfloat16: each step is rounded after each of its ops, and so is what they remember.
import torch

for name, options in {
    "SGD": {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01},
    "Adam": {"lr": 0.01, "amsgrad": True},
    "AdamW": {"lr": 0.01},
    "RMSprop": {"lr": 0.01, "momentum": 0.5},
    "Adagrad": {"lr": 0.1},
    "Adadelta": {},
    "Adamax": {},
    "NAdam": {"lr": 0.01},
    "RAdam": {"lr": 0.01},
    "Rprop": {},
    "ASGD": {},
}.items():
    torch.manual_seed(0)
    p = torch.randn(37).bfloat16().requires_grad_()
    optimizer = getattr(torch.optim, name)([p], **options)
    for _ in range(8):
        p.grad = torch.randn(37).bfloat16()
        optimizer.step()
    print(name, p.detach().float().sum().item(), p.detach()[:5].tolist(), p.detach()[-5:].tolist())
    print({key: (value.dtype, value[:3].tolist()) for key, value in optimizer.state[p].items() if value.dim()})
