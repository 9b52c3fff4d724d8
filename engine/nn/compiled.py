"""What `torch.compile` makes of a module. Nothing is compiled here: the module runs as it is written."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.nn.module import Module

__all__: list[str] = []


class OptimizedModule(Module):
    """Holds a module as `_orig_mod`, which stands in the names of parameters, and passes on what is not its own."""

    _orig_mod: Module

    def __init__(self, mod: Module) -> None:
        super().__init__()
        del self.__dict__["training"]
        self._modules["_orig_mod"] = mod

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        return self._orig_mod(*args, **kwargs)

    @property
    def training(self) -> bool:
        return self._orig_mod.training

    @training.setter
    def training(self, mode: bool) -> None:
        self._orig_mod.training = mode

    def owns(self, name: str) -> bool:
        """Whether an attribute is its own: all that modules have, and the module that it holds."""
        return name == "_orig_mod" or name in self.__dict__ or hasattr(OptimizedModule, name)

    def __getattr__(self, name: str) -> Any:
        held = self.__dict__.get("_modules", {}).get("_orig_mod")
        if held is None:  # while it is copied
            raise errors.object_attribute(type(self).__name__, name)
        return held if name == "_orig_mod" else getattr(held, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if self.owns(name):
            super().__setattr__(name, value)
        else:
            setattr(self._orig_mod, name, value)

    def __delattr__(self, name: str) -> None:
        if self.owns(name):
            super().__delattr__(name)
        else:
            delattr(self._orig_mod, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *dir(self._orig_mod)})

    def __len__(self) -> int:
        size = getattr(type(self._orig_mod), "__len__", None)
        if size is None:
            raise TypeError(f"{type(self._orig_mod).__name__} does not support len()")
        return int(size(self._orig_mod))


OptimizedModule.__module__ = "torch._dynamo.eval_frame"
