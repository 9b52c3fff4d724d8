"""Custom autograd Functions: the user's `forward` and `backward` as one node of the graph.

As in PyTorch the context that `forward` and `backward` see is the node itself.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType, MethodType
from typing import Any, ClassVar, NamedTuple

import numpy as np

from engine import errors
from engine.autograd.api import zeros_like
from engine.autograd.inplace import check_inplace, rebase
from engine.autograd.vmapped import VmapRule, unwrapped
from engine.core.node import Error, Node, NodeMeta, VersionCounter, modified
from engine.core.saved_tensors import SavedTensor, SavedVariable, trace_forward
from engine.core.state import Culprit, sequence, state
from engine.core.tensor import Tensor, bump_version, constant, output_tensor
from engine.core.views import DifferentiableViewMeta, check_version, grad_accumulator, regenerate_grad_fn, share
from engine.limits import meter
from engine.types import dtypes

new = object.__new__

CONTEXT = frozenset(
    "name next_functions metadata register_hook register_prehook requires_grad variable saved_tensors saved_variables"
    " needs_input_grad save_for_backward save_for_forward mark_dirty mark_non_differentiable set_materialize_grads"
    " materialize_grads _materialize_non_diff_grads dirty_tensors non_differentiable to_save apply".split()
)
"""Names that a program finds on its `ctx` besides those it stored there."""


_NOTHING: Any = range(0)
"""`saved` of a node that saved nothing: not the empty tuple, which tells passes that there is nothing to free."""


class FunctionCtx:
    """The context of a Function's `forward` and `backward`, which is its node. Made alone, it keeps what it is told."""

    __module__ = "torch.autograd.function"

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors for backward."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep tensors for `jvp`."""
        if not all(value is None or isinstance(value, Tensor) for value in tensors):
            raise errors.save_for_forward_non_tensor()
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Name the inputs that forward wrote to."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Any) -> None:
        """Name outputs that have no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Choose whether backward gets zeros for outputs that received no gradient."""
        self.materialize_grads = value


class BackwardCFunction(Node, FunctionCtx):
    """The node of a custom Function, and its `ctx`."""

    _home = "torch.autograd.function"
    _function: ClassVar[Any] = None
    rules: tuple[tuple[VmapRule, Any], ...] = ()  # under which the Function sets up what it keeps
    unpacked: tuple[Any, ...] | None = None  # entries of the saved tensors while one of them runs its backward
    arguments: tuple[Any, ...] = ()  # of forward, where a transform carries tangents

    def __init__(self, arguments: Sequence[Any]) -> None:
        self.sequence_nr = sequence.next()
        self.needs_input_grad = tuple(isinstance(a, Tensor) and a.requires_grad for a in arguments)
        self._positions = [i for i, a in enumerate(arguments) if isinstance(a, Tensor)]
        self._argument_count = len(arguments)
        self._to_save: tuple[Any, ...] = ()
        self._for_forward: tuple[Any, ...] = ()
        self._pushing_forward = False
        self._non_differentiable: frozenset[int] = frozenset()
        self._non_differentiable_tensors: tuple[Tensor, ...] = ()
        self._dirty: tuple[Tensor, ...] = ()
        self.materialize_grads = self._materialize_non_diff_grads = True
        self._without_gradient: frozenset[int] = frozenset()
        self.saved = _NOTHING
        if state.anomaly:
            trace_forward(self)
        self.attributes: dict[str, Any] = {}  # what the program stored on ctx, under whatever names it likes

    # What forward may call

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors for backward, checked for in-place writes when they are read."""
        if self.rules:
            _check_saved(tensors)
        for rule, level in reversed(self.rules):
            tensors = rule.saving(level, tensors)
        self._to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep tensors for `jvp`, which reads them as `saved_tensors`."""
        if not all(value is None or isinstance(value, Tensor) for value in tensors):
            raise errors.save_for_forward_non_tensor()
        for rule, level in reversed(self.rules):
            tensors = rule.saving(level, tensors)
        self._for_forward = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Name the inputs that forward wrote to."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Name outputs that have no gradient."""
        self._non_differentiable = frozenset(map(id, tensors))
        self._non_differentiable_tensors = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """With False, backward gets None instead of zeros for outputs that received no gradient."""
        if not isinstance(value, bool):
            raise errors.materialize_grads_type()
        self.materialize_grads = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        if self.unpacked is not None:
            return self.unpacked
        if self._pushing_forward:
            return self._for_forward
        if self.saved is None:
            error = errors.backward_twice()
            state.culprit = Culprit(str(error), node=self)
            raise error
        values: list[Any] = []
        for index, value in enumerate(self.saved):
            if type(value) is SavedVariable:
                value = value.unpack(self)
            elif type(value) is tuple:
                array, number, counter, version = value
                if counter.n != version:
                    modified(array, self, number, counter, version, self)
                value = output_tensor(array, self, number, counter)
            elif isinstance(value, Tensor):
                check_version(self, index, value)
            values.append(value)
        return tuple(values)

    def release_variables(self) -> bool:
        released = super().release_variables()
        if not self.saved:  # a node that saved nothing has freed it, too
            self.saved = None
        return released

    @property
    def _raw_saved_tensors(self) -> tuple[SavedTensor, ...]:
        if self.saved is None:
            raise errors.backward_twice()
        return tuple([SavedTensor._of(self, index) for index in range(len(self.saved))])

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        errors.warn_saved_variables()
        return self.saved_tensors

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__} object at {hex(state.identify(self))}>"

    def __getattr__(self, name: str) -> Any:
        attributes = _fields(self).get("attributes", {})
        if name in attributes:
            return attributes[name]
        raise errors.object_attribute(type(self).__name__, name)

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        """Attributes that the program stored, on `ctx` or on the node."""
        fields = _fields(self)
        for name in fields.keys() - _own_fields():
            self.attributes[name] = fields.pop(name)
        return self.attributes

    def __delattr__(self, name: str) -> None:
        attributes = vars(self)
        if name not in attributes:
            raise errors.object_attribute(type(self).__name__, name)
        del attributes[name]

    # What the engine calls

    def apply(self, g: Any, edges: tuple[Node | None, ...]) -> Sequence[Any]:
        return self._run(g, edges, graph=False)

    def apply_graph(self, g: Any, edges: tuple[Node | None, ...]) -> Sequence[Any]:
        return self._run(g, edges, graph=True)

    def push(self, args: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, ...]:
        """Push tangents of the arguments through the Function's `jvp`. RuntimeError for what is no tangent."""
        if self.materialize_grads:
            tangents = [
                zeros_like(value) if t is None and _is_inexact(value) else t
                for t, value in zip(tangents, args, strict=True)
            ]
        self._pushing_forward = True
        try:
            returned = self._function.jvp(context(self, self._function.jvp), *tangents)
        finally:
            self._pushing_forward = False
        found = returned if isinstance(returned, tuple) else (returned,)
        for place, tangent in enumerate(found):
            if tangent is not None and not isinstance(tangent, Tensor):
                raise errors.jvp_type(place, tangent)
        if len(found) != self.num_inputs:
            raise errors.jvp_count(self.num_inputs, len(found))
        return found

    def _run(self, g: Any, edges: tuple[Node | None, ...], graph: bool) -> Sequence[Any]:
        received = list(g) if self.outputs is not None else [g]
        if state.transposing:
            return transposed(self, received)
        grads: list[Any] = []
        for index, value in enumerate(received):
            if value is None:
                shape, dtype = self.input_metadata(index)
                made = self._materialize_non_diff_grads or index not in self._without_gradient
                if self.materialize_grads and made and dtype is not None:
                    grads.append(constant(np.zeros(shape, dtype)[()]))
                else:
                    grads.append(None)
            else:
                grads.append(value if graph else constant(value))
        backward = _implementation(self._function)
        result = backward(context(self, backward), *grads)
        values = result if isinstance(result, tuple) else (result,)
        expected = self._argument_count
        if len(values) > expected and all(v is None for v in values[expected:]):
            values = values[:expected]
        if len(values) != expected:
            raise errors.function_gradient_count(type(self).__name__, expected, len(values))
        places = set(self._positions)
        for position, value in enumerate(values):
            if value is None:
                continue
            if position not in places:
                raise errors.function_gradient_of_non_tensor(type(self).__name__, position + 1)
            if not isinstance(value, Tensor):
                raise errors.function_returned_non_tensor(value)
        chosen = [values[i] for i in self._positions]
        if graph:
            return chosen
        return [None if v is None else v._array for v in chosen]


_fields: Callable[[Node], dict[str, Any]] = vars(Node)["__dict__"].__get__


@cache
def _own_fields() -> frozenset[str]:
    """The names of what a node holds for itself, beside what Node declares."""
    return frozenset({*BackwardCFunction.__init__.__code__.co_names, *dir(BackwardCFunction)})


class Push(Node):
    """The node of a gradient that is a product with the Jacobian from the left: its own gradient is one from the right,
    which the Function's `jvp` computes."""

    def __init__(self, of: BackwardCFunction, cotangents: Sequence[Any]) -> None:
        self.sequence_nr = sequence.next()
        self.of = of
        self.places = [place for place, v in enumerate(cotangents) if v is not None]
        given = [cotangents[place] for place in self.places]
        self.next_edges = tuple([(v._grad_fn or grad_accumulator(v)) if v.requires_grad else None for v in given])
        self.input_nrs = tuple([v._output_nr for v in given])
        self.outputs = [(of.arguments[i]._array.shape, of.arguments[i]._array.dtype) for i in of._positions]
        self.shape, self.dtype = self.outputs[0]

    def apply(self, g: Any, edges: tuple[Node | None, ...]) -> Sequence[Any]:
        found = self._pushed([None if t is None else constant(t) for t in g])
        return [None if t is None else t._array for t in found]

    def apply_graph(self, g: Any, edges: tuple[Node | None, ...]) -> Sequence[Any]:
        return self._pushed(g)

    def _pushed(self, received: Sequence[Any]) -> list[Any]:
        tangents: list[Any] = [None] * len(self.of.arguments)
        for position, tangent in zip(self.of._positions, received, strict=True):
            tangents[position] = tangent
        found = self.of.push(self.of.arguments, tangents)
        for place, tangent in enumerate(found):
            shape, dtype = self.of.input_metadata(place)
            if tangent is None:
                continue
            if dtype is None or dtype.kind not in dtypes.INEXACT or place in self.of._without_gradient:
                raise errors.jvp_not_differentiable(place)
            if tangent._array.shape != shape:
                raise errors.forward_gradient_size(shape, tangent._array.shape)
        return [found[place] for place in self.places]


def transposed(node: BackwardCFunction, cotangents: Sequence[Any]) -> Sequence[Any]:
    """The gradients of the tensors that forward was given, of which only the slope in the `cotangents` counts."""
    if not any(v is not None and v.requires_grad for v in cotangents):
        return [None] * len(node._positions)
    behind = Push(node, cotangents)
    found: list[Any] = []
    for number, (shape, dtype) in enumerate(behind.outputs or ()):
        if dtype.kind not in dtypes.INEXACT:
            found.append(None)
            continue
        meter.allocate(math.prod(shape), dtype.itemsize)
        out = constant(np.zeros(shape, dtype)[()])
        out._grad_fn, out._output_nr, out._requires_grad = behind, number, True
        found.append(out)
    return found


class Context:
    """The `ctx` of functions in ordinary Python: what they store on it, under any name, `shape` or `args` as well, is
    kept apart from what the engine reads on the node."""

    __slots__ = ("__node",)

    def __init__(self, node: BackwardCFunction) -> None:
        object.__setattr__(self, "_Context__node", node)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return type(object.__getattribute__(self, "_Context__node"))

    @property
    def __dict__(self) -> dict[str, Any]:  # type: ignore[override]
        attributes: dict[str, Any] = object.__getattribute__(self, "_Context__node").attributes
        return attributes

    def __getattr__(self, name: str) -> Any:
        node = object.__getattribute__(self, "_Context__node")
        if name not in node.attributes and not name.startswith("_") and name not in CONTEXT:
            raise errors.object_attribute(type(node).__name__, name)
        return node.attributes[name] if name in node.attributes else getattr(node, name)

    def __setattr__(self, name: str, value: Any) -> None:
        node = object.__getattribute__(self, "_Context__node")
        if name in CONTEXT:
            setattr(node, name, value)
        else:
            node.attributes[name] = value

    def __delattr__(self, name: str) -> None:
        node = object.__getattribute__(self, "_Context__node")
        if name not in node.attributes:
            raise errors.object_attribute(type(node).__name__, name)
        del node.attributes[name]

    def __repr__(self) -> str:
        return repr(object.__getattribute__(self, "_Context__node"))


def context(node: BackwardCFunction, function: Callable[..., Any]) -> Any:
    """The `ctx` that `function` gets."""
    if not isinstance(inspect.unwrap(function), FunctionType | MethodType):
        return node
    vars(node)  # what the program has stored on the node since
    return _context_class(type(node))(node)


def node_of(ctx: Any) -> Any:
    """The node behind a `ctx`, and anything else itself."""
    return object.__getattribute__(ctx, "_Context__node") if isinstance(ctx, Context) else ctx


def stored(ctx: Any) -> dict[str, Any]:
    """Attributes that a program has stored on a `ctx`."""
    attributes: dict[str, Any] = node_of(ctx).attributes
    return attributes


@cache
def _context_class(kind: type) -> type[Context]:
    return type(kind.__name__, (Context,), {"__slots__": (), "__module__": kind.__module__})


def _implementation(function: Any) -> Callable[..., Any]:
    own_backward = function.backward is not Function.backward
    own_vjp = function.vjp is not Function.vjp
    if own_backward and own_vjp:
        raise errors.function_two_backwards()
    return function.vjp if own_vjp else function.backward  # type: ignore[no-any-return]


class FunctionMeta(type):
    """Gives each Function class its node class, `<name>Backward`."""

    __module__ = "torch.autograd.function"

    def __init__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> None:
        super().__init__(name, bases, body)
        node = NodeMeta(
            name + "Backward", (BackwardCFunction,), {"_function": cls, "__module__": "torch.autograd.function"}
        )
        cls._backward_cls = node

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        errors.warn_function_instance(cls)
        return super().__call__(*args, **kwargs)


class Function(metaclass=FunctionMeta):
    """Base of user-defined ops: static `forward(ctx, *inputs)` and `backward(ctx, *grad_outputs)`, run by `apply`."""

    __module__ = "torch.autograd.function"
    _backward_cls: ClassVar[Any]
    generate_vmap_rule = False
    _carried = False  # a Function made for a `vmap` that has a transform in it which carries tangents

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        pass

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise errors.legacy_function()

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        raise errors.function_without_forward()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        raise errors.function_without_setup_context()

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        raise errors.function_without_backward()

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        raise errors.function_without_vmap()

    @staticmethod
    def vjp(ctx: Any, *grad_outputs: Any) -> Any:
        raise errors.function_without_backward()

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        raise errors.dual_function()

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward without recording, and record one node for it.

        Keywords become positional; a class with `setup_context` takes its defaults by position, too.
        """
        apart = cls.setup_context is not Function.setup_context
        if apart:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        if kwargs:
            args = _positional(cls.forward, args, kwargs, 0 if apart else 1)
        if state.transforms:
            if not apart:
                raise errors.function_transformed()
            cls._check_transforms(args)
        if state.batching is not None:
            level = state.batching if cls.generate_vmap_rule else state.batching.innermost(args)
            if level is not None:
                return cls._of_entries(level, args)
        node = cls._backward_cls(args)
        if cls._carried or any(each.carries for each in state.transforms):
            node.arguments = args
        live = state.grad and any(node.needs_input_grad)
        _set_edges(node, args, live)
        observer, level = state.observer, state.dual
        result = cls._forward(node, args, apart)
        many = isinstance(result, tuple)
        outputs = list(result) if many else [result]
        _check_marked(node, outputs)
        if not any(isinstance(o, Tensor) for o in outputs):
            if live:
                _check_saved(node._to_save)
            return result
        if apart:
            _check_returned_inputs(node, args, outputs)
        finished = _finish(node, outputs, args, live)
        if live:
            _save(node, outputs, finished)
        if level is not None:
            level.of_function(cls, node, args, finished)
        if observer is not None:
            results = [o for o in finished if isinstance(o, Tensor)]
            observer.op(function_op(cls), args, results, node if live else None)  # type: ignore[arg-type]
        return tuple(finished) if many else finished[0]

    @classmethod
    def _forward(cls, node: BackwardCFunction, args: tuple[Any, ...], apart: bool) -> Any:
        """Run forward. Ops inside belong to this node: an observer may see the Function as one op."""
        previous, observer, level = state.grad, state.observer, state.dual
        state.grad = False
        if level is not None:
            state.dual = None
        state.watch(None if observer is None else observer.forward_begin(cls.__name__))
        try:
            if not apart:
                return cls.forward(context(node, cls.forward), *args)
            result = cls.forward(*args)
            cls.setup_context(context(node, cls.setup_context), args, result)
            return result
        finally:
            state.grad = previous
            if level is not None:
                state.dual = level
            state.watch(observer)
            if observer is not None:
                observer.forward_end()

    @classmethod
    def _check_transforms(cls, args: tuple[Any, ...]) -> None:
        """Raise what the transforms under way say to a class without the rules that they need: forward runs in all of
        them before any has its tangents."""
        if not cls.generate_vmap_rule and cls.vmap is Function.vmap and any(t.maps_functions for t in state.transforms):
            raise errors.function_vmap(cls.__name__)
        if cls.jvp is Function.jvp:
            given = [a for a in args if isinstance(a, Tensor) and a.requires_grad]
            if any(transform.carries and any(map(transform.origins, given)) for transform in state.transforms):
                raise errors.dual_function()

    @classmethod
    def _of_entries(cls, level: Any, args: tuple[Any, ...]) -> Any:
        """`apply` for arguments that a `vmap` maps: by the rule of the class, or entry by entry."""
        if cls.vmap is Function.vmap:
            if not cls.generate_vmap_rule:
                raise errors.function_vmap(cls.__name__)
            return cls._vmapped(level, args)
        if cls.generate_vmap_rule:
            raise errors.function_two_vmap_rules(cls.__name__)
        with level.outside():
            given = [a._batch.tensor if level.maps(a) else a for a in args]
            dims = tuple([a._batch.dim if level.maps(a) else None for a in args])
            returned = cls.vmap(VmapInfo(level.size, level.randomness), dims, *given)
            if not isinstance(returned, tuple) or len(returned) != 2:
                raise errors.function_vmap_result(type(returned))
            result, out_dims = returned
        results = result if isinstance(result, tuple) else (result,)
        places = out_dims if isinstance(out_dims, tuple) else (out_dims,) * len(results)
        if isinstance(out_dims, tuple) and (result is not results or len(places) != len(results)):
            raise errors.function_vmap_out_dims(out_dims, result)
        if result is not results:
            return level.entry(result, out_dims) if out_dims is not None else result
        return tuple(
            [
                level.entry(t, dim) if isinstance(t, Tensor) and dim is not None else t
                for t, dim in zip(result, places, strict=True)
            ]
        )

    @classmethod
    def _vmapped(cls, level: Any, args: tuple[Any, ...]) -> Any:
        """Run a Function generated from this one on the batches."""

        def called(node: BackwardCFunction, name: str, *given: Any) -> Any:
            member = _implementation(cls) if name == "backward" else getattr(cls, name)
            return member(context(node, member), *given)

        batches, dims = unwrapped(level, args)
        rule = VmapRule(cls, dims, level, called)
        generated: Any = FunctionMeta(f"Vmapped{cls.__name__}", (Function,), rule.body())
        generated._carried = cls._carried or any(each.carries for each in state.transforms)
        with level.lowered():
            *results, places = generated.apply(*batches)
        made = tuple([t if dim is None else level.entry(t, dim) for t, dim in zip(results, rule.out_dims, strict=True)])
        return made if isinstance(places, tuple) else made[0]


class VmapInfo(NamedTuple):
    """The `info` of `Function.vmap`: size and randomness of the `vmap` that it is called in."""

    batch_size: int
    randomness: str


VmapInfo.__module__ = "torch._functorch.autograd_function"


def _positional(forward: Any, args: tuple[Any, ...], kwargs: dict[str, Any], skipped: int) -> tuple[Any, ...]:
    """The arguments of `forward` in the order of its parameters after the `skipped` first. Raises TypeError."""
    parameters = list(inspect.signature(forward).parameters.values())[skipped:]
    names = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    for name in kwargs:
        if name not in names:
            raise errors.function_keyword(name)
        if names.index(name) < len(args):
            raise errors.function_argument_twice(name)
    last = max(map(names.index, kwargs))
    for place, name in enumerate(names[len(args) : last], len(args)):
        if name not in kwargs:
            raise errors.function_argument_missing(name, place)
    return args + tuple([kwargs[name] for name in names[len(args) : last + 1]])


class FunctionOp:
    """Stands for a custom Function where observers get an `Op`; has the part of it that documents use."""

    formulas: ClassVar[dict[str, str]] = {}
    saved_names: ClassVar[list[str]] = []
    saved_tensors: ClassVar[list[str]] = []
    saved_outputs: ClassVar[list[str]] = []
    says = "a custom Function: its own backward() computed these gradients"
    tex = None
    view = multiplies = False
    parameters: ClassVar[list[Any]] = []
    inputs: ClassVar[list[Any]] = []

    def __init__(self, name: str) -> None:
        self.name = self.full_name = self.identifier = name
        self.node_name = name + "Backward"


def function_op(cls: Any) -> FunctionOp:
    return FunctionOp(cls.__name__)


def _set_edges(node: BackwardCFunction, args: Sequence[Any], live: bool) -> None:
    """Lead from the node of a Function to where the gradients of its arguments go."""
    edges: list[Node | None] = []
    numbers: list[int] = []
    for index in node._positions:
        t = args[index]
        wanted = live and t.requires_grad
        edges.append((t._grad_fn or grad_accumulator(t)) if wanted else None)
        numbers.append(t._output_nr if wanted else 0)
    node.next_edges = tuple(edges)
    if any(numbers):
        node.input_nrs = tuple(numbers)


def _check_marked(node: Any, outputs: Sequence[Any]) -> None:
    """Raise what PyTorch says of what forward marked: tensors only, and dirty ones are returned."""
    if not all(isinstance(t, Tensor) for t in node._dirty):
        raise errors.marked_dirty_non_tensor()
    if not all(isinstance(t, Tensor) for t in node._non_differentiable_tensors):
        raise errors.marked_non_differentiable_non_tensor()
    if not all(any(t is o for o in outputs) for t in node._dirty):
        raise errors.dirty_not_returned()


def _check_returned_inputs(node: Any, args: Sequence[Any], outputs: Sequence[Any]) -> None:
    """Refuse to save an input that forward returns as it is."""
    returned = [
        o for o in outputs
        if isinstance(o, Tensor) and any(o is a for a in args) and not any(o is d for d in node._dirty)
    ]  # fmt: skip
    if any(t is o for t in (*node._to_save, *node._for_forward) for o in returned):
        raise errors.function_saves_returned_input()


def _finish(node: Any, outputs: Sequence[Any], args: Sequence[Any], live: bool) -> list[Any]:
    """The outputs of forward as the caller gets them, some of them tensors; the node learns what they are."""
    several = sum(isinstance(o, Tensor) for o in outputs) > 1
    finished = [_output(node, o, i, args, live, several) for i, o in enumerate(outputs)]
    tensors = [o for o in finished if isinstance(o, Tensor)]
    meta = "function" if sum(o._grad_fn is node for o in tensors) < 2 else "multiple"
    for o in tensors:
        if o._view is not None and not any(o is t for t in node._dirty):
            o._view.creation_meta = meta
    if len(outputs) > 1:
        node.outputs = [(o._array.shape, o._array.dtype) if isinstance(o, Tensor) else ((), None) for o in finished]
    node.shape, node.dtype = tensors[0]._array.shape, tensors[0]._array.dtype
    return finished


def _is_inexact(value: Any) -> bool:
    return isinstance(value, Tensor) and value._array.dtype.kind in dtypes.INEXACT


def _output(node: Any, value: Any, number: int, args: Sequence[Any], live: bool, several: bool) -> Any:
    """An output of forward as the caller gets it: with the node as grad_fn, an input returned as is becomes a view.

    `several`: it is not the only tensor that forward returned.
    """
    if not isinstance(value, Tensor):
        return value
    differentiable = id(value) not in node._non_differentiable and value._array.dtype.kind in dtypes.INEXACT
    if not differentiable:
        node._without_gradient |= {number}
    dirty = any(value is t for t in node._dirty)
    is_input = any(value is a for a in args)
    if dirty:
        bump_version(value)
        if not is_input:
            errors.warn_dirty_no_input()
        elif value._view is not None and several and live:
            raise errors.dirty_view_of_several()
        if live:
            if value._grad_fn is None and value._requires_grad:
                raise errors.dirty_leaf()
            if value._view is not None:
                check_inplace(value, live)
                rebase(value, node)
            else:
                value._grad_fn, value._output_nr, value._requires_grad = node, number, True
        elif is_input and value._requires_grad:
            return value.detach()
        return value
    if is_input:
        alias = constant(share(value))
        alias._version_counter = value._version_counter
        assert value._version_counter is not None
        alias._view = view = new(DifferentiableViewMeta)
        view.base, view.steps = (value, ()) if value._view is None else (value._view.base, value._view.steps)
        view.creation_meta, view.attr_version, view.borrowed = "function", value._version_counter.n, False
        view.seen = None
        value = alias
    if not live or not differentiable:
        return value
    value._grad_fn, value._output_nr, value._requires_grad = node, number, True
    if value._view is not None and value._version_counter is not None:
        value._view.attr_version = value._version_counter.n
    return value


def _check_saved(tensors: Sequence[Any]) -> None:
    for index, value in enumerate(tensors):
        if value is not None and not isinstance(value, Tensor):
            raise errors.save_non_tensor(index, value)


def _save(node: Any, outputs: Sequence[Any], finished: Sequence[Any]) -> None:
    _check_saved(node._to_save)
    saved: list[Any] = []
    versions: list[int] = []
    for t in node._to_save:
        position = next((i for i, o in enumerate(outputs) if o is t and t is not None), None)
        if t is not None and position is not None and finished[position]._grad_fn is node:
            out = finished[position]
            if out._version_counter is None:
                out._version_counter = VersionCounter()
            saved.append((out._array, position, out._version_counter, out._version_counter.n))
            versions.append(0)
            continue
        if t is not None and t._view is not None:
            regenerate_grad_fn(t)
        saved.append(t)
        versions.append(0 if t is None or t._version_counter is None else t._version_counter.n)
    if state.pack_hooks:
        saved = [_packed(value, node) for value in saved]
    node.saved = tuple(saved) or _NOTHING
    node.versions = tuple(versions)
    node._to_save = ()


def _packed(value: Any, node: Any) -> Any:
    """A saved tensor as the innermost pack hook wants it."""
    if type(value) is tuple:
        array, number, counter, _ = value
        value = output_tensor(array, node, number, counter)
    return None if value is None else SavedVariable(value, state.pack_hooks[-1], node)


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a Function's backward as not differentiable itself: it runs without recording."""

    def wrapper(ctx: Any, *args: Any) -> Any:
        previous = state.grad
        state.grad = False
        try:
            outputs = backward(ctx, *args)
        finally:
            state.grad = previous
        if not state.grad or not any(isinstance(a, Tensor) and a.requires_grad for a in args):
            return outputs
        values = outputs if isinstance(outputs, tuple) else (outputs,)
        marked = _refuse(values)
        return marked if isinstance(outputs, tuple) else marked[0]

    wrapper.__name__ = getattr(backward, "__name__", "backward")
    wrapper.__wrapped__ = backward  # type: ignore[attr-defined]
    return wrapper


def _refuse(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """The values with one node before all of them that refuses; it stands on leaves of its own."""
    leaves = [grad_accumulator(t.detach()._as_leaf()) if _is_inexact(t) else None for t in values]
    node = Error(errors.once_differentiable, tuple(leaves))
    node.outputs = [(t._array.shape, t._array.dtype) if isinstance(t, Tensor) else ((), None) for t in values]
    node.shape, node.dtype = node.outputs[0]
    marked: list[Any] = list(values)
    for place, t in enumerate(values):
        if isinstance(t, Tensor):
            marked[place] = out = constant(t._array)
            out._grad_fn, out._output_nr, out._requires_grad = node, place, True
    return tuple(marked)
