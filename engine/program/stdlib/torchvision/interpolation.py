"""torchvision's enumerations, and that of how pixels between pixels are made: `InterpolationMode`."""

from __future__ import annotations

from typing import Any, ClassVar

from engine.program.text import represent


class Choice:
    """What torchvision's enumerations share: members by name and by value."""

    __program__ = True
    __invisible__ = True
    __abstract__ = ()

    _members: ClassVar[dict[str, Any]]
    _value: str

    def __new__(cls, value: Any) -> Any:
        found = cls._members.get(value._value if isinstance(value, cls) else value)
        if found is None:
            raise ValueError(f"{represent(value)} is not a valid {cls.__name__}")
        return found

    @classmethod
    def _fill(cls, *values: str) -> None:
        cls._members = {value: object.__new__(cls) for value in values}
        for value, member in cls._members.items():
            member._value = value
            setattr(cls, member.name, member)

    @property
    def name(self) -> str:
        return self._value.upper().replace("-", "_")

    @property
    def value(self) -> str:
        return self._value

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __repr__(self) -> str:
        return f"<{self}: {self._value!r}>"

    def __deepcopy__(self, memo: Any) -> Any:
        return self


class InterpolationMode(Choice):
    """One of seven ways."""

    __module__ = "torchvision.transforms.functional"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    NEAREST: ClassVar[InterpolationMode]
    NEAREST_EXACT: ClassVar[InterpolationMode]
    BILINEAR: ClassVar[InterpolationMode]
    BICUBIC: ClassVar[InterpolationMode]
    BOX: ClassVar[InterpolationMode]
    HAMMING: ClassVar[InterpolationMode]
    LANCZOS: ClassVar[InterpolationMode]


InterpolationMode._fill("nearest", "nearest-exact", "bilinear", "bicubic", "box", "hamming", "lanczos")

_BY_NUMBER = {0: "nearest", 1: "lanczos", 2: "bilinear", 3: "bicubic", 4: "box", 5: "hamming"}
"""Pillow's numbers of the same."""


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
