# Transforms of tensors, grids of images, torchvision's own fake data
import torch
import torchvision
import torchvision.transforms as T
from torchvision import datasets, transforms
from torchvision.transforms import v2

torch.manual_seed(0)
x = torch.rand(3, 6, 8)
print(T.Normalize((0.5, 0.5, 0.5), (0.2, 0.3, 0.4))(x).sum(), T.CenterCrop(4)(x).sum(), T.CenterCrop((8, 4))(x).shape)
print(T.Resize((3, 4))(x).sum(), T.Resize(3)(x).shape, T.Resize(12)(x).mean(), T.Pad(1)(x).shape, T.Pad((1, 2))(x).shape)
print(T.RandomCrop(4)(x).sum(), T.RandomCrop(6, padding=2)(x).sum(), T.RandomHorizontalFlip(p=1.0)(x)[0, 0, :3], x[0, 0, -3:])
print([T.RandomHorizontalFlip()(x)[0, 0, 0].item() for _ in range(4)], T.RandomVerticalFlip(1.0)(x)[0, 0, 0], T.Grayscale()(x).sum())
print(T.RandomResizedCrop(4)(x).shape, T.Lambda(lambda t: t * 2)(x).sum(), torch.rand(1))
print(T.Compose([T.ToTensor(), T.Normalize((0.1,), (0.3,)), T.RandomCrop(2, padding=1), T.RandomHorizontalFlip()]))
print(T.ToTensor(), T.Lambda, T.CenterCrop(3), T.Pad(2), T.RandomVerticalFlip(), T.Grayscale())
image = T.ToPILImage()(torch.linspace(0, 1, 12).reshape(1, 3, 4))
print(image.size, image.mode, T.ToTensor()(image), T.PILToTensor()(image).dtype, T.ToTensor()(image.convert("RGB")).shape)
pipeline = v2.Compose([v2.ToImage(), v2.ToDtype(torch.float32, scale=True), v2.Normalize([0.5], [0.5])])
print(pipeline(image).sum().item())
fake = datasets.FakeData(size=5, image_size=(1, 4, 4), num_classes=3, transform=transforms.ToTensor())
print(len(fake), fake[1][0].shape, [label for _, label in fake])
loader = torch.utils.data.DataLoader(datasets.FakeData(6, (3, 8, 8), transform=T.ToTensor()), batch_size=4)
for images, labels in loader:
    print(images.shape, images.sum(), labels)
grid = torchvision.utils.make_grid(torch.arange(20.0).reshape(5, 1, 2, 2), nrow=3, padding=1, normalize=True)
print(grid.shape, grid.sum(), torchvision.utils.make_grid(x).shape, torchvision.utils.make_grid([x, x], pad_value=1.0).sum())


def attempt(action):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)


attempt(lambda: T.ToTensor()(3))
attempt(lambda: T.Normalize((0.5,), (0.5,))(torch.ones(1, 2, 2, dtype=torch.long)))
attempt(lambda: T.Normalize((0.5,), (0.0,))(torch.ones(1, 2, 2)))
attempt(lambda: T.Normalize((0.5,), (0.5,))(torch.ones(2)))
attempt(lambda: T.RandomCrop(9)(x))
attempt(lambda: T.Normalize((0.5,), (0.5,))(image))
