# The functions that transforms are made of, on tensors, with gradients through them
import torch
from torchvision.transforms import functional as TF
import torchvision.transforms as T
torch.manual_seed(0)
x = torch.rand(3, 9, 9); g = torch.rand(1, 9, 9); batch = torch.rand(2, 3, 8, 8)
def attempt(f):
    try:
        r = f(); print(r if not isinstance(r, torch.Tensor) else (tuple(r.shape), r.dtype, r.double().sum().item(), r.flatten()[:3].tolist()))
    except Exception as e: print(type(e).__name__, e)
for im in (x, g, batch, (x * 255).byte()):
    for f in (lambda im: TF.adjust_brightness(im, 1.4), lambda im: TF.adjust_contrast(im, 0.4), lambda im: TF.adjust_saturation(im, 1.8), lambda im: TF.adjust_hue(im, -0.3), lambda im: TF.adjust_gamma(im, 2.2, 0.9),
              lambda im: TF.adjust_sharpness(im, 0.3), lambda im: TF.invert(im), lambda im: TF.posterize(im, 2), lambda im: TF.solarize(im, 0.4), lambda im: TF.autocontrast(im), lambda im: TF.equalize(im),
              lambda im: TF.rotate(im, 33), lambda im: TF.rotate(im, 90, expand=True), lambda im: TF.affine(im, 10, [1, 2], 1.3, [5.0]), lambda im: TF.affine(im, angle=0, translate=(1, 0), scale=1.0, shear=0, fill=0.5),
              lambda im: TF.perspective(im, [[0, 0], [7, 0], [7, 7], [0, 7]], [[1, 0], [6, 1], [7, 7], [0, 5]]), lambda im: TF.gaussian_blur(im, 5), lambda im: TF.gaussian_blur(im, [3, 5], [0.5, 2.0]), lambda im: TF.erase(im, 1, 2, 3, 2, 0.7),
              lambda im: TF.crop(im, -1, 2, 5, 9), lambda im: TF.resized_crop(im, 1, 1, 5, 5, [4, 4]), lambda im: TF.center_crop(im, 12), lambda im: TF.center_crop(im, [5]), lambda im: TF.pad(im, [1, 2], padding_mode='symmetric'), lambda im: TF.pad(im, 2, fill=0.3),
              lambda im: TF.rgb_to_grayscale(im, 3), lambda im: TF.get_dimensions(im), lambda im: TF.get_image_size(im), lambda im: TF.get_image_num_channels(im), lambda im: TF.hflip(im), lambda im: TF.five_crop(im, 4)[4], lambda im: TF.ten_crop(im, 4)[9]):
        attempt(lambda: f(im))
attempt(lambda: TF.adjust_brightness(x, -1)); attempt(lambda: TF.adjust_hue(x, 0.6)); attempt(lambda: TF.adjust_gamma(x, -1)); attempt(lambda: TF.adjust_contrast(torch.rand(2, 4, 4), 1.0)); attempt(lambda: TF.rotate(x, '3')); attempt(lambda: TF.affine(x, 1, 2, 1, 0)); attempt(lambda: TF.affine(x, 1, (2, 1), 0, 0)); attempt(lambda: TF.gaussian_blur(x, 4)); attempt(lambda: TF.gaussian_blur(x, 3, 0)); attempt(lambda: TF.perspective(x, [[0, 0]], [[0, 0]])); attempt(lambda: TF.posterize(x, 9)); attempt(lambda: TF.solarize(x, 2)); attempt(lambda: TF.rotate(x, 3, fill=[1, 2])); attempt(lambda: TF.rotate(x, 3, interpolation='bilinear')); attempt(lambda: TF.equalize(x)); attempt(lambda: TF.erase(3, 1, 1, 1, 1, 1)); attempt(lambda: TF.to_grayscale(x)); attempt(lambda: TF.to_pil_image(torch.rand(5, 3, 3))); attempt(lambda: TF.to_pil_image(3)); attempt(lambda: TF.adjust_hue(torch.rand(4), 0.1)); attempt(lambda: TF.get_dimensions(3)); attempt(lambda: TF.pad(x, [1, 2, 3])); attempt(lambda: TF.invert(torch.rand(4, 4)))
w = x.clone().requires_grad_()
out = TF.gaussian_blur(TF.adjust_brightness(w, 0.9), 3); out.sum().backward(); print(w.grad.sum(), out.grad_fn.name())
rot = TF.rotate(w, 20, TF.InterpolationMode.BILINEAR); rot.sum().backward(); print(w.grad.sum())
