"""Images of torchvision: what Pillow's can do, modules of data sets, and figures of them."""

import torch
import torchvision.transforms as T
from torchvision import datasets, models
from torchvision.datasets.cifar import CIFAR10
from torchvision.datasets import mnist
from torchvision.models.resnet import BasicBlock, resnet18
import matplotlib.pyplot as plt


def attempt(f):
    try:
        print(f())
    except Exception as error:
        print(type(error).__name__, error)


print(CIFAR10, mnist.MNIST, datasets.FashionMNIST, datasets.FakeData, BasicBlock)
print(models.__dict__["resnet18"] is models.resnet18, resnet18 is models.resnet18, "resnet34" in vars(models))
image = T.ToPILImage()((torch.arange(3 * 6 * 8) % 251).reshape(3, 6, 8).to(torch.uint8))
whole = T.PILToTensor()
for size in ((16, 9), (4, 3), (8, 6), (5, 11)):
    print(whole(image.resize(size, 0)).sum(), whole(image.resize(size, 0))[1, -1].tolist())
    print(image.resize(size).size, image.resize(size, resample=2).size, whole(image.resize(size, 3)).shape)
print(whole(image.resize((4, 4), 0, (1, 1, 5, 5)))[0])
print(whole(image.crop((2, 1, 5, 4))), whole(image.crop((-1, -2, 2, 2)))[1], image.crop((7, 5, 12, 9)).size)
print(image.getpixel((3, 2)), image.getpixel((-1, -1)), image.convert("L").getpixel((0, 5)), image.copy().size)
attempt(lambda: image.crop((5, 1, 2, 3)))
attempt(lambda: image.crop((1, 5, 3, 3)))
attempt(lambda: image.getpixel((99, 0)))
attempt(lambda: image.resize((0, 3)))
plt.imshow(image)
print(plt.axis("Off"), plt.axis("ON"))
attempt(lambda: plt.axis("Offf"))
plt.show()
