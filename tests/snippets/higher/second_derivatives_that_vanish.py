# Second derivatives that vanish or are None: linear, relu, unused, piecewise, and what create_graph keeps
import torch
x = torch.tensor([1., -2.], requires_grad=True)
for n, f in {"linear": lambda: (3 * x).sum(), "relu": lambda: torch.relu(x).sum(), "abs": lambda: x.abs().sum(), "square": lambda: (x ** 2).sum(), "sign": lambda: torch.sign(x).sum(), "max": lambda: x.max(), "elu": lambda: torch.nn.functional.elu(x).sum(), "clamp": lambda: x.clamp(-1, 1).sum(), "huber": lambda: torch.nn.functional.smooth_l1_loss(x, torch.zeros(2), reduction="sum"), "detached": lambda: (x.detach() * x).sum(), "where": lambda: torch.where(x > 0, x ** 2, x).sum(), "leaky": lambda: torch.nn.functional.leaky_relu(x).pow(2).sum(), "sort": lambda: x.sort()[0].dot(torch.tensor([1., 2.])), "exp": lambda: x.exp().sum(), "mm": lambda: x.view(1, 2) @ x.view(2, 1), "norm": lambda: x.norm(), "softmax": lambda: x.softmax(0)[0], "index": lambda: x[0] ** 2}.items():
    g, = torch.autograd.grad(f(), x, create_graph=True)
    try: h = torch.autograd.grad(g.sum(), x, allow_unused=True)[0] if g.requires_grad else "no graph"
    except RuntimeError as e: h = str(e)[:50]
    print(f"{n:9s}", g.tolist(), g.grad_fn and g.grad_fn.name(), h)
