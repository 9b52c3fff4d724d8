"""`torchvision.transforms`, and of `transforms.v2` what it has in common with them: on images and on tensors."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

import engine.torch as torch
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.nn import functional as F
from engine.nn.module import Module
from engine.program.arrays import Array
from engine.program.calls import call
from engine.program.operators import items
from engine.program.stdlib.torchvision.image import Image
from engine.program.stdlib.torchvision.interpolation import InterpolationMode, mode_given, mode_used
from engine.program.text import represent, to_text


class Transform(Module):
    """What most transforms share: they are modules, and called with an image or a tensor."""

    __module__ = "torchvision.transforms.transforms"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()

    def _shown(self) -> str:
        return ""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._shown()})"


class Plain:
    """What those share that are no modules."""

    __module__ = "torchvision.transforms.transforms"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()

    def __call__(self, img: Any) -> Any:
        meter.charge(1)
        return self._changed(img)

    def _changed(self, img: Any) -> Any:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


def listed(name: str, *lines: Any) -> str:
    """A transform of transforms, each on a line of its own."""
    return "\n    ".join([f"{name}(", *map(to_text, lines)]) + "\n)"


def _pixels(img: Any) -> Any:
    """The bytes or numbers of an image. Raises TypeError."""
    if isinstance(img, Image):
        return img._pixels
    if isinstance(img, Array | np.ndarray):
        return img._array if isinstance(img, Array) else img
    raise TypeError(f"pic should be PIL Image or ndarray. Got {represent(type(img))}")


def to_tensor(pic: Any) -> Tensor:
    """Channels × rows × columns; bytes become numbers from 0 to 1."""
    found = _pixels(pic)
    if found.ndim not in (2, 3):
        raise ValueError(f"pic should be 2/3 dimensional. Got {found.ndim} dimensions.")
    meter.allocate(found.size, 4)
    planes = np.ascontiguousarray(np.moveaxis(found[:, :, None] if found.ndim == 2 else found, -1, 0))
    return Tensor._from_array(planes.astype(np.float32) / np.float32(255) if found.dtype == np.uint8 else planes)


def normalize(tensor: Any, mean: Any, std: Any, inplace: Any = False) -> Tensor:
    """`(tensor - mean) / std`, channel by channel."""
    if not isinstance(tensor, Tensor):
        raise TypeError(f"img should be Tensor Image. Got {represent(type(tensor))}")
    if tensor.ndim < 2:
        raise TypeError("Tensor is not a torch image.")
    if not tensor.is_floating_point():
        raise TypeError(f"Input tensor should be a float tensor. Got {tensor.dtype}.")
    if tensor.ndim < 3:
        raise ValueError(
            f"Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = {tensor.size()}"
        )
    numbers = [torch.as_tensor(value, dtype=tensor.dtype) for value in (mean, std)]
    if (numbers[1] == 0).any():
        raise ValueError(f"std evaluated to zero after conversion to {tensor.dtype}, leading to division by zero.")
    centre, spread = (value.view(-1, 1, 1) if value.ndim == 1 else value for value in numbers)
    changed = tensor if inplace else tensor.clone()
    return changed.sub_(centre).div_(spread)  # type: ignore[no-any-return]


def sized(img: Any) -> tuple[int, int]:
    """Rows and columns."""
    if isinstance(img, Tensor):
        return int(img.shape[-2]), int(img.shape[-1])
    return _pixels(img).shape[:2]  # type: ignore[no-any-return]


def _on_tensor(img: Any, change: Any) -> Any:
    """An image changed as a tensor is: channels first, and bytes again at the end."""
    if isinstance(img, Tensor):
        return change(img)
    found = _pixels(img)
    meter.allocate(3 * found.size, 4)
    planes = np.moveaxis(found[:, :, None] if found.ndim == 2 else found, -1, 0).astype(np.float32)
    result = np.clip(np.round(change(Tensor._from_array(np.ascontiguousarray(planes))).numpy()), 0, 255)
    result = np.moveaxis(result.astype(np.uint8), 0, -1)
    return Image(np.ascontiguousarray(result[:, :, 0] if found.ndim == 2 else result))


def _pair(size: Any) -> tuple[int, int]:
    return (int(size), int(size)) if isinstance(size, int | float) else (int(size[0]), int(size[-1]))


def _both(size: Any) -> tuple[int, int]:
    """The size that a transform is made with."""
    if not isinstance(size, int | float) and len(size) not in (1, 2):
        raise ValueError("Please provide only two dimensions (h, w) for size.")
    return _pair(int(size) if isinstance(size, float) else size)


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """A rectangle of an image, with zeros around the image."""
    if not isinstance(img, Tensor):
        _pixels(img)
        return img.crop((left, top, left + width, top + height))
    rows, columns = sized(img)
    right, bottom = left + width, top + height
    if left < 0 or top < 0 or right > columns or bottom > rows:
        across = max(-left + min(0, right), 0), max(right - max(columns, left), 0)
        down = max(-top + min(0, bottom), 0), max(bottom - max(rows, top), 0)
        return F.pad(img[..., max(top, 0) : bottom, max(left, 0) : right], [*across, *down])
    return img[..., top:bottom, left:right]


_PADDINGS = ("constant", "edge", "reflect", "symmetric")


def _check_padding(padding: Any, fill: Any, mode: Any) -> None:
    if not isinstance(padding, int | float | tuple | list):
        raise TypeError("Got inappropriate padding arg")
    if not isinstance(fill, int | float | tuple | list):
        raise TypeError("Got inappropriate fill arg")
    if mode not in _PADDINGS:
        raise ValueError("Padding mode should be either constant, edge, reflect or symmetric")
    if isinstance(padding, tuple | list) and len(padding) not in (1, 2, 4):
        raise ValueError(f"Padding must be an int or a 1, 2, or 4 element tuple, not a {len(padding)} element tuple")


def pad(img: Any, padding: Any, fill: Any = 0, padding_mode: Any = "constant") -> Any:
    """An image with more around it: so much on all sides, or left and above, or on each side."""
    fill = 0 if fill is None else fill
    _check_padding(padding, fill, padding_mode)
    left, top, right, bottom = sides(padding)
    around = [left, right, top, bottom]
    if isinstance(fill, tuple | list):
        if isinstance(img, Tensor):
            raise TypeError("Got inappropriate fill arg")
        return _framed(img, around, fill)

    def change(x: Any) -> Any:
        if padding_mode == "constant":
            return F.pad(x, around, value=float(fill))
        if padding_mode == "symmetric":
            return _mirrored(x, around)
        planes = x if x.ndim >= 4 else x.unsqueeze(0)
        planes = planes if x.dtype in (torch.float32, torch.float64) else planes.float()
        planes = F.pad(planes, around, mode="replicate" if padding_mode == "edge" else "reflect")
        return (planes if x.ndim >= 4 else planes.squeeze(0)).to(x.dtype)

    return _on_tensor(img, change)


def _framed(img: Any, sides: list[int], fill: Any) -> Image:
    """An image in a frame of a colour."""
    pixels = _pixels(img)
    if len(fill) not in (1, 3 if pixels.ndim == 3 else 1):
        raise ValueError(
            "The number of elements in 'fill' does not match the number of channels of the image"
            f" ({len(fill)} != {3 if pixels.ndim == 3 else 1})"
        )
    left, right, top, bottom = sides
    shape = (pixels.shape[0] + top + bottom, pixels.shape[1] + left + right, *pixels.shape[2:])
    meter.allocate(math.prod(shape), 1)
    made = np.empty(shape, np.uint8)
    made[...] = [int(part) & 255 for part in fill]
    made[top : top + pixels.shape[0], left : left + pixels.shape[1]] = pixels
    return Image(made)


def _mirrored(x: Any, sides: list[int]) -> Any:
    """A tensor with its own rows and columns around it, the outermost twice."""
    left, right, top, bottom = sides
    x = x[..., max(-top, 0) : x.shape[-2] - max(-bottom, 0), max(-left, 0) : x.shape[-1] - max(-right, 0)]
    if x.ndim not in (3, 4):
        raise RuntimeError("Symmetric padding of N-D tensors are not supported yet")
    places = []
    for before, after, length in ((top, bottom, x.shape[-2]), (left, right, x.shape[-1])):
        meter.allocate(max(before, 0) + length + max(after, 0), 8)
        found = [*range(max(before, 0) - 1, -1, -1), *range(length), *(-at - 1 for at in range(max(after, 0)))]
        places.append(torch.tensor(found))
    return x[..., places[0][:, None], places[1][None, :]]


def padded(img: Any, left: int, top: int, right: int, bottom: int, fill: Any = 0, mode: str = "constant") -> Any:
    return pad(img, [left, top, right, bottom], fill, mode)


_LARGEST = {
    torch.uint8: 255, torch.int8: 127, torch.int16: 2**15 - 1, torch.int32: 2**31 - 1, torch.int64: 2**63 - 1
}  # fmt: skip
"""What stands for 1.0 in images of integers."""



def largest(dtype: Any) -> int:
    """What stands for 1.0."""
    return _LARGEST.get(dtype, 1)


_UNSAFE = {(torch.float32, torch.int32), (torch.float32, torch.int64), (torch.float64, torch.int64)}


def convert_image_dtype(image: Any, dtype: Any = torch.float32) -> Any:
    """The same brightness in another dtype: integers stand for 0 to 1 with all of their range."""
    if not isinstance(image, Tensor):
        raise TypeError("Input img should be Tensor Image")
    if image.dtype is dtype:
        return image
    own, wanted = largest(image.dtype), largest(dtype)
    if dtype.is_floating_point:
        return image.to(dtype) if image.is_floating_point() else image.to(dtype) / own
    if not image.is_floating_point():
        if own > wanted:
            return torch.div(image, (own + 1) // (wanted + 1), rounding_mode="floor").to(dtype)
        return image.to(dtype) * ((wanted + 1) // (own + 1))
    if (image.dtype, dtype) in _UNSAFE:
        raise RuntimeError(f"The cast from {image.dtype} to {dtype} cannot be performed safely.")
    return image.mul(wanted + 1.0 - 1e-3).to(dtype)  # so that the last number gets no narrower share than the others


def _resized(height: int, width: int, size: Any, max_size: Any) -> tuple[int, int]:
    """The rows and columns that a size asks for: one number is the shorter side's, the longer one within `max_size`."""
    if isinstance(size, list | tuple):
        if len(size) not in (1, 2):
            raise ValueError(
                f"Size must be an int or a 1 or 2 element tuple/list, not a {len(size)} element tuple/list"
            )
        if len(size) == 2:
            if max_size is not None:
                raise ValueError(
                    "max_size should only be passed if size specifies the length of the smaller edge, "
                    "i.e. size should be an int or a sequence of length 1 in torchscript mode."
                )
            return _pair(size)
    short = size if isinstance(size, int) else size[0]
    long = int(short * max(height, width) / min(height, width))
    if max_size is not None:
        if max_size <= short:
            raise ValueError(
                f"max_size = {max_size} must be strictly greater than the requested size for the smaller edge "
                f"size = {[short]}"
            )
        if long > max_size:
            short, long = int(max_size * short / long), max_size
    return (long, short) if width <= height else (short, long)


def resize(
    img: Any, size: Any, interpolation: Any = InterpolationMode.BILINEAR, max_size: Any = None, antialias: Any = True
) -> Any:
    """To rows and columns, or the shorter side to a number."""
    interpolation = mode_used(interpolation)
    wanted = _resized(*sized(img), size, max_size)
    if wanted == tuple(sized(img)):
        return img
    weighted = interpolation in ("bilinear", "bicubic")
    if not weighted and interpolation not in ("nearest", "nearest-exact"):
        raise NotImplementedError("images are resized here by nearest, nearest-exact, bilinear and bicubic pixels")
    if not isinstance(img, Tensor):
        return img.resize(wanted[::-1], _PILLOWS[interpolation])
    planes = img if img.ndim == 4 else img[None]
    planes = planes if img.dtype in (torch.float32, torch.float64) else planes.float()
    result = F.interpolate(planes, size=list(wanted), mode=interpolation, antialias=weighted and bool(antialias))
    if img.dtype is torch.uint8 and interpolation == "bicubic":
        result = result.clamp(0, 255)
    if img.dtype is not result.dtype:
        result = (result if img.is_floating_point() else result.round()).to(img.dtype)
    return result if img.ndim == 4 else result[0]


_PILLOWS = {"nearest": 0, "nearest-exact": 0, "bilinear": 2, "bicubic": 3}


def rgb_to_grayscale(img: Any, num_output_channels: Any = 1) -> Any:
    """The brightness of an image's colours, in one channel or in three."""
    if num_output_channels not in (1, 3):
        raise ValueError("num_output_channels should be either 1 or 3")
    if not isinstance(img, Tensor):
        grey = img.convert("L")
        return grey if num_output_channels == 1 else grey.convert("RGB")
    if img.ndim < 3:
        raise TypeError(f"Input image tensor should have at least 3 dimensions, but found {img.ndim}")
    if img.shape[-3] not in (1, 3):
        raise TypeError(f"Input image tensor permitted channel values are [1, 3], but found {img.shape[-3]}")
    if img.shape[-3] == 1:
        grey = img.clone()
    else:
        red, green, blue = img.unbind(-3)
        grey = (0.2989 * red + 0.587 * green + 0.114 * blue).to(img.dtype).unsqueeze(-3)
    return grey if num_output_channels == 1 else grey.expand(img.shape)


def pil_to_tensor(pic: Any) -> Tensor:
    """The bytes of an image, channels first."""
    if not isinstance(pic, Image):
        raise TypeError(f"pic should be PIL Image. Got {represent(type(pic))}")
    return _planes(pic._pixels)


def _planes(found: Any) -> Tensor:
    return Tensor._from_array(np.ascontiguousarray(np.moveaxis(found if found.ndim == 3 else found[..., None], -1, 0)))


def to_pil_image(pic: Any, mode: Any = None) -> Image:
    """Numbers as an image: floats from 0 to 1, or bytes; channels come first in tensors, last in arrays."""
    if isinstance(pic, Tensor):
        found = pic.detach().numpy()
        found = np.moveaxis(found, 0, -1) if found.ndim == 3 else found
    elif isinstance(pic, Array):
        found = pic._array
    else:
        raise TypeError(f"pic should be Tensor or ndarray. Got {represent(type(pic))}.")
    found = found[:, :, None] if found.ndim == 2 else found
    if found.ndim != 3:
        raise ValueError(f"pic should be 2/3 dimensional. Got {found.ndim} dimensions.")
    if found.shape[-1] > 4:
        raise ValueError(f"pic should not have > 4 channels. Got {found.shape[-1]} channels.")
    meter.allocate(found.size, 4)
    found = (found * 255).astype(np.uint8) if found.dtype.kind == "f" else found
    own = "L" if found.shape[2] == 1 else "RGB"
    if found.dtype != np.uint8 or found.shape[2] not in (1, 3):
        raise NotImplementedError("images are of one or three channels of bytes here")
    if mode not in (None, own):
        if own == "RGB" and mode not in ("YCbCr", "HSV"):
            raise ValueError("Only modes ['RGB', 'YCbCr', 'HSV'] are supported for 3D inputs")
        if own == "L":
            raise ValueError(
                f"Incorrect mode ({to_text(mode)}) supplied for input type <class 'numpy.dtype'>. Should be L"
            )
        raise NotImplementedError(f"images are of mode L or RGB here, not {mode}")
    return Image(np.ascontiguousarray(found[:, :, 0] if own == "L" else found))


def hflip(img: Any) -> Any:
    """Left to right."""
    return img.flip(-1) if isinstance(img, Tensor) else Image(np.ascontiguousarray(_pixels(img)[:, ::-1]))


def vflip(img: Any) -> Any:
    """Upside down."""
    return img.flip(-2) if isinstance(img, Tensor) else Image(np.ascontiguousarray(_pixels(img)[::-1]))


def center_crop(img: Any, output_size: Any) -> Any:
    """The middle, with zeros around an image that is smaller."""
    rows, columns = _pair(output_size)
    height, width = sized(img)
    if rows > height or columns > width:
        left, top = max(0, (columns - width) // 2), max(0, (rows - height) // 2)
        img = padded(img, left, top, max(0, (columns - width + 1) // 2), max(0, (rows - height + 1) // 2))
        height, width = sized(img)
    return crop(img, round((height - rows) / 2.0), round((width - columns) / 2.0), rows, columns)


# --- transforms


class Compose(Plain):
    """One after the other."""

    __program__ = True

    def __init__(self, transforms: Any) -> None:
        self.transforms = transforms

    def _changed(self, img: Any) -> Any:
        for transform in items(self.transforms):
            img = call(transform, [img], None)
        return img

    def __repr__(self) -> str:
        return listed(type(self).__name__, *items(self.transforms))


class ToTensor(Plain):
    __program__ = True

    def _changed(self, img: Any) -> Any:
        return to_tensor(img)


class PILToTensor(Plain):
    __program__ = True

    def _changed(self, img: Any) -> Any:
        return pil_to_tensor(img)


def to_image(inpt: Any) -> Any:
    """An image as a tensor, channels first."""
    return inpt if isinstance(inpt, Tensor) else _planes(_pixels(inpt))


def to_dtype(inpt: Any, dtype: Any = torch.float32, scale: Any = False) -> Any:
    """A tensor in another dtype, of the same brightness with `scale`."""
    return convert_image_dtype(inpt, dtype) if scale else inpt.to(dtype)


class ToImage(Transform):
    __program__ = True

    def forward(self, img: Any) -> Any:
        return to_image(img)


class ToDtype(Transform):
    __program__ = True

    def __init__(self, dtype: Any, scale: Any = False) -> None:
        super().__init__()
        self.dtype, self.scale = dtype, bool(scale)

    def forward(self, img: Any) -> Any:
        return to_dtype(img, self.dtype, self.scale)

    def _shown(self) -> str:
        return f"scale={self.scale}"


class ConvertImageDtype(ToDtype):
    __program__ = True

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype, True)

    def _shown(self) -> str:
        return ""


class ToPILImage(Plain):
    __program__ = True

    def __init__(self, mode: Any = None) -> None:
        self.mode = mode

    def _changed(self, img: Any) -> Any:
        return to_pil_image(img, self.mode)

    def __repr__(self) -> str:
        return f"ToPILImage({'' if self.mode is None else f'mode={to_text(self.mode)}'})"


class Normalize(Transform):
    __program__ = True

    def __init__(self, mean: Any, std: Any, inplace: Any = False) -> None:
        super().__init__()
        self.mean, self.std, self.inplace = mean, std, bool(inplace)

    def forward(self, img: Any) -> Any:
        return normalize(img, self.mean, self.std, self.inplace)

    def _shown(self) -> str:
        return f"mean={represent(self.mean)}, std={represent(self.std)}"


class Resize(Transform):
    __program__ = True

    def __init__(
        self, size: Any, interpolation: Any = InterpolationMode.BILINEAR, max_size: Any = None, antialias: Any = True
    ) -> None:
        if not isinstance(size, int | list | tuple | str):
            raise TypeError(f"Size should be int or sequence. Got {represent(type(size))}")
        if not isinstance(size, int) and len(size) not in (1, 2):
            raise ValueError("If size is a sequence, it should have 1 or 2 values")
        super().__init__()
        self.size, self.max_size, self.antialias = size, max_size, antialias
        self.interpolation = mode_given(interpolation)

    def forward(self, img: Any) -> Any:
        return resize(img, self.size, self.interpolation, self.max_size, self.antialias)

    def _shown(self) -> str:
        return (
            f"size={to_text(self.size)}, interpolation={self.interpolation.value}, max_size={self.max_size},"
            f" antialias={self.antialias}"
        )


class CenterCrop(Transform):
    __program__ = True

    def __init__(self, size: Any) -> None:
        super().__init__()
        self.size = _both(size)

    def forward(self, img: Any) -> Any:
        return center_crop(img, self.size)

    def _shown(self) -> str:
        return f"size={self.size}"


class Pad(Transform):
    __program__ = True

    def __init__(self, padding: Any, fill: Any = 0, padding_mode: str = "constant") -> None:
        super().__init__()
        _check_padding(padding, fill, padding_mode)
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def forward(self, img: Any) -> Any:
        return pad(img, self.padding, self.fill, self.padding_mode)

    def _shown(self) -> str:
        return f"padding={represent(self.padding)}, fill={represent(self.fill)}, padding_mode={self.padding_mode}"


def sides(padding: Any) -> tuple[int, int, int, int]:
    given = (padding,) if isinstance(padding, int | float) else tuple(padding)
    left, top, right, bottom = (given * 4)[:4] if len(given) != 2 else given * 2
    return int(left), int(top), int(right), int(bottom)


class RandomCrop(Transform):
    __program__ = True

    def __init__(
        self, size: Any, padding: Any = None, pad_if_needed: Any = False, fill: Any = 0, padding_mode: str = "constant"
    ) -> None:
        super().__init__()
        self.size, self.padding, self.fill, self.padding_mode = _both(size), padding, fill, padding_mode
        self.pad_if_needed = bool(pad_if_needed)

    @staticmethod
    def get_params(img: Any, output_size: Any) -> tuple[int, int, int, int]:
        (height, width), (rows, columns) = sized(img), output_size
        if height < rows or width < columns:
            raise ValueError(f"Required crop size {(rows, columns)} is larger than input image size {(height, width)}")
        if (height, width) == (rows, columns):
            return 0, 0, height, width
        return *corner(height - rows, width - columns), rows, columns

    def forward(self, img: Any) -> Any:
        if self.padding is not None:
            img = pad(img, self.padding, self.fill, self.padding_mode)
        height, width = sized(img)
        rows, columns = self.size
        if self.pad_if_needed and width < columns:
            img = pad(img, [columns - width, 0], self.fill, self.padding_mode)
        if self.pad_if_needed and height < rows:
            img = pad(img, [0, rows - height], self.fill, self.padding_mode)
        return crop(img, *self.get_params(img, self.size))

    def _shown(self) -> str:
        return f"size={self.size}, padding={represent(self.padding)}"


def corner(down: int, across: int) -> tuple[int, int]:
    """Where a part begins, that far down and to the right at most."""
    top = torch.randint(0, down + 1, size=(1,)).item()
    return top, torch.randint(0, across + 1, size=(1,)).item()


class RandomHorizontalFlip(Transform):
    __program__ = True
    _flip = staticmethod(hflip)

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self.p = p

    def forward(self, img: Any) -> Any:
        return self._flip(img) if (torch.rand(1) < self.p).item() else img

    def _shown(self) -> str:
        return f"p={self.p}"


class RandomVerticalFlip(RandomHorizontalFlip):
    __program__ = True
    _flip = staticmethod(vflip)


class RandomApply(Transform):
    __program__ = True

    def __init__(self, transforms: Any, p: float = 0.5) -> None:
        super().__init__()
        self.transforms, self.p = transforms, p

    def forward(self, img: Any) -> Any:
        if self.p < torch.rand(1).item():
            return img
        for transform in items(self.transforms):
            img = call(transform, [img], None)
        return img

    def __repr__(self) -> str:
        return listed(type(self).__name__, f"p={self.p}", *items(self.transforms))


def pair_in_order(scale: Any, ratio: Any) -> None:
    """Refuse what is no sequence, and warn of ranges that end before they begin."""
    for name, given in (("Scale", scale), ("Ratio", ratio)):
        if not isinstance(given, list | tuple):
            raise TypeError(f"{name} should be a sequence")
    if scale[0] > scale[1] or ratio[0] > ratio[1]:
        warnings.warn("Scale and ratio should be of kind (min, max)", UserWarning, stacklevel=1)


def area_and_aspect(area: int, scale: Any, ratio: Any) -> tuple[float, float]:
    """How much of an area, and how much higher than wide or wider than high, at random."""
    logs = torch.log(torch.tensor(ratio))
    share = area * torch.empty(1).uniform_(scale[0], scale[1]).item()
    return share, torch.exp(torch.empty(1).uniform_(logs[0].item(), logs[1].item())).item()


class RandomResizedCrop(Transform):
    __program__ = True

    def __init__(
        self, size: Any, scale: Any = (0.08, 1.0), ratio: Any = (3 / 4, 4 / 3),
        interpolation: Any = InterpolationMode.BILINEAR, antialias: Any = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.size = _both(size)
        pair_in_order(scale, ratio)
        self.scale, self.ratio = scale, ratio
        self.interpolation, self.antialias = mode_given(interpolation), antialias

    @staticmethod
    def get_params(img: Any, scale: Any, ratio: Any) -> tuple[int, int, int, int]:
        height, width = sized(img)
        for _ in range(10):
            area, aspect = area_and_aspect(height * width, scale, ratio)
            columns, rows = round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))
            if 0 < columns <= width and 0 < rows <= height:
                return *corner(height - rows, width - columns), rows, columns
        rows, columns = height, width
        if width / height < min(ratio):
            rows = round(width / min(ratio))
        elif width / height > max(ratio):
            columns = round(height * max(ratio))
        return (height - rows) // 2, (width - columns) // 2, rows, columns

    def forward(self, img: Any) -> Any:
        part = self.get_params(img, self.scale, self.ratio)
        return resized_crop(img, *part, self.size, self.interpolation, self.antialias)

    def _shown(self) -> str:
        scale, ratio = (tuple(round(side, 4) for side in pair) for pair in (self.scale, self.ratio))
        last = f"interpolation={self.interpolation.value}, antialias={self.antialias}"
        return f"size={self.size}, scale={scale}, ratio={ratio}, {last}"


def resized_crop(
    img: Any, top: int, left: int, height: int, width: int, size: Any,
    interpolation: Any = InterpolationMode.BILINEAR, antialias: Any = True,
) -> Any:  # fmt: skip
    """A rectangle of an image, in another size."""
    return resize(crop(img, top, left, height, width), size, interpolation, None, antialias)


class Grayscale(Transform):
    __program__ = True

    def __init__(self, num_output_channels: int = 1) -> None:
        super().__init__()
        self.num_output_channels = num_output_channels

    def forward(self, img: Any) -> Any:
        return rgb_to_grayscale(img, self.num_output_channels)

    def _shown(self) -> str:
        return f"num_output_channels={self.num_output_channels}"


class RandomGrayscale(Transform):
    __program__ = True

    def __init__(self, p: float = 0.1) -> None:
        super().__init__()
        self.p = p

    def forward(self, img: Any) -> Any:
        channels = img.shape[-3] if isinstance(img, Tensor) else _planes(_pixels(img)).shape[0]
        return rgb_to_grayscale(img, channels) if (torch.rand(1) < self.p).item() else img

    def _shown(self) -> str:
        return f"p={self.p}"


class Lambda(Plain):
    __program__ = True

    def __init__(self, lambd: Any) -> None:
        if not callable(lambd):
            raise TypeError(f"Argument lambd should be callable, got {represent(type(lambd).__name__)}")
        self.lambd = lambd

    def _changed(self, img: Any) -> Any:
        return call(self.lambd, [img], None)


KINDS: tuple[type, ...] = (
    Compose, ToTensor, PILToTensor, ToPILImage, Normalize, Resize, CenterCrop, Pad, RandomCrop, RandomHorizontalFlip,
    RandomVerticalFlip, RandomApply, RandomResizedCrop, Grayscale, Lambda, ConvertImageDtype, RandomGrayscale,
)  # fmt: skip
FUNCTIONS = (
    to_tensor, pil_to_tensor, to_pil_image, convert_image_dtype, normalize, resize, crop, resized_crop, pad, hflip,
    vflip, center_crop, rgb_to_grayscale,
)  # fmt: skip
