# Images turned by random angles, as augmentation does before they become tensors
import torch
import torchvision.transforms as T
from torchvision.transforms import functional as TF

torch.manual_seed(3)
image = T.ToPILImage()(torch.arange(48.0).reshape(1, 6, 8) / 48)
colours = T.ToPILImage()(torch.rand(3, 7, 7))
for angle in (0, 10, -33.3, 45, 90, 180, 270, 400.5):
    print(angle, T.ToTensor()(TF.rotate(image, angle)), T.PILToTensor()(TF.rotate(colours, angle)).sum((1, 2)))
turn = T.RandomRotation(30)
print(turn, T.RandomRotation((-5, 20), fill=9))
for _ in range(4):
    print(T.PILToTensor()(turn(image)).float().mean(), T.PILToTensor()(T.RandomRotation((-5, 20), fill=9)(colours))[0])
print(torch.rand(1), T.Compose([turn, T.ToTensor()])(image).shape)
for degrees in (-1, (1, 2, 3)):
    try:
        T.RandomRotation(degrees)
    except ValueError as error:
        print(error)
