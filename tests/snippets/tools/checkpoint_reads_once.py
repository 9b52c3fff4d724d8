# Checkpoints recompute for every pass, and each tensor is read once
import torch


def b7():
    from torch.utils.checkpoint import checkpoint
    x = torch.tensor([1., 2.], requires_grad=True)
    y = checkpoint(lambda t: t.exp(), x, use_reentrant=False)
    print(y.grad_fn._saved_result)
    y.sum().backward(); print(x.grad)

b7()

def b15():
    from torch.utils.checkpoint import checkpoint, set_checkpoint_early_stop
    x = torch.tensor([1., 2.], requires_grad=True)
    with set_checkpoint_early_stop(False):
        y = checkpoint(lambda t: t.exp().sin(), x, use_reentrant=False)
    y.sum().backward(); print(x.grad)
    torch.manual_seed(0)
    print(torch.testing.make_tensor((2, 3), dtype=torch.float32, device='cpu', low=-1, high=1))
    print(torch.func.jvp(lambda x: x * 2, (torch.ones(2),), (torch.ones(2),), strict=True))

b15()

def c5():
    from torch.utils.checkpoint import checkpoint
    class F(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2
        @staticmethod
        def backward(ctx, g):
            a, = ctx.saved_tensors
            b, = ctx.saved_tensors
            return g * 2
    x = torch.ones(2, requires_grad=True)
    y = checkpoint(F.apply, x, use_reentrant=False)
    try: y.sum().backward(); print(x.grad)
    except Exception as e: print(type(e).__name__, str(e)[:300])

c5()


def again():
    runs = []

    def f(t):
        runs.append(1)
        return t.exp()

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = torch.utils.checkpoint.checkpoint(f, x, use_reentrant=False)
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    print(len(runs), x.grad)


again()
