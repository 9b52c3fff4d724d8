"""The tensor: a numpy value, its place in the graph, and what it shares with its views.

A 0-d value that nothing aliases is a numpy scalar, which numpy computes with several times faster than with a 0-d
array; `share` turns it into an array the moment something must see later writes to it.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from engine import errors
from engine.core.batch import Batch, whole
from engine.core.hooks import HookDict, RemovableHandle
from engine.core.node import AccumulateGrad, Node, VersionCounter
from engine.core.state import state
from engine.core.views import DifferentiableViewMeta, in_memory, regenerate_grad_fn, share
from engine.types import dtypes, printing
from engine.types.coo import Coo
from engine.types.shapes import contiguous_strides, empty_laid_out

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

new = object.__new__
T = TypeVar("T", bound="Tensor")


def blank(cls: type[T]) -> T:
    """A tensor of a class without a value yet, and without history."""
    t = new(cls)
    t._requires_grad, t._grad_fn, t._output_nr, t._version_counter, t._view = False, None, 0, None, None
    return t


def constant(array: Any) -> Tensor:
    """A tensor of a numpy value, which it takes over; it does not require grad, and no observer hears of it."""
    t = new(Tensor)
    t._array = array
    t._requires_grad, t._grad_fn, t._output_nr, t._version_counter, t._view = False, None, 0, None, None
    return t


class TensorMeta(type):
    """`torch.Tensor(2, 3)` and `torch.Tensor([1, 2])` are factories; `isinstance(x, Variable)` is true for tensors."""

    _factory: Callable[..., Any]
    """`torch.FloatTensor` and its kin, by dtype; `engine.composites.legacy` puts it here."""

    _derived: Callable[[type], None] | None = None
    """Called with classes that derive from Tensor; `engine.torch.overrides` puts it here."""

    def __init__(cls, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args)
        if TensorMeta._derived is not None:
            TensorMeta._derived(cls)

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        if cls is Tensor:
            return TensorMeta._factory(dtypes.get_default(), *args, **kwargs)
        return super().__call__(*args, **kwargs)


TensorMeta.__name__ = TensorMeta.__qualname__ = "_TensorMeta"  # which it is in PyTorch
TensorMeta.__module__ = "torch._C"


class Tensor(metaclass=TensorMeta):
    """A `torch.Tensor`. Ops come from the registry; this class holds the value and the autograd fields."""

    # Every op reads and writes these; whoever makes a tensor sets them all. The rest have defaults.
    __slots__ = ("__dict__", "__weakref__", *"_array _grad_fn _output_nr _requires_grad _version_counter _view".split())
    _array: Any
    _requires_grad: bool
    _grad_fn: Node | None
    _output_nr: int
    _version_counter: VersionCounter | None
    _view: DifferentiableViewMeta | None
    _grad: Tensor | None = None
    _grad_accumulator: AccumulateGrad | None = None
    _hooks: HookDict | None = None
    _post_hooks: HookDict | None = None
    _retains: bool = False
    _inference: bool = False
    _counts: bool = False  # an inference tensor that may be written to outside of inference mode
    _conjugate: bool | None = None  # whether PyTorch would compute it when somebody reads it; None: its node tells
    _cut: Any = None
    _batch: Batch | None = None  # the entries of a `vmap` that this one stands for, while it runs
    _tangent: Any = None  # (level, tensor) of forward-mode differentiation
    __array_priority__ = 1000

    __module__ = "torch"

    if TYPE_CHECKING:
        # Methods and operators are published from the rows of `engine.ops` when they are declared.
        def __getattr__(self, name: str) -> Any: ...
        def backward(
            self, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool = False, inputs: Any = None
        ) -> None: ...
        def __getitem__(self, index: Any) -> Tensor: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...
        def __len__(self) -> int: ...
        def __iter__(self) -> Iterator[Tensor]: ...
        def __bool__(self) -> bool: ...
        def __float__(self) -> float: ...
        def __int__(self) -> int: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __lt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...
        def __and__(self, other: Any) -> Tensor: ...
        def __or__(self, other: Any) -> Tensor: ...
        def __invert__(self) -> Tensor: ...

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        made = TensorMeta._factory(dtypes.get_default(), *args, **kwargs)
        made.__class__ = cls
        return made

    # Making tensors inside the engine

    @staticmethod
    def _from_array(array: Any, requires_grad: bool = False) -> Tensor:
        """A tensor of a numpy value, which it takes over; the observer hears of it."""
        if not array.size and array.ndim > 1 and type(array) is not Coo:  # numpy forgets how nothing lies
            array = empty_laid_out(array.shape, contiguous_strides(array.shape, array.itemsize), array.dtype)
        t = constant(array)
        if array.dtype.kind == "c":
            state.complex = True
        if requires_grad:
            t._requires_grad = True
        if state.watched:
            if state.inference:
                t._inference = True
            if state.observer is not None:
                state.observer.create(t)
        return t

    @staticmethod
    def _from_number(value: Any) -> Tensor:
        """The 0-d tensor that PyTorch wraps a Python number in."""
        dtype = dtypes.of_number(value)
        wide = dtypes.float64 if dtype.is_floating_point else dtype
        return constant(wide.np.type(value))

    # The value

    @property
    def shape(self) -> dtypes.Size:
        return dtypes.size(self._array.shape)

    @property
    def dtype(self) -> dtypes.dtype:
        return dtypes.of(self._array.dtype)

    @property
    def ndim(self) -> int:
        return int(self._array.ndim)

    @property
    def device(self) -> dtypes.device:
        return dtypes.device("cpu")

    @property
    def layout(self) -> Any:
        return dtypes.sparse_coo if type(self._array) is Coo else dtypes.strided

    @property
    def itemsize(self) -> int:
        return self.dtype.itemsize

    @property
    def nbytes(self) -> int:
        if type(self._array) is Coo:
            raise errors.sparse_nbytes()
        return int(self._array.size) * self.dtype.itemsize

    @property
    def is_cuda(self) -> bool:
        return False

    @property
    def is_sparse(self) -> bool:
        return type(self._array) is Coo

    @property
    def _version(self) -> int:
        if self._inference and not self._counts:
            raise errors.inference_version()
        return 0 if self._version_counter is None else self._version_counter.n

    @property
    def _base(self) -> Tensor | None:
        return None if self._view is None else self._view.base

    def _is_view(self) -> bool:
        if self._view is not None:
            return True
        if self._conjugate is not None or self._grad_fn is None:  # PyTorch only remembers to conjugate
            return bool(self._conjugate)
        return self._grad_fn.op is not None and self._grad_fn.op.conj_view

    def is_inference(self) -> bool:
        return self._inference

    # Autograd

    @property
    def requires_grad(self) -> bool:
        if self._batch is not None:
            tracked = self._batch.tracked()
            return tracked is not None and tracked.requires_grad
        return self._requires_grad or self._view is not None and self._view.base._requires_grad

    @requires_grad.setter
    def requires_grad(self, flag: bool) -> None:
        self._set_requires_grad(flag, attribute=True)

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise errors.requires_grad_not_bool()

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Mark a leaf as wanting gradients, in place. RuntimeError inside a transform."""
        if state.transforms:
            raise errors.requires_grad_in_transform()
        self._set_requires_grad(requires_grad, attribute=False)
        return self

    def _as_leaf(self) -> Tensor:
        """The same for tensors of the engine's own; of an entry, its whole batch."""
        whole(self)._set_requires_grad(True, attribute=False)
        return self

    def _set_requires_grad(self, flag: bool, attribute: bool) -> None:
        if not isinstance(flag, bool):
            if not attribute:
                raise errors.argument_type("requires_grad_", "requires_grad", 1, "bool", flag)
            raise errors.requires_grad_not_bool()
        if self._view is not None:
            if self._view.creation_meta == "default" or self._grad_fn is None:
                regenerate_grad_fn(self, always=True)
            self._view.borrowed = False
        if self._grad_fn is not None:
            if not flag:
                raise errors.requires_grad_off_non_leaf()
            if attribute:
                raise errors.requires_grad_non_leaf()
            return
        if flag and self._inference and not state.inference:
            raise errors.inference_requires_grad()
        if flag and self._array.dtype.kind not in dtypes.INEXACT:
            raise errors.requires_grad_integer(attribute)
        self._requires_grad = flag

    @property
    def grad_fn(self) -> Node | None:
        if self._batch is not None:
            tracked = self._batch.tracked()
            return None if tracked is None else tracked.grad_fn
        if self._view is not None:
            regenerate_grad_fn(self, always=True)
        return self._grad_fn

    @property
    def output_nr(self) -> int:
        return self._output_nr

    @property
    def is_leaf(self) -> bool:
        return self.grad_fn is None

    @property
    def name(self) -> None:
        """Tensors had names once."""
        return None

    @property
    def retains_grad(self) -> bool:
        return self._retains

    @property
    def grad(self) -> Tensor | None:
        if self._grad is None and self._requires_grad and not self._retains:
            view = self._view
            fn = self.grad_fn if view is None or view.creation_meta == "default" else self._grad_fn
            if fn is not None:
                errors.warn_non_leaf_grad()
        return self._grad

    @grad.setter
    def grad(self, value: Any) -> None:
        before = self._grad
        if value is not None:
            check_grad(self, value)
        self._grad = value
        if state.watched and state.observer is not None and before is not value:
            state.observer.grad_changed(self, before, value, "assignment")

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    @property
    def data(self) -> Tensor:
        """The same memory outside the graph, with a version counter of its own: writes go unnoticed."""
        if self._batch is not None:
            raise errors.vmap_data()
        t = constant(in_memory(self) if type(self._array) is not np.ndarray else self._array)
        if self._inference:
            t._inference, t._counts = True, not state.inference
        t._cut = (self, "data")
        if state.watched and state.observer is not None:
            state.observer.create(t)
        return t

    @data.deleter
    def data(self) -> None:
        raise errors.data_deleted()

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise errors.data_not_tensor(value)
        if self._requires_grad and value._array.dtype.kind not in dtypes.INEXACT:
            raise errors.data_integer()
        announce_write(self)
        self._array = share(value)
        if self._grad_accumulator is not None:
            self._grad_accumulator.shape, self._grad_accumulator.dtype = self._array.shape, self._array.dtype
        report_write(self)

    def detach(self) -> Tensor:
        """The same memory as a leaf outside the graph; in-place writes to it are noticed by the graph."""
        t = constant(share(self))
        t._version_counter = self._version_counter
        if self._inference:
            t._inference = True
            if not state.inference:  # an inference tensor that counts writes
                t._version_counter, t._counts = VersionCounter(), True
        t._cut = (self, "detach")
        if self._batch is not None:
            level: Any = self._batch.level
            with level.outside():
                return level.attach(t, self._batch.tensor.detach(), self._batch.dim)  # type: ignore[no-any-return]
        if state.watched and state.observer is not None:
            state.observer.create(t)
        return t

    def detach_(self) -> Tensor:
        """Cut the tensor itself off the graph; refused for views."""
        if self._view is not None:
            raise errors.detach_view()
        hooks = None if self._grad_fn is None else self._grad_fn.hooks
        if hooks is not None and self._output_nr in hooks.tensor_pre:
            self._hooks = hooks.tensor_pre[self._output_nr]
        self._grad_fn, self._requires_grad, self._output_nr = None, False, 0
        self._cut = (None, "detach")
        self._tangent = None
        return self

    def retain_grad(self) -> None:
        """Keep the gradient of a non-leaf in `.grad`; nothing to do for a leaf."""
        if not self.requires_grad:
            raise errors.retain_grad_without_requires_grad()
        if self._view is not None and self._grad_fn is not None:
            regenerate_grad_fn(self, always=True)
        fn = self._grad_fn
        if fn is None or self._retains:
            return
        self._retains = True
        fn.ensure_hooks().retains_grad[self._output_nr] = self

    def register_hook(self, hook: Callable[[Tensor], Any]) -> RemovableHandle:
        """Call `hook(grad)` when this tensor's gradient is known; what it returns replaces the gradient."""
        if not self.requires_grad:
            raise errors.hook_without_requires_grad()
        if self._view is not None:
            regenerate_grad_fn(self, always=True)
        fn = self._grad_fn
        if fn is not None:
            return fn.ensure_hooks().tensor_pre.setdefault(self._output_nr, HookDict()).add(hook)
        if self._hooks is None:
            self._hooks = HookDict()
        return self._hooks.add(hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[[Tensor], Any]) -> RemovableHandle:
        """Call `hook(self)` after a gradient was added to `.grad` of this leaf."""
        if not self.requires_grad:
            raise errors.hook_without_requires_grad()
        if self._grad_fn is not None:
            raise errors.post_accumulate_hook_non_leaf()
        if self._post_hooks is None:
            self._post_hooks = HookDict()
        return self._post_hooks.add(hook)

    @property
    def _backward_hooks(self) -> HookDict | None:
        fn = self._grad_fn
        if fn is None:
            return self._hooks
        return None if fn.hooks is None else fn.hooks.tensor_pre.get(self._output_nr)

    # Text

    def __repr__(self) -> str:
        if state.transforms:
            tracked = transformed_repr(self, [self], len(state.transforms), whole(self)._grad_fn is None)
            if tracked is not None:
                return tracked
        try:
            fn = self.grad_fn
            name = None if fn is None else type(fn).__name__
        except RuntimeError:  # a view made under no_grad, written to since
            name = "Invalid"
        is_parameter = issubclass(type(self), Parameter)
        text = printing.tensor_repr(
            self._array,
            requires_grad=self._requires_grad,
            grad_fn_name=name,
            class_name="tensor" if type(self) in (Tensor, Parameter) else type(self).__name__,
            is_parameter=is_parameter,
            tangent=self._tangent[1] if self._tangent is not None and self._tangent[0] is state.dual else None,
        )
        marked = not is_parameter and type(self) is not Tensor and isinstance(self, Parameter)
        return f"Parameter({text})" if marked else text

    def __format__(self, spec: str) -> str:
        if self._batch is not None and not self._array.ndim:
            raise errors.vmap_item()
        text = "" if spec or not self._array.ndim else repr(self)
        return printing.format_tensor(self._array, spec, text=text, class_name=type(self).__name__)

    def __hash__(self) -> int:
        return state.identify(self)


def transformed_repr(tensor: Tensor, sources: list[Tensor], levels: int, leaf: bool) -> str | None:
    """The text of a tensor that the outermost transforms, so many of them, map or differentiate at; None for others.

    `sources` are what the tensor was computed from at this level; `leaf`: it is one of them itself.
    """
    for level in range(levels, 0, -1):
        transform = state.transforms[level - 1]
        if transform.differentiates:
            origins = [own for source in sources for own in transform.origins(source)]
            if not origins:
                continue
            inner = transformed_repr(tensor, origins, level - 1, leaf)
            if inner is None:
                unmapped = leaf and all([own._batch is None for own in origins])
                recorded = any([whole(own).requires_grad for own in origins])
                inner = _repr_in_graph(tensor if unmapped else whole(tensor), recorded, leaf)
            return f"GradTrackingTensor(lvl={level}, value=\n{indent(inner, '    ')}\n)"
        if tensor._batch is not None and transform.maps(tensor) and (not leaf or any(map(transform.maps, sources))):
            batch, dim = tensor._batch.tensor, tensor._batch.dim
            outer = [t._batch.tensor if t._batch is not None and transform.maps(t) else t for t in sources]
            inner = transformed_repr(batch, outer, level - 1, leaf)
            if inner is None:
                recorded = any([whole(own).requires_grad for own in outer])
                inner = _repr_in_graph(batch, recorded, leaf)
            return f"BatchedTensor(lvl={level}, bdim={dim}, value=\n{indent(inner, '    ')}\n)"
    return None


def _repr_in_graph(t: Tensor, recorded: bool, leaf: bool) -> str:
    return printing.tensor_repr(
        t._array,
        requires_grad=recorded,
        grad_fn_name=None if leaf or not recorded or t.grad_fn is None else type(t.grad_fn).__name__,
    )


_EXACT: dict[type, Callable[[Any], Any]] = {float: float.__pos__, int: int.__pos__, complex: complex.__pos__}


def number(value: Any) -> Any:
    """A Python number for an operand that is not a tensor; a 0-d tensor is read. TypeError for anything else."""
    if isinstance(value, int | float | complex):
        if isinstance(value, complex):
            state.complex = True
        if type(value) in _EXACT or type(value) is bool:
            return value
        return next(exact(value) for kind, exact in _EXACT.items() if isinstance(value, kind))
    if isinstance(value, Tensor):
        if value._array.size != 1:
            raise errors.not_a_scalar(value._array.size)
        if value._batch is not None:
            raise errors.vmap_item()
        return value._array.item()
    if isinstance(value, np.generic):
        return float(value) if type(value) in _FOREIGN else value.item()
    raise errors.expected_number(value)


_FOREIGN = frozenset((np.bool_, np.complex64))
"""Numbers of numpy's that PyTorch knows as none of Python's kinds, and reads as floats."""


def scalar(value: Any) -> Any:
    """`number` for an option like `alpha`, which has no dimensions and no gradient."""
    if isinstance(value, Tensor) and (value._requires_grad or value._array.ndim):
        raise errors.expected_number(value)
    return number(value)


def output_tensor(array: Any, node: Node, number: int | None, counter: VersionCounter | None) -> Tensor:
    """A saved output read back: the value, with the node that made it as grad_fn when it is differentiable."""
    t = constant(array)
    t._version_counter = counter
    if number is not None:
        t._grad_fn, t._output_nr, t._requires_grad = node, number, True
        if node.view_fn is not None:  # written through a view: what made the view anew made the result
            renewed = node.view_fn()
            if renewed is not None:
                t._grad_fn, t._output_nr = renewed, 0
    return t


def bump_version(t: Tensor) -> None:
    """Count an in-place write; where PyTorch finds that it was not allowed to make it."""
    if t._inference and not t._counts and not state.inference:
        raise errors.inference_inplace()
    if t._version_counter is None:
        t._version_counter = VersionCounter(1)
    else:
        t._version_counter.n += 1


def announce_write(t: Tensor) -> None:
    """Tell whoever watches that the value of `t` is about to change, in its memory or for other memory."""
    if state.observer is not None:
        state.observer.before_write(t._array)


def report_write(t: Tensor) -> None:
    """Tell whoever watches that it has changed."""
    if state.observer is not None:
        state.observer.wrote(t)


def write(t: Tensor, value: Any) -> None:
    """Overwrite the tensor's memory (broadcasting `value`, casting to its dtype) and count the write."""
    announce_write(t)
    a = t._array
    if type(a) is Coo or type(value) is Coo:
        _replace(t, value)
    elif type(a) is np.ndarray:
        if not a.flags.writeable:
            raise errors.sparse_write()
        foreign = isinstance(value, np.ndarray | np.generic) and value.dtype.kind != a.dtype.kind
        if a.dtype.kind in dtypes.INEXACT or not foreign:
            a[...] = value
        else:
            a[...] = np.asarray(value).astype(a.dtype)
    else:
        t._array = np.asarray(value).astype(a.dtype).reshape(())[()]
    bump_version(t)


def _replace(t: Tensor, value: Any) -> None:
    """Put another value in the place of a sparse one, of which there are no views."""
    if type(t._array) is not Coo or type(value) is not Coo or t._view is not None:
        raise errors.sparse_unavailable()
    t._array = value if value.dtype == t._array.dtype else value.astype(t._array.dtype)


def check_grad(t: Tensor, value: Any) -> None:
    """The rules of `x.grad = value`."""
    if not isinstance(value, Tensor):
        raise errors.grad_not_tensor(value)
    if value is t:
        raise errors.grad_is_self()
    if value._array.dtype != t._array.dtype:
        raise errors.grad_dtype(dtypes.of(value._array.dtype).cpp_name, dtypes.of(t._array.dtype).type_name)
    if value._array.shape != t._array.shape:
        raise errors.grad_shape(value._array.shape, t._array.shape)


class MarkedMeta(TensorMeta):
    """`isinstance(x, cls)` is true for tensors of other classes, too, that have its mark; of derived ones it is not."""

    _mark: str

    def __instancecheck__(cls, instance: Any) -> bool:
        if super().__instancecheck__(instance):
            return True
        return cls.__base__ is Tensor and isinstance(instance, Tensor) and bool(getattr(instance, cls._mark, False))


class ParameterMeta(MarkedMeta):
    """`isinstance(x, Parameter)` and construction `Parameter(data, requires_grad=True)`."""

    _mark = "_is_param"


ParameterMeta.__name__ = ParameterMeta.__qualname__ = "_ParameterMeta"
ParameterMeta.__module__ = "torch.nn.parameter"


class Parameter(Tensor, metaclass=ParameterMeta):
    """A tensor that a Module collects: `nn.Parameter(data=None, requires_grad=True)`."""

    __module__ = "torch.nn.parameter"

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Any:
        kind: Any = type(data)
        derived = isinstance(data, Tensor) and kind not in (Tensor, Parameter)
        if derived and issubclass(kind, Parameter):
            raise errors.parameter_of(kind.__name__, "Tensor")
        t: Any = blank(kind if derived else cls)
        if derived:
            t._is_param = True
        if data is None:
            t._array = np.empty(0, dtypes.get_default().np)
        elif not isinstance(data, Tensor):
            raise errors.object_attribute(errors.type_name(data), "detach")
        elif not isinstance(requires_grad, bool):
            raise errors.argument_type("_make_subclass", "require_grad", 3, "bool", requires_grad)
        else:
            t._array = share(data)
            t._version_counter = data._version_counter
            t._inference = data._inference
        if requires_grad and t._inference and not state.inference:
            raise errors.inference_requires_grad()
        if requires_grad and t._array.dtype.kind not in dtypes.INEXACT:
            raise errors.integer_requires_grad()
        t._requires_grad = requires_grad
        if state.watched and state.observer is not None:
            state.observer.create(t)
        return t

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass


def tensors_of(values: Sequence[Any]) -> Iterator[Tensor]:
    """The tensors among values, one level deep into lists."""
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, list | tuple):
            yield from (item for item in value if isinstance(item, Tensor))
