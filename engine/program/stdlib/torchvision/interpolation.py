"""`torchvision.transforms.InterpolationMode`: how pixels between pixels are made."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.program.text import represent


class InterpolationMode:
    """One of seven ways, by name and by value."""

    __module__ = "torchvision.transforms.functional"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    _members: ClassVar[dict[str, InterpolationMode]] = {}
    NEAREST: ClassVar[InterpolationMode]
    NEAREST_EXACT: ClassVar[InterpolationMode]
    BILINEAR: ClassVar[InterpolationMode]
    BICUBIC: ClassVar[InterpolationMode]
    BOX: ClassVar[InterpolationMode]
    HAMMING: ClassVar[InterpolationMode]
    LANCZOS: ClassVar[InterpolationMode]

    _value: str

    def __new__(cls, value: Any) -> InterpolationMode:
        found = cls._members.get(value._value if isinstance(value, InterpolationMode) else value)
        if found is None:
            raise ValueError(f"{represent(value)} is not a valid InterpolationMode")
        return found

    @property
    def name(self) -> str:
        return self._value.upper().replace("-", "_")

    @property
    def value(self) -> str:
        return self._value

    def __str__(self) -> str:
        return f"InterpolationMode.{self.name}"

    def __repr__(self) -> str:
        return f"<{self}: {self._value!r}>"

    def __deepcopy__(self, memo: Any) -> InterpolationMode:
        return self


_BY_NUMBER = {0: "nearest", 1: "lanczos", 2: "bilinear", 3: "bicubic", 4: "box", 5: "hamming"}
"""Pillow's numbers of the same."""

for _value in ("nearest", "nearest-exact", "bilinear", "bicubic", "box", "hamming", "lanczos"):
    _mode = object.__new__(InterpolationMode)
    _mode._value = _value
    InterpolationMode._members[_value] = _mode
    setattr(InterpolationMode, _mode.name, _mode)


def mode_given(interpolation: Any) -> Any:
    """A transform's option, with the mode in place of its number. Raises KeyError."""
    if isinstance(interpolation, int):
        return InterpolationMode._members[_BY_NUMBER[interpolation]]
    return interpolation


def mode_used(interpolation: Any) -> str:
    """What an image is to be made with. Raises TypeError."""
    mode = mode_given(interpolation)
    if not isinstance(mode, InterpolationMode):
        raise TypeError(
            "Argument interpolation should be a InterpolationMode or a corresponding Pillow integer constant"
        )
    return mode.value
