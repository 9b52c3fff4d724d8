# The fast gradient sign method
import torch
import torch.nn as nn
import torch.nn.functional as F

def fgsm_attack(image, epsilon, data_grad):
    sign_data_grad = data_grad.sign()
    perturbed_image = image + epsilon * sign_data_grad
    return torch.clamp(perturbed_image, 0, 1)

torch.manual_seed(3)
model = nn.Sequential(nn.Linear(8, 6), nn.ReLU(), nn.Linear(6, 3), nn.LogSoftmax(dim=1))
data = torch.rand(1, 8)
data.requires_grad = True
output = model(data)
init_pred = output.max(1, keepdim=True)[1]
loss = F.nll_loss(output, init_pred.squeeze(1))
model.zero_grad()
loss.backward()
for eps in [0, .05, .1, .5, 1.0]:
    out = model(fgsm_attack(data, eps, data.grad.data))
    final = out.max(1, keepdim=True)[1]
    print("Epsilon: {}\tprediction {} -> {}\tconfidence {:.3f}".format(eps, init_pred.item(), final.item(), out.exp().max().item()))
