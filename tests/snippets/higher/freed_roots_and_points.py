# Nodes that saved nothing are freed too, a pass does not count its only root, and transforms give a leaf back as it is
import torch
from torch.autograd import functional
from torch.autograd.graph import register_multi_grad_hook
from torch.func import jacfwd, jvp, linearize, vjp


def attempt(name, function):
    try:
        print(name, function())
    except (IndexError, RuntimeError, ValueError) as error:
        print(name, "|", str(error)[:170])


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, g):
        print("saved", ctx.saved_tensors)
        return g * 2


x = torch.tensor([1.0, 2.0], requires_grad=True)
doubled = Double.apply(x)
doubled.sum().backward()
attempt("again", lambda: doubled.sum().backward())

y = (x * 3).sum()
handle = register_multi_grad_hook((x, y), lambda gs: print("both", gs))
alone = register_multi_grad_hook((y,), lambda gs: print("never", gs))
y.backward(retain_graph=True)
torch.autograd.backward([y, x.sum()])
handle.remove()

attempt("batched none", lambda: torch.autograd.grad((x * 2).sum(), x, is_grads_batched=True))
attempt("batched none", lambda: torch.autograd.grad(x * 2, x, is_grads_batched=True))

out, _ = vjp(lambda t: (t.sum(), t), x)
print(out, out[1] is x)
whole = torch.arange(2)
attempt("jvp", lambda: jvp(lambda t: t * 2, (whole,), (whole,)))
attempt("jvp", lambda: jvp(lambda t: t * 2, (whole.double(),), (whole,)))
attempt("jacfwd", lambda: jacfwd(lambda t: t * 2)(whole))
attempt("linearize", lambda: linearize(lambda t: t * 2, whole))
attempt("hvp", lambda: functional.hvp(lambda t: t.sum(), whole, torch.ones(3)))
attempt("vhp", lambda: functional.vhp(lambda t: t.detach(), x, torch.ones(2), strict=True))
attempt("kth", lambda: torch.empty(2, 0).kthvalue(1))
attempt("cat", lambda: torch.cat([torch.empty(0), torch.empty(0)], 1))
attempt("sorter", lambda: torch.searchsorted(x.detach(), x.detach(), sorter=torch.tensor([1, 2])))
attempt("boundaries", lambda: torch.searchsorted(torch.tensor(1.0), x.detach()))
