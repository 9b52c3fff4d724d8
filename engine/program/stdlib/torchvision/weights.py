"""The names of trained weights, `ResNet18_Weights.DEFAULT`: there are none behind them, but what images become."""

from __future__ import annotations

from typing import Any

import engine.torch
from engine.program.stdlib.torchvision.interpolation import InterpolationMode
from engine.program.stdlib.torchvision.transforms import (
    Transform,
    center_crop,
    convert_image_dtype,
    listed,
    normalize,
    pil_to_tensor,
    resize,
)
from engine.program.text import represent
from engine.program.values import Module

torch: Any = engine.torch

_MEAN, _STD = [0.485, 0.456, 0.406], [0.229, 0.224, 0.225]


class ImageClassification(Transform):
    """What an image goes through before a model that was trained on ImageNet sees it."""

    __module__ = "torchvision.transforms._presets"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, crop_size: int = 224, resize_size: int = 256, interpolation: Any = None) -> None:
        super().__init__()
        self.crop_size, self.resize_size = [crop_size], [resize_size]
        self.mean, self.std = list(_MEAN), list(_STD)
        self.interpolation = interpolation or InterpolationMode.BILINEAR
        self.antialias = True

    def forward(self, img: Any) -> Any:
        img = center_crop(resize(img, self.resize_size, self.interpolation, None, self.antialias), self.crop_size)
        if not isinstance(img, torch.Tensor):
            img = pil_to_tensor(img)
        return normalize(convert_image_dtype(img, torch.float32), self.mean, self.std)

    def __repr__(self) -> str:
        lines = [f"{name}={represent(getattr(self, name))}" for name in ("crop_size", "resize_size", "mean", "std")]
        return listed(type(self).__name__, *lines, f"interpolation=InterpolationMode.{self.interpolation.name}")


class Weights:
    """One of them."""

    __module__ = "torchvision.models"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, family: str, name: str, preset: dict[str, Any]) -> None:
        self.name = name
        self._family, self._preset = family, preset

    def transforms(self) -> ImageClassification:
        """What makes an input of an image."""
        return ImageClassification(**self._preset)

    @property
    def meta(self) -> dict[str, Any]:
        """What torchvision knows about them."""
        raise NotImplementedError(
            "There are no trained weights here, nor the names of the classes that they tell apart: number the classes"
        )

    def get_state_dict(self, *args: Any, **options: Any) -> Any:
        """The weights themselves."""
        raise NotImplementedError("There are no trained weights here: the models begin with random ones")

    def __repr__(self) -> str:
        return f"{self._family}.{self.name}"


_CUBIC: dict[str, Any] = {"interpolation": InterpolationMode.BICUBIC}
_FIRST: dict[str, dict[str, Any]] = {"IMAGENET1K_V1": {}}
_BOTH: dict[str, dict[str, Any]] = {"IMAGENET1K_V1": {}, "IMAGENET1K_V2": {"resize_size": 232}}
_SWAG: dict[str, dict[str, Any]] = {
    "IMAGENET1K_V1": {},
    "IMAGENET1K_SWAG_E2E_V1": {"resize_size": 384, "crop_size": 384, **_CUBIC},
    "IMAGENET1K_SWAG_LINEAR_V1": {"resize_size": 224, **_CUBIC},
}
_FAMILIES: dict[str, dict[str, dict[str, Any]]] = {
    **dict.fromkeys(
        "ResNet18 ResNet34 SqueezeNet1_0 SqueezeNet1_1 MobileNet_V3_Small DenseNet121 ShuffleNet_V2_X0_5"
        " ShuffleNet_V2_X1_0 AlexNet VGG11 VGG11_BN VGG13 VGG13_BN VGG16 VGG16_BN VGG19 VGG19_BN ViT_B_32".split(),
        _FIRST,
    ),
    **dict.fromkeys(
        "ResNet50 ResNet101 ResNet152 ResNeXt50_32X4D Wide_ResNet50_2 MobileNet_V2 MobileNet_V3_Large".split(), _BOTH
    ),
    "ViT_B_16": _SWAG, "ViT_L_16": _SWAG,
    "EfficientNet_B0": {"IMAGENET1K_V1": _CUBIC},
    "EfficientNet_B1": {
        "IMAGENET1K_V1": {"crop_size": 240, **_CUBIC}, "IMAGENET1K_V2": {"resize_size": 255, "crop_size": 240},
    },
}  # fmt: skip


def _members(family: str, presets: dict[str, dict[str, Any]]) -> dict[str, Weights]:
    members = {name: Weights(family, name, preset) for name, preset in presets.items()}
    best = "IMAGENET1K_V2" if "IMAGENET1K_V2" in members else "IMAGENET1K_V1"
    return {**members, "DEFAULT": members[best]}


WEIGHTS: dict[str, dict[str, Weights]] = {
    f"{name}_Weights": _members(f"{name}_Weights", presets) for name, presets in _FAMILIES.items()
}
MODULES: dict[str, Module] = {
    family: Module.of(f"torchvision.models.{family}", dict(members)) for family, members in WEIGHTS.items()
}
