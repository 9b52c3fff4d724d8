"""`torchvision.datasets`: random stand-ins of the right shapes, which say so; a few hundred images each.

An image of a class is a pattern of that class with noise, so that a network can learn to tell them apart.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

import engine.torch as torch
from engine.core.tensor import Tensor
from engine.limits import meter
from engine.program import session as sessions
from engine.program.arrays import wrap
from engine.program.calls import call
from engine.program.files import fspath
from engine.program.stdlib.torchvision.image import Image
from engine.program.text import represent, to_text
from engine.torch.utils.data import STANDS_FOR, Dataset

TRAINING, TEST = 256, 64
_DIGITS = "zero one two three four five six seven eight nine".split()
_CIFAR10 = "airplane automobile bird cat deer dog frog horse ship truck".split()
_FASHION = ["T-shirt/top", *"Trouser Pullover Dress Coat Sandal Shirt Sneaker Bag".split(), "Ankle boot"]


def _images(name: str, train: bool, shape: tuple[int, ...], classes: int) -> tuple[Any, Any]:
    """Images as bytes, and their labels."""
    source = np.random.RandomState(sum(name.encode()) + 7)
    patterns = source.uniform(0, 255, (classes, *shape)) * (source.uniform(size=(classes, *shape)) < 0.4)
    rows = source.normal(0, 40, (TRAINING + TEST, *shape))
    labels = source.permutation(np.arange(TRAINING + TEST) % classes)
    images = np.clip(patterns[labels] + rows, 0, 255).astype(np.uint8)
    part = slice(0, TRAINING) if train else slice(TRAINING, None)
    return images[part], labels[part]


class VisionDataset(Dataset):
    """What the data sets share."""

    __module__ = "torchvision.datasets.vision"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(
        self, root: Any = None, transforms: Any = None, transform: Any = None, target_transform: Any = None
    ) -> None:
        self.root = root if root is None else fspath(root)
        self.transforms, self.transform, self.target_transform = transforms, transform, target_transform

    def _shown(self, image: Any, target: Any) -> tuple[Any, Any]:
        if self.transforms is not None:
            return tuple(call(self.transforms, [image, target], None))
        if self.transform is not None:
            image = call(self.transform, [image], None)
        if self.target_transform is not None:
            target = call(self.target_transform, [target], None)
        return image, target

    def __repr__(self) -> str:
        lines = [f"Dataset {type(self).__name__}", f"    Number of datapoints: {len(self)}"]
        if self.root is not None:
            lines.append(f"    Root location: {self.root}")
        lines += [f"    {line}" for line in self.extra_repr().splitlines()]
        if self.transform is not None:
            first, *rest = to_text(self.transform).split("\n")
            lines += ["    StandardTransform", f"Transform: {first}", *[f"           {line}" for line in rest]]
        return "\n".join(lines)

    def extra_repr(self) -> str:
        return ""

    def __len__(self) -> int:
        raise NotImplementedError


class _StandIn(VisionDataset):
    """Random images of a data set's shape and labels."""

    __program__ = True
    __invisible__ = True
    _shape: tuple[int, ...] = (28, 28)
    _real = 60_000, 10_000
    classes: list[str] = []

    def __init__(
        self, root: Any, train: Any = True, transform: Any = None, target_transform: Any = None, download: Any = False,
        **options: Any,
    ) -> None:  # fmt: skip
        super().__init__(root, None, transform, target_transform)
        self.train, name = bool(train), type(self).__name__
        kept = TRAINING if self.train else TEST
        sessions.active.notice(
            f"This is a random stand-in for {self._title()}: {kept} made-up images instead of"
            f" {self._real[0 if self.train else 1]:,} real ones."
        )
        size = (TRAINING + TEST) * int(np.prod(self._shape))
        meter.allocate(size, 8)
        meter.charge(size >> 8)
        self.classes = list(self.classes)
        self._pixels, self._labels = _images(name, self.train, self._shape, len(self.classes))
        self._keep()

    @classmethod
    def _title(cls) -> str:
        return next(base.__name__ for base in cls.__mro__ if base.__dict__.get("__program__") is True)

    def _keep(self) -> None:
        self.data, self.targets = Tensor._from_array(self._pixels), Tensor._from_array(self._labels.astype(np.int64))

    @property
    def class_to_idx(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.classes)}

    def __getitem__(self, index: Any) -> tuple[Any, Any]:
        meter.charge(1)
        at = int(index)
        return self._shown(Image(self._pixels[at]), int(self._labels[at]))

    def __len__(self) -> int:
        return len(self._labels)

    def extra_repr(self) -> str:
        return f"Split: {'Train' if self.train else 'Test'}"


class MNIST(_StandIn):
    """28×28 greys, ten digits."""

    __program__ = True
    classes = [f"{number} - {name}" for number, name in enumerate(_DIGITS)]

    @property
    def train_data(self) -> Any:
        return self._renamed("train_data", "data")

    @property
    def test_data(self) -> Any:
        return self._renamed("test_data", "data")

    @property
    def train_labels(self) -> Any:
        return self._renamed("train_labels", "targets")

    @property
    def test_labels(self) -> Any:
        return self._renamed("test_labels", "targets")

    def _renamed(self, old: str, new: str) -> Any:
        warnings.warn(f"{old} has been renamed {new}", UserWarning, stacklevel=1)
        return getattr(self, new)


class FashionMNIST(MNIST):
    """28×28 greys, ten pieces of clothing."""

    __program__ = True
    classes = _FASHION


class KMNIST(MNIST):
    """28×28 greys, ten characters."""

    __program__ = True
    classes = "o ki su tsu na ha ma ya re wo".split()


class CIFAR10(_StandIn):
    """32×32 colours, ten kinds of things."""

    __program__ = True
    classes = _CIFAR10
    _shape = (32, 32, 3)
    _real = 50_000, 10_000

    def _keep(self) -> None:
        self.data, self.targets = wrap(self._pixels), self._labels.tolist()


class CIFAR100(CIFAR10):
    """32×32 colours, a hundred kinds of things."""

    __program__ = True
    classes = [f"class {number}" for number in range(100)]


class SVHN(CIFAR10):
    """32×32 colours, ten digits."""

    __program__ = True
    classes = _DIGITS
    _real = 73_257, 26_032

    def __init__(self, root: Any, split: str = "train", transform: Any = None, *rest: Any, **options: Any) -> None:
        super().__init__(root, split == "train", transform, *rest, **options)


class FakeData(VisionDataset):
    """torchvision's own random images."""

    __program__ = True

    def __init__(
        self, size: int = 1000, image_size: Any = (3, 224, 224), num_classes: int = 10, transform: Any = None,
        target_transform: Any = None, random_offset: int = 0,
    ) -> None:  # fmt: skip
        super().__init__(None, None, transform, target_transform)
        self.size, self.image_size, self.num_classes = size, tuple(image_size), num_classes
        self.random_offset = random_offset

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        if index >= len(self):
            raise IndexError(f"{type(self).__name__} index out of range")
        state = torch.get_rng_state()
        torch.manual_seed(index + self.random_offset)
        image = torch.randn(*self.image_size)
        target = torch.randint(0, self.num_classes, size=(1,), dtype=torch.long)[0]
        torch.set_rng_state(state)
        pixels = (image.numpy() * 255).astype(np.int64).astype(np.uint8)
        return self._shown(Image(np.moveaxis(pixels, 0, -1)), target.item())

    def __len__(self) -> int:
        return self.size


class ImageFolder(VisionDataset):
    """Folders of images, of which there are none."""

    __program__ = True

    def __init__(self, root: Any, *args: Any, **options: Any) -> None:
        raise FileNotFoundError(
            f"Couldn't find any class folder in {represent(fspath(root))[1:-1]}. Programs see no images here: use"
            " torchvision.datasets.FakeData."
        )


FILES: dict[str, tuple[type, ...]] = {
    "vision": (VisionDataset,), "mnist": (MNIST, FashionMNIST, KMNIST), "cifar": (CIFAR10, CIFAR100), "svhn": (SVHN,),
    "fakedata": (FakeData,), "folder": (ImageFolder,),
}  # fmt: skip
"""The modules below `torchvision.datasets`, and what is in them."""

DATASETS: dict[str, Any] = {}
for _file, _kinds in FILES.items():
    for _kind in _kinds:
        _kind.__module__, _kind.__qualname__ = f"torchvision.datasets.{_file}", _kind.__name__
        DATASETS[_kind.__name__] = _kind
        if issubclass(_kind, _StandIn):
            STANDS_FOR[_kind] = _kind._real
