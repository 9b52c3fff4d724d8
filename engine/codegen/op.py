"""One declaration per op: what runs, what is saved, how the gradient flows, and what the page says — from one row.

    op("mul(self, other)", "MulBackward0", "self * other", promote="self other", self="g * other", other="g * self",
       says="each input's slope is the other input")

The keyword named after a parameter is the formula of its gradient: `g` is the gradient of the output, `result` the
output, every other name a parameter or another op. From the text follow

* the call: straight-line code that unwraps tensors, promotes dtypes, computes, and records a node when a gradient is
  wanted (`Op.call`);
* the saved tensors: the free names of the formulas, kept only for the inputs that need a gradient, as PyTorch does;
* the vjp, compiled twice: on numpy values for an ordinary backward pass, where names of ops mean their numpy kernels,
  and on Tensors for `create_graph=True`, where the same text records nodes;
* the LaTeX and the text that the page shows (`engine.codegen.latex`).

Signatures are Python's. A parameter with a formula is a differentiable tensor. Annotations mark the rest: `Tensor` (no
gradient), `Tensors` (a list), `Scalar` (a number; a 0-d tensor is read). Everything else is a plain value.
In formulas `x.shape`, `x.ndim` and `x.dtype` of a tensor save only that, never the tensor.

Options of a row: `promote="a b"` operands that take a common dtype; `real="a"` operands that become floating point
(`promote` and `real` may name the same ones: true division); `view=True` the result shares memory with `self`;
`outputs="values indices!"` several results (`!` = not differentiable, `?` = the kernel may return None in its place;
`outputs="*"` = as many as the kernel returns);
`together=("input weight", "formula")` one formula for the gradients of several inputs: a tuple in their order, whose
entries that nobody wants may be None (`wanted` has a bool for each);
`numbers=False`: operands must be tensors; `bools=False`: PyTorch refuses bool operands;
`inplace=False` for ops without an in-place form, `inplace="FillBackward2"` where that has a node of another name;
`keeps="a b"` parameters and results that PyTorch's node keeps although the formulas do not need them, `hides="a"`
values, and sizes of tensors, that only our formulas need, and `shows={"name": "formula"}` what it keeps instead,
computed when somebody looks.

How the op costs, lies in memory, batches, rounds and writes in place are its traits, keywords too
(`engine.codegen.traits`). Those of `pointwise(…)` are for each element.
"""

from __future__ import annotations

import ast
import functools
import inspect
import math
import re
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

import numpy as np

from engine import errors
from engine.codegen.call import UNDERIVABLE, promote_difference, refusal, watch
from engine.codegen.deferred import later
from engine.codegen.memory_format import in_formulas
from engine.codegen.row import KEPT_ATTRIBUTES, OPERATORS, Attributes, Output, Parameter, Scalars, parse
from engine.codegen.traits import TRAITS
from engine.codegen.vjp import Differentiated
from engine.core.node import Node, NodeMeta, modified
from engine.core.registry import GRAPH, NODES, NUMPY, OPS, WHEN_DECLARED, ops
from engine.core.saved_tensors import SavedTensor, recover
from engine.core.tensor import Tensor, output_tensor
from engine.core.views import check_version
from engine.types import dtypes

__all__ = [
    "OPS",
    "Op",
    "Parameter",
    "op",
    "ops",
    "pointwise",
    "promote_difference",
    "refusal",
    "rule",
    "watch",
]

F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")


class Op(Differentiated):
    """A compiled row.

    `multiplies`: its gradient depends on numbers of the call, not only on shapes and options. `call(*args)` runs it on
    Tensors (numpy in → numpy out), `kernel(*args)` on numpy values. `formulas` maps a parameter to the text of its
    gradient; `saved_names` are the tensors and values a node keeps.
    """

    def __init__(
        self,
        signature: str,
        node: str | None,
        forward: str | Callable[..., Any],
        /,
        *,
        promote: str = "",
        real: str = "",
        view: bool = False,
        outputs: str = "",
        inplace: bool | str = True,
        says: str = "",
        tex: str | tuple[str, ...] | None = None,
        together: tuple[str, str] | None = None,
        numbers: bool = True,
        bools: bool = True,
        keeps: str = "",
        hides: str = "",
        shows: dict[str, str] | None = None,
        **others: Any,
    ) -> None:
        vars(self).update({name: value for name, value in others.items() if name in TRAITS})
        formulas: dict[str, str] = {name: text for name, text in others.items() if name not in TRAITS}
        self.keeps, self.hides = frozenset(keeps.split()), frozenset(hides.split())
        self.shows = {name: ast.parse(text, mode="eval") for name, text in (shows or {}).items()}
        if together is not None:
            formulas = formulas | dict.fromkeys(together[0].split(), together[1])
        self.together = together
        head, _, rest = signature.partition("(")
        self.signature = signature
        self.full_name = head
        self.name = head.split(".")[0]
        self.identifier = head.replace(".", "_")
        self.node_name = node
        self.formulas = formulas
        self.says, self.tex = says, tex
        self.promote, self.real = promote.split(), real.split()
        self.numbers, self.bools = numbers, bools
        self.view, self.inplace = view, bool(inplace) and not view
        self.variadic = outputs == "*"
        self.outputs = [Output(text) for text in outputs.split()] if outputs and not self.variadic else []
        differentiable = [i for i, o in enumerate(self.outputs) if o.differentiable]
        # As in PyTorch, a node counts differentiable outputs only: `max.dim`'s has one.
        self.only_output = differentiable[0] if len(differentiable) == 1 else None
        self.parameters = parse(rest, formulas)
        unknown = formulas.keys() - {p.name for p in self.parameters}
        assert not unknown, f"{signature}: {unknown} are neither parameters nor traits"
        self.inputs = [p for p in self.parameters if p.name in formulas]
        self.by_name = {p.name: p for p in self.parameters}
        self._find_saved()
        self.forward_text = forward if isinstance(forward, str) else ""
        self.kernel: Callable[..., Any] = self._compile_kernel(forward)
        self.node_class: NodeMeta | None = self._make_node_class()
        self.inplace_node_class = self._subclass(inplace) if isinstance(inplace, str) else self.node_class
        self.call: Callable[..., Any] = self._compile_call(self.identifier)
        self.operator: Callable[..., Any] = self._compile_call("__" + self.identifier, operator=True)

    # What the text says

    def _find_saved(self) -> None:
        """Free names of the formulas → saved tensors, saved attributes of tensors, saved plain values, outputs."""
        trees = {name: ast.parse(text, mode="eval") for name, text in self.formulas.items()}
        self.extents = _extents([node for tree in trees.values() for node in ast.walk(tree)])
        for tree in trees.values():
            Attributes(self.by_name).visit(tree)
        self.trees = trees
        names = {name: {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} for name, tree in trees.items()}
        used = self.keeps.union(*names.values())
        # In the order of their names: so does PyTorch check them for writes.
        self.saved_tensors = sorted(
            p.name for p in self.parameters if p.kind in ("grad", "tensor", "tensors") and p.name in used
        )
        self.users = {s: [p for p, free in names.items() if s in free or s in self.keeps] for s in self.saved_tensors}
        output_names = [o.name for o in self.outputs] or ["result"]
        self.saved_outputs = [name for name in output_names if name in used]
        self.saved_values = [p.name for p in self.parameters if p.kind in ("scalar", "plain") and p.name in used]
        self.saved_attributes = sorted(n for n in used if n.rpartition("__")[2] in KEPT_ATTRIBUTES and "__" in n)
        scalars = [p.name for p in self.parameters if p.kind == "scalar" and p.name in used]
        self.multiplies = bool(self.saved_tensors or self.saved_outputs or scalars)
        self.saved_names = self.saved_tensors + self.saved_outputs + self.saved_values + self.saved_attributes

    def _make_node_class(self) -> NodeMeta | None:
        if self.node_name is None:
            return None
        body: dict[str, Any] = {"op": self, "__module__": "builtins", "__slots__": ()}
        for name in _saved_names(self):
            body[f"_saved_{name}"] = property(functools.partial(_read_saved, name=name))
        for name in self.saved_tensors + self.saved_outputs:
            body[f"_raw_saved_{name}"] = property(functools.partial(_read_raw_saved, name=name))
        if self.formulas:
            body["apply"] = self._compile_vjp(graph=False)
            body["apply_graph"] = self._compile_vjp(graph=True)
        cls = NodeMeta(self.node_name.split("::")[-1], (Node,), body)
        if "::" in self.node_name:
            cls.qualified_name = self.node_name  # type: ignore[attr-defined]
        elif self.node_name == UNDERIVABLE:
            cls.qualified_name = f"torch::autograd::{UNDERIVABLE}"  # type: ignore[attr-defined]
        NODES.setdefault(self.node_name, cls)
        return cls

    def _subclass(self, name: str) -> NodeMeta:
        assert self.node_class is not None
        cls = type(self.node_class)(name, (self.node_class,), {"__module__": "builtins"})
        NODES.setdefault(name, cls)
        return cls

    # Used by in-place ops, hooks and the page

    def bind(self, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Arguments by parameter name, defaults filled in. Raises TypeError as a call would."""
        names = [p.name for p in self.parameters]
        bound = dict(zip(names, args, strict=False))
        if len(args) > len([p for p in self.parameters if not p.keyword_only]):
            raise errors.too_many_arguments(self.name, len(names), len(args))
        for key, value in kwargs.items():
            if key not in self.by_name or key in bound:
                raise errors.unexpected_keyword(self.name, key)
            bound[key] = value
        for p in self.parameters:
            if p.name not in bound:
                if p.default is inspect.Parameter.empty:
                    raise errors.missing_argument(self.name, p.name)
                bound[p.name] = p.default
        return {name: bound[name] for name in names}

    def shown_saved_names(self) -> list[str]:
        """What a node keeps, under PyTorch's names."""
        outputs = [o.name for o in self.outputs]
        unnamed = bool(outputs) and outputs[0] == "result" and _NAMED.isdisjoint(outputs)
        shown: list[str] = []
        for name in self.saved_names:
            owner, _, attribute = name.rpartition("__")
            if (owner or name) in self.hides and name not in self.saved_tensors:
                continue
            if owner in self.by_name:
                if attribute == "shape" and self.extents.get(owner):
                    shown += [f"{owner}_sym_{part}" for part in self.extents[owner]]
                elif attribute in ("shape", "strides") and self.by_name[owner].kind != "tensors":
                    suffix = "_sym_sizes" if attribute == "shape" else "_sym_strides"
                    shown.append(owner + suffix + ("_opt" if self.by_name[owner].default is None else ""))
                elif attribute == "ndim":
                    shown.append(f"{owner}_dim")
            elif name in outputs and unnamed:
                shown.append(f"result{outputs.index(name)}")
            elif name not in _HIDDEN:
                shown.append(name.removesuffix("_"))
        return shown + list(self.shows)

    def saved_value(self, node: Node, name: str) -> Any:
        """What `node._saved_<name>` reads: a tensor, a number, or a shape. Raises when it was freed."""
        if name in self.shows:
            return self._computed(node, name)
        name = _torch_saved_name(name, self)
        if name in self.saved_tensors or name in self.saved_outputs:
            saved = node.saved if node.saved is not None else recover(node)
            value = saved[(self.saved_tensors + self.saved_outputs).index(name)]
            if name in self.saved_outputs and type(value) is tuple:
                array, counter, version = value
                number = self.output_number(name)
                if counter.n != version:
                    modified(array, None if number is None else node, number or 0, counter, version, node)
                return output_tensor(array, node, number, counter)
            if isinstance(value, Tensor):
                if name in self.saved_tensors:  # what hooks unpacked of a result has no version
                    check_version(node, self.saved_tensors.index(name), value)
            elif isinstance(value, int | float | complex) and not isinstance(value, Tensor):
                return Tensor._from_number(value)
            return value
        extent = _extent(name, self, node)
        if extent is not None:
            return extent
        kept = self.saved_values + self.saved_attributes
        if name in kept:
            return self._shown(name, node.args[kept.index(name)], node)
        raise AttributeError(f"'{type(node).__name__}' object has no attribute '_saved_{name}'")

    def _computed(self, node: Node, name: str) -> Any:
        tree = self.shows[name]
        needed = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} & set(self.saved_names)
        values = {n: self.saved_value(node, n) for n in needed}
        arrays = {n: v._array if isinstance(v, Tensor) else v for n, v in values.items()}
        found = eval(compile(tree, f"<{name} of {self.full_name}>", "eval"), NUMPY, arrays)
        return Tensor._from_array(found) if isinstance(found, np.ndarray | np.generic) else found

    def _shown(self, name: str, value: Any, node: Node) -> Any:
        owner, _, attribute = name.rpartition("__")
        if attribute == "strides" and owner in self.by_name:
            if self._without_edge(node, owner):
                return ()
            return tuple([stride // node.dtype.itemsize for stride in value])
        if attribute == "shape" and value == () and self.by_name[owner].default is None:
            return (0,)  # of an optional tensor that was not given
        if isinstance(value, int) and name in self.by_name and isinstance(self.by_name[name].default, tuple):
            value = (value,)  # where PyTorch takes a list
        return value if name in _NUMBERS or self._is_scalar(name) else _unsigned(value)

    def _without_edge(self, node: Node, owner: str) -> bool:
        """Whether an input of a node needs no gradient, so that nothing was kept for its formula."""
        names = [p.name for p in self.inputs]
        return owner in names and len(node.next_edges) == len(names) and node.next_edges[names.index(owner)] is None

    def _is_scalar(self, name: str) -> bool:
        return name in self.by_name and self.by_name[name].kind == "scalar"

    def arguments(self, values: Sequence[Any]) -> dict[str, Any]:
        """The arguments that are no tensors: numbers given for operands, and options that are not the default."""
        shown: dict[str, Any] = {}
        for p, v in zip(self.parameters, values, strict=True):
            if v is None or p.kind == "tensors" or isinstance(v, Tensor):
                continue
            same = v is p.default or not isinstance(v, np.ndarray) and v == p.default
            if p.kind in ("grad", "tensor") or not same:
                shown[p.name] = v
        return shown


_HIDDEN = frozenset({"origin", "places"})
"""Arguments that only our rows have."""
_NAMED = frozenset({"LU", "pivots"})
"""Results that PyTorch calls by name although the first one is just `result`."""
_NUMBERS = frozenset("alpha beta exponent lambd max max_val min min_val other p self threshold value".split())
"""Arguments that are numbers of any kind to PyTorch, not integers."""


def _torch_saved_name(name: str, op: Op) -> str:
    """Our name of what PyTorch calls `self_sym_sizes` (`self__shape`) or `result1` (the second of unnamed results)."""
    name = name.removesuffix("_opt")
    match = re.fullmatch(r"result(\d)", name)
    if match and int(match[1]) < len(op.outputs):
        return op.outputs[int(match[1])].name
    match = re.fullmatch(r"(\w+?)_(?:sym_)?(sizes|strides|dim|scalar_type)", name)
    if match:
        kept = {"sizes": "shape", "strides": "strides", "dim": "ndim", "scalar_type": "dtype"}[match[2]]
        if f"{match[1]}__{kept}" in op.saved_names:
            return f"{match[1]}__{kept}"
    # `g` names the gradient in formulas: a parameter that PyTorch calls so is `g_` here.
    return f"{name}_" if f"{name}_" in op.saved_names else name


def _saved_names(op: Op) -> set[str]:
    """Every name under which a node's `_saved_…` can be read: ours, PyTorch's, and what PyTorch called them before."""
    names = {*op.saved_names, *op.shown_saved_names()}
    for name in op.saved_names:
        owner, _, attribute = name.rpartition("__")
        if name in op.saved_outputs and op.outputs:
            names.add(f"result{[o.name for o in op.outputs].index(name)}")
        for shown in _SHOWN_ATTRIBUTES.get(attribute, ()) if owner in op.by_name else ():
            names |= {f"{owner}_{shown}", f"{owner}_sym_{shown}"}
    return names | {f"{name}_opt" for name in names}


_SHOWN_ATTRIBUTES = {"shape": ("sizes",), "strides": ("strides",), "ndim": ("dim",), "dtype": ("scalar_type",)}


def _read_saved(node: Node, name: str) -> Any:
    assert node.op is not None
    return node.op.saved_value(node, name)


def _read_raw_saved(node: Node, name: str) -> Any:
    assert node.op is not None
    return SavedTensor._of(node, (node.op.saved_tensors + node.op.saved_outputs).index(name))


def _extent(name: str, op: Op, node: Node) -> int | None:
    """`self_sym_argsize_minus_1`, the size of one dimension, and `self_sym_numel`; None for other names."""
    match = re.fullmatch(r"(\w+)_sym_(?:argsize_(minus_)?(\d+)|numel)", name)
    if match is None or f"{match[1]}__shape" not in op.saved_attributes:
        return None
    shape: tuple[int, ...] = node.args[len(op.saved_values) + op.saved_attributes.index(f"{match[1]}__shape")]
    if match[3] is None:
        return int(math.prod(shape))
    return int(shape[-int(match[3]) if match[2] else int(match[3])])


def _extents(nodes: list[ast.AST]) -> dict[str, list[str]]:
    """The sizes that formulas read of tensors, as PyTorch names them, where they read single ones or count elements."""
    found: dict[str, list[str]] = {}
    whole: set[str] = set()
    parts: dict[ast.AST, ast.Subscript] = {n.value: n for n in nodes if isinstance(n, ast.Subscript)}
    counted = {n.args[0] for n in nodes if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "count"}
    for shape in nodes:
        if not (isinstance(shape, ast.Attribute) and shape.attr == "shape" and isinstance(shape.value, ast.Name)):
            continue
        names = found.setdefault(shape.value.id, [])
        index = ast.unparse(parts[shape].slice) if shape in parts else ""
        if re.fullmatch(r"-?\d", index):
            names.append(f"argsize_{index.replace('-', 'minus_')}")
        elif re.fullmatch(r"-\d:", index):
            names += [f"argsize_minus_{number}" for number in range(1, int(index[1]) + 1)]
        elif shape in counted:
            names += ["sizes", "numel"]
        else:
            whole.add(shape.value.id)
    return {owner: names for owner, names in found.items() if owner not in whole or "numel" in names}


def _unsigned(value: Any) -> Any:
    """PyTorch shows saved negative integers as unsigned 64-bit numbers."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and value < 0:
        return value + 2**64
    if isinstance(value, np.dtype):
        return dtypes.of(value)
    if isinstance(value, tuple | list) and value and all(isinstance(v, int) for v in value):
        return tuple(_unsigned(v) for v in value)
    return value


def _declaring(make: Callable[P, Op]) -> Callable[P, Callable[..., Any]]:
    """Declare what is made; returns its call."""

    def declare(*args: P.args, **options: P.kwargs) -> Callable[..., Any]:
        made = make(*args, **options)
        assert made.identifier not in OPS, f"{made.identifier} is declared twice"
        OPS[made.identifier] = made
        NUMPY[made.identifier] = in_formulas(made)
        GRAPH[made.identifier] = made.call
        setattr(ops, made.identifier, made.call)
        for declared in WHEN_DECLARED:
            declared(made)
        return made.call

    return declare


op = _declaring(Op)
"""Declare an op; returns its call. See the module's docstring for the row."""

pointwise = functools.partial(op, pointwise=True)
"""Declare an op of each element; returns its call."""


def rule(function: F) -> F:
    """A named piece of a formula: statements where an expression is not enough.

    It is given numpy values or Tensors, and calls ops by their `call`, which take both. As in a formula, its operators
    with numbers are PyTorch's scalar overloads when the gradient is recorded.
    """
    name = function.__name__

    def recorded(*args: Any, **kwargs: Any) -> Any:
        return finish()(*args, **kwargs)

    unfinished = recorded
    unfinished.__code__ = unfinished.__code__.replace(co_filename=f"<recorded {name}>")

    @functools.cache
    def finish() -> F:
        nonlocal recorded
        recorded = _recorded(function)
        if GRAPH[name] is unfinished:
            GRAPH[name] = recorded
        return recorded

    later(finish)
    NUMPY[name] = function
    GRAPH[name] = recorded

    @functools.wraps(function)
    def either(*args: Any, **kwargs: Any) -> Any:
        for value in args:
            if isinstance(value, Tensor):
                return recorded(*args, **kwargs)
        return function(*args, **kwargs)

    return either  # type: ignore[return-value]


def _recorded(function: F) -> F:
    """The same function with the operators of a recorded formula."""
    definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    tree = ast.parse(f"def make({', '.join(OPERATORS)}): return {definition.name}")
    tree.body[0].body.insert(0, Scalars(set(), set()).visit(definition))  # type: ignore[attr-defined]
    scope: dict[str, Any] = {}
    exec(
        compile(ast.fix_missing_locations(tree), f"<recorded {function.__name__}>", "exec"), function.__globals__, scope
    )
    return scope["make"](**OPERATORS)  # type: ignore[no-any-return]
