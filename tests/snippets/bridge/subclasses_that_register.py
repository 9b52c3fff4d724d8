# Subclasses that register themselves
import torch
torch.manual_seed(0)
class T(torch.Tensor): pass
class Base(torch.nn.Module):
    registry = []
    def __init_subclass__(cls, **k): super().__init_subclass__(**k); Base.registry.append(cls.__name__)
class A(Base):
    def forward(self, x): return x
class B(A):
    bias: torch.Tensor
    def forward(self, x): return super().forward(x) + 1
print(Base.registry, B()(torch.ones(1)), [c.__name__ for c in B.__mro__[:3]], issubclass(B, torch.nn.Module))
m = B(); m.extra = [torch.nn.Linear(1, 1)]; print(len(list(m.parameters()))); m.lin = torch.nn.Linear(1, 1); print(len(list(m.parameters()))); del m.lin; print(len(list(m.parameters())))
m.forward = lambda x: x * 100; print(m(torch.ones(1)))
print(getattr(m, 'nope', 'default'), setattr(m, 'dyn', 3), m.dyn, 'dyn' in m.__dict__, hasattr(m, 'forward'))
for i in range(2): setattr(m, f'fc{i}', torch.nn.Linear(1, 1))
print(m)
