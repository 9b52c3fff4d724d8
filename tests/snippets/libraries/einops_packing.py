# pack and unpack of einops
import numpy as np
import torch
from einops import pack, unpack

x = torch.arange(24.0, requires_grad=True)
images, token = x.reshape(2, 2, 2, 3), x[:6].reshape(2, 3)
packed, shapes = pack([images, token, token * 2], "b * c")
print(packed.shape, shapes, packed.grad_fn.name())
parts = unpack(packed, shapes, "b * c")
print([(part.shape, part.grad_fn.name()) for part in parts])
sum((i + 1) * part.sum() for i, part in enumerate(parts)).backward()
print(x.grad)
inferred = unpack(packed, [[2], [-1]], "b * c")
print([part.shape for part in inferred], [part.tolist() for part in unpack(np.arange(5), [(2,), (), (1, 2)], "*")])
print(pack([np.ones((2, 3)), np.zeros(3)], "* c"), pack([images], "* h w c")[1])


def attempt(action):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)


attempt(lambda: pack([images, token], "b c"))
attempt(lambda: pack([images, token], "b b *"))
attempt(lambda: pack([images, token], "b 3c *"))
attempt(lambda: pack([images, token], "b c d *"))
attempt(lambda: unpack(packed, shapes, "b *"))
attempt(lambda: unpack(packed, [[-1], [-1]], "b * c"))
attempt(lambda: unpack(packed, [[2], [7]], "b * c"))
