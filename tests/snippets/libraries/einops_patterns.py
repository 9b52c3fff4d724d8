# einops: rearrange, reduce, repeat, einsum, layers, what goes wrong
import numpy as np
import torch
from einops import einsum, parse_shape, rearrange, reduce, repeat
from einops.layers.torch import Rearrange, Reduce

torch.manual_seed(0)
x = torch.arange(24.0).reshape(2, 3, 4).requires_grad_()
results = [
    rearrange(x, "a b c -> b a c"), rearrange(x, "a b c -> a (b c)"), rearrange(x, "a b c -> (b a) c"),
    rearrange(x, "a (b d) c -> a b d c", d=1), rearrange(x, "a b c -> a b c"), rearrange(x, "a b (c d) -> a c (b d)", c=2),
    rearrange(x, "a b c -> a 1 b c"), rearrange([x, x], "k a b c -> a k b c"), rearrange(x, "a ... -> ... a"),
    rearrange(x, "a ... -> (...) a"), reduce(x, "a b c -> a", "mean"), reduce(x, "a b c -> a 1 c", "sum"),
    reduce(x, "a b (c d) -> a d", "max", d=2), reduce(x, "a b c -> c", "min"), reduce(x, "a b c ->", "prod"),
    reduce(x, "a (b 3) c -> a b c", "mean"), repeat(x, "a b c -> a b c k", k=2), repeat(x, "a b c -> (a k) b c", k=2),
    repeat(x, "a b c -> a b (2 c)"), einsum(x, x, "a b c, a d c -> a b d"), einsum(x, "one two three -> two"),
]
for y in results:
    print(tuple(y.shape), y.is_contiguous(), y.grad_fn.name() if y.grad_fn else None, y.sum().item(), y.flatten()[1:3].tolist())
sum((y * y).mean() for y in results if y.dim()).backward()
print(x.grad.sum(), x.grad[0, 1])
to_patches = torch.nn.Sequential(Rearrange("b (h p) (w q) -> b (h w) (p q)", p=1, q=2), torch.nn.Linear(2, 2), Reduce("b n d -> b d", "mean"))
print(to_patches, to_patches(x.detach()).shape)
print(parse_shape(x, "a _ c"), rearrange(np.arange(4), "(a b) -> b a", a=2))


def attempt(action):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)


attempt(lambda: rearrange(x, "a b -> b a"))
attempt(lambda: rearrange(x, "a b c -> a b"))
attempt(lambda: rearrange(x, "a b (c d) -> a b c d", c=3))
attempt(lambda: rearrange(x, "a b c -> a b c d"))
attempt(lambda: reduce(x, "a b c -> a", "foo"))
attempt(lambda: repeat(x, "a b c -> a b c k"))
attempt(lambda: rearrange(x, "a b c a"))
attempt(lambda: rearrange(x, "a b c -> a b (c"))
attempt(lambda: rearrange(x, "a a c -> a c"))
attempt(lambda: rearrange(x, "a b c -> a b c", d=3))
attempt(lambda: reduce(x.long(), "a b c -> a", "mean"))
attempt(lambda: rearrange(3, "a -> a"))
attempt(lambda: rearrange(x, "a 3b c -> a c"))
attempt(lambda: einsum(x, "a b c"))
attempt(lambda: einsum(x, "a b c -> d"))
attempt(lambda: rearrange(x, "a b c -> a b c ..."))
