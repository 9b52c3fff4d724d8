# What decorated functions keep of their own: name, documentation, module, the function itself
import functools
import inspect

import torch


@torch.no_grad()
def evaluate(a, b=2):
    """What evaluate does."""
    return a * b


@torch.no_grad
def bare(a):
    """Without parentheses."""
    return a


class Model(torch.nn.Module):
    @torch.inference_mode()
    def sample(self, n):
        """Draws n."""
        return n

    @torch.no_grad()
    @torch.enable_grad()
    def twice(self, n):
        """Decorated twice."""
        return n


@torch.set_grad_enabled(False)
def undocumented():
    return torch.is_grad_enabled()


@torch.no_grad()
def numbers(n):
    """A generator."""
    yield from range(n)


for f in evaluate, bare, Model.sample, Model.twice, Model().sample, undocumented, numbers:
    print(f.__doc__, f.__name__, f.__qualname__, f.__module__)
print(evaluate.__wrapped__(3), hasattr(undocumented, "__wrapped__"), Model.twice.__wrapped__.__wrapped__(None, 4))
print(inspect.signature(evaluate), inspect.getdoc(evaluate))


def other(*args):
    return evaluate(*args)


functools.update_wrapper(other, evaluate)
print(other.__doc__, other.__name__, undocumented(), list(numbers(3)))
