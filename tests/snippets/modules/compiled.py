# torch.compile: a module is held as _orig_mod, and its parameters are called so
import copy

import torch
import torch.nn as nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(2, 2)
        self.fc2 = nn.Linear(2, 1)
        self.scale = 3.0
        self._secret = "here"

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x))) * self.scale

    def twice(self):
        return self.scale * 2


net = Net()
for parameter in net.parameters():
    parameter.data.copy_(torch.arange(1.0, parameter.numel() + 1).view_as(parameter) / 4)
model = torch.compile(net, backend="eager")
print(type(model), isinstance(model, nn.Module), isinstance(model, Net))
print(model)
print(list(model.state_dict()), [name for name, _ in model.named_modules()])
optimizer = torch.optim.SGD(model.parameters(), lr=0.125)
x, y = torch.tensor([[1.0, 2.0], [3.0, 0.5]]), torch.tensor([[1.0], [2.0]])
for _ in range(2):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(x), y)
    loss.backward()
    optimizer.step()
print(loss)
for name, parameter in model.named_parameters():
    print(name, parameter.grad.norm())

# what is not its own is the module's
print(model._orig_mod is net, model.fc1 is net.fc1, model.scale, model._secret, model.twice())
model.scale = 5.0
model.extra = nn.Linear(1, 1)
print(net.scale, "extra" in dict(net.named_children()), [child is net for child in model.children()])
del model.extra
print(hasattr(net, "extra"), hasattr(model, "scale"), hasattr(model, "nope"))
try:
    model.nope
except AttributeError as error:
    print(error)
try:
    len(model)
except TypeError as error:
    print(error)
print(len(torch.compile(nn.Sequential(nn.ReLU(), nn.ReLU()), backend="eager")))
model.eval()
print(net.training, model.training)
net.train()
print(model.training)

# hooks of both run
net.register_forward_hook(lambda module, inputs, output: print("inner", type(module).__name__))
model.register_forward_hook(lambda module, inputs, output: print("outer", type(module).__name__))
model(x)

# saved from a compiled module, and loaded into one that is not
state = model.state_dict()
try:
    Net().load_state_dict(state)
except RuntimeError as error:
    print(error)
print(Net().load_state_dict({name.removeprefix("_orig_mod."): value for name, value in state.items()}))
copied = copy.deepcopy(model)
print(type(copied), copied._orig_mod is net, torch.equal(copied.fc1.weight, net.fc1.weight))
print(nn.Sequential(torch.compile(nn.Linear(2, 2), backend="eager"), nn.ReLU()))


@torch.compile(fullgraph=True, backend="eager")
def f(t):
    return t.sin() * 2


w = torch.tensor([1.0, 2.0], requires_grad=True)
f(w).sum().backward()
print(f.__name__, w.grad)
for call in (
    lambda: torch.compile(3, backend="eager"),
    lambda: torch.compile(net, backend="eager", mode="default", options={"trace": True}),
    lambda: torch.compile(net, backend="nope"),
):
    try:
        call()
    except (AssertionError, RuntimeError) as error:
        print(error)
print(torch.compile(net, disable=True) is net, torch.compiler.is_compiling(), torch.compiler.list_backends())
