# gradient= for a matrix, and why ones mean sum
import torch

A = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
B = torch.tensor([[0., 1.], [1., 0.]])
C = A @ B
print(C)
C.backward(torch.ones_like(C), retain_graph=True)
print("ones:", A.grad)
A.grad = None
C.sum().backward(retain_graph=True)
print("sum: ", A.grad)
A.grad = None
C.backward(torch.eye(2))
print("eye: ", A.grad)
print("trace of C:", C.trace().item())
