# Grad-CAM on a toy network: weight feature maps by their mean gradient
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(2)
conv = nn.Conv2d(1, 3, 3, padding=1)
fc = nn.Linear(3, 2)
maps = {}

def keep(module, inp, out):
    maps["features"] = out
    out.register_hook(lambda g: maps.__setitem__("gradients", g))

conv.register_forward_hook(keep)
image = torch.zeros(1, 1, 5, 5)
image[0, 0, 1:4, 2] = 1.0
scores = fc(F.relu(conv(image)).mean(dim=(2, 3)))
scores[0, scores.argmax()].backward()
weights = maps["gradients"].mean(dim=(2, 3), keepdim=True)
cam = F.relu((weights * maps["features"]).sum(dim=1)).squeeze(0)
cam = cam / (cam.max() + 1e-8)
print(weights.flatten())
print(cam.detach())
print(cam.shape, maps["gradients"].shape)
