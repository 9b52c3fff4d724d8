# jacrev, jacfwd and hessian take and give real numbers only
import torch
from torch.func import hessian, jacfwd, jacrev

z = torch.tensor([1 + 1j])
x = torch.tensor([1.0])
for jacobian in (jacrev, jacfwd, hessian):
    for f in (
        lambda: jacobian(lambda a: a * 1)(z),
        lambda: jacobian(lambda a: (a, a * 1j))(x),
        lambda: jacobian(lambda a, b: (a * b).abs())(x, z),
        lambda: jacobian(lambda d: d["a"])({"a": x, "c": z}),
    ):
        try:
            print(f())
        except RuntimeError as e:
            print(e)
