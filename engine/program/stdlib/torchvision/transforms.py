"""`torchvision.transforms`, and of `transforms.v2` what it has in common with them: on images and on tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import engine.torch as torch
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.nn import functional as F
from engine.program.arrays import Array
from engine.program.calls import call
from engine.program.operators import items
from engine.program.stdlib.torchvision.image import Image
from engine.program.text import represent, to_text
from engine.program.values import Builtin
from engine.program.values import Module as ModuleValue


class Transform:
    """What all transforms share: they are called with an image or a tensor."""

    __module__ = "torchvision.transforms.transforms"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()

    def __call__(self, img: Any) -> Any:
        meter.charge(1)
        return self.forward(img)

    def forward(self, img: Any) -> Any:
        raise NotImplementedError

    def _shown(self) -> str:
        return ""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._shown()})"


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


def _sized(img: Any) -> tuple[int, int]:
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
    return (int(size), int(size)) if isinstance(size, int) else (int(size[0]), int(size[-1]))


def _both(size: Any) -> tuple[int, int]:
    """The size that a transform is made with."""
    if not isinstance(size, int | float) and len(size) not in (1, 2):
        raise ValueError("Please provide only two dimensions (h, w) for size.")
    return _pair(int(size) if isinstance(size, float) else size)


def _cropped(img: Any, top: int, left: int, height: int, width: int) -> Any:
    if isinstance(img, Tensor):
        return img[..., top : top + height, left : left + width]
    return Image(np.ascontiguousarray(_pixels(img)[top : top + height, left : left + width]))


def _padded(img: Any, left: int, top: int, right: int, bottom: int, fill: float = 0, mode: str = "constant") -> Any:
    def change(x: Any) -> Any:
        if mode == "constant":
            return F.pad(x, [left, right, top, bottom], value=float(fill))
        return F.pad(x[None], [left, right, top, bottom], mode="replicate" if mode == "edge" else mode)[0]

    return _on_tensor(img, change)


_LARGEST = {
    torch.uint8: 255, torch.int8: 127, torch.int16: 2**15 - 1, torch.int32: 2**31 - 1, torch.int64: 2**63 - 1
}  # fmt: skip
"""What stands for 1.0 in images of integers."""

_UNSAFE = {(torch.float32, torch.int32), (torch.float32, torch.int64), (torch.float64, torch.int64)}


def convert_image_dtype(image: Any, dtype: Any = torch.float32) -> Any:
    """The same brightness in another dtype: integers stand for 0 to 1 with all of their range."""
    if image.dtype is dtype:
        return image
    own, wanted = _LARGEST.get(image.dtype, 1), _LARGEST.get(dtype, 1)
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
    img: Any, size: Any, interpolation: Any = "bilinear", max_size: Any = None, antialias: Any = True
) -> Any:
    """To rows and columns, or the shorter side to a number."""
    wanted = _resized(*_sized(img), size, max_size)
    if wanted == tuple(_sized(img)):
        return img
    weighted = interpolation in ("bilinear", "bicubic")
    if not weighted and interpolation not in ("nearest", "nearest-exact"):
        raise NotImplementedError("images are resized here by nearest, nearest-exact, bilinear and bicubic pixels")
    picture = not isinstance(img, Tensor)
    mode = "nearest-exact" if picture and not weighted else interpolation

    def change(x: Any) -> Any:
        planes = x if x.ndim == 4 else x[None]
        planes = planes if x.dtype in (torch.float32, torch.float64) else planes.float()
        result = F.interpolate(planes, size=list(wanted), mode=mode, antialias=weighted and bool(antialias or picture))
        if x.dtype is torch.uint8 and interpolation == "bicubic":
            result = result.clamp(0, 255)
        if x.dtype is not result.dtype:
            result = (result if x.is_floating_point() else result.round()).to(x.dtype)
        return result if x.ndim == 4 else result[0]

    return _on_tensor(img, change)


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


def hflip(img: Any) -> Any:
    """Left to right."""
    return img.flip(-1) if isinstance(img, Tensor) else Image(np.ascontiguousarray(_pixels(img)[:, ::-1]))


def vflip(img: Any) -> Any:
    """Upside down."""
    return img.flip(-2) if isinstance(img, Tensor) else Image(np.ascontiguousarray(_pixels(img)[::-1]))


def center_crop(img: Any, output_size: Any) -> Any:
    """The middle, with zeros around an image that is smaller."""
    rows, columns = _pair(output_size)
    height, width = _sized(img)
    if rows > height or columns > width:
        left, top = max(0, (columns - width) // 2), max(0, (rows - height) // 2)
        img = _padded(img, left, top, max(0, (columns - width + 1) // 2), max(0, (rows - height + 1) // 2))
        height, width = _sized(img)
    return _cropped(img, round((height - rows) / 2.0), round((width - columns) / 2.0), rows, columns)


# --- transforms


class Compose(Transform):
    """One after the other."""

    __program__ = True

    def __init__(self, transforms: Any) -> None:
        self.transforms = transforms

    def forward(self, img: Any) -> Any:
        for transform in items(self.transforms):
            img = call(transform, [img], None)
        return img

    def __repr__(self) -> str:
        return "\n    ".join(["Compose(", *map(to_text, self.transforms)]) + "\n)"


class ToTensor(Transform):
    __program__ = True

    def forward(self, img: Any) -> Any:
        return to_tensor(img)


class PILToTensor(Transform):
    __program__ = True

    def forward(self, img: Any) -> Any:
        return pil_to_tensor(img)


class ToImage(Transform):
    __program__ = True

    def forward(self, img: Any) -> Any:
        return img if isinstance(img, Tensor) else _planes(_pixels(img))


class ToDtype(Transform):
    __program__ = True

    def __init__(self, dtype: Any, scale: Any = False) -> None:
        self.dtype, self.scale = dtype, bool(scale)

    def forward(self, img: Any) -> Any:
        return convert_image_dtype(img, self.dtype) if self.scale else img.to(self.dtype)

    def _shown(self) -> str:
        return f"scale={self.scale}"


class ConvertImageDtype(ToDtype):
    __program__ = True

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype, True)

    def _shown(self) -> str:
        return ""


class ToPILImage(Transform):
    __program__ = True

    def __init__(self, mode: Any = None) -> None:
        self.mode = mode

    def forward(self, img: Any) -> Any:
        if not isinstance(img, Tensor):
            return Image(_pixels(img))
        planes = img.detach().numpy()
        planes = planes[None] if planes.ndim == 2 else planes
        meter.allocate(planes.size, 4)
        found = np.moveaxis((planes * 255).astype(np.uint8) if planes.dtype.kind == "f" else planes, 0, -1)
        return Image(np.ascontiguousarray(found[:, :, 0] if found.shape[2] == 1 else found))


class Normalize(Transform):
    __program__ = True

    def __init__(self, mean: Any, std: Any, inplace: Any = False) -> None:
        self.mean, self.std, self.inplace = mean, std, bool(inplace)

    def forward(self, img: Any) -> Any:
        return normalize(img, self.mean, self.std, self.inplace)

    def _shown(self) -> str:
        return f"mean={represent(self.mean)}, std={represent(self.std)}"


class Resize(Transform):
    __program__ = True

    def __init__(self, size: Any, interpolation: Any = "bilinear", max_size: Any = None, antialias: Any = True) -> None:
        if not isinstance(size, int | list | tuple | str):
            raise TypeError(f"Size should be int or sequence. Got {represent(type(size))}")
        if not isinstance(size, int) and len(size) not in (1, 2):
            raise ValueError("If size is a sequence, it should have 1 or 2 values")
        self.size, self.interpolation, self.max_size, self.antialias = size, interpolation, max_size, antialias

    def forward(self, img: Any) -> Any:
        return resize(img, self.size, self.interpolation, self.max_size, self.antialias)

    def _shown(self) -> str:
        return (
            f"size={to_text(self.size)}, interpolation={self.interpolation}, max_size={self.max_size},"
            f" antialias={self.antialias}"
        )


class CenterCrop(Transform):
    __program__ = True

    def __init__(self, size: Any) -> None:
        self.size = _both(size)

    def forward(self, img: Any) -> Any:
        return center_crop(img, self.size)

    def _shown(self) -> str:
        return f"size={self.size}"


class Pad(Transform):
    __program__ = True

    def __init__(self, padding: Any, fill: Any = 0, padding_mode: str = "constant") -> None:
        if not isinstance(padding, int | float | tuple | list):
            raise TypeError("Got inappropriate padding arg")
        if padding_mode not in ("constant", "edge", "reflect", "symmetric"):
            raise ValueError("Padding mode should be either constant, edge, reflect or symmetric")
        if isinstance(padding, tuple | list) and len(padding) not in (1, 2, 4):
            raise ValueError(
                f"Padding must be an int or a 1, 2, or 4 element tuple, not a {len(padding)} element tuple"
            )
        self.padding, self.fill, self.padding_mode = padding, fill, padding_mode

    def forward(self, img: Any) -> Any:
        return _padded(img, *_sides(self.padding), self.fill, self.padding_mode)

    def _shown(self) -> str:
        return f"padding={represent(self.padding)}, fill={self.fill}, padding_mode={self.padding_mode}"


def _sides(padding: Any) -> tuple[int, int, int, int]:
    given = (padding,) if isinstance(padding, int) else tuple(padding)
    left, top, right, bottom = (given * 4)[:4] if len(given) != 2 else given * 2
    return int(left), int(top), int(right), int(bottom)


class RandomCrop(Transform):
    __program__ = True

    def __init__(
        self, size: Any, padding: Any = None, pad_if_needed: Any = False, fill: Any = 0, padding_mode: str = "constant"
    ) -> None:
        self.size, self.padding, self.fill, self.padding_mode = _both(size), padding, fill, padding_mode
        self.pad_if_needed = bool(pad_if_needed)

    def forward(self, img: Any) -> Any:
        if self.padding is not None:
            img = _padded(img, *_sides(self.padding), self.fill, self.padding_mode)
        height, width = _sized(img)
        rows, columns = self.size
        if self.pad_if_needed and width < columns:
            img = _padded(img, columns - width, 0, columns - width, 0, self.fill, self.padding_mode)
        if self.pad_if_needed and height < rows:
            img = _padded(img, 0, rows - height, 0, rows - height, self.fill, self.padding_mode)
        height, width = _sized(img)
        if height < rows or width < columns:
            raise ValueError(f"Required crop size {(rows, columns)} is larger than input image size {(height, width)}")
        if (height, width) == (rows, columns):
            return img
        top = torch.randint(0, height - rows + 1, size=(1,)).item()
        left = torch.randint(0, width - columns + 1, size=(1,)).item()
        return _cropped(img, top, left, rows, columns)

    def _shown(self) -> str:
        return f"size={self.size}, padding={represent(self.padding)}"


class RandomHorizontalFlip(Transform):
    __program__ = True
    _flip = staticmethod(hflip)

    def __init__(self, p: float = 0.5) -> None:
        self.p = p

    def forward(self, img: Any) -> Any:
        return self._flip(img) if (torch.rand(1) < self.p).item() else img

    def _shown(self) -> str:
        return f"p={self.p}"


class RandomVerticalFlip(RandomHorizontalFlip):
    __program__ = True
    _flip = staticmethod(vflip)


def _turned(pixels: Any, angle: float, fill: int) -> Any:
    """An image turned about its middle by the nearest pixels, in the fixed point arithmetic of PIL."""
    angle = -math.radians(angle % 360.0)
    height, width = pixels.shape[:2]
    cos, sin = round(math.cos(angle), 15), round(math.sin(angle), 15)
    across = width / 2 - cos * width / 2 - sin * height / 2
    down = height / 2 + sin * width / 2 - cos * height / 2

    def fixed(value: float) -> int:
        return math.floor(value * 65536 + 0.5)

    meter.allocate(6 * height * width, 8)
    rows, columns = np.arange(height)[:, None], np.arange(width)
    x = fixed(across + cos * 0.5 + sin * 0.5) + columns * fixed(cos) + rows * fixed(sin) >> 16
    y = fixed(down - sin * 0.5 + cos * 0.5) + columns * fixed(-sin) + rows * fixed(cos) >> 16
    inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
    found = pixels[np.clip(y, 0, height - 1), np.clip(x, 0, width - 1)]
    return np.where(inside if pixels.ndim == 2 else inside[:, :, None], found, pixels.dtype.type(fill))


def rotate(
    img: Any, angle: Any, interpolation: Any = "nearest", expand: Any = False, center: Any = None, fill: Any = 0
) -> Any:
    """An image turned counterclockwise by degrees."""
    if not isinstance(img, Image):
        raise NotImplementedError("images are rotated here, tensors are not: rotate before ToTensor")
    if interpolation != "nearest" or expand or center is not None or not isinstance(fill, int | float | None):
        raise NotImplementedError("images are rotated here by the nearest pixels, about their middle, in their size")
    return Image(_turned(img._pixels, float(angle), int(fill or 0)))


class RandomRotation(Transform):
    __program__ = True

    def __init__(
        self, degrees: Any, interpolation: Any = "nearest", expand: Any = False, center: Any = None, fill: Any = 0
    ) -> None:
        if isinstance(degrees, int | float):
            if degrees < 0:
                raise ValueError("If degrees is a single number, it must be positive.")
            degrees = (-degrees, degrees)
        self.degrees = [float(d) for d in items(degrees)]
        if len(self.degrees) != 2:
            raise ValueError("degrees should be a sequence of length 2.")
        self.interpolation, self.expand, self.center, self.fill = interpolation, expand, center, fill

    def forward(self, img: Any) -> Any:
        angle = torch.empty(1).uniform_(*self.degrees).item()
        return rotate(img, angle, self.interpolation, self.expand, self.center, self.fill)

    def _shown(self) -> str:
        center = "" if self.center is None else f", center={represent(self.center)}"
        return (
            f"degrees={self.degrees}, interpolation={self.interpolation}, expand={self.expand}{center},"
            f" fill={represent(self.fill)}"
        )


class RandomApply(Transform):
    __program__ = True

    def __init__(self, transforms: Any, p: float = 0.5) -> None:
        self.transforms, self.p = transforms, p

    def forward(self, img: Any) -> Any:
        if self.p < torch.rand(1).item():
            return img
        return Compose(self.transforms).forward(img)

    def __repr__(self) -> str:
        return "\n    ".join(["RandomApply(", f"p={self.p}", *map(to_text, self.transforms)]) + "\n)"


class RandomResizedCrop(Transform):
    __program__ = True

    def __init__(
        self, size: Any, scale: Any = (0.08, 1.0), ratio: Any = (3 / 4, 4 / 3),
        interpolation: Any = "bilinear", antialias: Any = True,
    ) -> None:  # fmt: skip
        self.size, self.scale, self.ratio = _both(size), tuple(scale), tuple(ratio)
        self.interpolation, self.antialias = interpolation, antialias

    def forward(self, img: Any) -> Any:
        height, width = _sized(img)
        logs = [math.log(side) for side in self.ratio]
        for _ in range(10):
            area = height * width * torch.empty(1).uniform_(*self.scale).item()
            aspect = math.exp(torch.empty(1).uniform_(*logs).item())
            columns, rows = round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))
            if 0 < columns <= width and 0 < rows <= height:
                top = torch.randint(0, height - rows + 1, size=(1,)).item()
                left = torch.randint(0, width - columns + 1, size=(1,)).item()
                return self._resized(_cropped(img, top, left, rows, columns))
        return self._resized(center_crop(img, min(height, width)))

    def _resized(self, img: Any) -> Any:
        return resize(img, self.size, self.interpolation, None, self.antialias)

    def _shown(self) -> str:
        scale, ratio = (tuple(round(side, 4) for side in pair) for pair in (self.scale, self.ratio))
        last = f"interpolation={self.interpolation}, antialias={self.antialias}"
        return f"size={self.size}, scale={scale}, ratio={ratio}, {last}"


class Grayscale(Transform):
    __program__ = True

    def __init__(self, num_output_channels: int = 1) -> None:
        self.num_output_channels = num_output_channels

    def forward(self, img: Any) -> Any:
        return rgb_to_grayscale(img, self.num_output_channels)

    def _shown(self) -> str:
        return f"num_output_channels={self.num_output_channels}"


class RandomGrayscale(Transform):
    __program__ = True

    def __init__(self, p: float = 0.1) -> None:
        self.p = p

    def forward(self, img: Any) -> Any:
        channels = img.shape[-3] if isinstance(img, Tensor) else _planes(_pixels(img)).shape[0]
        return rgb_to_grayscale(img, channels) if (torch.rand(1) < self.p).item() else img

    def _shown(self) -> str:
        return f"p={self.p}"


class Lambda(Transform):
    __program__ = True

    def __init__(self, lambd: Any) -> None:
        if not callable(lambd):
            raise TypeError(f"Argument lambd should be callable, got {represent(type(lambd).__name__)}")
        self.lambd = lambd

    def forward(self, img: Any) -> Any:
        return call(self.lambd, [img], None)


_KINDS: tuple[type, ...] = (
    Compose, ToTensor, PILToTensor, ToPILImage, Normalize, Resize, CenterCrop, Pad, RandomCrop, RandomHorizontalFlip,
    RandomVerticalFlip, RandomRotation, RandomApply, RandomResizedCrop, Grayscale, Lambda, ConvertImageDtype, ToDtype,
    ToImage, RandomGrayscale,
)  # fmt: skip
for _kind in (Transform, *_KINDS):
    _kind.__module__, _kind.__qualname__ = "torchvision.transforms.transforms", _kind.__name__

FUNCTIONAL: dict[str, Any] = {
    function.__name__: Builtin(function.__name__, function)
    for function in (
        to_tensor, pil_to_tensor, convert_image_dtype, normalize, resize, hflip, vflip, center_crop, rotate,
        rgb_to_grayscale,
    )  # fmt: skip
}
_V2 = {kind.__name__: kind for kind in _KINDS}
_MODES = ModuleValue.of("torchvision.transforms.InterpolationMode", {
    name.upper().replace("-", "_"): name
    for name in ("nearest", "nearest-exact", "bilinear", "bicubic", "box", "hamming", "lanczos")
})  # fmt: skip
TRANSFORMS: dict[str, Any] = {
    **{name: kind for name, kind in _V2.items() if name not in ("ToDtype", "ToImage")},
    "InterpolationMode": _MODES,
    "functional": ModuleValue.of("torchvision.transforms.functional", FUNCTIONAL),
}
V2 = _V2
