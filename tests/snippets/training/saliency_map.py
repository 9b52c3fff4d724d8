# Saliency: the gradient of a class score with respect to the pixels
import torch
import torch.nn as nn

torch.manual_seed(0)
model = nn.Sequential(nn.Flatten(), nn.Linear(9, 5), nn.ReLU(), nn.Linear(5, 3)).eval()
image = torch.rand(1, 1, 3, 3)
image.requires_grad_()
scores = model(image)
index = scores.argmax()
scores[0, index].backward()
saliency, _ = torch.max(image.grad.data.abs(), dim=1)
print("scores", scores.data)
print("class", index)
print(saliency)
row, col = divmod(saliency.argmax().item(), 3)
print(f"most important pixel: ({row}, {col})")
smooth = torch.zeros_like(image)
for _ in range(5):
    noisy = (image.detach() + 0.1 * torch.randn_like(image)).requires_grad_()
    smooth += torch.autograd.grad(model(noisy)[0, index], noisy)[0].abs() / 5
print(smooth.squeeze())
