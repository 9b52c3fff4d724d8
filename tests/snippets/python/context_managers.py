# with statements: own context managers, nesting, contextlib
import contextlib
import torch

class Frozen:
    def __init__(self, *tensors):
        self.tensors = tensors

    def __enter__(self):
        self.before = [t.requires_grad for t in self.tensors]
        for t in self.tensors:
            t.requires_grad_(False)
        return self

    def __exit__(self, exc_type, exc, tb):
        for t, flag in zip(self.tensors, self.before):
            t.requires_grad_(flag)
        print("restored", exc_type.__name__ if exc_type else None)
        return exc_type is ValueError

@contextlib.contextmanager
def section(title):
    print(f"[{title}")
    try:
        yield title.upper()
    finally:
        print(f"{title}]")

w, v = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
with section("train") as name, Frozen(w) as frozen:
    loss = (w * v * 3).sum()
    loss.backward()
    print(name, w.grad, v.grad, len(frozen.tensors))
with Frozen(v):
    raise ValueError("swallowed")
print(w.requires_grad, v.requires_grad)
with contextlib.suppress(RuntimeError):
    (w.detach() * 2).backward()
    print("not reached")
