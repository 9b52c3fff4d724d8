# argmax is not differentiable
import torch

logits = torch.tensor([[0.1, 2.0], [3.0, 0.2]], requires_grad=True)
pred = logits.argmax(dim=1).float()
target = torch.tensor([1.0, 1.0])
loss = ((pred - target) ** 2).mean()
print(pred, loss)
loss.backward()
