"""Random transforms of colours and shapes, crops of corners, and the tables of all transforms and functions."""

from __future__ import annotations

import math
from typing import Any

import engine.torch as torch
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.program import session as sessions
from engine.program.calls import call
from engine.program.operators import items
from engine.program.stdlib import random as generators
from engine.program.stdlib.torchvision import colors, transforms, warps
from engine.program.stdlib.torchvision.image import Image
from engine.program.stdlib.torchvision.interpolation import InterpolationMode, mode_given
from engine.program.stdlib.torchvision.transforms import Plain, Transform, center_crop, crop, listed, sized
from engine.program.text import represent, to_text
from engine.program.values import Builtin
from engine.program.values import Module as ModuleValue


def _drawn(low: Any, high: Any) -> float:
    return torch.empty(1).uniform_(float(low), float(high)).item()  # type: ignore[no-any-return]


def _sequence(given: Any, name: str, lengths: tuple[int, ...]) -> None:
    wanted = " or ".join(map(str, lengths))
    if not isinstance(given, list | tuple):
        raise TypeError(f"{name} should be a sequence of length {wanted}.")
    if len(given) not in lengths:
        raise ValueError(f"{name} should be a sequence of length {wanted}.")


def _angles(given: Any, name: str, lengths: tuple[int, ...] = (2,)) -> list[float]:
    if isinstance(given, int | float):
        if given < 0:
            raise ValueError(f"If {name} is a single number, it must be positive.")
        given = [-given, given]
    _sequence(given, name, lengths)
    return [float(angle) for angle in given]


def _fill(fill: Any) -> Any:
    if fill is not None and not isinstance(fill, int | float | list | tuple | str):
        raise TypeError("Fill should be either a sequence or a number.")
    return 0 if fill is None else fill


def _dimensions(img: Any) -> tuple[int, int, int]:
    height, width = sized(img)
    if isinstance(img, Tensor):
        return (1 if img.ndim == 2 else int(img.shape[-3])), height, width
    return (1 if img.mode == "L" else 3), height, width


def _filled(img: Any, fill: Any) -> Any:
    """The colour around a tensor, a number for each channel."""
    if not isinstance(img, Tensor):
        return fill
    channels = _dimensions(img)[0]
    return [float(fill)] * channels if isinstance(fill, int | float) else [float(part) for part in fill]


# --- colours


class ColorJitter(Transform):
    __program__ = True

    def __init__(self, brightness: Any = 0, contrast: Any = 0, saturation: Any = 0, hue: Any = 0) -> None:
        super().__init__()
        self.brightness = self._range(brightness, "brightness")
        self.contrast = self._range(contrast, "contrast")
        self.saturation = self._range(saturation, "saturation")
        self.hue = self._range(hue, "hue", 0, (-0.5, 0.5))

    @staticmethod
    def _range(value: Any, name: str, center: int = 1, bound: tuple[float, float] = (0, math.inf)) -> Any:
        """From where to where a factor is drawn, or None where it changes nothing."""
        if isinstance(value, int | float):
            if value < 0:
                raise ValueError(f"If {name} is a single number, it must be non negative.")
            low, high = center - float(value), center + float(value)
            low = max(low, 0.0) if center else low
        elif isinstance(value, tuple | list) and len(value) == 2:
            low, high = float(value[0]), float(value[1])
        else:
            raise TypeError(f"{name} should be a single number or a list/tuple with length 2.")
        if not bound[0] <= low <= high <= bound[1]:
            raise ValueError(f"{name} values should be between {bound}, but got {[low, high]}.")
        return None if low == high == center else (low, high)

    @staticmethod
    def get_params(brightness: Any, contrast: Any, saturation: Any, hue: Any) -> tuple[Any, ...]:
        order = torch.randperm(4)
        return order, *(given and _drawn(*given) for given in (brightness, contrast, saturation, hue))

    def forward(self, img: Any) -> Any:
        order, *factors = self.get_params(self.brightness, self.contrast, self.saturation, self.hue)
        for place in order.tolist():
            if factors[place] is not None:
                img = _ADJUSTMENTS[place](img, factors[place])
        return img

    def _shown(self) -> str:
        return (
            f"brightness={self.brightness}, contrast={self.contrast}, saturation={self.saturation}, hue={self.hue}"
        )


_ADJUSTMENTS = colors.adjust_brightness, colors.adjust_contrast, colors.adjust_saturation, colors.adjust_hue


class _Sometimes(Transform):
    """A change that is made with a probability."""

    __program__ = True
    __invisible__ = True
    _change: Any

    def __init__(self, p: float = 0.5) -> None:
        super().__init__()
        self.p = p

    def forward(self, img: Any) -> Any:
        return self._made(img) if torch.rand(1).item() < self.p else img

    def _made(self, img: Any) -> Any:
        return type(self)._change(img)

    def _shown(self) -> str:
        return f"p={self.p}"


class RandomInvert(_Sometimes):
    __program__ = True
    _change = staticmethod(colors.invert)


class RandomAutocontrast(_Sometimes):
    __program__ = True
    _change = staticmethod(colors.autocontrast)


class RandomEqualize(_Sometimes):
    __program__ = True
    _change = staticmethod(colors.equalize)


class RandomPosterize(_Sometimes):
    __program__ = True

    def __init__(self, bits: Any, p: float = 0.5) -> None:
        super().__init__(p)
        self.bits = bits

    def _made(self, img: Any) -> Any:
        return colors.posterize(img, self.bits)

    def _shown(self) -> str:
        return f"bits={represent(self.bits)},p={self.p}"


class RandomSolarize(_Sometimes):
    __program__ = True

    def __init__(self, threshold: Any, p: float = 0.5) -> None:
        super().__init__(p)
        self.threshold = threshold

    def _made(self, img: Any) -> Any:
        return colors.solarize(img, self.threshold)

    def _shown(self) -> str:
        return f"threshold={represent(self.threshold)},p={self.p}"


class RandomAdjustSharpness(_Sometimes):
    __program__ = True

    def __init__(self, sharpness_factor: Any, p: float = 0.5) -> None:
        super().__init__(p)
        self.sharpness_factor = sharpness_factor

    def _made(self, img: Any) -> Any:
        return colors.adjust_sharpness(img, self.sharpness_factor)

    def _shown(self) -> str:
        return f"sharpness_factor={represent(self.sharpness_factor)},p={self.p}"


class GaussianBlur(Transform):
    __program__ = True

    def __init__(self, kernel_size: Any, sigma: Any = (0.1, 2.0)) -> None:
        super().__init__()
        sizes = [int(kernel_size)] if isinstance(kernel_size, int | float) else kernel_size
        if len(sizes) not in (1, 2):
            raise ValueError("Kernel size should be a tuple/list of two integers")
        self.kernel_size = sizes if len(sizes) == 2 else (sizes[0], sizes[0])
        if any(size <= 0 or size % 2 == 0 for size in self.kernel_size):
            raise ValueError("Kernel size value should be an odd and positive number.")
        if isinstance(sigma, int | float):
            if sigma <= 0:
                raise ValueError("If sigma is a single number, it must be positive.")
            sigma = (sigma, sigma)
        elif not isinstance(sigma, list | tuple) or len(sigma) != 2:
            raise ValueError("sigma should be a single number or a list/tuple with length 2.")
        elif not 0.0 < sigma[0] <= sigma[1]:
            raise ValueError("sigma values should be positive and of the form (min, max).")
        self.sigma = sigma

    @staticmethod
    def get_params(sigma_min: float, sigma_max: float) -> float:
        return _drawn(sigma_min, sigma_max)

    def forward(self, img: Any) -> Any:
        sigma = self.get_params(self.sigma[0], self.sigma[1])
        return warps.gaussian_blur(img, self.kernel_size, [sigma, sigma])

    def _shown(self) -> str:
        return f"kernel_size={represent(self.kernel_size)}, sigma={represent(self.sigma)}"


class RandomErasing(Transform):
    __program__ = True

    def __init__(
        self, p: float = 0.5, scale: Any = (0.02, 0.33), ratio: Any = (0.3, 3.3), value: Any = 0, inplace: Any = False
    ) -> None:
        super().__init__()
        if not isinstance(value, int | float | str | tuple | list):
            raise TypeError("Argument value should be either a number or str or a sequence")
        if isinstance(value, str) and value != "random":
            raise ValueError("If value is str, it should be 'random'")
        transforms.pair_in_order(scale, ratio)
        if scale[0] < 0 or scale[1] > 1:
            raise ValueError("Scale should be between 0 and 1")
        if p < 0 or p > 1:
            raise ValueError("Random erasing probability should be between 0 and 1")
        self.p, self.scale, self.ratio, self.value, self.inplace = p, scale, ratio, value, inplace

    @staticmethod
    def get_params(img: Any, scale: Any, ratio: Any, value: Any = None) -> tuple[Any, ...]:
        channels, height, width = _dimensions(img)
        for _ in range(10):
            area, aspect = transforms.area_and_aspect(height * width, scale, ratio)
            rows, columns = round(math.sqrt(area * aspect)), round(math.sqrt(area / aspect))
            if rows < height and columns < width:
                if value is None:
                    found = torch.empty([channels, rows, columns], dtype=torch.float32).normal_()
                else:
                    found = torch.tensor(value)[:, None, None]
                return *transforms.corner(height - rows, width - columns), rows, columns, found
        return 0, 0, height, width, img

    def forward(self, img: Any) -> Any:
        if torch.rand(1).item() >= self.p:
            return img
        value: Any = None
        if not isinstance(self.value, str):
            value = [float(part) for part in (self.value if isinstance(self.value, list | tuple) else [self.value])]
            if len(value) not in (1, img.shape[-3]):
                raise ValueError(
                    "If value is a sequence, it should have either a single value or"
                    f" {img.shape[-3]} (number of input channels)"
                )
        top, left, rows, columns, found = self.get_params(img, self.scale, self.ratio, value)
        return warps.erase(img, top, left, rows, columns, found, self.inplace)

    def _shown(self) -> str:
        shown = f"scale={represent(self.scale)}, ratio={represent(self.ratio)}, value={to_text(self.value)}"
        return f"p={self.p}, {shown}, inplace={self.inplace}"


# --- shapes


class RandomRotation(Transform):
    __program__ = True

    def __init__(
        self, degrees: Any, interpolation: Any = InterpolationMode.NEAREST, expand: Any = False, center: Any = None,
        fill: Any = 0,
    ) -> None:  # fmt: skip
        super().__init__()
        self.degrees = _angles(degrees, "degrees")
        if center is not None:
            _sequence(center, "center", (2,))
        self.interpolation, self.expand, self.center, self.fill = mode_given(interpolation), expand, center, _fill(fill)

    @staticmethod
    def get_params(degrees: Any) -> float:
        return _drawn(*degrees)

    def forward(self, img: Any) -> Any:
        fill = _filled(img, self.fill)
        angle = self.get_params(self.degrees)
        return warps.rotate(img, angle, self.interpolation, self.expand, self.center, fill)

    def _shown(self) -> str:
        center = "" if self.center is None else f", center={represent(self.center)}"
        first = f"degrees={self.degrees}, interpolation={self.interpolation.value}, expand={self.expand}"
        return f"{first}{center}, fill={to_text(self.fill)}"


class RandomAffine(Transform):
    __program__ = True

    def __init__(
        self, degrees: Any, translate: Any = None, scale: Any = None, shear: Any = None,
        interpolation: Any = InterpolationMode.NEAREST, fill: Any = 0, center: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.degrees = _angles(degrees, "degrees")
        if translate is not None:
            _sequence(translate, "translate", (2,))
            if any(not 0.0 <= part <= 1.0 for part in translate):
                raise ValueError("translation values should be between 0 and 1")
        if scale is not None:
            _sequence(scale, "scale", (2,))
            if any(part <= 0 for part in scale):
                raise ValueError("scale values should be positive")
        self.translate, self.scale = translate, scale
        self.shear = None if shear is None else _angles(shear, "shear", (2, 4))
        self.interpolation, self.fill = mode_given(interpolation), _fill(fill)
        if center is not None:
            _sequence(center, "center", (2,))
        self.center = center

    @staticmethod
    def get_params(degrees: Any, translate: Any, scale_ranges: Any, shears: Any, img_size: Any) -> tuple[Any, ...]:
        angle, moved = _drawn(*degrees), (0, 0)
        if translate is not None:
            furthest = [float(part * side) for part, side in zip(translate, img_size, strict=False)]
            moved = (round(_drawn(-furthest[0], furthest[0])), round(_drawn(-furthest[1], furthest[1])))
        scale = 1.0 if scale_ranges is None else _drawn(*scale_ranges)
        along = 0.0 if shears is None else _drawn(*shears[:2])
        return angle, moved, scale, (along, _drawn(*shears[2:]) if shears is not None and len(shears) == 4 else 0.0)

    def forward(self, img: Any) -> Any:
        fill = _filled(img, self.fill)
        height, width = sized(img)
        sides = [width, height]
        angle, moved, scale, shear = self.get_params(self.degrees, self.translate, self.scale, self.shear, sides)
        return warps.affine(img, angle, moved, scale, shear, self.interpolation, fill, self.center)

    def _shown(self) -> str:
        shown = [f"degrees={self.degrees}"]
        shown += [
            f"{name}={represent(given)}"
            for name, given in (("translate", self.translate), ("scale", self.scale), ("shear", self.shear))
            if given is not None
        ]
        if self.interpolation is not InterpolationMode.NEAREST:
            shown.append(f"interpolation={self.interpolation.value}")
        if self.fill != 0:
            shown.append(f"fill={to_text(self.fill)}")
        if self.center is not None:
            shown.append(f"center={represent(self.center)}")
        return ", ".join(shown)


class RandomPerspective(_Sometimes):
    __program__ = True

    def __init__(
        self, distortion_scale: Any = 0.5, p: float = 0.5, interpolation: Any = InterpolationMode.BILINEAR,
        fill: Any = 0,
    ) -> None:  # fmt: skip
        super().__init__(p)
        self.interpolation, self.distortion_scale, self.fill = mode_given(interpolation), distortion_scale, _fill(fill)

    @staticmethod
    def get_params(width: int, height: int, distortion_scale: Any) -> tuple[Any, Any]:
        right, down = int(distortion_scale * (width // 2)), int(distortion_scale * (height // 2))

        def place(side: int, furthest: int, far: bool) -> int:
            low, high = (side - furthest - 1, side) if far else (0, furthest + 1)
            return int(torch.randint(low, high, size=(1,)).item())

        ends = [
            [place(width, right, far), place(height, down, low)]
            for far, low in ((False, False), (True, False), (True, True), (False, True))
        ]
        return [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], ends

    def _made(self, img: Any) -> Any:
        height, width = sized(img)
        corners = self.get_params(width, height, self.distortion_scale)
        return warps.perspective(img, *corners, self.interpolation, _filled(img, self.fill))


class ElasticTransform(Transform):
    __program__ = True

    def __init__(
        self, alpha: Any = 50.0, sigma: Any = 5.0, interpolation: Any = InterpolationMode.BILINEAR, fill: Any = 0
    ) -> None:
        super().__init__()
        self.alpha, self.sigma = self._two(alpha, "alpha"), self._two(sigma, "sigma")
        self.interpolation = mode_given(interpolation)
        if not isinstance(fill, int | float | list | tuple):
            raise TypeError(f"fill should be int or float or a list or tuple of them. Got {represent(type(fill))}")
        self.fill = [float(part) for part in (fill if isinstance(fill, list | tuple) else [fill])]

    @staticmethod
    def _two(given: Any, name: str) -> Any:
        if not isinstance(given, float | list | tuple):
            raise TypeError(f"{name} should be float or a sequence of floats. Got {represent(type(given))}")
        if isinstance(given, float):
            return [given, given]
        if len(given) != 2:
            raise ValueError(f"If {name} is a sequence its length should be 2. Got {len(given)}")
        for part in given:
            if not isinstance(part, float):
                raise TypeError(f"{name} should be a sequence of floats. Got {represent(type(part))}")
        return given

    @staticmethod
    def get_params(alpha: Any, sigma: Any, size: Any) -> Any:
        moved = []
        for strength, width, side in zip(alpha, sigma, (size[1], size[0]), strict=True):
            noise = torch.rand([1, 1, *size]) * 2 - 1
            if width > 0.0:
                kernel = int(8 * width + 1) | 1
                noise = warps.gaussian_blur(noise, [kernel, kernel], sigma)
            moved.append(noise * strength / side)
        return torch.cat(moved, 1).permute(0, 2, 3, 1)

    def forward(self, img: Any) -> Any:
        displacement = self.get_params(self.alpha, self.sigma, list(sized(img)))
        return warps.elastic_transform(img, displacement, self.interpolation, self.fill)

    def _shown(self) -> str:
        return f"alpha={self.alpha}, sigma={self.sigma}, interpolation={self.interpolation}, fill={self.fill}"


class LinearTransformation(Transform):
    __program__ = True

    def __init__(self, transformation_matrix: Any, mean_vector: Any) -> None:
        super().__init__()
        rows, columns = transformation_matrix.size(0), transformation_matrix.size(1)
        if rows != columns:
            raise ValueError(f"transformation_matrix should be square. Got {(rows, columns)} rectangular matrix.")
        if mean_vector.size(0) != rows:
            raise ValueError(
                f"mean_vector should have the same length {mean_vector.size(0)} as any one of the dimensions of the"
                f" transformation_matrix [{(rows, columns)}]"
            )
        if transformation_matrix.dtype is not mean_vector.dtype:
            raise ValueError(
                f"Input tensors should have the same dtype. Got {transformation_matrix.dtype} and {mean_vector.dtype}"
            )
        self.transformation_matrix, self.mean_vector = transformation_matrix, mean_vector

    def forward(self, tensor: Any) -> Any:
        channels, height, width = tensor.shape[-3:]
        if channels * height * width != self.transformation_matrix.shape[0]:
            raise ValueError(
                "Input tensor and transformation matrix have incompatible shape."
                f"[{channels} x {height} x {width}] != {self.transformation_matrix.shape[0]}"
            )
        flat = tensor.view(-1, channels * height * width) - self.mean_vector
        return torch.mm(flat, self.transformation_matrix.to(flat.dtype)).view(tensor.shape)

    def _shown(self) -> str:
        matrix, mean = self.transformation_matrix.tolist(), self.mean_vector.tolist()
        return f"transformation_matrix={matrix}, mean_vector={mean}"


# --- crops of corners


def _two_sides(size: Any) -> Any:
    sides = [int(size)] if isinstance(size, int | float) else size
    if len(sides) not in (1, 2):
        raise ValueError("Please provide only two dimensions (h, w) for size.")
    return sides if len(sides) == 2 else (sides[0], sides[0])


def five_crop(img: Any, size: Any) -> tuple[Any, ...]:
    """The four corners and the middle."""
    (rows, columns), (height, width) = _two_sides(size), sized(img)
    if columns > width or rows > height:
        shown = represent(_two_sides(size))
        raise ValueError(f"Requested crop size {shown} is bigger than input size {(height, width)}")
    corners = [
        crop(img, top, left, rows, columns)
        for top, left in ((0, 0), (0, width - columns), (height - rows, 0), (height - rows, width - columns))
    ]
    return *corners, center_crop(img, [rows, columns])


def ten_crop(img: Any, size: Any, vertical_flip: Any = False) -> tuple[Any, ...]:
    """The same of an image and of its mirror image."""
    first = five_crop(img, size)
    return first + five_crop((transforms.vflip if vertical_flip else transforms.hflip)(img), size)


class FiveCrop(Transform):
    __program__ = True

    def __init__(self, size: Any) -> None:
        super().__init__()
        self.size = _two_sides(size)

    def forward(self, img: Any) -> Any:
        return five_crop(img, self.size)

    def _shown(self) -> str:
        return f"size={represent(self.size)}"


class TenCrop(FiveCrop):
    __program__ = True

    def __init__(self, size: Any, vertical_flip: Any = False) -> None:
        super().__init__(size)
        self.vertical_flip = vertical_flip

    def forward(self, img: Any) -> Any:
        return ten_crop(img, self.size, self.vertical_flip)

    def _shown(self) -> str:
        return f"{super()._shown()}, vertical_flip={self.vertical_flip}"


# --- some of several transforms


class RandomOrder(Plain):
    __program__ = True

    def __init__(self, transforms: Any) -> None:
        if not isinstance(transforms, list | tuple):
            raise TypeError("Argument transforms should be a sequence")
        self.transforms = transforms

    def _changed(self, img: Any) -> Any:
        meter.charge(len(self.transforms) >> 4)
        order = list(range(len(self.transforms)))
        generators.shuffle(sessions.active.random, order)
        for place in order:
            img = call(self.transforms[place], [img], None)
        return img

    def __repr__(self) -> str:
        return listed(type(self).__name__, *items(self.transforms))


class RandomChoice(RandomOrder):
    __program__ = True

    def __init__(self, transforms: Any, p: Any = None) -> None:
        super().__init__(transforms)
        if p is not None and not isinstance(p, list | tuple):
            raise TypeError("Argument p should be a sequence")
        self.p = p

    def _changed(self, img: Any) -> Any:
        return call(generators.choices(sessions.active.random, self.transforms, self.p)[0], [img], None)

    def __repr__(self) -> str:
        return f"{super().__repr__()}(p={represent(self.p)})"


# --- tables


def get_dimensions(img: Any) -> list[int]:
    return list(_dimensions(_image(img)))


def get_image_size(img: Any) -> list[int]:
    height, width = sized(_image(img))
    return [width, height]


def get_image_num_channels(img: Any) -> int:
    return _dimensions(_image(img))[0]


def _image(img: Any) -> Any:
    if isinstance(img, Tensor):
        if img.ndim < 2:
            raise TypeError("Tensor is not a torch image.")
    elif not isinstance(img, Image):
        raise TypeError(f"Unexpected type {represent(type(img))}")
    return img


def to_grayscale(img: Any, num_output_channels: int = 1) -> Any:
    """The brightness of an image, which is no tensor."""
    if not isinstance(img, Image):
        raise TypeError("Input should be PIL Image")
    return transforms.rgb_to_grayscale(img, num_output_channels)


_KINDS: tuple[type, ...] = (
    *transforms.KINDS, ColorJitter, GaussianBlur, RandomErasing, RandomInvert, RandomPosterize, RandomSolarize,
    RandomAdjustSharpness, RandomAutocontrast, RandomEqualize, RandomRotation, RandomAffine, RandomPerspective,
    ElasticTransform, LinearTransformation, FiveCrop, TenCrop, RandomOrder, RandomChoice,
)  # fmt: skip
for _kind in (Transform, *_KINDS, transforms.ToDtype, transforms.ToImage):
    _kind.__module__, _kind.__qualname__ = "torchvision.transforms.transforms", _kind.__name__

FUNCTIONAL: dict[str, Any] = {
    "InterpolationMode": InterpolationMode,
    **{
        function.__name__: Builtin(function.__name__, function)
        for function in (
            *transforms.FUNCTIONS, colors.adjust_brightness, colors.adjust_contrast, colors.adjust_saturation,
            colors.adjust_hue, colors.adjust_gamma, colors.adjust_sharpness, colors.invert, colors.posterize,
            colors.solarize, colors.autocontrast, colors.equalize, warps.rotate, warps.affine, warps.perspective,
            warps.elastic_transform, warps.gaussian_blur, warps.erase, five_crop, ten_crop, get_dimensions,
            get_image_size, get_image_num_channels, to_grayscale,
        )
    },
}  # fmt: skip
TRANSFORMS: dict[str, Any] = {
    **{kind.__name__: kind for kind in _KINDS},
    "InterpolationMode": InterpolationMode,
    "functional": ModuleValue.of("torchvision.transforms.functional", FUNCTIONAL),
}
