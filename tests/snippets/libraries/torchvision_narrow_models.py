# More models of torchvision: numbers of the same seed, gradients through them, heads that are replaced, presets
import torch
import torch.nn as nn
from torchvision import models
from torchvision.models import EfficientNet_B0_Weights, ResNet50_Weights, get_model


def look(name, size=64, **options):
    torch.manual_seed(0)
    net = get_model(name, weights=None, num_classes=3, **options)
    names = [name for name, _ in net.named_parameters()]
    print(type(net).__name__, len(names), names[0], names[-1], sum(p.numel() for p in net.parameters()), len(list(net.buffers())))
    print([round(p.double().sum().item(), 3) for p in list(net.parameters())[:60:9]], torch.rand(1))
    if size:
        x = torch.linspace(-1, 1, 3 * size * size).reshape(1, 3, size, size)
        with torch.no_grad():
            print([f"{v:.3e}" for v in net.eval()(x).flatten().tolist()])
    return net


net = look("mobilenet_v3_small")
print(net.classifier)
net.classifier[3] = nn.Linear(1024, 2)
net(torch.ones(1, 3, 32, 32)).sum().backward()
print(f"{net.features[0][0].weight.grad.norm().item():.3e}")
for p in net.features.parameters():
    p.requires_grad = False
print(sum(p.numel() for p in net.parameters() if p.requires_grad), net.features[1])
look("mobilenet_v3_large", 0)
print(look("efficientnet_b0", 0).features[1])
look("shufflenet_v2_x0_5")
print(look("shufflenet_v2_x1_0", 0).stage3[1])
net = look("densenet121", 32)
print(net.features.denseblock1.denselayer2, net.features.transition1, net.classifier)
print(ResNet50_Weights.DEFAULT, ResNet50_Weights.DEFAULT.transforms())
print(EfficientNet_B0_Weights.IMAGENET1K_V1.name, EfficientNet_B0_Weights.DEFAULT.transforms())
image = (torch.arange(3 * 300 * 280) % 255).to(torch.uint8).reshape(3, 300, 280)
ready = models.ResNet18_Weights.DEFAULT.transforms()(image)
print(ready.shape, ready.dtype, f"{ready.mean():.3f}")
try:
    get_model("resnet_18")
except ValueError as error:
    print(error)
