# InfoNCE from normalised embeddings
import torch
import torch.nn.functional as F

torch.manual_seed(0)
x = torch.randn(3, 4, requires_grad=True)
y = x.detach() + 0.1 * torch.randn(3, 4)
sim = F.normalize(x, dim=1) @ F.normalize(y, dim=1).t() / 0.5
loss = F.cross_entropy(sim, torch.arange(3))
loss.backward()
print(sim.detach())
print(f"loss {loss:.4f}  accuracy {(sim.argmax(1) == torch.arange(3)).float().mean():.2f}")
print(x.grad)
print("grad orthogonal to x:", torch.allclose((x * x.grad).sum(1), torch.zeros(3), atol=1e-6))
