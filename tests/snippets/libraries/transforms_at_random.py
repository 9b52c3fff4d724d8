# Colours, shapes and crops of tensors changed at random, and what such transforms are not made with
import random
import torch
import torchvision.transforms as T
from torchvision.transforms import functional as TF
from torchvision.transforms import InterpolationMode
torch.manual_seed(0); random.seed(0)
x = torch.rand(3, 12, 16)
b = (torch.rand(3, 12, 16) * 255).to(torch.uint8)
def show(name, make):
    try:
        t = make()
    except Exception as e:
        print(name, type(e).__name__, e); return
    print(t)
    for img in (x, b):
        torch.manual_seed(3)
        try:
            for _ in range(2):
                r = t(img)
                if isinstance(r, tuple): print(len(r), [tuple(q.shape) for q in r], [q.float().sum().item() for q in r])
                else: print(r.dtype, tuple(r.shape), r.float().mean().item(), r.float().std().item(), r[0, 3, :4].tolist())
        except Exception as e:
            print(name, type(e).__name__, e)
        print(torch.rand(1))
show('jit', lambda: T.ColorJitter(0.4, 0.3, 0.2, 0.1))
show('jit', lambda: T.ColorJitter(brightness=(0.5, 1.5), hue=0.2))
show('jit', lambda: T.ColorJitter(-1)); show('jit', lambda: T.ColorJitter(hue=0.7)); show('jit', lambda: T.ColorJitter((1, 2, 3)))
show('blur', lambda: T.GaussianBlur(3)); show('blur', lambda: T.GaussianBlur((5, 3), 1.5)); show('blur', lambda: T.GaussianBlur(4)); show('blur', lambda: T.GaussianBlur(3, (2, 1)))
show('erase', lambda: T.RandomErasing(1.0)); show('erase', lambda: T.RandomErasing(1.0, value='random')); show('erase', lambda: T.RandomErasing(1.0, value=(1, 2, 3), ratio=(0.5, 2)))
show('erase', lambda: T.RandomErasing(2)); show('erase', lambda: T.RandomErasing(value='x')); show('erase', lambda: T.RandomErasing(1.0, value=(1, 2)))
show('rot', lambda: T.RandomRotation(30)); show('rot', lambda: T.RandomRotation((10, 40), InterpolationMode.BILINEAR, expand=True, fill=0.5)); show('rot', lambda: T.RandomRotation(20, center=(2, 3), fill=(1, 2, 3)))
show('rot', lambda: T.RandomRotation(-1)); show('rot', lambda: T.RandomRotation((1,2,3))); show('rot', lambda: T.RandomRotation(10, InterpolationMode.BICUBIC)); show('rot', lambda: T.RandomRotation(10, fill='a'))
show('aff', lambda: T.RandomAffine(15)); show('aff', lambda: T.RandomAffine(degrees=(-10, 20), translate=(0.1, 0.2), scale=(0.8, 1.2), shear=10, interpolation=InterpolationMode.BILINEAR, fill=1))
show('aff', lambda: T.RandomAffine(0, shear=(-5, 5, -3, 3), center=(1, 1))); show('aff', lambda: T.RandomAffine(0, translate=(2, 0))); show('aff', lambda: T.RandomAffine(0, scale=(0, 1))); show('aff', lambda: T.RandomAffine(0, shear=(1, 2, 3)))
show('persp', lambda: T.RandomPerspective(0.6, 1.0)); show('persp', lambda: T.RandomPerspective(p=1.0, interpolation=InterpolationMode.NEAREST, fill=1))
show('el', lambda: T.ElasticTransform(alpha=20.0, sigma=1.0)); show('el', lambda: T.ElasticTransform(alpha=1))
show('gray', lambda: T.RandomGrayscale(1.0)); show('inv', lambda: T.RandomInvert(1.0)); show('post', lambda: T.RandomPosterize(3, 1.0)); show('post', lambda: T.RandomPosterize(9, 1.0))
show('sol', lambda: T.RandomSolarize(0.5, p=1.0)); show('sol', lambda: T.RandomSolarize(192.0)); show('sharp', lambda: T.RandomAdjustSharpness(2, 1.0)); show('auto', lambda: T.RandomAutocontrast(1.0)); show('eq', lambda: T.RandomEqualize(1.0))
show('apply', lambda: T.RandomApply([T.ColorJitter(0.5), T.GaussianBlur(3)], p=0.7)); show('choice', lambda: T.RandomChoice([T.RandomInvert(1.0), T.CenterCrop(8), T.RandomHorizontalFlip(1.0)])); show('choice', lambda: T.RandomChoice([T.RandomInvert(1.0), T.CenterCrop(8)], p=[0.2, 0.8]))
show('order', lambda: T.RandomOrder([T.RandomInvert(1.0), T.CenterCrop(8), T.Pad(2)])); show('order', lambda: T.RandomOrder(3))
show('five', lambda: T.FiveCrop(6)); show('ten', lambda: T.TenCrop((5, 7), vertical_flip=True)); show('five', lambda: T.FiveCrop(20)); show('five', lambda: T.FiveCrop((1, 2, 3)))
for mode in ('constant', 'edge', 'reflect', 'symmetric'):
    show('pad', lambda: T.Pad((1, 2, 3, 4), fill=1, padding_mode=mode))
show('pad', lambda: T.Pad((1, 2, 3))); show('pad', lambda: T.Pad(1, padding_mode='x')); show('pad', lambda: T.Pad('a')); show('pad', lambda: T.Pad(1, fill=(1, 2, 3)))
show('crop', lambda: T.RandomCrop(6, padding=1, padding_mode='reflect')); show('crop', lambda: T.RandomCrop((14, 20), pad_if_needed=True)); show('crop', lambda: T.RandomCrop(20))
show('rrc', lambda: T.RandomResizedCrop(8)); show('rrc', lambda: T.RandomResizedCrop((6, 8), scale=(0.2, 0.5), ratio=(1, 1), interpolation=InterpolationMode.NEAREST)); show('rrc', lambda: T.RandomResizedCrop(8, scale=(1, 0.5))); show('rrc', lambda: T.RandomResizedCrop(8, scale=(2, 3), ratio=(0.3,0.4)))
show('lin', lambda: T.LinearTransformation(torch.eye(3), torch.ones(2)))
show('cv', lambda: T.ConvertImageDtype(torch.float16)); show('cv', lambda: T.ConvertImageDtype(torch.int16)); show('norm', lambda: T.Normalize([0.5] * 3, [0.25] * 3))
show('lambda', lambda: T.Lambda(3)); show('lambda', lambda: T.Lambda(lambda t: t.flip(-1)))
show('gray', lambda: T.Grayscale(3)); show('gray', lambda: T.Grayscale(2)); show('resize', lambda: T.Resize('a')); show('resize', lambda: T.Resize((4, 5), interpolation=InterpolationMode.NEAREST)); show('resize', lambda: T.Resize(4, max_size=3))
show('compose', lambda: T.Compose([T.RandomHorizontalFlip(), T.RandomApply([T.ColorJitter(0.4)], p=0.8), T.RandomGrayscale(0.2), T.RandomErasing(0.5)]))
