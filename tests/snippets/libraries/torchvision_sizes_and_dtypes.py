# torchvision's transforms with the options that they take: dtypes of images, ways to resize, what they refuse
import torch
from torchvision import transforms as T
from torchvision.transforms import InterpolationMode
from torchvision.transforms import functional as TF

torch.manual_seed(0)
x = torch.rand(3, 5, 7)
bright = torch.tensor([[[0.0, 0.25, 0.5, 0.999, 1.0]]])
dtypes = [torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64, torch.float16, torch.float32, torch.float64]


def attempt(action):
    try:
        print(action())
    except (RuntimeError, TypeError, ValueError) as error:
        print(type(error).__name__, error)


for own in dtypes:
    image = (bright if own.is_floating_point else bright * 100).to(own)
    for dtype in dtypes:
        attempt(lambda: T.ConvertImageDtype(dtype)(image))
print(TF.convert_image_dtype((x * 255).to(torch.uint8)).sum(), T.ConvertImageDtype(torch.uint8))

for options in (
    {"size": 4, "antialias": False},
    {"size": 5, "max_size": 6},
    {"size": 3, "interpolation": InterpolationMode.NEAREST},
    {"size": (4, 3), "interpolation": InterpolationMode.BICUBIC},
    {"size": [2], "interpolation": InterpolationMode.NEAREST_EXACT},
    {"size": 8, "max_size": 9},
    {"size": 5, "max_size": 4},
    {"size": (5, 4), "max_size": 4},
    {"size": (1, 2, 3)},
    {"size": 4.0},
):
    attempt(lambda: T.Resize(**options))
    attempt(lambda: T.Resize(**options)(x))
print(TF.resize(x, [3, 3], interpolation=InterpolationMode.NEAREST), TF.resize(x, 3, max_size=4).shape)
print(T.RandomApply([T.CenterCrop(2), T.Pad(1)], p=0.3), T.RandomApply([T.CenterCrop(2)], p=1.0)(x).shape)
print(T.RandomResizedCrop(3, interpolation=InterpolationMode.NEAREST), T.RandomGrayscale())
print(T.RandomResizedCrop(3, interpolation=InterpolationMode.NEAREST)(x), T.RandomGrayscale(0.9)(x)[:, 0])
print(T.RandomCrop(9, pad_if_needed=True)(x).shape, T.Grayscale(3)(x)[:, 0], TF.rgb_to_grayscale(x[:1]).shape)
for action in (
    lambda: T.PILToTensor()(x),
    lambda: T.CenterCrop((1, 2, 3)),
    lambda: T.RandomCrop((1, 2, 3)),
    lambda: T.RandomResizedCrop((1, 2, 3)),
    lambda: T.Grayscale(2)(x),
    lambda: T.Grayscale()(x[:2]),
    lambda: T.Pad((1, 2, 3)),
    lambda: T.Pad(1, padding_mode="bad"),
):
    attempt(action)
