# Options that do not go together, names of only some parameters, and the state of LBFGS.
import torch
from torch import nn, optim

w = nn.Parameter(torch.tensor([1.0]))
rate = torch.tensor(0.1)


def told(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__, error)


def captured(kind):
    optimizer = kind([w], lr=0.1, capturable=True)
    w.grad = torch.ones(1)
    optimizer.step()


for kind in (optim.Adam, optim.AdamW, optim.Adagrad, optim.SGD, optim.RMSprop):
    print(kind.__name__)
    told(lambda: kind([w], lr=rate, foreach=True).defaults["foreach"])
    told(lambda: kind([w], lr=0.1, fused=True, foreach=True))
    told(lambda: kind([w], lr=0.1, fused=True, differentiable=True))
for kind in (optim.Adam, optim.NAdam, optim.RAdam, optim.Adamax, optim.RMSprop, optim.Adadelta, optim.ASGD, optim.Rprop):
    told(lambda: captured(kind))

told(lambda: optim.Adam([("w", w), w]))
told(lambda: optim.Adam([w, ("w", w)]))
told(lambda: optim.SGD([{"params": [("w", w), w]}], lr=0.1))
told(lambda: optim.SGD([("w", w)], lr=0.1).param_groups[0]["param_names"])

v = nn.Parameter(torch.tensor([3.0, -2.0]))


def closure():
    search.zero_grad()
    loss = (v**4).sum() + v.prod()
    loss.backward()
    return loss


for options in ({"lr": 0.05}, {"lr": 0.5, "line_search_fn": "strong_wolfe"}, {"lr": 0.01, "max_iter": 1}):
    search = optim.LBFGS([v], history_size=4, **options)
    search.step(closure)
    print(list(search.state[v]))
    search.step(closure)
    print(list(search.state_dict()["state"][0]), len(search.state[v].get("al", [])))
