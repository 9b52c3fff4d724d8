# WGAN-GP: the norm of the critic's gradient as a loss
import torch
import torch.nn as nn

torch.manual_seed(0)
critic = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
real, fake = torch.randn(4, 2), torch.randn(4, 2) + 3
eps = torch.rand(4, 1)
mixed = (eps * real + (1 - eps) * fake).requires_grad_(True)
scores = critic(mixed)
grads = torch.autograd.grad(outputs=scores, inputs=mixed, grad_outputs=torch.ones_like(scores),
                            create_graph=True, retain_graph=True, only_inputs=True)[0]
norm = grads.view(grads.size(0), -1).norm(2, dim=1)
penalty = ((norm - 1) ** 2).mean()
loss = critic(fake).mean() - critic(real).mean() + 10 * penalty
loss.backward()
print("norms", norm.detach())
print("penalty %.4f loss %.4f" % (penalty, loss))
for name, p in critic.named_parameters():
    print(name, p.grad.norm().item())
