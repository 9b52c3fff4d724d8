# Fill a rotation matrix element by element
import torch

angle = torch.tensor(0.5, requires_grad=True)
R = torch.empty(2, 2)
R[0, 0] = torch.cos(angle)
R[0, 1] = -torch.sin(angle)
R[1, 0] = torch.sin(angle)
R[1, 1] = torch.cos(angle)
print(R.requires_grad, R._version)
point = torch.tensor([1.0, 2.0])
(R @ point)[0].backward()
print(R.detach())
print(angle.grad, (-torch.sin(angle) - 2 * torch.cos(angle)).item())
print(torch.det(R).item())
