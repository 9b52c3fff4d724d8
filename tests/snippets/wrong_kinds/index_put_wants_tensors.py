# index_put refuses None among its indices, which x[...] takes
import torch

x = torch.zeros(3, 3, requires_grad=True)
i = torch.tensor([0, 1])
v = torch.tensor(1.0)

for put in (
    lambda: x.index_put((None, i), v),
    lambda: x.detach().index_put_((i, 3), v),
):
    try:
        print(put())
    except TypeError as error:
        print(error)

y = x.index_put((i, i), v)
y.sum().backward()
print(x.grad)
