# Hooks see a step's arguments as they were given, and states of older versions lack options
import torch
from torch import nn, optim


def parameter():
    return nn.Parameter(torch.tensor([1.0, 2.0]))


def attempt(function):
    try:
        print(function())
    except (KeyError, RuntimeError, TypeError, ValueError) as error:
        print(type(error).__name__, error)


def loss():
    return torch.tensor(3.0)


def made(*arguments, hook=None):
    optimizer = optim.SGD([parameter()], lr=0.1)
    optimizer.register_step_pre_hook(hook or (lambda o, args, kwargs: print("before", len(args), sorted(kwargs))))
    optimizer.register_step_post_hook(lambda o, args, kwargs: print("after", len(args), sorted(kwargs)))
    return optimizer


attempt(lambda: made().step())
attempt(lambda: made().step(loss))
attempt(lambda: made().step(closure=loss))
attempt(lambda: made(hook=lambda o, args, kwargs: (args, {"closure": lambda: 7})).step())
attempt(lambda: made(hook=lambda o, args, kwargs: ((o, loss), {})).step())
attempt(lambda: made(hook=lambda o, args, kwargs: 3).step())
attempt(lambda: optim.SGD([parameter()], lr=0.1).step(1, 2))
attempt(lambda: optim.SGD([parameter()], lr=0.1).step(metric=1))

old = {"state": {}, "param_groups": [{"lr": 0.5, "params": [0]}]}
for kind in (optim.SGD, optim.Adam, optim.RMSprop, optim.Adagrad, optim.Adamax, optim.NAdam, optim.RAdam, optim.Rprop):
    optimizer = kind([parameter()])
    optimizer.load_state_dict(old)
    print(optimizer)

scheduler = optim.lr_scheduler.LambdaLR(optim.SGD([parameter()], lr=0.1), lambda epoch: 1 / (1 + epoch))
attempt(lambda: scheduler.load_state_dict({"last_epoch": 3}))
betas = torch.tensor(0.9), torch.tensor(0.99)
attempt(lambda: optim.Adam([parameter()], betas=betas, foreach=True))
