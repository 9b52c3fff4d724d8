"""Colours of images and of tensors: brightness, contrast, saturation, hue, and what maps each number to another."""

from __future__ import annotations

from typing import Any

import numpy as np

import engine.torch as torch
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.nn import functional as F
from engine.program.stdlib.torchvision.image import Image
from engine.program.stdlib.torchvision.transforms import convert_image_dtype, largest, rgb_to_grayscale
from engine.program.text import represent

# --- what is asked of an image


def _picture(img: Any) -> Any:
    """The bytes of an image. Raises TypeError."""
    if not isinstance(img, Image):
        raise TypeError(f"img should be PIL Image. Got {represent(type(img))}")
    meter.allocate(4 * img._pixels.size, 8)
    return img._pixels


def _not_negative(name: str, factor: Any) -> None:
    if factor < 0:
        raise ValueError(f"{name} ({factor}) is not non-negative.")


def _check(img: Any, permitted: str = "[1, 3]", dimensions: int = 2) -> int:
    """How many channels a tensor has. Raises TypeError."""
    if img.ndim < 2:
        raise TypeError("Tensor is not a torch image.")
    if img.ndim < dimensions:
        raise TypeError(f"Input image tensor should have at least 3 dimensions, but found {img.ndim}")
    channels = 1 if img.ndim == 2 else int(img.shape[-3])
    if channels not in (1, 3):
        raise TypeError(f"Input image tensor permitted channel values are {permitted}, but found {channels}")
    return channels


def _float(img: Any) -> Any:
    return img.dtype if img.is_floating_point() else torch.float32


# --- mixed with something plain


def _mixed(img: Any, other: Any, ratio: Any) -> Any:
    ratio = float(ratio)
    return (ratio * img + (1.0 - ratio) * other).clamp(0, largest(img.dtype)).to(img.dtype)


def _blended(plain: Any, pixels: Any, factor: Any) -> Image:
    """Pillow's blend, in float32 and cut to bytes."""
    start = np.broadcast_to(plain, pixels.shape).astype(np.float32)
    mixed = start + np.float32(factor) * (pixels.astype(np.float32) - start)
    return Image(np.clip(mixed, 0, 255).astype(np.uint8))


def adjust_brightness(img: Any, brightness_factor: Any) -> Any:
    """0 is black, 1 the image itself."""
    if not isinstance(img, Tensor):
        return _blended(np.uint8(0), _picture(img), brightness_factor)
    _not_negative("brightness_factor", brightness_factor)
    _check(img)
    return _mixed(img, torch.zeros_like(img), brightness_factor)


def adjust_contrast(img: Any, contrast_factor: Any) -> Any:
    """0 is the mean grey everywhere, 1 the image itself."""
    if not isinstance(img, Tensor):
        pixels = _picture(img)
        return _blended(np.uint8(img.convert("L")._pixels.mean() + 0.5), pixels, contrast_factor)
    _not_negative("contrast_factor", contrast_factor)
    grey = rgb_to_grayscale(img) if _check(img, "[3, 1]") == 3 else img
    return _mixed(img, grey.to(_float(img)).mean(dim=(-3, -2, -1), keepdim=True), contrast_factor)


def adjust_saturation(img: Any, saturation_factor: Any) -> Any:
    """0 is grey, 1 the image itself."""
    if not isinstance(img, Tensor):
        pixels = _picture(img)
        return _blended(img.convert("L").convert(img.mode)._pixels, pixels, saturation_factor)
    _not_negative("saturation_factor", saturation_factor)
    return img if _check(img) == 1 else _mixed(img, rgb_to_grayscale(img), saturation_factor)


def adjust_sharpness(img: Any, sharpness_factor: Any) -> Any:
    """0 is blurred, 1 the image itself."""
    if not isinstance(img, Tensor):
        pixels = _picture(img)
        return _blended(_smooth(pixels), pixels, sharpness_factor)
    _not_negative("sharpness_factor", sharpness_factor)
    _check(img)
    if img.size(-1) <= 2 or img.size(-2) <= 2:
        return img
    kernel = torch.ones((3, 3), dtype=_float(img))
    kernel[1, 1] = 5.0
    kernel = (kernel / kernel.sum()).expand(img.shape[-3], 1, 3, 3)
    blurred = img.clone()
    blurred[..., 1:-1, 1:-1] = filtered(img, kernel)
    return _mixed(img, blurred, sharpness_factor)


def filtered(img: Any, kernel: Any, padding: Any = None) -> Any:
    """Each channel convolved with a kernel, in the image's own dtype."""
    x = img if img.ndim >= 4 else img.unsqueeze(0)
    x = x.to(kernel.dtype)
    if padding is not None:
        x = F.pad(x, padding, mode="reflect")
    x = F.conv2d(x, kernel, groups=x.shape[-3])
    return in_dtype(x if img.ndim >= 4 else x.squeeze(0), img.dtype)


def in_dtype(x: Any, dtype: Any) -> Any:
    """Numbers of a dtype again, those of integers rounded."""
    if x.dtype is dtype:
        return x
    return (x if dtype.is_floating_point else x.round()).to(dtype)


def _smooth(pixels: Any) -> Any:
    """Pillow's filter SMOOTH, which leaves the edges as they are."""
    height, width = pixels.shape[:2]
    blurred = pixels.copy()
    if height > 2 and width > 2:
        wide = pixels.astype(np.int64)
        total = 4 * wide[1:-1, 1:-1]
        for row in range(3):
            for column in range(3):
                total = total + wide[row : height - 2 + row, column : width - 2 + column]
        blurred[1:-1, 1:-1] = (2 * total + 13) // 26
    return blurred


# --- hue


def adjust_hue(img: Any, hue_factor: Any) -> Any:
    """Colours turned by a part of the circle, from -0.5 to 0.5."""
    if not -0.5 <= hue_factor <= 0.5:
        raise ValueError(f"hue_factor ({hue_factor}) is not in [-0.5, 0.5].")
    if not isinstance(img, Tensor):
        pixels = _picture(img)
        return Image(pixels) if pixels.ndim == 2 else Image(_turned_bytes(pixels, hue_factor))
    if _check(img) == 1:
        return img
    hue, saturation, value = _hue_saturation_value(convert_image_dtype(img, torch.float32))
    turned = _red_green_blue((hue + hue_factor) % 1.0, saturation, value)
    return convert_image_dtype(turned, img.dtype)


def _hue_saturation_value(img: Any) -> tuple[Any, Any, Any]:
    red, green, blue = img.unbind(-3)
    most, least = img.max(-3).values, img.min(-3).values
    grey, spread, one = most == least, most - least, torch.ones_like(most)
    saturation = spread / torch.where(grey, one, most)
    divisor = torch.where(grey, one, spread)
    from_red, from_green, from_blue = ((most - colour) / divisor for colour in (red, green, blue))
    hue = (most == red) * (from_blue - from_green)
    hue = hue + ((most == green) & (most != red)) * (2.0 + from_red - from_blue)
    hue = hue + ((most != green) & (most != red)) * (4.0 + from_green - from_red)
    return torch.fmod(hue / 6.0 + 1.0, 1.0), saturation, most


def _red_green_blue(hue: Any, saturation: Any, value: Any) -> Any:
    sector = torch.floor(hue * 6.0)
    part = hue * 6.0 - sector
    sector = sector.to(torch.int32) % 6
    p = (value * (1.0 - saturation)).clamp(0.0, 1.0)
    q = (value * (1.0 - saturation * part)).clamp(0.0, 1.0)
    t = (value * (1.0 - saturation * (1.0 - part))).clamp(0.0, 1.0)
    colours = ((value, q, p, p, t, value), (t, value, value, q, p, p), (p, p, t, value, value, q))
    chosen = (sector.unsqueeze(-3) == torch.arange(6).view(-1, 1, 1)).to(value.dtype)
    return torch.stack([(chosen * torch.stack(of, -3)).sum(-3) for of in colours], -3)


def _turned_bytes(pixels: Any, factor: float) -> Any:
    """The same on bytes, as Pillow rounds them on the way there and back."""
    meter.charge(pixels.size >> 4)
    red, green, blue = (pixels[..., colour].astype(np.float32) for colour in range(3))
    most, least = pixels.max(-1).astype(np.float32), pixels.min(-1).astype(np.float32)
    spread = most - least
    divisor = np.where(spread == 0, np.float32(1), spread)
    from_red, from_green, from_blue = (((most - colour) / divisor).astype(np.float64) for colour in (red, green, blue))
    greenish, bluish = 2.0 + from_red - from_blue, 4.0 + from_green - from_red
    hue = np.where(red == most, from_blue - from_green, np.where(green == most, greenish, bluish))
    hue = np.fmod(hue.astype(np.float32).astype(np.float64) / 6.0 + 1.0, 1.0).astype(np.float32).astype(np.float64)
    turned = np.where(spread == 0, 0, (hue * 255.0).astype(np.int64)) + int(factor * 255)
    saturation = (spread / np.where(most == 0, np.float32(1), most)).astype(np.float64)
    saturation = np.where(spread == 0, 0, (saturation * 255.0).astype(np.int64)) / 255.0
    sixth = (turned % 256) * 6.0 / 255.0
    sector = np.floor(sixth).astype(np.int64)
    part = (sixth - sector).astype(np.float32).astype(np.float64)
    saturation = saturation.astype(np.float32).astype(np.float64)

    def rounded(share: Any) -> Any:
        return np.clip(np.floor(most * share + 0.5), 0, 255)

    p, q, t = rounded(1.0 - saturation), rounded(1.0 - saturation * part), rounded(1.0 - saturation * (1.0 - part))
    colours = ((most, q, p, p, t, most), (t, most, most, q, p, p), (p, p, t, most, most, q))
    chosen = sector % 6
    made = np.stack([np.choose(chosen, of) for of in colours], -1)
    return np.where(saturation[..., None] == 0, most[..., None], made).astype(np.uint8)


# --- each number to another


def _looked_up(img: Any, table: Any) -> Image:
    return Image(np.asarray(table, np.uint8)[_picture(img)])


def _planes_changed(img: Any, change: Any) -> Image:
    """An image whose bands are changed by tables of their own, made from how often each byte is in them."""
    pixels = _picture(img)
    planes = [pixels] if pixels.ndim == 2 else [pixels[..., band] for band in range(3)]
    made = [np.asarray(change(np.bincount(plane.ravel(), minlength=256)), np.uint8)[plane] for plane in planes]
    return Image(made[0] if pixels.ndim == 2 else np.stack(made, -1))


def adjust_gamma(img: Any, gamma: Any, gain: Any = 1) -> Any:
    """`gain * img ** gamma`."""
    if isinstance(img, Tensor):
        _check(img)
    if gamma < 0:
        raise ValueError("Gamma should be a non-negative real number")
    if not isinstance(img, Tensor):
        mapped = [int((256 - 1e-3) * gain * pow(at / 255.0, gamma)) for at in range(256)]
        return _looked_up(img, np.clip(mapped, 0, 255))
    x = img if img.is_floating_point() else convert_image_dtype(img, torch.float32)
    return convert_image_dtype((gain * x.pow(gamma)).clamp(0, 1), img.dtype)


def invert(img: Any) -> Any:
    """Black for white."""
    if not isinstance(img, Tensor):
        return _looked_up(img, range(255, -1, -1))
    _check(img, dimensions=3)
    return largest(img.dtype) - img


def posterize(img: Any, bits: Any) -> Any:
    """Bytes with the first few of their bits."""
    if not 0 <= bits <= 8:
        raise ValueError(f"The number if bits should be between 0 and 8. Got {bits}")
    if not isinstance(img, Tensor):
        return _looked_up(img, np.arange(256) & -(2 ** (8 - bits)))
    _check_bytes(img)
    return img & -int(2 ** (8 - bits))


def _check_bytes(img: Any) -> None:
    if img.ndim < 3:
        _check(img, dimensions=3)
    if img.dtype is not torch.uint8:
        raise TypeError(f"Only torch.uint8 image tensors are supported, but found {img.dtype}")
    _check(img)


def solarize(img: Any, threshold: Any) -> Any:
    """What is as bright as the threshold is inverted."""
    if not isinstance(img, Tensor):
        return _looked_up(img, [at if at < threshold else 255 - at for at in range(256)])
    _check(img, dimensions=3)
    if threshold > largest(img.dtype):
        raise TypeError("Threshold should be less than bound of img.")
    return torch.where(img >= threshold, invert(img), img)


def autocontrast(img: Any) -> Any:
    """Each channel stretched from black to white."""
    if not isinstance(img, Tensor):
        return _planes_changed(img, _stretched)
    _check(img, dimensions=3)
    bound, dtype = largest(img.dtype), _float(img)
    low, high = (found.to(dtype) for found in (img.amin((-2, -1), keepdim=True), img.amax((-2, -1), keepdim=True)))
    scale = bound / (high - low)
    plain = scale.isfinite().logical_not()
    low[plain], scale[plain] = 0, 1
    return ((img - low) * scale).clamp(0, bound).to(img.dtype)


def _stretched(counts: Any) -> Any:
    low, high = np.flatnonzero(counts)[[0, -1]]
    if high <= low:
        return np.arange(256)
    scale = 255.0 / (high - low)
    return np.clip((np.arange(256) * scale + -low * scale).astype(np.int64), 0, 255)


def equalize(img: Any) -> Any:
    """Each channel with all numbers equally often, as far as that goes."""
    if not isinstance(img, Tensor):
        return _planes_changed(img, _evened)
    if not 3 <= img.ndim <= 4:
        raise TypeError(f"Input image tensor should have 3 or 4 dimensions, but found {img.ndim}")
    _check_bytes(img)
    if img.ndim == 4:
        return torch.stack([_equalized(one) for one in img])
    return _equalized(img)


def _evened(counts: Any) -> Any:
    found = counts[counts != 0]
    step = int(found[:-1].sum()) // 255
    if len(found) <= 1 or not step:
        return np.arange(256)
    return (step // 2 + np.cumsum(counts) - counts) // step


def _equalized(img: Any) -> Any:
    return torch.stack([_equal_channel(channel) for channel in img])


def _equal_channel(channel: Any) -> Any:
    counts = torch.bincount(channel.reshape(-1), minlength=256)
    step = torch.div(counts[counts != 0][:-1].sum(), 255, rounding_mode="floor")
    if step == 0:
        return channel
    half = torch.div(step, 2, rounding_mode="floor")
    table = torch.div(torch.cumsum(counts, 0) + half, step, rounding_mode="floor")
    return F.pad(table, [1, 0])[:-1].clamp(0, 255)[channel.to(torch.int64)].to(torch.uint8)
