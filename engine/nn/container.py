"""Containers: modules and parameters in sequence, in lists and in dicts."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from engine import errors
from engine.core.inherited import written_into_each
from engine.core.tensor import Parameter, Tensor
from engine.nn.module import Module, _addindent, type_name


def _index(idx: Any, length: int) -> int:
    position = operator.index(idx)
    if not -length <= position < length:
        raise errors.module_index(position)
    return position % length


@written_into_each
class _Numbered(Module):
    """Modules under numbers."""

    def _renumber(self, modules: Iterable[Module]) -> None:
        kept = list(modules)
        self._modules.clear()
        self._modules.update({str(i): module for i, module in enumerate(kept)})

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def append(self, module: Module) -> Any:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self: Any, key: Any) -> Any:
        """Remove and return a module."""
        module = self[key]
        del self[key]
        return module


class Sequential(_Numbered):
    """Modules called one after the other, each with what the one before returned."""

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for key, module in args[0].items():
                self.add_module(key, module)
        else:
            for index, module in enumerate(args):
                self.add_module(str(index), module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(OrderedDict(list(self._modules.items())[idx]))
        return list(self._modules.values())[_index(idx, len(self))]

    def __setitem__(self, idx: int, module: Module) -> None:
        setattr(self, list(self._modules)[_index(idx, len(self))], module)

    def __delitem__(self, idx: Any) -> None:
        keys = list(self._modules)
        for key in keys[idx] if isinstance(idx, slice) else [keys[_index(idx, len(self))]]:
            delattr(self, key)
        self._renumber(self._modules.values())

    def __add__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise errors.sequential_operand(other)
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise errors.sequential_operand(other)
        return self.extend(other)

    def __mul__(self, other: int) -> Sequential:
        if not isinstance(other, int):
            raise errors.sequential_factor(other)
        if other <= 0:
            raise errors.sequential_factor_negative(other)
        return Sequential(*(module for _ in range(other) for module in self))

    __rmul__ = __mul__

    def insert(self, index: int, module: Module) -> Sequential:
        """Put a module before position `index`."""
        if not isinstance(module, Module):
            raise errors.sequential_insert()
        length = len(self)
        if not -length <= index <= length:
            raise errors.insert_range(index)
        index += length if index < 0 else 0
        for i in range(length, index, -1):
            self._modules[str(i)] = self._modules[str(i - 1)]
        self._modules[str(index)] = module
        return self

    def extend(self, sequential: Iterable[Module]) -> Sequential:
        """Add several modules at the end."""
        for module in list(sequential):
            self.append(module)
        return self


class ModuleList(_Numbered):
    """A list of modules whose parameters belong to the model."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)(list(self._modules.values())[idx])
        return self._modules[str(_index(idx, len(self)))]

    def __setitem__(self, idx: int, module: Module) -> None:
        setattr(self, str(_index(idx, len(self))), module)

    def __delitem__(self, idx: Any) -> None:
        modules = list(self)
        del modules[idx]
        self._renumber(modules)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def insert(self, index: int, module: Module) -> None:
        """Put a module before position `index`."""
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        """Add several modules at the end."""
        if not isinstance(modules, Iterable):
            raise errors.not_iterable("ModuleList.extend", "an iterable", modules)
        for module in list(modules):
            self.append(module)
        return self

    def __repr__(self) -> str:
        """Runs of equal modules on one line: `(0-2): 3 x Linear(…)`."""
        runs: list[tuple[int, int, str]] = []
        for position, module in enumerate(self):
            text = repr(module)
            if runs and runs[-1][2] == text:
                runs[-1] = (runs[-1][0], position, text)
            else:
                runs.append((position, position, text))
        lines = []
        for first, last, text in runs:
            head = f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}"
            lines.append(_addindent(head, 2))
        name = self._get_name()
        return f"{name}(\n  " + "\n  ".join(lines) + "\n)" if lines else f"{name}()"


class ModuleDict(Module):
    """A dict of modules whose parameters belong to the model."""

    def __init__(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Module:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Remove everything."""
        self._modules.clear()

    def pop(self, key: str) -> Module:
        """Remove and return a module."""
        return self._modules.pop(key)

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def items(self) -> Any:
        """(name, module) pairs."""
        return self._modules.items()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Add or replace modules from a dict or from pairs."""
        if not isinstance(modules, Iterable):
            raise errors.not_iterable("ModuleDict.update", "an iterable of key/value pairs", modules)
        for key, module in _pairs("ModuleDict", modules, ModuleDict):
            self[key] = module


class ParameterList(Module):
    """A list of parameters; plain tensors put into it become parameters."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def _position(self, idx: Any) -> str:
        position = operator.index(idx)
        if not -len(self) <= position < len(self):
            raise errors.module_index(position)
        return str(position % len(self))

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, slice):
            return type(self)([self[i] for i in range(len(self))[idx]])
        return getattr(self, self._position(idx))

    def __setitem__(self, idx: int, param: Any) -> None:
        if isinstance(param, Tensor) and not isinstance(param, Parameter):
            param = Parameter(param)
        setattr(self, self._position(idx), param)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Any]:
        return iter([self[i] for i in range(len(self))])

    def __iadd__(self, parameters: Iterable[Any]) -> ParameterList:
        return self.extend(parameters)

    def append(self, value: Any) -> ParameterList:
        """Add a parameter at the end."""
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Add several parameters at the end."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise errors.not_iterable("ParameterList.extend", "an iterable", values)
        for value in values:
            self.append(value)
        return self

    def extra_repr(self) -> str:
        return "\n".join(_described(str(i), value, lambda t: str(t.dtype)) for i, value in enumerate(self))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise errors.not_callable("ParameterList")


class ParameterDict(Module):
    """A dict of parameters; plain tensors put into it become parameters."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._attribute(key))

    @staticmethod
    def _attribute(key: Any) -> str:
        if not isinstance(key, str):
            raise errors.parameter_dict_key(key)
        return key

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = None
        if isinstance(value, Tensor) and not isinstance(value, Parameter):
            value = Parameter(value)
        setattr(self, self._attribute(key), value)

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, self._attribute(key))

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __or__(self, other: Any) -> ParameterDict:
        joined = self.copy()
        joined.update(other)
        return joined

    def __ror__(self, other: Any) -> Any:
        joined = other.copy()
        joined.update(self)
        return joined

    def __ior__(self, other: Any) -> ParameterDict:
        self.update(other)
        return self

    def copy(self) -> ParameterDict:
        """A dict of the same parameters."""
        return ParameterDict(OrderedDict((key, self[key]) for key in self._keys))

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The value under `key`, which is set when it is missing."""
        if key not in self:
            self[key] = default
        return self[key]

    def get(self, key: str, default: Any = None) -> Any:
        """The value under `key`, or `default`."""
        return self[key] if key in self else default

    def pop(self, key: str) -> Any:
        """Remove and return a value."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Remove and return the last pair."""
        key, _ = self._keys.popitem()
        self._keys[key] = None
        return key, self.pop(key)

    def clear(self) -> None:
        """Remove everything."""
        for key in list(self._keys):
            del self[key]

    def keys(self) -> Any:
        """The names."""
        return self._keys.keys()

    def items(self) -> Any:
        """(name, value) pairs."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Any:
        """The values."""
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Add or replace values from a dict or from pairs."""
        if not isinstance(parameters, Iterable):
            raise errors.not_iterable("ParametersDict.update", "an iterable of key/value pairs", parameters)
        if isinstance(parameters, OrderedDict | ParameterDict):
            pairs = list(parameters.items())
        elif isinstance(parameters, Mapping):
            pairs = sorted(parameters.items())
        else:
            pairs = list(_pairs("ParameterDict", parameters, ParameterDict))
        for key, value in pairs:
            self[key] = value

    def extra_repr(self) -> str:
        return "\n".join(_described(key, value, type_name) for key, value in self.items())

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise errors.not_callable("ParameterDict")


def _pairs(container: str, values: Any, kind: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(values, Mapping | kind):
        return values.items()
    for index, pair in enumerate(values):
        if not isinstance(pair, Iterable):
            raise errors.update_element(container, index, pair)
        if len(pair) != 2:  # type: ignore[arg-type]
            raise errors.update_length(container, index, len(pair))  # type: ignore[arg-type]
    return values


def _described(name: str, value: Any, kind: Callable[[Tensor], str]) -> str:
    """One line of the repr of a parameter container."""
    if not isinstance(value, Tensor):
        return f"  ({name}): Object of type: {type(value).__name__}"
    size = "x".join(map(str, value.shape))
    what = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f"  ({name}): {what} containing: [{kind(value)} of size {size}]"
