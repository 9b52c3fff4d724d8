# What an optimizer calls things that are no tensors
import torch
import torch.nn as nn

torch.manual_seed(0)
net = nn.Linear(2, 1)


def own():
    yield net.weight


class Part:
    def weights(self):
        return net.weight


for parameters in (
    [net.parameters()], [net.named_parameters()], [own()], [(p for p in [net.weight])], [net.parameters], [own],
    [Part().weights], [Part()], [Part], [lambda: net.weight], [print], [{net.weight}], [1.0],
):
    try:
        torch.optim.SGD(parameters, lr=0.1)
    except TypeError as e:
        print(e)
print(own().__qualname__, own().__name__, (x for x in "a").__name__)
torch.optim.Adam([net.parameters()])
