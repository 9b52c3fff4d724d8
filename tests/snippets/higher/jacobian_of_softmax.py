# Jacobian of softmax four ways, and of layer norm
import torch
from torch.autograd.functional import jacobian
z = torch.tensor([1., 2., 0.5], requires_grad=True); p = z.softmax(0)
J1 = torch.diag(p) - torch.outer(p, p)
J2 = torch.stack([torch.autograd.grad(p[i], z, retain_graph=True)[0] for i in range(3)])
J3 = jacobian(lambda v: v.softmax(0), z.detach()); J4 = torch.func.jacfwd(lambda v: v.softmax(0))(z.detach())
print(J1, J2, torch.allclose(J1, J2), torch.allclose(J3, J4), J2.sum(1).abs() < 1e-6)
ln = lambda v: torch.nn.functional.layer_norm(v, (3,)); J = jacobian(ln, z.detach()); print(J, torch.linalg.matrix_rank(J, atol=1e-4), J @ torch.ones(3) < 1e-5)
ls = z.log_softmax(0); ls[1].backward(); print(z.grad, torch.tensor([0., 1., 0.]) - p)
