# Interview: what does it print, in which order
import torch
class Log(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, name): ctx.name_ = name; print("f", name); return x.clone()
    @staticmethod
    def backward(ctx, g): print("b", ctx.name_, g.item()); return g * 1, None
x = torch.tensor(1., requires_grad=True); a = Log.apply(x, "a"); b = Log.apply(a, "b"); c = Log.apply(a, "c"); d = Log.apply(b + c, "d"); e = Log.apply(d * b, "e")
x.register_hook(lambda g: print("hook x", g)); b.register_hook(lambda g: print("hook b", g)); a.register_hook(lambda g: print("hook a", g)); x.register_post_accumulate_grad_hook(lambda p: print("post", p.grad))
e.backward(); print(x.grad)
torch.autograd.backward([Log.apply(x, "p"), Log.apply(x, "q")])
print(torch.autograd.grad(Log.apply(x, "r") + Log.apply(x, "s"), x))
