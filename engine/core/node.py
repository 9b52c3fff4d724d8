"""The graph of the backward pass: nodes, edges, and what nodes keep from the forward pass.

A node's `next_edges` are the nodes that produced its inputs (None where the input needs no gradient); `input_nrs` are
the output numbers on the other side of those edges, or None when all are 0. Saved tensors live in `saved`, in the order
the op declared them; `saved is None` means they were freed, or packed by saved-tensor hooks.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np

from engine import errors
from engine.core.hooks import HookDict, RemovableHandle
from engine.core.state import Culprit, sequence, state
from engine.types import dtypes
from engine.types.devices import device

if TYPE_CHECKING:
    from engine.codegen.op import Op
    from engine.core.tensor import Tensor

LEAF_SEQUENCE = 2**64 - 1
"""`_sequence_nr()` of every AccumulateGrad, NotImplemented and Error: they run as soon as they are ready."""


_SHOWN = (
    "metadata name next_functions register_hook register_prehook requires_grad _input_metadata _register_hook_dict"
    " _sequence_nr _set_sequence_nr"
).split()
"""Names that `dir(node)` lists besides the saved tensors."""


class VersionCounter:
    """Counts in-place writes; shared by a tensor, its views and its `detach()`ed aliases."""

    __slots__ = ("n",)

    def __init__(self, n: int = 0) -> None:
        self.n = n


class NodeHooks:
    """The hooks of one node, made when the first is registered.

    tensor_pre: `{output number: HookDict}` of `Tensor.register_hook`; retains_grad: `{output number: tensor}` of
    `Tensor.retain_grad`.
    """

    __slots__ = ("post", "pre", "retains_grad", "tensor_pre")

    def __init__(self) -> None:
        self.tensor_pre: dict[int, HookDict] = {}
        self.retains_grad: dict[int, Tensor] = {}
        self.pre = HookDict()
        self.post = HookDict()


class _InputMetadata:
    """Shape, dtype and device of one output of a node."""

    __module__ = "torch._C._autograd"
    is_nested_tensor = is_cpp_nested_tensor = False

    def __init__(self, shape: tuple[int, ...], dtype: Any) -> None:
        self.shape, self.dtype, self.device = list(shape), dtypes.of(dtype), device("cpu")


class NodeMeta(type):
    """Makes `isinstance(node, Node)`, `type(node).__name__` and `print(type(node))` read as in PyTorch."""

    @property
    def home(cls) -> str:
        """The module that the class has in PyTorch, where nodes of C++ are in none of their own."""
        home: str = getattr(cls, "_home", "builtins")
        return "builtins" if home == Node._home and cls is not Node else home

    def __repr__(cls) -> str:
        home = cls.home
        return f"<class '{cls.__name__}'>" if home == "builtins" else f"<class '{home}.{cls.__name__}'>"


def _in_c(takes: int) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A method that PyTorch has in C, in whose words it refuses calls with more or fewer arguments than it `takes`."""

    def decorated(method: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(method)
        def called(self: Node, *args: Any, **kwargs: Any) -> Any:
            if kwargs:
                raise errors.node_keywords(type(self).__name__, method.__name__)
            if len(args) != takes:
                raise errors.node_arguments(type(self).__name__, method.__name__, len(args), takes)
            return method(self, *args)

        return called

    return decorated


class Node(metaclass=NodeMeta):
    """One step of the backward pass. Each op has its own subclass, named as PyTorch names it."""

    op: ClassVar[Op | None] = None
    qualified_name: ClassVar[str | None] = None
    _home = __module__ = "torch.autograd.graph"

    # Every backward pass reads these; `__new__` and the generated calls set them all. The rest have defaults.
    __slots__ = (
        "__dict__", "__weakref__", "args", "dtype", "hooks", "input_nrs", "next_edges", "outputs", "saved",
        "sequence_nr", "shape", "versions",
    )  # fmt: skip
    next_edges: tuple[Node | None, ...]
    input_nrs: tuple[int, ...] | None
    sequence_nr: int
    shape: tuple[int, ...]
    dtype: Any
    outputs: list[tuple[tuple[int, ...], Any]] | None  # (shape, dtype) per output when there are several
    saved: tuple[Any, ...] | None
    versions: tuple[int, ...] | None
    args: tuple[Any, ...]
    hooks: NodeHooks | None
    packed: tuple[Any, ...] | None = None
    view_fn: weakref.ref[Node] | None = None  # of a result written through a view: its grad_fn afterwards
    _metadata: dict[str, Any] | None = None

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        node = object.__new__(cls)
        node.next_edges, node.sequence_nr, node.shape, node.dtype = (), 0, (), None
        node.input_nrs = node.outputs = node.versions = node.hooks = None
        node.saved = node.args = ()
        return node

    def apply(self, g: Any, edges: tuple[Node | None, ...]) -> Sequence[Any]:
        """Gradients of the inputs as numpy values; None where the edge is None."""
        raise NotImplementedError

    def apply_graph(self, g: Any, edges: tuple[Node | None, ...]) -> Sequence[Any]:
        """The same with Tensors, recording the computation (`create_graph=True`)."""
        raise NotImplementedError

    def release_variables(self) -> bool:
        """Free saved tensors; True when there were any. Where no gradient needs what an op would save, nothing is."""
        saved = self.saved
        if saved:
            if saved[0] is None and self.op is not None and all([value is None for value in saved]):
                return False
            self.saved = None
            return True
        if self.saved is None and self.packed is not None:
            self.packed = None
            return True
        return False

    # PyTorch's surface

    @_in_c(0)
    def name(self) -> str:
        """`MulBackward0`; hand-written C++ nodes carry their namespace, as in PyTorch."""
        return self.qualified_name or type(self).__name__

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """The edges as PyTorch shows them: (node or None, output number)."""
        numbers = self.input_nrs or (0,) * len(self.next_edges)
        return tuple(
            (node, number if node is not None else 0) for node, number in zip(self.next_edges, numbers, strict=True)
        )

    @property
    def metadata(self) -> dict[str, Any]:
        """A dict the user may write to."""
        if self._metadata is None:
            self._metadata = {}
        return self._metadata

    @property
    def requires_grad(self) -> bool:
        return True

    @property
    def _input_metadata(self) -> tuple[_InputMetadata, ...]:
        """Metadata of the gradients that the node takes, one for each of its outputs."""
        return tuple([_InputMetadata(*self.input_metadata(number)) for number in range(self.num_inputs)])

    @_in_c(0)
    def _sequence_nr(self) -> int:
        return self.sequence_nr

    @_in_c(1)
    def _set_sequence_nr(self, number: int) -> None:
        self.sequence_nr = number

    def input_metadata(self, number: int) -> tuple[tuple[int, ...], Any]:
        """Shape and numpy dtype of an output, which its gradient must have."""
        return (self.shape, self.dtype) if self.outputs is None else self.outputs[number]

    @property
    def num_inputs(self) -> int:
        return 1 if self.outputs is None else len(self.outputs)

    def ensure_hooks(self) -> NodeHooks:
        if self.hooks is None:
            self.hooks = NodeHooks()
        return self.hooks

    @_in_c(1)
    def register_hook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(grad_inputs, grad_outputs)` after the node ran; it may return new grad_inputs."""
        return self.ensure_hooks().post.add(hook)

    @_in_c(1)
    def register_prehook(self, hook: Callable[..., Any]) -> RemovableHandle:
        """Call `hook(grad_outputs)` before the node runs; it may return new grad_outputs."""
        return self.ensure_hooks().pre.add(hook)

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")

    def __dir__(self) -> Iterator[str]:
        if self.op is None:
            yield from object.__dir__(self)
            return
        yield from object.__dir__(object())
        yield from _SHOWN
        for name in self.op.shown_saved_names():
            yield f"_saved_{name}"
            if name == "result" or name in self.op.saved_tensors or name in self.op.saved_outputs:
                yield f"_raw_saved_{name}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {hex(state.identify(self))}>"


class AccumulateGrad(Node):
    """The end of every path: adds what arrives to its leaf's `.grad`.

    `followers` are leaves of transforms inside a transform, which have taken its leaf's place in the graph.
    """

    __slots__ = ("variable",)
    qualified_name = "torch::autograd::AccumulateGrad"

    variable: Tensor
    followers: tuple[Tensor, ...] = ()

    def release_variables(self) -> bool:
        return False

    def apply(self, g: Any, edges: tuple[Node | None, ...]) -> Sequence[Any]:
        return ()

    apply_graph = apply


class Error(Node):
    """Stands behind a gradient that has none of its own, and says so when one is asked for."""

    qualified_name = "torch::autograd::Error"

    def __init__(self, refusal: Callable[[], RuntimeError], next_edges: tuple[Node | None, ...]) -> None:
        self.refusal, self.next_edges = refusal, next_edges
        sequence.next()  # counted, though it runs as soon as it is ready
        self.sequence_nr = LEAF_SEQUENCE

    def apply(self, g: Any, edges: tuple[Node | None, ...]) -> Sequence[Any]:
        raise self.refusal()

    apply_graph = apply


def saved_version(node: Node, index: int) -> int:
    return 0 if node.versions is None else node.versions[index]


def modified(array: Any, fn: Node | None, number: int, counter: VersionCounter, expected: int, saver: Node) -> NoReturn:
    """Raise PyTorch's error for a saved tensor that was written to; `fn` made it, `saver` needs it."""
    name = None if fn is None else fn.name()
    if fn is saver and saver.view_fn is not None:
        renewed = saver.view_fn()
        name = name if renewed is None else renewed.name()
    kind = dtypes.of(array.dtype).cpp_type
    error = errors.modified_inplace(kind, array.shape, name, number, counter.n, expected, state.anomaly)
    state.culprit = Culprit(str(error), counter, saver, expected)
    raise error


def versions_of(saved: tuple[Any, ...]) -> tuple[Any, ...]:
    """Versions of saved tensors at the time of saving; 0 for values that are not tensors, a tuple for a list."""
    return tuple(
        [
            versions_of(value)
            if type(value) is tuple and not isinstance(value[0] if value else None, np.ndarray | np.generic)
            else 0
            if (counter := getattr(value, "_version_counter", None)) is None
            else counter.n
            for value in saved
        ]
    )
