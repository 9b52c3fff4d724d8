"""Layers that learn their input's size from the first call, and then become the ordinary layer."""

from __future__ import annotations

from typing import Any

from engine import errors
from engine.core.grad_mode import no_grad
from engine.core.inherited import written_in_each
from engine.nn.batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d
from engine.nn.conv import Conv1d, Conv2d, Conv3d, ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from engine.nn.instancenorm import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
from engine.nn.linear import Linear
from engine.nn.parameter import UninitializedBuffer, UninitializedParameter, filled_buffer, is_lazy


class LazyModuleMixin:
    """For modules with uninitialized parameters: the first call, or loading a state, gives them their shapes.

    Subclasses define `initialize_parameters(*args)`, which sees what the call sees; `cls_to_become` is their class
    afterwards.
    """

    __module__ = "torch.nn.modules.lazy"
    cls_to_become: Any = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        module: Any = self
        module._load_hook = module._load_state_dict_pre_hooks.add(self._load_lazy, own=True)
        module._initialize_hook = module._forward_pre_hooks.add(self._infer_parameters, own=True)
        module._forward_pre_hooks_with_kwargs.add(module._initialize_hook.id)

    def _load_lazy(self, module: Any, state_dict: Any, prefix: str, *_: Any) -> None:
        for name, value in [*module._parameters.items(), *module._buffers.items()]:
            given = state_dict.get(prefix + name)
            if is_lazy(value) and given is not None and not is_lazy(given):
                with no_grad():
                    value.materialize(given.shape)

    def initialize_parameters(self: Any, *args: Any, **kwargs: Any) -> None:
        """Give the parameters their shapes, seeing the arguments of the first call."""
        raise errors.lazy_initialize(type(self).__name__)

    def has_uninitialized_params(self: Any) -> bool:
        """Whether a parameter or buffer has no shape yet."""
        return any(is_lazy(value) for value in [*self._parameters.values(), *self._buffers.values()])

    def _infer_parameters(self: Any, module: Any, args: Any, kwargs: Any = None) -> None:
        module.initialize_parameters(*args, **(kwargs or {}))
        if module.has_uninitialized_params():
            raise errors.lazy_not_initialized(self._get_name())
        module._initialize_hook.remove()
        module._load_hook.remove()
        del module._initialize_hook, module._load_hook
        if module.cls_to_become is not None:
            module.__class__ = module.cls_to_become


class LazyLinear(LazyModuleMixin, Linear):
    """`Linear` whose `in_features` is the last size of its first input."""

    cls_to_become = Linear

    def __init__(self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None) -> None:
        super().__init__(0, 0, False)
        self.weight = UninitializedParameter(dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(dtype=dtype)

    def reset_parameters(self) -> None:
        if not self.has_uninitialized_params() and self.in_features != 0:
            super().reset_parameters()

    def initialize_parameters(self, input: Any) -> None:
        if self.has_uninitialized_params():
            with no_grad():
                self.in_features = input.shape[-1]
                self.weight.materialize((self.out_features, self.in_features))
                if self.bias is not None:
                    self.bias.materialize((self.out_features,))
                self.reset_parameters()
        if self.in_features == 0:
            self.in_features = input.shape[-1]


@written_in_each("__init__")
class _LazyConvXdMixin(LazyModuleMixin):
    """Convolutions whose `in_channels` is that of their first input."""

    def __init__(self: Any, out_channels: int, kernel_size: Any, *args: Any, **kwargs: Any) -> None:
        names = self._options
        given = dict(zip(names, args, strict=False)) | kwargs
        bias, dtype = given.pop("bias", True), given.get("dtype")
        super().__init__(0, 0, kernel_size, bias=False, **given)
        self.weight = UninitializedParameter(dtype=dtype)
        self.out_channels = out_channels
        if bias:
            self.bias = UninitializedParameter(dtype=dtype)

    weight: Any
    _options: tuple[str, ...] = "stride", "padding", "dilation", "groups", "bias", "padding_mode", "device", "dtype"

    def reset_parameters(self: Any) -> None:
        if not self.has_uninitialized_params() and self.in_channels != 0:
            super().reset_parameters()  # type: ignore[misc]

    def initialize_parameters(self: Any, input: Any, *args: Any, **kwargs: Any) -> None:
        if self.has_uninitialized_params():
            self.in_channels = self._channels(input)
            if self.in_channels % self.groups:
                raise errors.divisible_by_groups("in_channels")
            first, second = self.out_channels, self.in_channels // self.groups
            if self.transposed:
                first, second = self.in_channels, self.out_channels // self.groups
            self.weight.materialize((first, second, *self.kernel_size))
            if self.bias is not None:
                self.bias.materialize((self.out_channels,))
            self.reset_parameters()

    def _channels(self: Any, input: Any) -> int:
        batched = self._rank + 2
        if input.dim() not in (batched - 1, batched):
            raise errors.lazy_conv_input(batched - 1, batched, type(self).__name__, input.shape)
        return input.shape[1] if input.dim() == batched else input.shape[0]


_TRANSPOSED = "stride", "padding", "output_padding", "groups", "bias", "dilation", "padding_mode", "device", "dtype"
"""The options of transposed convolutions, in their order."""


def _lazy(mixin: type, learns: str, *kinds: Any, **more: Any) -> list[Any]:
    """The lazy twins of classes, whose `learns` they learn; `more`: attributes of theirs."""
    own = {"__module__": __name__, **more}
    return [
        type(kind)(
            f"Lazy{kind.__name__}",
            (mixin, kind),
            {**own, "__doc__": f"`{kind.__name__}` that learns `{learns}`.", "cls_to_become": kind},
        )
        for kind in kinds
    ]


LazyConv1d, LazyConv2d, LazyConv3d = _lazy(_LazyConvXdMixin, "in_channels", Conv1d, Conv2d, Conv3d)
LazyConvTranspose1d, LazyConvTranspose2d, LazyConvTranspose3d = _lazy(
    _LazyConvXdMixin, "in_channels", ConvTranspose1d, ConvTranspose2d, ConvTranspose3d, _options=_TRANSPOSED
)


class _LazyNormBase(LazyModuleMixin):
    """Normalisation whose `num_features` is the number of channels of its first input."""

    def __init__(
        self: Any,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, False, False, dtype=dtype)
        self.affine = affine
        self.track_running_stats = track_running_stats
        if affine:
            self.weight = UninitializedParameter(dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(dtype=dtype)
            self.running_var = UninitializedBuffer(dtype=dtype)
            self.num_batches_tracked = filled_buffer(0, dtype=None).long()

    def reset_parameters(self: Any) -> None:
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()  # type: ignore[misc]

    def initialize_parameters(self: Any, input: Any) -> None:
        if self.has_uninitialized_params():
            self.num_features = input.shape[1]
            for value in (self.weight, self.bias, self.running_mean, self.running_var):
                if is_lazy(value):
                    value.materialize((self.num_features,))
            self.reset_parameters()


LazyBatchNorm1d, LazyBatchNorm2d, LazyBatchNorm3d, LazyInstanceNorm1d, LazyInstanceNorm2d, LazyInstanceNorm3d = _lazy(
    _LazyNormBase, "num_features", BatchNorm1d, BatchNorm2d, BatchNorm3d, InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
)
