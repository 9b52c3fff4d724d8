# Training with SGD and a scheduler
import torch
import torch.nn as nn, torch.nn.functional as F, torch.optim as optim
torch.manual_seed(0)
model = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
opt = optim.SGD(model.parameters(), lr=0.1)
X = torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]]); Y = torch.tensor([[0.], [1.], [1.], [0.]])
for epoch in range(20):
    opt.zero_grad(); loss = F.mse_loss(model(X), Y); loss.backward(); opt.step()
    if epoch % 5 == 0: print(f'{epoch:3d} {loss.item():.4f}')
print(opt, len(opt.param_groups), opt.param_groups[0]['lr'])
for g in opt.param_groups: g['lr'] *= 0.5
print(opt.param_groups[0]['lr'], model[0].weight.shape, model[-1], len(model), [type(m).__name__ for m in model])
