"""torchvision's automatic augmentation: which changes an image goes through, and how far, is drawn for each."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import engine.torch as torch
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.program.stdlib.torchvision import colors, warps
from engine.program.stdlib.torchvision.augment import get_dimensions
from engine.program.stdlib.torchvision.interpolation import Choice, InterpolationMode, mode_given
from engine.program.stdlib.torchvision.transforms import Transform
from engine.program.stdlib.torchvision.v2 import Second
from engine.program.text import to_text

# --- changes


def _sheared(across: bool) -> Any:
    def change(img: Any, far: float, mode: Any, fill: Any) -> Any:
        angle = math.degrees(math.atan(far))
        return warps.affine(img, 0.0, [0, 0], 1.0, [angle, 0.0] if across else [0.0, angle], mode, fill, [0, 0])

    return change


def _moved(across: bool) -> Any:
    def change(img: Any, far: float, mode: Any, fill: Any) -> Any:
        return warps.affine(img, 0.0, [int(far), 0] if across else [0, int(far)], 1.0, [0.0, 0.0], mode, fill)

    return change


def _coloured(function: Any) -> Any:
    return lambda img, far, mode, fill: function(img, 1.0 + far)


_CHANGES: dict[str, Any] = {
    "Identity": lambda img, far, mode, fill: img,
    "ShearX": _sheared(True), "ShearY": _sheared(False), "TranslateX": _moved(True), "TranslateY": _moved(False),
    "Rotate": lambda img, far, mode, fill: warps.rotate(img, far, mode, fill=fill),
    "Brightness": _coloured(colors.adjust_brightness), "Color": _coloured(colors.adjust_saturation),
    "Contrast": _coloured(colors.adjust_contrast), "Sharpness": _coloured(colors.adjust_sharpness),
    "Posterize": lambda img, far, mode, fill: colors.posterize(img, int(far)),
    "Solarize": lambda img, far, mode, fill: colors.solarize(img, far),
    "AutoContrast": lambda img, far, mode, fill: colors.autocontrast(img),
    "Equalize": lambda img, far, mode, fill: colors.equalize(img),
    "Invert": lambda img, far, mode, fill: colors.invert(img),
}  # fmt: skip
_DRAWN = [name for name in _CHANGES if name != "Invert"]
_SIGNED = frozenset(_DRAWN[1:10])


def _furthest(sides: tuple[int, int] | None, moved: float, sheared: float, turned: float, coloured: float) -> Any:
    """How far each change goes at most: `moved` is a share of the sides, or pixels where there are none."""
    height, width = sides or (1, 1)
    return {
        "ShearX": sheared, "ShearY": sheared, "TranslateX": moved * width, "TranslateY": moved * height,
        "Rotate": turned, **dict.fromkeys(("Brightness", "Color", "Contrast", "Sharpness"), coloured),
    }  # fmt: skip


def _usual(sides: tuple[int, int]) -> Any:
    return _furthest(sides, 150.0 / 331.0, 0.3, 30.0, 0.9)


def _scale(name: str, furthest: Any, bins: int, bits: int) -> Any:
    """The steps from nothing to the furthest; None for a change that has none."""
    if name in furthest:
        return torch.linspace(0.0, furthest[name], bins)
    if name == "Posterize":
        return 8 - (torch.arange(bins) / ((bins - 1) / bits)).round().int()
    return torch.linspace(255.0, 0.0, bins) if name == "Solarize" else None


# --- transforms


class _Automatic(Transform):
    """What they share."""

    __program__ = True
    __invisible__ = True
    __abstract__ = ()

    interpolation: Any
    fill: Any
    _options: ClassVar[tuple[str, ...]]

    def _begin(self, interpolation: Any, fill: Any) -> None:
        self.interpolation, self.fill = mode_given(interpolation), fill

    def _flipped(self) -> bool:
        return bool(torch.randint(2, (1,)))

    def _applied(self, img: Any, name: str, far: float) -> Any:
        fill = self.fill
        if isinstance(img, Tensor) and fill is not None:
            channels = get_dimensions(img)[0]
            fill = [float(fill)] * channels if isinstance(fill, int | float) else [float(part) for part in fill]
        return _CHANGES[name](img, far, self.interpolation, fill)

    def _shown(self) -> str:
        shown = [f"{name}={getattr(self, name)}" for name in self._options]
        if not isinstance(self, AutoAugment):
            shown.append(f"interpolation={self.interpolation}")
        return ", ".join([*shown, f"fill={to_text(self.fill)}"])


class RandAugment(_Automatic):
    """Some changes, all of them equally far."""

    __program__ = True
    _options = ("num_ops", "magnitude", "num_magnitude_bins")

    def __init__(
        self, num_ops: int = 2, magnitude: int = 9, num_magnitude_bins: int = 31,
        interpolation: Any = InterpolationMode.NEAREST, fill: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_ops, self.magnitude, self.num_magnitude_bins = num_ops, magnitude, num_magnitude_bins
        self._begin(interpolation, fill)

    def forward(self, img: Any) -> Any:
        _, height, width = get_dimensions(img)
        furthest = _usual((height, width))
        for _ in range(self.num_ops):
            meter.charge(20)
            name = _DRAWN[int(torch.randint(len(_DRAWN), (1,)).item())]
            scale = _scale(name, furthest, self.num_magnitude_bins, 4)
            far = 0.0 if scale is None else float(scale[self.magnitude].item())
            if name in _SIGNED and self._flipped():
                far *= -1.0
            img = self._applied(img, name, far)
        return img


class TrivialAugmentWide(_Automatic):
    """One change, how far is drawn as well."""

    __program__ = True
    _options = ("num_magnitude_bins",)

    def __init__(
        self, num_magnitude_bins: int = 31, interpolation: Any = InterpolationMode.NEAREST, fill: Any = None
    ) -> None:
        super().__init__()
        self.num_magnitude_bins = num_magnitude_bins
        self._begin(interpolation, fill)

    def forward(self, img: Any) -> Any:
        furthest = _furthest(None, 32.0, 0.99, 135.0, 0.99)
        name = _DRAWN[int(torch.randint(len(_DRAWN), (1,)).item())]
        scale = _scale(name, furthest, self.num_magnitude_bins, 6)
        far = 0.0 if scale is None else float(scale[int(torch.randint(len(scale), (1,)).item())].item())
        if name in _SIGNED and self._flipped():
            far *= -1.0
        return self._applied(img, name, far)


class AutoAugmentPolicy(Choice):
    """What pairs of changes were found to help on."""

    __module__ = "torchvision.transforms.autoaugment"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    IMAGENET: ClassVar[AutoAugmentPolicy]
    CIFAR10: ClassVar[AutoAugmentPolicy]
    SVHN: ClassVar[AutoAugmentPolicy]


AutoAugmentPolicy._fill("imagenet", "cifar10", "svhn")

_FOUND = {
    "imagenet": (
        "Posterize.4.8/Rotate.6.9 Solarize.6.5/AutoContrast.6 Equalize.8/Equalize.6 Posterize.6.7/Posterize.6.6 "
        "Equalize.4/Solarize.2.4 Equalize.4/Rotate.8.8 Solarize.6.3/Equalize.6 Posterize.8.5/Equalize.10 "
        "Rotate.2.3/Solarize.6.8 Equalize.6/Posterize.4.6 Rotate.8.8/Color.4.0 Rotate.4.9/Equalize.6 "
        "Equalize.0/Equalize.8 Invert.6/Equalize.10 Color.6.4/Contrast.10.8 Rotate.8.8/Color.10.2 "
        "Color.8.8/Solarize.8.7 Sharpness.4.7/Invert.6 ShearX.6.5/Equalize.10 Color.4.0/Equalize.6 "
        "Equalize.4/Solarize.2.4 Solarize.6.5/AutoContrast.6 Invert.6/Equalize.10 Color.6.4/Contrast.10.8 "
        "Equalize.8/Equalize.6"
    ),
    "cifar10": (
        "Invert.1/Contrast.2.6 Rotate.7.2/TranslateX.3.9 Sharpness.8.1/Sharpness.9.3 ShearY.5.8/TranslateY.7.9 "
        "AutoContrast.5/Equalize.9 ShearY.2.7/Posterize.3.7 Color.4.3/Brightness.6.7 Sharpness.3.9/Brightness.7.9 "
        "Equalize.6/Equalize.5 Contrast.6.7/Sharpness.6.5 Color.7.7/TranslateX.5.8 Equalize.3/AutoContrast.4 "
        "TranslateY.4.3/Sharpness.2.6 Brightness.9.6/Color.2.8 Solarize.5.2/Invert.0 Equalize.2/AutoContrast.6 "
        "Equalize.2/Equalize.6 Color.9.9/Equalize.6 AutoContrast.8/Solarize.2.8 Brightness.1.3/Color.7.0 "
        "Solarize.4.5/AutoContrast.9 TranslateY.9.9/TranslateY.7.9 AutoContrast.9/Solarize.8.3 Equalize.8/Invert.1 "
        "TranslateY.7.9/AutoContrast.9"
    ),
    "svhn": (
        "ShearX.9.4/Invert.2 ShearY.9.8/Invert.7 Equalize.6/Solarize.6.6 Invert.9/Equalize.6 Equalize.6/Rotate.9.3 "
        "ShearX.9.4/AutoContrast.8 ShearY.9.8/Invert.4 ShearY.9.5/Solarize.2.6 Invert.9/AutoContrast.8 "
        "Equalize.6/Rotate.9.3 ShearX.9.4/Solarize.3.3 ShearY.8.8/Invert.7 Equalize.9/TranslateY.6.6 "
        "Invert.9/Equalize.6 Contrast.3.3/Rotate.8.4 Invert.8/TranslateY.0.2 ShearY.7.6/Solarize.4.8 "
        "Invert.6/Rotate.8.4 ShearY.3.7/TranslateX.9.3 ShearX.1.6/Invert.6 Solarize.7.2/TranslateY.6.7 "
        "ShearY.8.4/Invert.8 ShearX.7.9/TranslateY.8.3 ShearY.8.5/AutoContrast.7 ShearX.7.2/Invert.1"
    ),
}  # fmt: skip
"""Pairs of changes: its name, how often in ten, and how far in nine steps, if it goes far."""


def _pair(text: str) -> list[tuple[str, float, int | None]]:
    parts = [part.split(".") for part in text.split("/")]
    return [(name, int(often) / 10, int(far[0]) if far else None) for name, often, *far in parts]


_POLICIES = {name: [_pair(text) for text in pairs.split()] for name, pairs in _FOUND.items()}


class AutoAugment(_Automatic):
    """A pair of changes that helped on some data set."""

    __program__ = True
    _options = ("policy",)

    def __init__(
        self, policy: Any = AutoAugmentPolicy.IMAGENET, interpolation: Any = InterpolationMode.NEAREST, fill: Any = None
    ) -> None:
        super().__init__()
        if not isinstance(policy, AutoAugmentPolicy):
            raise ValueError(f"The provided policy {to_text(policy)} is not recognized.")
        self.policy = policy
        self._begin(interpolation, fill)

    def forward(self, img: Any) -> Any:
        pairs = _POLICIES[self.policy.value]
        pair = pairs[int(torch.randint(len(pairs), (1,)).item())]
        rolled, signs = torch.rand((2,)), torch.randint(2, (2,))
        for index, (name, often, step) in enumerate(pair):
            if rolled[index] <= often:
                img = self._applied(img, name, self._far(img, name, step, lambda i=index: signs[i] == 0))
        return img

    def _far(self, img: Any, name: str, step: int | None, flipped: Any) -> float:
        _, height, width = get_dimensions(img)
        scale = _scale(name, _usual((height, width)), 10, 4)
        far = 0.0 if step is None else float(scale[step].item())
        return -far if name in _SIGNED and flipped() else far


# --- the second version


class _AutomaticSecond(Second):
    __program__ = True
    __invisible__ = True
    __abstract__ = ()

    def _flipped(self) -> bool:
        return bool(torch.rand(()) <= 0.5)


def _changed_in_turn(self: Any, img: Any) -> Any:
    pairs = _POLICIES[self.policy.value]
    for name, often, step in pairs[int(torch.randint(len(pairs), (1,)).item())]:
        if torch.rand(()) <= often:
            img = self._applied(img, name, self._far(img, name, step, self._flipped))
    return img


def _second(kind: Any) -> Any:
    body = {
        "__program__": True, "__module__": "torchvision.transforms.v2._auto_augment",
        "_fields": ("interpolation", "fill", *kind._options),
        "_changed": _changed_in_turn if kind is AutoAugment else lambda self, img: kind.forward(self, img),
    }  # fmt: skip
    return type(kind.__name__, (_AutomaticSecond, kind), body)


_KINDS = (AutoAugment, RandAugment, TrivialAugmentWide)
for _kind in (_Automatic, *_KINDS):
    _kind.__module__ = "torchvision.transforms.autoaugment"
AUTOMATIC: dict[str, Any] = {kind.__name__: kind for kind in (*_KINDS, AutoAugmentPolicy)}
AUTOMATIC_V2: dict[str, Any] = {**AUTOMATIC, **{kind.__name__: _second(kind) for kind in _KINDS}}
