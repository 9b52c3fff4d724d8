# The second transforms: of images with what belongs to them, and mixtures of batches
import torch
from torchvision.transforms import v2
torch.manual_seed(0)
x = torch.rand(3, 12, 16)
for m in (lambda: v2.Resize((4, 5)), lambda: v2.CenterCrop(6), lambda: v2.RandomCrop(6, padding=2), lambda: v2.ColorJitter(0.3, 0.2, 0.1, 0.1), lambda: v2.GaussianBlur(3), lambda: v2.RandomErasing(1.0), lambda: v2.RandomRotation(20), lambda: v2.RandomAffine(10, (0.1, 0.1)), lambda: v2.RandomPerspective(p=1.0), lambda: v2.Grayscale(), lambda: v2.RandomGrayscale(1.0), lambda: v2.Pad(2), lambda: v2.RandomInvert(1.0), lambda: v2.RandomSolarize(0.4, 1.0), lambda: v2.RandomApply([v2.RandomInvert(1.0)], 0.9), lambda: v2.RandomApply([v2.RandomInvert(1.0), v2.CenterCrop(4)], 0.9), lambda: v2.RandomChoice([v2.RandomInvert(1.0), v2.CenterCrop(5)]), lambda: v2.RandomOrder([v2.RandomInvert(1.0), v2.CenterCrop(5)]), lambda: v2.FiveCrop(4), lambda: v2.Identity(), lambda: v2.Lambda(lambda q: q + 1), lambda: v2.ToPureTensor(), lambda: v2.RandomVerticalFlip(1.0), lambda: v2.RandomAutocontrast(1.0), lambda: v2.RandomAdjustSharpness(2, 1.0), lambda: v2.GaussianNoise(), lambda: v2.RandomChannelPermutation(), lambda: v2.RandomResizedCrop(6), lambda: v2.Normalize((0.5,), (0.25,)), lambda: v2.ToDtype(torch.float64, scale=True), lambda: v2.RandomHorizontalFlip(), lambda: v2.Compose([v2.RandomCrop(5), v2.RandomHorizontalFlip(0.5), v2.Normalize([0.5] * 3, [0.25] * 3)]), lambda: v2.Compose([]), lambda: v2.Compose(3), lambda: v2.RandomApply([]), lambda: v2.MixUp(num_classes=3)):
    try:
        t = m(); print(t); torch.manual_seed(1)
        y = t(x); print(type(y).__name__, y.shape if hasattr(y, 'shape') else len(y), y.double().sum() if hasattr(y, 'double') else 0)
    except Exception as e: print(type(e).__name__, e)
t = v2.Compose([v2.RandomHorizontalFlip(1.0), v2.CenterCrop(4)])
a, b = t(x, 3); print(a.shape, b); d = t({'image': x, 'label': torch.tensor(1)}); print({k: v.shape for k, v in d.items()}); a, b = t((x, torch.tensor(2))); print(a.shape, b)
imgs, labels = torch.rand(4, 3, 8, 8), torch.tensor([0, 2, 1, 1])
for m in (v2.MixUp(num_classes=3), v2.CutMix(num_classes=3, alpha=0.7), v2.RandomChoice([v2.MixUp(num_classes=3), v2.CutMix(num_classes=3)])):
    torch.manual_seed(2); i, l = m(imgs, labels); print(i.sum(), l, m)
for bad in ((imgs, 3), (imgs, torch.rand(4, 3, 1)), (imgs[0], labels)):
    try: v2.MixUp(num_classes=3)(*bad)
    except Exception as e: print(type(e).__name__, e)
try: v2.CutMix()(imgs, labels)
except Exception as e: print(type(e).__name__, e)
print(v2.functional.resize(x, [4, 4]).sum(), v2.functional.horizontal_flip(x)[0, 0, :3], v2.functional.to_dtype(x, torch.uint8, scale=True).sum())
