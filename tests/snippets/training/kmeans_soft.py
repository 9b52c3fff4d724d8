# Soft k-means by gradient descent on the centres
import torch

torch.manual_seed(0)
data = torch.cat([torch.randn(10, 2) * 0.3 + c for c in (torch.tensor([0., 0.]), torch.tensor([3., 3.]))])
centres = torch.tensor([[1.0, 0.0], [2.0, 2.0]], requires_grad=True)
opt = torch.optim.Adam([centres], lr=0.3)
for step in range(8):
    d2 = torch.cdist(data, centres) ** 2
    assign = torch.softmax(-d2, dim=1)
    loss = (assign * d2).sum(1).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 2 == 1:
        print(step, f"{loss.item():.4f}", centres.detach().numpy().round(2).tolist())
print(assign.argmax(1).bincount())
