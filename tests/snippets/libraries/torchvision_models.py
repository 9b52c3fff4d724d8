# Models of torchvision: names, numbers of the same seed, gradients through them
import torch
from torchvision import models
from torchvision.models import resnet18


def look(make, size=64, backward=False, **options):
    torch.manual_seed(0)
    net = make(weights=None, num_classes=3, **options)
    names = [name for name, _ in net.named_parameters()]
    print(type(net).__name__, len(names), names[0], names[-1], sum(p.numel() for p in net.parameters()), len(list(net.buffers())))
    print([round(p.double().sum().item(), 3) for p in list(net.parameters())[:40:7]], torch.rand(1))
    if size:
        net.eval()
        x = torch.linspace(-1, 1, 3 * size * size).reshape(1, 3, size, size)
        if backward:
            out = net(x)
            out.square().sum().backward()
            print(f"{list(net.parameters())[0].grad.norm().item():.3e}")
        with torch.no_grad():
            print([f"{v:.3e}" for v in net(x).flatten().tolist()])
    return net


look(models.squeezenet1_1, backward=True)
net = look(resnet18)
print(net.layer2[0], net.fc, net.avgpool)
del net
look(models.squeezenet1_0, size=0)
print(look(models.mobilenet_v2).features[2])
