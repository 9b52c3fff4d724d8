"""`torchvision.datasets`: random stand-ins of the right shapes, which say so; a few images of each.

An image of a class is a pattern of that class with noise, so that a network can learn to tell them apart. What is read
as a whole (`.data`, `.targets`) is as long as the real one, for programs that cut it.
"""

from __future__ import annotations

import inspect
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from types import ModuleType
from typing import Any

import numpy as np

from engine.core.state import state
from engine.core.tensor import Tensor
from engine.libraries.models import mend_ops
from engine.limits import meter
from engine.torch.utils.data import STANDS_FOR

TRAINING, TEST = 256, 64
LARGE = 64 * 64 * 3
"""Images of more elements are fewer, and made when they are asked for."""
FEWER = 4
_DIGITS = "zero one two three four five six seven eight nine".split()
_CIFAR10 = "airplane automobile bird cat deer dog frog horse ship truck".split()
_FASHION = ["T-shirt/top", *"Trouser Pullover Dress Coat Sandal Shirt Sneaker Bag".split(), "Ankle boot"]
_VOC = (
    "aeroplane bicycle bird boat bottle bus car cat chair cow diningtable dog horse motorbike person pottedplant sheep"
    " sofa train tvmonitor"
).split()


def _label(self: Any, label: int, draw: Any) -> Any:
    return label


@dataclass(frozen=True)
class Kind:
    """What a data set has: the shape of its images, its classes, and how many there really are of each split."""

    shape: tuple[int, ...]
    classes: int | list[str]
    real: tuple[int, int]
    data: str = ""  # the attribute with all images, and how it has them
    layout: str = "array"
    labels: str = "targets"
    listed: str = "list"  # how the labels are held
    target: Callable[[Any, int, Any], Any] = _label
    items: Callable[[Any, int], Any] | None = None  # where an item is not an image and its target

    @property
    def names(self) -> list[str]:
        return [f"class {number}" for number in range(self.classes)] if isinstance(self.classes, int) else self.classes


class Rows:
    """The images and labels that stand in for a data set: few, each again where more are asked for."""

    def __init__(self, name: str, kind: Kind, shape: tuple[int, ...], classes: int, train: bool, real: int) -> None:
        self.name, self.shape, self.classes, self.real = name, shape, classes, real
        divided = 1 if int(np.prod(shape)) <= LARGE else FEWER
        self.first = 0 if train else TRAINING // divided
        self.count = min((TRAINING if train else TEST) // divided, real)
        self.every = (TRAINING + TEST) // divided
        source = self._source()
        if divided == 1:
            meter.allocate(self.every * int(np.prod(shape)), 8)
            patterns = source.uniform(0, 255, (classes, *shape)) * (source.uniform(size=(classes, *shape)) < 0.4)
            noise = source.normal(0, 40, (self.every, *shape))
            labels = source.permutation(np.arange(self.every) % classes)
            self.images: Any = np.clip(patterns[labels] + noise, 0, 255).astype(np.uint8)[self._part]
        else:
            labels = source.permutation(np.arange(self.every) % classes)
            self.images = None
        self.labels = labels[self._part].astype(np.int64)

    @property
    def _part(self) -> slice:
        return slice(self.first, self.first + self.count)

    def _source(self, more: int = 7) -> np.random.RandomState:
        return np.random.RandomState(sum(self.name.encode()) + more)

    def image(self, index: int) -> Any:
        at = index % self.count
        if self.images is not None:
            return self.images[at]
        height, width, *channels = self.shape
        meter.allocate(height * width * 3, 1)
        coarse = self._source(11 + int(self.labels[at])).randint(0, 256, (8, 8, *channels))
        rows, columns = np.arange(height) * 8 // height, np.arange(width) * 8 // width
        noise = self.draw(at).randint(-30, 31, (height, width, *channels))
        return np.clip(coarse[rows[:, None], columns] + noise, 0, 255).astype(np.uint8)

    def draw(self, index: int) -> np.random.RandomState:
        """Random numbers of one item."""
        return self._source(1000 + self.first + index % self.count)

    def all(self, few: Any) -> Any:
        """As many rows as the real data have, if a tensor may be so large."""
        size = self.real * int(np.prod(self.shape))
        if meter.limits is not None and size > meter.limits.tensor_elements:
            return few
        meter.allocate(size // int(np.prod(self.shape)) * int(np.prod(few.shape[1:])), few.itemsize)
        return few[np.resize(np.arange(self.count), self.real)]


def _mask(self: Any, label: int, draw: Any) -> Any:
    shape = self._rows.shape[:2]
    made = np.zeros(shape, np.uint8)
    top, left = (int(draw.randint(0, side // 2)) for side in shape)
    made[top : top + shape[0] // 2, left : left + shape[1] // 2] = label % 20 + 1
    return _picture(made)


def _box(self: Any, draw: Any) -> list[int]:
    height, width = self._rows.shape[:2]
    left, top = int(draw.randint(0, width // 2)), int(draw.randint(0, height // 2))
    return [left, top, left + int(draw.randint(8, width // 2)), top + int(draw.randint(8, height // 2))]


def _voc(self: Any, label: int, draw: Any) -> Any:
    height, width = self._rows.shape[:2]
    box = dict(zip(("xmin", "ymin", "xmax", "ymax"), map(str, _box(self, draw)), strict=True))
    found = {"name": _VOC[label], "pose": "Unspecified", "truncated": "0", "difficult": "0", "bndbox": box}
    size = {"width": str(width), "height": str(height), "depth": "3"}
    about = {"folder": "VOC2012", "filename": f"{label:06}.jpg", "size": size, "segmented": "0"}
    return {"annotation": {**about, "object": [found]}}


def _coco(self: Any, label: int, draw: Any) -> Any:
    left, top, right, bottom = _box(self, draw)
    width, height = right - left, bottom - top
    return [
        {
            "segmentation": [[left, top, right, top, right, bottom, left, bottom]],
            "area": float(width * height), "iscrowd": 0, "image_id": label, "bbox": [left, top, width, height],
            "category_id": label + 1, "id": label,
        }
    ]  # fmt: skip


def _kitti(self: Any, label: int, draw: Any) -> Any:
    where = {"dimensions": [1.5, 1.6, 3.9], "location": [0.0, 1.7, 20.0], "rotation_y": 0.0}
    box = [float(side) for side in _box(self, draw)]
    return [{"type": self.classes[label], "truncated": 0.0, "occluded": 0, "alpha": 0.0, "bbox": box, **where}]


def _faces(self: Any, label: int, draw: Any) -> Any:
    left, top, right, bottom = _box(self, draw)
    box = Tensor._from_array(np.array([[left, top, right - left, bottom - top]]))
    names = "blur expression illumination occlusion pose invalid"
    return {"bbox": box, **{name: Tensor._from_array(np.zeros(1, np.int64)) for name in names.split()}}


def _words(self: Any, label: int, draw: Any) -> list[str]:
    return [f"a made-up sentence about picture {label}, number {number}" for number in range(5)]


def _sentence(self: Any, label: int, draw: Any) -> str:
    return _words(self, label, draw)[0]


def _celebrity(self: Any, label: int, draw: Any) -> Any:
    made = {
        "attr": draw.randint(0, 2, 40),
        "identity": label,
        "bbox": [30, 40, 120, 150],
        "landmarks": draw.randint(60, 120, 10),
    }
    found = [Tensor._from_array(np.asarray(made[kind], np.int64)) for kind in self.target_type]
    return None if not found else found[0] if len(found) == 1 else tuple(found)


def _by_type(self: Any, label: int, draw: Any) -> Any:
    """Where the program says which of a class and a mask it wants."""
    asked = getattr(self, "target_type", getattr(self, "target_types", ()))
    kinds = [asked] if isinstance(asked, str) else list(asked)
    made = [_mask(self, label, draw) if kind in _MASKS else label % 2 if "binary" in kind else label for kind in kinds]
    return made[0] if len(made) == 1 else tuple(made)


_MASKS = frozenset({"instance", "semantic", "color", "polygon", "segmentation", "annotation"})


def _clip(self: Any, index: int) -> Any:
    rows, frames = self._rows, int(getattr(self, "frames_per_clip", 16))
    video = np.stack([rows.image(index + number) for number in range(frames)])
    clip = Tensor._from_array(np.moveaxis(video, -1, 1) if getattr(self, "output_format", "") == "TCHW" else video)
    if self.transform is not None:
        clip = self.transform(clip)
    return clip, Tensor._from_array(np.zeros((1, 0), np.float32)), int(rows.labels[index % rows.count])


def _digits_moving(self: Any, index: int) -> Any:
    frames = np.stack([self._rows.image(index + number) for number in range(20)])[:, None]
    data = Tensor._from_array(frames)
    split, ratio = getattr(self, "split", None), getattr(self, "split_ratio", 10)
    data = data if split is None else data[:ratio] if split == "train" else data[ratio:]
    return data if self.transform is None else self.transform(data)


def _pair(self: Any, index: int) -> Any:
    images = [self._rows.image(index), self._rows.image(index + index % 2)]
    if self.transform is not None:
        images = [self.transform(_picture(each)) for each in images]
    else:
        images = [_picture(each) for each in images]
    return (*images, 1 - index % 2)


def _patch(self: Any, index: int) -> Any:
    def one(at: int) -> Any:
        patch = Tensor._from_array(self._rows.image(at))
        return patch if self.transform is None else self.transform(patch)

    return one(index) if self.train else (one(index), one(index + 1), Tensor._from_array(np.array(index % 2)))


def _flow(self: Any, index: int) -> Any:
    return _with_field(self, index, 2, self._has_builtin_flow_mask)


def _stereo(self: Any, index: int) -> Any:
    return _with_field(self, index, 1, self._has_built_in_disparity_mask)


def _with_field(self: Any, index: int, channels: int, masked: bool) -> Any:
    """Two images, how points move between them, and where that is known."""
    shape = self._rows.shape[:2]
    moved = self._rows.draw(index).uniform(-2, 2, (channels, *shape)).astype(np.float32)
    known = np.ones(shape, bool) if masked else None
    item: Any = _picture(self._rows.image(index)), _picture(self._rows.image(index + 1)), moved, known
    if self.transforms is not None:
        item = self.transforms(*item)
    return item if masked or item[3] is not None else item[:3]


def _of(height: int, width: int, channels: int = 3) -> tuple[int, ...]:
    return (height, width, channels) if channels == 3 else (height, width)


_GREY: dict[str, Any] = {"data": "data", "layout": "tensor", "listed": "tensor"}
_PLANES: dict[str, Any] = {"data": "data", "layout": "planes", "labels": "labels", "listed": "array"}
_STEREO: dict[str, Any] = {"items": _stereo}
_OPTICAL: dict[str, Any] = {"items": _flow}
_VIDEO: dict[str, Any] = {"items": _clip}
KINDS: dict[str, Kind] = {
    "CIFAR10": Kind(_of(32, 32), _CIFAR10, (50_000, 10_000), "data"),
    "CIFAR100": Kind(_of(32, 32), 100, (50_000, 10_000), "data"),
    "CLEVRClassification": Kind(_of(320, 480), 11, (70_000, 15_000), labels="_labels"),
    "Caltech101": Kind(_of(200, 300), 101, (8_677, 8_677), labels="y", target=_by_type),
    "Caltech256": Kind(_of(300, 400), 257, (30_607, 30_607), labels="y"),
    "CelebA": Kind(_of(218, 178), 1_000, (162_770, 19_962), target=_celebrity),
    "Cityscapes": Kind(_of(512, 1024), 30, (2_975, 500), target=_by_type),
    "CocoCaptions": Kind(_of(480, 640), 80, (118_287, 5_000), target=_words),
    "CocoDetection": Kind(_of(480, 640), 80, (118_287, 5_000), target=_coco),
    "Country211": Kind(_of(300, 400), 211, (31_650, 21_100)),
    "DTD": Kind(_of(300, 300), 47, (1_880, 1_880), labels="_labels"),
    "EMNIST": Kind(_of(28, 28, 1), 47, (112_800, 18_800), **_GREY),
    "EuroSAT": Kind(_of(64, 64), "AnnualCrop Forest HerbaceousVegetation Highway Industrial Pasture PermanentCrop"
                    " Residential River SeaLake".split(), (27_000, 27_000)),
    "FER2013": Kind(_of(48, 48, 1), "angry disgust fear happy sad surprise neutral".split(), (28_709, 7_178)),
    "FGVCAircraft": Kind(_of(300, 400), 100, (6_667, 3_333), labels="_labels"),
    "FashionMNIST": Kind(_of(28, 28, 1), _FASHION, (60_000, 10_000), **_GREY),
    "Flickr30k": Kind(_of(375, 500), 100, (31_783, 31_783), target=_words),
    "Flickr8k": Kind(_of(375, 500), 100, (8_091, 8_091), target=_words),
    "Flowers102": Kind(_of(300, 400), 102, (1_020, 6_149), labels="_labels"),
    "Food101": Kind(_of(384, 512), 101, (75_750, 25_250), labels="_labels"),
    "GTSRB": Kind(_of(48, 48), 43, (26_640, 12_630)),
    "INaturalist": Kind(_of(300, 400), 10_000, (2_686_843, 100_000)),
    "ImageNet": Kind(_of(300, 400), 1_000, (1_281_167, 50_000)),
    "Imagenette": Kind(_of(300, 400), ["tench", "English springer", "cassette player", "chain saw", "church",
                                       "French horn", "garbage truck", "gas pump", "golf ball", "parachute"],
                       (9_469, 3_925)),
    "KMNIST": Kind(_of(28, 28, 1), "o ki su tsu na ha ma ya re wo".split(), (60_000, 10_000), **_GREY),
    "Kitti": Kind(_of(375, 1242), "Car Van Truck Pedestrian Cyclist Tram Misc".split(), (7_481, 7_518), target=_kitti),
    "LFWPairs": Kind(_of(250, 250), 2, (2_200, 1_000), items=_pair),
    "LFWPeople": Kind(_of(250, 250), 5_749, (9_525, 3_708)),
    "LSUN": Kind(_of(256, 341), 10, (126_227, 300)),
    "LSUNClass": Kind(_of(256, 341), 1, (126_227, 300)),
    "MNIST": Kind(_of(28, 28, 1), [f"{n} - {name}" for n, name in enumerate(_DIGITS)], (60_000, 10_000), **_GREY),
    "MovingMNIST": Kind(_of(64, 64, 1), 10, (10_000, 10_000), items=_digits_moving),
    "Omniglot": Kind(_of(105, 105, 1), 964, (19_280, 13_180)),
    "OxfordIIITPet": Kind(_of(300, 400), 37, (3_680, 3_669), labels="_labels", target=_by_type),
    "PCAM": Kind(_of(96, 96), ["no tumor", "tumor"], (262_144, 32_768)),
    "PhotoTour": Kind(_of(64, 64, 1), 100, (450_092, 100_000), "data", "tensor", items=_patch),
    "Places365": Kind(_of(256, 256), 365, (1_803_460, 36_500)),
    "QMNIST": Kind(_of(28, 28, 1), [f"{n} - {name}" for n, name in enumerate(_DIGITS)], (60_000, 60_000), **_GREY),
    "RenderedSST2": Kind(_of(448, 448), ["negative", "positive"], (6_920, 1_821)),
    "SBDataset": Kind(_of(375, 500), 20, (8_498, 2_857), target=_mask),
    "SBU": Kind(_of(375, 500), 100, (1_000_000, 1_000_000), target=_sentence),
    "SEMEION": Kind(_of(16, 16, 1), 10, (1_593, 1_593), "data", labels="labels", listed="array"),
    "STL10": Kind(_of(96, 96), "airplane bird car cat deer dog horse monkey ship truck".split(), (5_000, 8_000),
                  **_PLANES),
    "SUN397": Kind(_of(300, 400), 397, (108_754, 108_754), labels="_labels"),
    "SVHN": Kind(_of(32, 32), 10, (73_257, 26_032), **_PLANES),
    "StanfordCars": Kind(_of(300, 400), 196, (8_144, 8_041)),
    "USPS": Kind(_of(16, 16, 1), 10, (7_291, 2_007), "data"),
    "VOCDetection": Kind(_of(375, 500), _VOC, (5_717, 5_823), target=_voc),
    "VOCSegmentation": Kind(_of(375, 500), _VOC, (1_464, 1_449), target=_mask),
    "WIDERFace": Kind(_of(300, 400), 61, (12_880, 3_226), target=_faces),
    "CarlaStereo": Kind(_of(256, 320), 1, (408, 408), **_STEREO),
    "CREStereo": Kind(_of(256, 320), 1, (200_000, 200_000), **_STEREO),
    "ETH3DStereo": Kind(_of(256, 320), 1, (27, 20), **_STEREO),
    "FallingThingsStereo": Kind(_of(256, 320), 1, (61_500, 61_500), **_STEREO),
    "InStereo2k": Kind(_of(256, 320), 1, (2_010, 50), **_STEREO),
    "Kitti2012Stereo": Kind(_of(256, 320), 1, (194, 195), **_STEREO),
    "Kitti2015Stereo": Kind(_of(256, 320), 1, (200, 200), **_STEREO),
    "Middlebury2014Stereo": Kind(_of(256, 320), 1, (15, 15), **_STEREO),
    "SceneFlowStereo": Kind(_of(256, 320), 1, (35_454, 4_370), **_STEREO),
    "SintelStereo": Kind(_of(256, 320), 1, (1_064, 1_064), **_STEREO),
    "FlyingChairs": Kind(_of(384, 512), 1, (22_232, 640), **_OPTICAL),
    "FlyingThings3D": Kind(_of(256, 320), 1, (40_302, 7_866), **_OPTICAL),
    "HD1K": Kind(_of(256, 320), 1, (1_047, 36), **_OPTICAL),
    "KittiFlow": Kind(_of(256, 320), 1, (200, 200), **_OPTICAL),
    "Sintel": Kind(_of(256, 320), 1, (1_041, 552), **_OPTICAL),
    "HMDB51": Kind(_of(64, 64), 51, (3_570, 1_530), **_VIDEO),
    "Kinetics": Kind(_of(64, 64), 400, (240_000, 20_000), **_VIDEO),
    "UCF101": Kind(_of(64, 64), 101, (9_537, 3_783), **_VIDEO),
}  # fmt: skip
"""What is known of each data set. Where a real one has images of many sizes, those here have one."""

_EMNIST = {"byclass": (697_932, 116_323), "bymerge": (697_932, 116_323), "balanced": (112_800, 18_800),
           "letters": (124_800, 20_800), "digits": (240_000, 40_000), "mnist": (60_000, 10_000)}  # fmt: skip
_TRAINING = frozenset(
    "10fold 2021_train all extra train train+unlabeled train-challenge train-standard train_noval trainval unlabeled"
    " view2 None".split()
)


def _begin(name: str, kind: Kind, real_init: Callable[..., None]) -> Callable[..., None]:
    signature = inspect.signature(real_init)

    @wraps(real_init)
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        given = signature.bind(self, *args, **kwargs)
        given.apply_defaults()
        options = dict(list(given.arguments.items())[1:])
        options |= options.pop("kwargs", {})
        _share_of_vision(self, options)
        split = options.get("split", options.get("image_set", options.get("version")))
        if name == "EMNIST":
            options.setdefault("train", True)
        train = bool(options.get("train", options.get("background", str(split) in _TRAINING)))
        _note(self, options, split, train)
        real = _EMNIST[str(split)] if name == "EMNIST" else kind.real
        names = list(getattr(type(self), "classes_split_dict", {}).get(split, kind.names))
        rows = Rows(name, kind, kind.shape, len(names), train, real[0 if train else 1])
        vars(self)["_rows"] = rows
        self.classes = names
        if "class_to_idx" not in dir(type(self)):
            self.class_to_idx = {each: number for number, each in enumerate(names)}
        what = "clips" if kind.items is _clip else "pairs" if kind.items in (_flow, _stereo, _pair) else "images"
        state.notice(
            f"This is a random stand-in for {name}: {rows.count} made-up {what} instead of {rows.real:,} real ones."
        )

    return init


def _share_of_vision(self: Any, options: dict[str, Any]) -> None:
    from torchvision.datasets.vision import VisionDataset  # noqa: PLC0415 - it is loaded

    hooks = {name: options.get(name) for name in ("transforms", "transform", "target_transform")}
    if isinstance(self, VisionDataset):
        VisionDataset.__init__(self, options.get("root"), **hooks)
    else:
        self.root = options.get("root")
        vars(self).update(hooks)


def _note(self: Any, options: dict[str, Any], split: Any, train: bool) -> None:
    """The attributes that the arguments become."""
    for name, value in options.items():
        for attribute in (name, f"_{name}"):
            if attribute not in ("root", "transforms", "transform", "target_transform") and attribute not in dir(self):
                setattr(self, attribute, value)
    vars(self)["train"] = train
    if "target_type" in options and isinstance(options["target_type"], str) and type(self).__name__ == "CelebA":
        self.target_type = [options["target_type"]]


def _item(kind: Kind) -> Callable[[Any, Any], Any]:
    def __getitem__(self: Any, index: Any) -> Any:
        at = operator.index(index)
        there = max(len(self), self._rows.real)
        if not -there <= at < there:
            raise IndexError("list index out of range")
        at += there if at < 0 else 0
        meter.charge(1)
        if kind.items is not None:
            return kind.items(self, at)
        own, rows, data, labels = vars(self), self._rows, f"*{kind.data}", f"*{kind.labels}"
        image = _as_image(own[data][at], kind) if data in own else rows.image(at)
        label = own[labels][at] if labels in own else int(rows.labels[at % rows.count])
        label = int(label) if isinstance(label, Tensor | np.integer) and np.ndim(label) == 0 else label
        target = kind.target(self, label, rows.draw(at))
        picture = _picture(image)
        return (picture, target) if self.transforms is None else self.transforms(picture, target)

    return __getitem__


def _as_image(held: Any, kind: Kind) -> Any:
    array = held.numpy() if isinstance(held, Tensor) else np.asarray(held)
    return np.moveaxis(array, 0, -1) if kind.layout == "planes" else array


def _picture(array: Any) -> Any:
    from PIL import Image  # noqa: PLC0415 - torchvision has loaded it

    return Image.fromarray(np.ascontiguousarray(array))


def _length(kind: Kind) -> Callable[[Any], int]:
    def __len__(self: Any) -> int:
        own = vars(self)
        return len(own[f"*{kind.data}"]) if own.get("*changed") else self._rows.count

    return __len__


def _whole(attribute: str, of: str, hold: Callable[[Any], Any]) -> property:
    """An attribute as long as the real one, made when it is read. Images that are put there are the data set."""
    key = f"*{attribute}"

    def get(self: Any) -> Any:
        if key not in vars(self):
            vars(self)[key] = hold(self._rows.all(getattr(self._rows, of)))
        return vars(self)[key]

    def put(self: Any, value: Any) -> None:
        vars(self)[key] = value
        if of == "images":
            vars(self)["*changed"] = True

    return property(get, put)


_HELD: dict[str, Callable[[Any], Any]] = {
    "array": lambda array: array,
    "planes": lambda array: np.ascontiguousarray(np.moveaxis(array, -1, 1)),
    "tensor": Tensor._from_array,
    "list": lambda array: array.tolist(),
}


def _mend(module: Any) -> None:
    mend_ops()
    for name, kind in KINDS.items():
        made = getattr(module.datasets, name)
        made.__init__ = _begin(name, kind, made.__init__)
        made.__getitem__, made.__len__ = _item(kind), _length(kind)
        if kind.data:
            setattr(made, kind.data, _whole(kind.data, "images", _HELD[kind.layout]))
        setattr(made, kind.labels, _whole(kind.labels, "labels", _HELD[kind.listed]))
        if kind.items is None:
            STANDS_FOR[made] = kind.real


MENDS: dict[str, Callable[[ModuleType], None]] = {"torchvision": _mend}
