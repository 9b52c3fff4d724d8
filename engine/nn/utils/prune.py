"""Pruning: a parameter becomes `weight_orig` times the buffer `weight_mask`, computed before each call."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

from engine import errors
from engine.codegen.publish import TORCH
from engine.core.tensor import Tensor
from engine.nn.module import Module
from engine.nn.utils.convert_parameters import parameters_to_vector

__all__ = [
    "BasePruningMethod", "CustomFromMask", "Identity", "L1Unstructured", "LnStructured", "PruningContainer",
    "RandomStructured", "RandomUnstructured", "custom_from_mask", "global_unstructured", "identity", "is_pruned",
    "l1_unstructured", "ln_structured", "random_structured", "random_unstructured", "remove",
]  # fmt: skip


class BasePruningMethod:
    """A way to choose what is pruned. Subclasses set `PRUNING_TYPE` and define `compute_mask(t, default_mask)`."""

    PRUNING_TYPE: Any
    _tensor_name: Any

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self._tensor_name, self.apply_mask(module))

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        """1 where an entry of `t` stays, 0 where it goes; `default_mask` says what is gone already."""
        raise NotImplementedError

    def apply_mask(self, module: Any) -> Any:
        """The pruned tensor."""
        if self._tensor_name is None:
            raise errors.prune_first(module)
        mask = getattr(module, self._tensor_name + "_mask")
        original = getattr(module, self._tensor_name + "_orig")
        return mask.to(dtype=original.dtype) * original

    @classmethod
    def apply(cls, module: Any, name: str, *args: Any, importance_scores: Any = None, **kwargs: Any) -> Any:
        """Prune a parameter of a module; after an earlier pruning, of what that left."""
        method: Any = cls(*args, **kwargs)
        method._tensor_name = name
        known = [k for k, h in module._forward_pre_hooks.items() if _prunes(h, name)]
        for key in known:
            earlier = module._forward_pre_hooks.pop(key)
            container = earlier if isinstance(earlier, PruningContainer) else PruningContainer(earlier)
            container.add_pruning_method(method)
            method = container
        original = getattr(module, name)
        if importance_scores is None:
            importance_scores = original
        elif importance_scores.shape != original.shape:
            what = f"parameter {name} of {module}"
            raise errors.importance_shape(what, importance_scores.shape, original.shape)
        first = not isinstance(method, PruningContainer)
        if first:
            module.register_parameter(name + "_orig", original)
            del module._parameters[name]
            mask = TORCH["ones_like"](original)
        else:
            mask = getattr(module, name + "_mask").detach().clone()
        try:
            mask = method.compute_mask(importance_scores, default_mask=mask)
            module.register_buffer(name + "_mask", mask)
            setattr(module, name, method.apply_mask(module))
            module._forward_pre_hooks.add(method, own=True)
        except Exception:
            if first:
                module.register_parameter(name, getattr(module, name + "_orig"))
                del module._parameters[name + "_orig"]
            raise
        return method

    def prune(self, t: Any, default_mask: Any = None, importance_scores: Any = None) -> Any:
        """A pruned version of a tensor."""
        if importance_scores is None:
            importance_scores = t
        elif importance_scores.shape != t.shape:
            raise errors.importance_shape("tensor t", importance_scores.shape, t.shape)
        mask = TORCH["ones_like"](t) if default_mask is None else default_mask
        return t * self.compute_mask(importance_scores, default_mask=mask)

    def remove(self, module: Any) -> None:
        """Make the pruned value permanent."""
        name = self._tensor_name
        if name is None:
            raise errors.prune_before_remove(module)
        weight = self.apply_mask(module)
        if hasattr(module, name):
            delattr(module, name)
        original = module._parameters[name + "_orig"]
        original.data = weight.data
        del module._parameters[name + "_orig"]
        del module._buffers[name + "_mask"]
        setattr(module, name, original)


def _prunes(hook: Any, name: str) -> bool:
    return isinstance(hook, BasePruningMethod) and hook._tensor_name == name


class PruningContainer(BasePruningMethod):
    """Several prunings of one parameter, each of what the ones before left."""

    def __init__(self, *args: Any) -> None:
        self._pruning_methods: tuple[Any, ...] = ()
        for index, method in enumerate(args):
            if not index:
                self._tensor_name = method._tensor_name
            self.add_pruning_method(method)

    def add_pruning_method(self, method: Any) -> None:
        """Add a further pruning."""
        if not isinstance(method, BasePruningMethod) and method is not None:
            raise errors.not_a_pruning_method(type(method))
        if method is not None and self._tensor_name != method._tensor_name:
            raise errors.pruning_other_tensor(self._tensor_name, self, method._tensor_name)
        self._pruning_methods += (method,)

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Any:
        return iter(self._pruning_methods)

    def __getitem__(self, idx: Any) -> Any:
        return self._pruning_methods[idx]

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        method = self._pruning_methods[-1]
        mask = default_mask.to(dtype=t.dtype)
        part = self._left(method, t, default_mask)
        mask[part] = method.compute_mask(t[part], default_mask=default_mask[part]).to(dtype=mask.dtype)
        return mask

    def _left(self, method: Any, t: Any, mask: Any) -> Any:
        """Which part of the tensor is not pruned yet."""
        if method.PRUNING_TYPE == "unstructured":
            return mask == 1
        ndim = t.dim()
        if method.PRUNING_TYPE == "global":
            return (slice(None),) * ndim
        if method.PRUNING_TYPE != "structured":
            raise errors.pruning_type(method.PRUNING_TYPE)
        if not hasattr(method, "dim"):
            raise errors.pruning_without_dim()
        dim = method.dim + ndim if method.dim < 0 else method.dim
        if dim < 0:
            raise errors.pruning_dim_sum(method.dim, ndim)
        kept = mask.sum(dim=[d for d in range(ndim) if d != dim]) != 0
        return tuple(kept if d == dim else slice(None) for d in range(ndim))


class Identity(BasePruningMethod):
    """Prunes nothing, but makes the mask."""

    PRUNING_TYPE = "unstructured"

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        return default_mask


class _Amount(BasePruningMethod):
    """A number of entries, or a share of them."""

    PRUNING_TYPE = "unstructured"

    def __init__(self, amount: Any) -> None:
        if not isinstance(amount, Real):
            raise errors.pruning_amount_type(amount)
        if amount < 0 or (not isinstance(amount, Integral) and float(amount) > 1.0):
            raise errors.pruning_amount(amount)
        self.amount = amount

    def _count(self, size: int) -> int:
        amount: Any = self.amount
        if not isinstance(amount, Integral):
            return round(amount * size)
        if int(amount) > size:
            raise errors.pruning_amount_size(amount, size)
        return int(amount)

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        count = self._count(t.nelement())
        mask = default_mask.clone()
        if count:
            mask.view(-1)[self._chosen(t, count)] = 0
        return mask

    def _chosen(self, t: Any, count: int) -> Any:
        raise NotImplementedError


class RandomUnstructured(_Amount):
    """Prunes entries at random."""

    def _chosen(self, t: Any, count: int) -> Any:
        return TORCH["topk"](TORCH["rand_like"](t).view(-1), k=count).indices


class L1Unstructured(_Amount):
    """Prunes the entries nearest to 0."""

    def _chosen(self, t: Any, count: int) -> Any:
        return TORCH["topk"](TORCH["abs"](t).view(-1), k=count, largest=False).indices


class _Structured(_Amount):
    """Prunes whole slices along a dimension."""

    PRUNING_TYPE = "structured"

    def __init__(self, amount: Any, dim: int = -1) -> None:
        super().__init__(amount)
        self.dim = dim

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        if t.dim() <= 1:
            raise errors.pruning_vector(t.shape, t.dim())
        if self.dim >= t.dim() or self.dim < -t.dim():
            raise errors.pruning_dim(self.dim, t.shape)
        count = self._count(t.shape[self.dim])
        if not count:
            return default_mask
        mask = TORCH["zeros_like"](t)
        place: list[Any] = [slice(None)] * t.dim()
        place[self.dim] = self._kept(t, t.shape[self.dim], count)
        mask[tuple(place)] = 1
        mask *= default_mask.to(dtype=mask.dtype)
        return mask

    def _kept(self, t: Any, size: int, count: int) -> Any:
        raise NotImplementedError


class RandomStructured(_Structured):
    """Prunes slices at random."""

    def _kept(self, t: Any, size: int, count: int) -> Any:
        draws = TORCH["rand"](size)
        return draws > TORCH["kthvalue"](draws, k=count).values

    @classmethod
    def apply(cls, module: Any, name: str, amount: Any, dim: int = -1) -> Any:  # type: ignore[override]
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(_Structured):
    """Prunes the slices with the smallest n-norm."""

    def __init__(self, amount: Any, n: Any, dim: int = -1) -> None:
        super().__init__(amount, dim)
        self.n = n

    def _kept(self, t: Any, size: int, count: int) -> Any:
        dims = list(range(t.dim()))
        del dims[self.dim]
        norms = TORCH["norm"](t, p=self.n, dim=dims)
        return TORCH["topk"](norms, k=size - count, largest=True).indices

    @classmethod
    def apply(  # type: ignore[override]
        cls, module: Any, name: str, amount: Any, n: Any, dim: int, importance_scores: Any = None
    ) -> Any:
        return super().apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)


class CustomFromMask(BasePruningMethod):
    """Prunes what a mask says."""

    PRUNING_TYPE = "global"

    def __init__(self, mask: Any) -> None:
        self.mask = mask

    def compute_mask(self, t: Any, default_mask: Any) -> Any:
        if default_mask.shape != self.mask.shape:
            raise errors.pruning_mask_shape(default_mask.shape, self.mask.shape)
        return default_mask * self.mask.to(dtype=default_mask.dtype)


def identity(module: Module, name: str) -> Module:
    """Make the mask without pruning anything."""
    Identity.apply(module, name)
    return module


def random_unstructured(module: Module, name: str, amount: Any) -> Module:
    """Prune so many entries, or such a share of them, at random."""
    RandomUnstructured.apply(module, name, amount=amount)
    return module


def l1_unstructured(module: Module, name: str, amount: Any, importance_scores: Any = None) -> Module:
    """Prune the entries nearest to 0."""
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: Module, name: str, amount: Any, dim: int) -> Module:
    """Prune slices along a dimension at random."""
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module: Module, name: str, amount: Any, n: Any, dim: int, importance_scores: Any = None) -> Module:
    """Prune the slices along a dimension with the smallest n-norm."""
    LnStructured.apply(module, name, amount, n, dim, importance_scores=importance_scores)
    return module


def custom_from_mask(module: Module, name: str, mask: Any) -> Module:
    """Prune where a mask is 0."""
    CustomFromMask.apply(module, name, mask=mask)
    return module


def global_unstructured(parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any) -> None:
    """Prune entries of several parameters, `[(module, name), …]`, compared with each other."""
    if not isinstance(parameters, Iterable):
        raise errors.global_pruning_type()
    parameters = list(parameters)
    scores = {} if importance_scores is None else importance_scores
    if not isinstance(scores, dict):
        raise errors.global_pruning_scores()
    relevant = parameters_to_vector([scores.get((m, name), getattr(m, name)) for m, name in parameters])
    mask = parameters_to_vector(
        [getattr(m, name + "_mask", TORCH["ones_like"](getattr(m, name))) for m, name in parameters]
    )
    container = PruningContainer()
    container._tensor_name = "temp"
    method = pruning_method(**kwargs)
    method._tensor_name = "temp"
    if method.PRUNING_TYPE != "unstructured":
        raise errors.global_pruning_method(pruning_method, method.PRUNING_TYPE)
    container.add_pruning_method(method)
    final = container.compute_mask(relevant, mask)
    start = 0
    for module, name in parameters:
        parameter: Tensor = getattr(module, name)
        end = start + parameter.numel()
        custom_from_mask(module, name, mask=final[start:end].view_as(parameter))
        start = end


def remove(module: Module, name: str) -> Module:
    """Make a pruning permanent: the parameter is an ordinary one again, with zeros."""
    for key, hook in module._forward_pre_hooks.items():
        if _prunes(hook, name):
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise errors.not_pruned(name, module)


def is_pruned(module: Module) -> bool:
    """Whether something in a module is pruned."""
    return any(isinstance(hook, BasePruningMethod) for m in module.modules() for hook in m._forward_pre_hooks.values())


for _class in [value for value in globals().values() if isinstance(value, type) and value.__module__ == __name__]:
    _class.__module__ = "torch.nn.utils.prune"
