# The contexts of a checkpoint, its options, its random numbers, and inputs written to inside
import contextlib

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential, noop_context_fn, set_checkpoint_debug_enabled


def shown(f):
    try:
        print(f())
    except (RuntimeError, ValueError) as err:
        print(type(err).__name__, err)


def exp(a):
    print("runs", torch.is_grad_enabled())
    return a.exp()


@contextlib.contextmanager
def say(name):
    print(">", name)
    yield
    print("<", name)


def contexts():
    return say("forward"), say("again")


x = torch.ones(2, requires_grad=True)
checkpoint(exp, x, use_reentrant=False, context_fn=contexts).sum().backward()
checkpoint(exp, x, use_reentrant=False, context_fn=contexts, early_stop=False).sum().backward()
checkpoint(exp, x, use_reentrant=False, context_fn=noop_context_fn, debug=True).sum().backward()
print(x.grad)
with torch.no_grad():
    print(checkpoint(exp, x, use_reentrant=False, context_fn=contexts))
shown(lambda: checkpoint(exp, x, use_reentrant=True, context_fn=contexts))
shown(lambda: checkpoint(exp, x, use_reentrant=True, debug=True))
shown(lambda: checkpoint(exp, x, use_reentrant=True, context_fn=noop_context_fn))
shown(lambda: checkpoint(exp, x, use_reentrant=False, debug=True, context_fn=contexts))
with set_checkpoint_debug_enabled(True):
    shown(lambda: checkpoint(exp, x, use_reentrant=False, context_fn=contexts))
with set_checkpoint_debug_enabled(False):
    shown(lambda: checkpoint(exp, x, use_reentrant=False, context_fn=contexts, debug=True))


def fails(a):
    raise ValueError("inside")


def suppressing():
    return contextlib.suppress(ValueError), contextlib.nullcontext()


shown(lambda: checkpoint(fails, x, use_reentrant=False, context_fn=suppressing))
shown(lambda: checkpoint(fails, x, use_reentrant=False))


def writes(a, b):
    a.add_(1)
    return a * b


shown(lambda: checkpoint(writes, x * 1, x, use_reentrant=False).sum().backward())
shown(lambda: checkpoint(writes, torch.ones(2), x, use_reentrant=False).sum().backward())
image = torch.ones(2)
out = checkpoint(lambda a, b: a * b, image, x, use_reentrant=False)
image.zero_()
shown(lambda: out.sum().backward())

torch.manual_seed(0)
layers = nn.Sequential(*[nn.Linear(2, 2) for _ in range(4)])
shown(lambda: checkpoint_sequential(layers, 2, torch.ones(1, 2), use_reentrant=False, foo=1))
checkpoint_sequential(layers, 2, torch.ones(1, 2, requires_grad=True)).shape

dropout = nn.Dropout(0.5)
for reentrant in True, False:
    for preserve in True, False:
        torch.manual_seed(1)
        q = torch.ones(8, requires_grad=True)
        out = checkpoint(dropout, q, use_reentrant=reentrant, preserve_rng_state=preserve)
        out.sum().backward()
        print(torch.equal(out, q.grad), torch.rand(1))
