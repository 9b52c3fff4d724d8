"""The measured data sets that scikit-learn brings with it; `data/README.md` says who measured them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

_FOLDER = Path(__file__).parent / "data"
_CSV = {"iris": "iris.csv", "wine": "wine.csv", "breast cancer": "breast_cancer.csv"}
_DIGITS = "digits"
NAMES = (*_CSV, _DIGITS)


@cache
def _read(name: str) -> tuple[Any, Any]:
    """Features as float64 or, of digits, as uint8, and classes as int64; of all samples."""
    if name == _DIGITS:
        lines = (_FOLDER / "digits.txt").read_text().split()
        pixels = [[int(character, 17) for character in line] for line in lines[::2]]
        return np.array(pixels, np.uint8), np.array(lines[1::2], np.int64)
    rows = [line.split(",") for line in (_FOLDER / _CSV[name]).read_text().split()]
    numbers = np.array(rows, np.float64)
    return np.ascontiguousarray(numbers[:, :-1]), numbers[:, -1].astype(np.int64)


for _name in NAMES:
    _read(_name)  # before a program runs, which sees no files


def samples(name: str) -> tuple[Any, Any]:
    """(features as float64, classes as int64), as new arrays."""
    features, classes = _read(name)
    return features.astype(np.float64), classes.copy()
