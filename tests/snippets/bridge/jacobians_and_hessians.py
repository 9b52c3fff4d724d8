# jacobian and hessian
import torch
from torch.autograd.functional import jacobian, hessian
from torch.autograd import grad, Variable
def f(x): return (x ** 3).sum()
x = torch.tensor([1., 2.])
print(hessian(f, x), jacobian(lambda x: x ** 2, x), jacobian(f, x))
v = Variable(x, requires_grad=True); print(grad(f(v), v), isinstance(v, Variable), type(v))
print(torch.autograd.gradcheck(lambda t: (t * t).sum(), torch.tensor([1.0], dtype=torch.float64, requires_grad=True)))
def closure_user():
    w = torch.zeros(1, requires_grad=True)
    opt = torch.optim.LBFGS([w])
    def closure():
        opt.zero_grad(); l = ((w - 3) ** 2).sum(); l.backward(); return l
    opt.step(closure); return w
print(closure_user().item() > 2.9)
