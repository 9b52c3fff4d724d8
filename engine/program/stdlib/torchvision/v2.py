"""`torchvision.transforms.v2`: transforms that take an image with what belongs to it, and mixtures of batches."""

from __future__ import annotations

import math
from typing import Any

import engine.torch
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.nn import functional as F
from engine.nn.module import Module
from engine.program.calls import call
from engine.program.operators import items
from engine.program.stdlib.torchvision import augment, transforms
from engine.program.stdlib.torchvision.image import Image
from engine.program.stdlib.torchvision.interpolation import InterpolationMode
from engine.program.text import represent, to_text
from engine.program.values import Builtin
from engine.program.values import Module as ModuleValue

torch: Any = engine.torch


class Second(Module):
    """What they share: of several inputs the image is changed, or else the first tensor; the others pass."""

    __module__ = "torchvision.transforms.v2"
    __program__ = True
    __invisible__ = True
    __abstract__ = ()
    _fields: tuple[str, ...] = ()

    def forward(self, *inputs: Any) -> Any:
        if len(inputs) == 1 and not isinstance(inputs[0], list | tuple | dict):
            return self._changed(inputs[0]) if isinstance(inputs[0], Tensor | Image) else inputs[0]
        given = inputs if len(inputs) > 1 else inputs[0]
        meter.charge(len(given) >> 2)
        parts = dict(given) if isinstance(given, dict) else dict(enumerate(given))
        places = [place for place, part in parts.items() if isinstance(part, Image)]
        places = places or [place for place, part in parts.items() if isinstance(part, Tensor)]
        if places:
            parts[places[0]] = self._changed(parts[places[0]])
        if isinstance(given, dict):
            return parts
        return tuple(parts.values()) if isinstance(given, tuple) else list(parts.values())

    def _changed(self, img: Any) -> Any:
        raise NotImplementedError

    def extra_repr(self) -> str:
        shown = []
        for field in self._fields:
            value = _SHOWN.get((type(self).__name__, field), _same)(getattr(self, field))
            if value is not None:
                value = value.value if isinstance(value, InterpolationMode) else value
                shown.append(f"{field}={to_text(value)}")
        return ", ".join(shown)

    def __repr__(self) -> str:
        return Module.__repr__(self)


def _same(value: Any) -> Any:
    return value


def _listed(value: Any) -> Any:
    return value if value is None else list(value) if isinstance(value, list | tuple) else [value]


def _four(padding: Any) -> Any:
    if padding is None:
        return None
    left, top, right, bottom = transforms.sides(padding)
    return [left, right, top, bottom]


def _floats(value: Any) -> Any:
    return None if isinstance(value, str) else [float(part) for part in _listed(value)]


_SHOWN: dict[tuple[str, str], Any] = {
    ("Resize", "size"): _listed, ("RandomCrop", "padding"): _four, ("GaussianBlur", "sigma"): _listed,
    ("RandomErasing", "value"): _floats, ("Normalize", "mean"): _listed, ("Normalize", "std"): _listed,
}  # fmt: skip
"""What is kept in another form."""

_FIELDS = {
    "Resize": "size interpolation max_size antialias", "CenterCrop": "size",
    "RandomCrop": "size padding pad_if_needed fill padding_mode", "RandomHorizontalFlip": "p",
    "RandomVerticalFlip": "p", "RandomResizedCrop": "size scale ratio interpolation antialias",
    "Normalize": "mean std inplace", "ColorJitter": "brightness contrast saturation hue", "RandomGrayscale": "p",
    "GaussianBlur": "kernel_size sigma", "RandomErasing": "p scale ratio value inplace",
    "RandomRotation": "degrees interpolation expand fill center",
    "RandomAffine": "degrees translate scale shear interpolation fill center",
    "RandomPerspective": "p distortion_scale interpolation fill", "RandomInvert": "p", "RandomAutocontrast": "p",
    "RandomEqualize": "p", "RandomPosterize": "p bits", "RandomSolarize": "p threshold",
    "RandomAdjustSharpness": "p sharpness_factor", "Pad": "padding fill padding_mode",
    "Grayscale": "num_output_channels",
    "FiveCrop": "size", "TenCrop": "size vertical_flip", "ElasticTransform": "alpha sigma interpolation fill",
    "ToDtype": "scale", "ToImage": "", "LinearTransformation": "", "ConvertImageDtype": "",
}  # fmt: skip


def _second(kind: Any, fields: str) -> Any:
    """The second version of a transform."""

    def changed(self: Any, img: Any) -> Any:
        return kind.forward(self, img)

    body = {"__program__": True, "__module__": "torchvision.transforms.v2", "_fields": tuple(fields.split())}
    return type(kind.__name__, (Second, kind), {**body, "_changed": changed})


# --- containers


class Compose(Second):
    """One after the other."""

    __program__ = True

    def __init__(self, transforms: Any) -> None:
        super().__init__()
        if not isinstance(transforms, list | tuple):
            raise TypeError("Argument transforms should be a sequence of callables")
        if not transforms:
            raise ValueError("Pass at least one transform")
        self.transforms = transforms

    def forward(self, *inputs: Any) -> Any:
        outputs: Any = inputs if len(inputs) > 1 else inputs[0]
        for transform in self._chosen():
            outputs = call(transform, list(outputs) if len(inputs) > 1 else [outputs], None)
        return outputs

    def _chosen(self) -> Any:
        return items(self.transforms)

    def extra_repr(self) -> str:
        return "\n".join(f"    {to_text(transform)}" for transform in items(self.transforms))


class RandomApply(Compose):
    """All of them, or none."""

    __program__ = True

    def __init__(self, transforms: Any, p: float = 0.5) -> None:
        super().__init__(transforms)
        if not 0.0 <= p <= 1.0:
            raise ValueError("`p` should be a floating point value in the interval [0.0, 1.0].")
        self.p = p

    def _chosen(self) -> Any:
        return [] if torch.rand(1).item() >= self.p else items(self.transforms)


class RandomChoice(Compose):
    """One of them."""

    __program__ = True

    def __init__(self, transforms: Any, p: Any = None) -> None:
        super().__init__(transforms)
        shares = [1] * len(transforms) if p is None else list(items(p))
        if len(shares) != len(transforms):
            raise ValueError(
                f"Length of p doesn't match the number of transforms: {len(shares)} != {len(transforms)}"
            )
        meter.charge(len(shares) >> 3)
        total = sum(shares)
        self.p = [share / total for share in shares]

    def _chosen(self) -> Any:
        return [self.transforms[int(torch.multinomial(torch.tensor(self.p), 1).item())]]

    def extra_repr(self) -> str:
        return f"transforms={represent(self.transforms)}, p={self.p}"


class RandomOrder(Compose):
    """All of them, shuffled."""

    __program__ = True

    def _chosen(self) -> Any:
        return [self.transforms[place] for place in torch.randperm(len(self.transforms)).tolist()]

    def extra_repr(self) -> str:
        return f"transforms={represent(self.transforms)}"


class Identity(Second):
    """Nothing."""

    __program__ = True

    def _changed(self, img: Any) -> Any:
        return img


class ToPureTensor(Identity):
    """Nothing: tensors are no more than tensors here."""

    __program__ = True


class Lambda(Second):
    """A function of the program, of every input."""

    __program__ = True

    def __init__(self, lambd: Any, *types: Any) -> None:
        super().__init__()
        self.lambd, self.types = lambd, types or (object,)

    def forward(self, *inputs: Any) -> Any:
        outputs = [call(self.lambd, [each], None) if isinstance(each, self.types) else each for each in inputs]
        return outputs[0] if len(inputs) == 1 else tuple(outputs)

    def extra_repr(self) -> str:
        return f"{self.lambd.__name__}, types={[kind.__name__ for kind in self.types]}"


class RandomChannelPermutation(Second):
    """Channels in another order."""

    __program__ = True

    def _changed(self, img: Any) -> Any:
        return img[..., torch.randperm(img.shape[-3]), :, :]


class GaussianNoise(Second):
    """Noise added to images of floats."""

    __program__ = True
    _fields = ("mean", "sigma", "clip")

    def __init__(self, mean: float = 0.0, sigma: float = 0.1, clip: Any = True) -> None:
        super().__init__()
        self.mean, self.sigma, self.clip = mean, sigma, clip

    def _changed(self, img: Any) -> Any:
        if not isinstance(img, Tensor) or not img.is_floating_point():
            raise ValueError(f"Input tensor is expected to be in uint8 or float dtype, got dtype={img.dtype}")
        if self.sigma < 0:
            raise ValueError(f"sigma shouldn't be negative. Got {self.sigma}")
        noisy = img + (self.mean + torch.randn_like(img) * self.sigma)
        return torch.clamp(noisy, 0, 1) if self.clip else noisy


# --- mixtures of a batch and the same batch, one row further


class MixUp(Second):
    """Images and labels of two rows, mixed in one proportion."""

    __program__ = True
    _fields = ("alpha", "num_classes")

    def __init__(self, *, alpha: float = 1.0, num_classes: Any = None, labels_getter: Any = "default") -> None:
        super().__init__()
        self.alpha, self.num_classes = float(alpha), num_classes
        self._dist = torch.distributions.Beta(torch.tensor([self.alpha]), torch.tensor([self.alpha]))

    def forward(self, *inputs: Any) -> Any:
        given = inputs if len(inputs) > 1 else inputs[0]
        images, labels = (given, given) if isinstance(given, Tensor) else given
        if not isinstance(labels, Tensor):
            raise ValueError(
                "When using the default labels_getter, the input passed to forward must be a dictionary or a two-tuple"
                f" whose second item is a dictionary or a tensor, but got {represent(labels)} instead."
            )
        if labels.ndim not in (1, 2):
            raise ValueError(
                "labels should be index based with shape (batch_size,) or probability based with shape (batch_size,"
                f" num_classes), but got a tensor of shape {labels.shape} instead."
            )
        if labels.ndim == 2 and self.num_classes is not None and labels.shape[-1] != self.num_classes:
            raise ValueError(
                "When passing 2D labels, the number of elements in last dimension must match num_classes:"
                f" {labels.shape[-1]} != {self.num_classes}. You can Leave num_classes to None."
            )
        if labels.ndim == 1 and self.num_classes is None:
            raise ValueError("num_classes must be passed if the labels are index-based (1D)")
        if images.ndim != 4:
            self._dist.sample(())
            raise ValueError(f"Expected a batched input with 4 dims, but got {images.ndim} dimensions instead.")
        images, share = self._mixed(images, float(self._dist.sample(()).item()))
        labels = F.one_hot(labels, self.num_classes) if labels.ndim == 1 else labels
        labels = labels if labels.is_floating_point() else labels.float()
        mixed = images, labels.roll(1, 0).mul_(1.0 - share).add_(labels.mul(share))
        return mixed if isinstance(given, tuple) else list(mixed)

    def _mixed(self, images: Any, share: float) -> tuple[Any, float]:
        return images.roll(1, 0).mul_(1.0 - share).add_(images.mul(share)), share


class CutMix(MixUp):
    """A rectangle of each image from the row before, and labels by how large it is."""

    __program__ = True

    def _mixed(self, images: Any, share: float) -> tuple[Any, float]:
        height, width = images.shape[-2:]
        across, down = torch.randint(width, size=(1,)).item(), torch.randint(height, size=(1,)).item()
        half = 0.5 * math.sqrt(1.0 - share)
        wide, high = int(half * width), int(half * height)
        left, right = max(across - wide, 0), min(across + wide, width)
        top, bottom = max(down - high, 0), min(down + high, height)
        mixed = images.clone()
        mixed[..., top:bottom, left:right] = images.roll(1, 0)[..., top:bottom, left:right]
        return mixed, float(1.0 - (right - left) * (bottom - top) / (width * height))


_FILES = {
    "_container": (Compose, RandomApply, RandomChoice, RandomOrder), "_misc": (Identity, Lambda, GaussianNoise),
    "_type_conversion": (ToPureTensor,), "_color": (RandomChannelPermutation,), "_augment": (MixUp, CutMix),
    "_transform": (Second,),
}  # fmt: skip
for _file, _kinds in _FILES.items():
    for _kind in _kinds:
        _kind.__module__ = f"torchvision.transforms.v2.{_file}"

_FIRST = {**augment.TRANSFORMS, "ToDtype": transforms.ToDtype, "ToImage": transforms.ToImage}
V2: dict[str, Any] = {
    **augment.TRANSFORMS,
    **{name: _second(_FIRST[name], fields) for name, fields in _FIELDS.items()},
    **{kind.__name__: kind for kinds in _FILES.values() for kind in kinds if kind is not Second},
}  # fmt: skip
FUNCTIONAL_V2: dict[str, Any] = {
    **augment.FUNCTIONAL,
    **{
        new: Builtin(new, function)
        for new, function in (
            ("horizontal_flip", transforms.hflip), ("vertical_flip", transforms.vflip),
            ("to_dtype", transforms.to_dtype), ("to_image", transforms.to_image),
        )
    },
}  # fmt: skip
V2["functional"] = ModuleValue.of("torchvision.transforms.v2.functional", FUNCTIONAL_V2)
