# Augmentation that draws its changes: RandAugment, TrivialAugmentWide and AutoAugment, of both versions
import torch
from torchvision import transforms as T
from torchvision.transforms import AutoAugmentPolicy, InterpolationMode, v2

torch.manual_seed(0)
image = torch.randint(0, 256, (3, 20, 16), dtype=torch.uint8)
for make in (
    T.RandAugment,
    T.TrivialAugmentWide,
    T.AutoAugment,
    lambda: T.RandAugment(3, 20, interpolation=InterpolationMode.BILINEAR, fill=7),
    lambda: T.AutoAugment(AutoAugmentPolicy.CIFAR10),
    lambda: T.AutoAugment(T.AutoAugmentPolicy("svhn"), fill=[1, 2, 3]),
):
    transform = make()
    print(transform)
    for _ in range(8):
        out = transform(image)
        print(out.dtype, tuple(out.shape), round(out.float().mean().item()), out[0, 5, :6].tolist())

train = v2.Compose([v2.RandAugment(num_ops=1), v2.ToDtype(torch.float32, scale=True)])
print(train)
for make in (v2.RandAugment, v2.AutoAugment, lambda: v2.AutoAugment(AutoAugmentPolicy.SVHN)):
    transform = make()
    print(transform)
    print([round(transform(image).float().mean().item()) for _ in range(8)], torch.rand(1))
print(T.Compose([T.TrivialAugmentWide(num_magnitude_bins=11), T.ConvertImageDtype(torch.float32)]))
print(repr(AutoAugmentPolicy.CIFAR10), AutoAugmentPolicy.CIFAR10.value, torch.rand(1))
for wrong in (lambda: T.AutoAugment("imagenet"), lambda: AutoAugmentPolicy("x"), lambda: T.RandAugment()(image / 255)):
    try:
        print(wrong().shape)
    except (ValueError, TypeError) as error:
        print(type(error).__name__, error)
