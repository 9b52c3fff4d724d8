# The same on images, to the byte, as Pillow rounds
import torch
from torchvision.transforms import functional as TF
import torchvision.transforms as T
torch.manual_seed(0)
rgb = T.ToPILImage()(torch.rand(3, 11, 14)); grey = T.ToPILImage()(torch.rand(1, 9, 9))
def attempt(f):
    try:
        r = f(); print(r if not hasattr(r, 'size') else (r.size, r.mode, TF.pil_to_tensor(r).double().sum().item(), TF.pil_to_tensor(r).flatten()[:40].tolist()))
    except Exception as e: print(type(e).__name__, e)
BI = T.InterpolationMode.BILINEAR
for im in (rgb, grey):
    for f in (lambda im: TF.adjust_brightness(im, 1.4), lambda im: TF.adjust_brightness(im, 0.4), lambda im: TF.adjust_contrast(im, 0.4), lambda im: TF.adjust_contrast(im, 1.4), lambda im: TF.adjust_saturation(im, 1.8), lambda im: TF.adjust_saturation(im, 0.3), lambda im: TF.adjust_hue(im, -0.3), lambda im: TF.adjust_hue(im, 0.1), lambda im: TF.adjust_gamma(im, 2.2, 0.9),
              lambda im: TF.adjust_sharpness(im, 0.3), lambda im: TF.adjust_sharpness(im, 2), lambda im: TF.invert(im), lambda im: TF.posterize(im, 2), lambda im: TF.solarize(im, 100), lambda im: TF.autocontrast(im), lambda im: TF.equalize(im),
              lambda im: TF.rotate(im, 33), lambda im: TF.rotate(im, 90, expand=True), lambda im: TF.rotate(im, 90), lambda im: TF.rotate(im, 25, BI, expand=True, fill=9), lambda im: TF.rotate(im, 25, center=(2, 3)), lambda im: TF.affine(im, 10, [1, 2], 1.3, [5.0]), lambda im: TF.affine(im, 10, [1, 2], 0.8, [5.0], BI), lambda im: TF.affine(im, angle=0, translate=(1, 0), scale=1.0, shear=0, fill=5), lambda im: TF.affine(im, angle=0, translate=(1, 0), scale=1.3, shear=0),
              lambda im: TF.perspective(im, [[0, 0], [7, 0], [7, 7], [0, 7]], [[1, 0], [6, 1], [7, 7], [0, 5]]), lambda im: TF.perspective(im, [[0, 0], [7, 0], [7, 7], [0, 7]], [[1, 0], [6, 1], [7, 7], [0, 5]], T.InterpolationMode.NEAREST, 7), lambda im: TF.gaussian_blur(im, 5), lambda im: TF.gaussian_blur(im, [3, 5], [0.5, 2.0]),
              lambda im: TF.crop(im, -1, 2, 5, 9), lambda im: TF.resized_crop(im, 1, 1, 5, 5, [4, 4]), lambda im: TF.center_crop(im, 12), lambda im: TF.center_crop(im, [5]), lambda im: TF.pad(im, [1, 2], padding_mode='symmetric'), lambda im: TF.pad(im, 2, padding_mode='edge'), lambda im: TF.pad(im, 2, padding_mode='reflect'), lambda im: TF.pad(im, 2, fill=30),
              lambda im: TF.pad(im, 2, fill=(1, 2, 3)), lambda im: TF.rgb_to_grayscale(im, 3), lambda im: TF.get_dimensions(im), lambda im: TF.get_image_size(im), lambda im: TF.get_image_num_channels(im), lambda im: TF.hflip(im), lambda im: TF.five_crop(im, 4)[4], lambda im: TF.ten_crop(im, 4)[9], lambda im: TF.erase(im, 1, 1, 1, 1, 1)):
        attempt(lambda: f(im))
torch.manual_seed(1)
for t in (T.ColorJitter(0.4, 0.4, 0.4, 0.1), T.RandomAffine(10, (0.1, 0.1), (0.9, 1.1), 5), T.RandomPerspective(p=1.0), T.RandomRotation(15), T.RandomEqualize(1.0), T.RandomPosterize(2), T.RandomSolarize(128, p=1.0), T.RandomAutocontrast(), T.RandomAdjustSharpness(2), T.GaussianBlur(3), T.RandomGrayscale(0.9), T.RandomInvert(), T.TenCrop(5)):
    for im in (rgb, grey):
        r = t(im)
        print(t, [TF.to_tensor(q).sum().item() for q in (r if isinstance(r, tuple) else (r,))])
pipe = T.Compose([T.RandomResizedCrop(8), T.RandomHorizontalFlip(), T.RandomApply([T.ColorJitter(0.8, 0.8, 0.8, 0.2)], p=0.8), T.RandomGrayscale(p=0.2), T.ToTensor(), T.Normalize((0.5,)*3, (0.5,)*3), T.RandomErasing(0.5)])
for _ in range(5): print(pipe(rgb).sum())
big = T.ToPILImage()(torch.rand(3, 40, 23))
for im in (rgb, grey, big):
  for size in (4, 7, (5, 30), 60, (40, 10)):
    for mode in (BI, T.InterpolationMode.BICUBIC, T.InterpolationMode.NEAREST):
        attempt(lambda: T.Resize(size, mode)(im))
