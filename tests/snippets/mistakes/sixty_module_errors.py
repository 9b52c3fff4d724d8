# Mistakes with modules
import torch, torch.nn as nn
torch.manual_seed(0)
class A(nn.Module):
    def __init__(self): self.l = nn.Linear(1, 1)
class B(nn.Module):
    def __init__(self): super().__init__(); self.l = nn.Linear(2, 1)
    def forward(self, x, y): return self.l(x) + y
class C(nn.Module):
    def __init__(self): super().__init__(); self.w = torch.ones(1, requires_grad=True); self.p = nn.Parameter(torch.ones(1))
    def foward(self, x): return x
b, c = B(), C()
for f in (lambda: A(), lambda: b(torch.ones(2)), lambda: b(torch.ones(2), 1, 2), lambda: b(x=torch.ones(2)), lambda: b(torch.ones(3), 1), lambda: c(1), lambda: b.l.wieght, lambda: nn.Linear(2), lambda: nn.Linear("a", 2), lambda: nn.Linear(2, 3, 4, 5, 6), lambda: nn.Linear(2, 3, bia=True), lambda: nn.Conv2d(1, 2), lambda: nn.Dropout(2), lambda: nn.ReLU(1)(torch.ones(1)), lambda: nn.ReLU()(3), lambda: nn.ReLU()(torch.ones(1), 2), lambda: nn.Sequential(nn.Linear(2, 2))(torch.ones(2), 1), lambda: nn.Embedding(2, 2)(torch.tensor([3])), lambda: nn.CrossEntropyLoss()(torch.ones(2, 2)), lambda: nn.CrossEntropyLoss(torch.ones(2, 2)), lambda: nn.MSELoss(reduce="mean")(torch.ones(1), torch.ones(1)), lambda: nn.MSELoss()(torch.ones(2), torch.ones(3)), lambda: setattr(c, "p", torch.ones(1)), lambda: setattr(c, "p", None), lambda: b.load_state_dict({}), lambda: b.to("cuda"), lambda: b.to(torch.long), lambda: b.cuda(), lambda: nn.Module()(1), lambda: b.parameters[0], lambda: list(b.parameters())[5], lambda: b.children().weight, lambda: b[0], lambda: len(b), lambda: nn.Parameter([1.]), lambda: nn.Parameter(torch.tensor(1)), lambda: nn.Parameter(torch.ones(2) * torch.ones(2, requires_grad=True)).is_leaf, lambda: torch.optim.SGD(b, lr=.1), lambda: torch.optim.Adam([]), lambda: torch.optim.SGD(b.parameters()).defaults["lr"], lambda: torch.optim.SGD([torch.ones(1)], lr=.1), lambda: torch.optim.SGD(b.parameters(), learning_rate=.1), lambda: torch.optim.SGD([{"param": 1}], lr=.1), lambda: torch.optim.SGD(["a"], lr=1), lambda: nn.functional.relu(), lambda: nn.functional.cross_entropy(torch.ones(2), torch.ones(3)), lambda: c.register_buffer("p", torch.ones(1)), lambda: c.add_module("p", nn.ReLU()), lambda: nn.ModuleList(nn.ReLU()), lambda: nn.Sequential([nn.ReLU()]), lambda: nn.LSTM(2, 3)(torch.ones(4, 2, 5)), lambda: nn.BatchNorm1d(2)(torch.ones(2)), lambda: nn.Flatten()(torch.ones(2)), lambda: nn.MaxPool2d(2)(torch.ones(2, 2)), lambda: nn.Softmax()(torch.ones(2)), lambda: nn.LayerNorm(2)(torch.ones(3)), lambda: nn.Unflatten(1, (2, 3))(torch.ones(1, 5))):
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e)[:230])
print([n for n, _ in c.named_parameters()])
