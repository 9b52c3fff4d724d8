"""`numpy.vectorize`: a function of the program called for each element."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.limits import meter
from engine.program.arrays import as_array, to_dtype, unwrap, wrap
from engine.program.calls import call, callable_value
from engine.program.operators import items
from engine.program.values import fake_address

_NOT_GIVEN = object()
_LONGEST = 200
"""Characters of a signature."""


class Vectorize:
    """`numpy.vectorize`. `dimensions`: the names of the dimensions of each argument and result, by its signature."""

    __module__ = "numpy"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(
        self, pyfunc: Any = _NOT_GIVEN, otypes: Any = None, doc: Any = None, excluded: Any = None, cache: Any = False,
        signature: Any = None,
    ) -> None:  # fmt: skip
        if pyfunc is not _NOT_GIVEN and not callable_value(pyfunc):
            raise TypeError("When used as a decorator, only accepts keyword arguments.")
        self.pyfunc, self.cache, self.signature = pyfunc, bool(cache), signature
        if otypes is not None:
            otypes = otypes if isinstance(otypes, str) else [to_dtype(kind) for kind in items(otypes)]
        self.otypes = otypes
        self.excluded = set() if excluded is None else set(items(excluded))
        self._dimensions = None if signature is None else _dimensions(signature)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.pyfunc is _NOT_GIVEN:
            self.pyfunc = args[0]
            return self
        names = [name for name in kwargs if name not in self.excluded]
        places = [place for place in range(len(args)) if place not in self.excluded]
        given = list(args)

        def function(*values: Any) -> Any:
            for place, value in zip(places, values, strict=False):
                given[place] = value
            named = {**kwargs, **dict(zip(names, values[len(places) :], strict=False))}
            return call(self.pyfunc, list(given), named or None)

        varied = [*[args[place] for place in places], *[kwargs[name] for name in names]]
        if self._dimensions is not None:
            return self._by_signature(function, [as_array(value, texts=True) for value in varied], *self._dimensions)
        return self._by_element(function, varied) if varied else function()

    def _by_element(self, function: Callable[..., Any], varied: list[Any]) -> Any:
        given = [as_array(value, texts=True) if not isinstance(value, str) else np.array(value) for value in varied]
        kinds = self.otypes
        first: list[Any] = []
        if kinds is None:
            if any([array.size == 0 for array in given]):
                raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
            found = function(*[wrap(array.flat[0]) for array in given])
            first = [found] if self.cache else []
            several = found if isinstance(found, tuple) else (found,)
            kinds = [_array_of(value).dtype.char for value in several]
        shape = np.broadcast_shapes(*[array.shape for array in given])
        count = math.prod(shape)
        meter.allocate(count * (len(given) + len(kinds)), 8)
        rows = zip(*[np.broadcast_to(array, shape).ravel().tolist() for array in given], strict=True)
        results = [first.pop() if first else function(*row) for row in rows]
        columns = [results] if len(kinds) == 1 else list(zip(*results, strict=True)) or [()] * len(kinds)
        made = [
            wrap(np.asarray([unwrap(value) for value in column], dtype=kind).reshape(shape))
            for column, kind in zip(columns, kinds, strict=True)
        ]
        return made[0] if len(made) == 1 else tuple(made)

    def _by_signature(
        self, function: Callable[..., Any], given: list[Any], takes: list[list[str]], gives: list[list[str]]
    ) -> Any:
        if len(given) != len(takes):
            raise TypeError(f"wrong number of positional arguments: expected {len(takes)}, got {len(given)}")
        sizes: dict[str, int] = {}
        for array, names in zip(given, takes, strict=True):
            _fit(sizes, array, names)
        pairs = list(zip(given, takes, strict=True))
        outer = np.broadcast_shapes(*[array.shape[: array.ndim - len(names)] for array, names in pairs])
        inner = [tuple([sizes[name] for name in names]) for names in takes]
        meter.allocate(math.prod(outer) * (1 + sum(map(math.prod, inner))), 8)
        rows = [np.broadcast_to(array, outer + core) for array, core in zip(given, inner, strict=True)]
        made: list[Any] = []
        for index in np.ndindex(*outer):
            found = function(*[wrap(row[index].copy()) for row in rows])
            results = found if isinstance(found, tuple) else (found,)
            if len(results) != len(gives):
                raise ValueError(
                    f"wrong number of outputs from pyfunc: expected {len(gives)}, got {len(results)}"
                )
            arrays = [_array_of(result) for result in results]
            if not made:
                for array, names in zip(arrays, gives, strict=True):
                    _fit(sizes, array, names)
                shapes = [outer + tuple([sizes[name] for name in names]) for names in gives]
                meter.allocate(sum(map(math.prod, shapes)), 8)
                kinds = self.otypes or [array.dtype for array in arrays]
                made = [np.zeros(shape, kind) for shape, kind in zip(shapes, kinds, strict=True)]
            for target, array in zip(made, arrays, strict=True):
                target[index] = array
        if not made:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        return wrap(made[0]) if len(made) == 1 else tuple([wrap(array) for array in made])

    def __repr__(self) -> str:
        return f"<numpy.vectorize object at {fake_address(self)}>"


Vectorize.__name__ = Vectorize.__qualname__ = "vectorize"


def _array_of(value: Any) -> Any:
    return np.array(value) if isinstance(value, str) else as_array(value, texts=True)


def _dimensions(signature: Any) -> tuple[list[list[str]], list[list[str]]]:
    """`"(n),(n)->()"` as names of dimensions. Raises ValueError for anything else."""
    if not isinstance(signature, str) or len(signature) > _LONGEST:
        raise TypeError(f"signatures are texts of at most {_LONGEST} characters here")
    plain = re.sub(r"\s+", "", signature)
    group = r"\((?:\w+(?:,\w+)*)?\)"
    if not re.fullmatch(rf"(?:{group}(?:,{group})*)?->{group}(?:,{group})*", plain):
        raise ValueError(f"not a valid gufunc signature: {plain}")
    takes, gives = ([re.findall(r"\w+", part) for part in re.findall(group, side)] for side in plain.split("->"))
    return takes, gives


def _fit(sizes: dict[str, int], array: Any, names: list[str]) -> None:
    """Take the sizes of named dimensions from an array. Raises ValueError where they differ from what is known."""
    if array.ndim < len(names):
        raise ValueError(
            f"{array.ndim}-dimensional argument does not have enough dimensions for all core dimensions {tuple(names)}"
        )
    for name, size in zip(names, array.shape[array.ndim - len(names) :], strict=True):
        if sizes.setdefault(name, size) != size:
            raise ValueError(f"inconsistent size for core dimension '{name}': {size} vs {sizes[name]}")
