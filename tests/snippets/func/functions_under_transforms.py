# A Function under vmap: generate_vmap_rule, its own vmap, and without either
import torch
class A(torch.autograd.Function):
    generate_vmap_rule = True
    @staticmethod
    def forward(x): return x.sin()
    @staticmethod
    def setup_context(ctx, inputs, output): ctx.save_for_backward(*inputs)
    @staticmethod
    def backward(ctx, g): x, = ctx.saved_tensors; return g * x.cos()
class B(A): generate_vmap_rule = False
class C(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x): ctx.save_for_backward(x); return x * 2
    @staticmethod
    def backward(ctx, g): return g * 2
x = torch.tensor([.1, .2, .3])
for F in (A, B, C):
    for name, f in (("grad", lambda: torch.func.grad(lambda v: F.apply(v).sum())(x)), ("vmap", lambda: torch.func.vmap(F.apply)(x)), ("vmap grad", lambda: torch.func.vmap(torch.func.grad(F.apply))(x)), ("jacrev", lambda: torch.func.jacrev(F.apply)(x))):
        try: print(F.__name__, name, f())
        except Exception as e: print(F.__name__, name, type(e).__name__, str(e)[:160])
