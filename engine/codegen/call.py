"""Writes the Python source of an op's call, and has what that source calls when it runs.

The code is straight-line and positional: it unwraps tensors, promotes dtypes, computes, and builds the node.
`Op.call.source` shows it, once it was called.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from functools import lru_cache, partial
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import costs, errors
from engine.codegen import autocast, dtype_checks, memory_format
from engine.codegen.deferred import MISSING, deferred
from engine.codegen.row import Folded, Output, Parameter, Rename
from engine.codegen.traits import Traits
from engine.core import saved_tensors
from engine.core.node import LEAF_SEQUENCE, Node, NodeMeta, VersionCounter, modified, saved_version, versions_of
from engine.core.registry import NUMPY
from engine.core.saved_tensors import recover
from engine.core.state import sequence, state
from engine.core.tensor import Tensor, number, output_tensor, scalar, tensors_of
from engine.core.views import as_view, attach_alias, check_version, grad_accumulator, regenerate_grad_fn, share
from engine.kernels.memory_format import alike, channels_last, contiguous
from engine.kernels.rounding import SINGLE
from engine.types import dtypes
from engine.types.bfloat16 import in_single
from engine.types.coo import Coo
from engine.types.return_types import TYPES

if TYPE_CHECKING:
    from engine.codegen.op import Op


def refusal(error: Exception, *operands: Any) -> Exception:
    """PyTorch's error where numpy refused the operands of an op; other errors are passed on."""
    text = str(error)
    if text.startswith("numpy boolean subtract"):
        return errors.subtract_bools()
    if text.startswith("The numpy boolean negative"):
        return errors.negate_bool()
    if "broadcast" not in text and not dtype_checks.by_kernel(error):
        return error
    return dtype_checks.mismatch(operands) or error


def promote_given(*operands: Any) -> tuple[Any, ...]:
    """`promote_all` of the operands that are there."""
    given = iter(dtypes.promote_all(*(x for x in operands if x is not None)))
    return tuple(None if x is None else next(given) for x in operands)


def refuse_bools(a: Any, b: Any) -> None:
    """Raise where an operand of a subtraction is a bool."""
    bools = [isinstance(x, bool) or getattr(x, "dtype", None) == np.bool_ for x in (a, b)]
    if any(bools):
        raise errors.subtract_bools() if all(bools) else errors.subtract_bool()


def promote_difference(a: Any, b: Any) -> tuple[Any, Any]:
    """Promotion of the operands of a subtraction, which must not be bools."""
    refuse_bools(a, b)
    return dtypes.promote(a, b)


@lru_cache(maxsize=64)
def operand(value: float, dtype: Any) -> Any:
    """A number other than 0 as a 0-d array that nobody writes to: numpy takes it in half of the time."""
    return np.array(value, dtype)


def equal_to(x: Any, array: Any) -> Any:
    """`tensor == array`."""
    if not isinstance(x, Tensor) or not isinstance(array, np.ndarray):
        return NotImplemented
    return x == Tensor._from_array(array)


def watch(op: Op, inputs: tuple[Any, ...], out: Any, node: Node | None) -> None:
    """The slow path after an op: modes that look at it, then the observer."""
    if state.unusual:
        stands, node = _unusual(op, inputs, out, node)
        if stands:
            return
    observer = state.observer
    if observer is not None:
        observer.op(op, inputs, out, node)


state.after_op = watch


def _tell(op: Op, inputs: tuple[Any, ...], out: Any, node: Node) -> None:
    if state.observer is not None:
        state.observer.op(op, inputs, out, node)


def _present(out: Any) -> tuple[Tensor, ...]:
    return (out,) if isinstance(out, Tensor) else tuple(t for t in out if t is not None)


def _unusual(op: Op, inputs: tuple[Any, ...], out: Any, node: Node | None) -> tuple[bool, Node | None]:
    """Inference mode, saved-tensor hooks, anomaly mode, batches and dual numbers.

    Whether what ran stands for something else, of which observers have heard; and the node, if it has one after all.
    """
    if state.inference_seen:
        if inputs[0]._inference if op.view else state.inference:
            for t in _present(out):
                if t is not inputs[0]:  # which an in-place op returns
                    t._inference = True
                    if op.view and inputs[0]._inference:
                        t._view, t._requires_grad = None, False
        if node is not None and not op.composed and _all_inference(op, inputs):
            node = None
            for t in _present(out):
                if t is not inputs[0]:
                    t._grad_fn, t._output_nr, t._requires_grad = None, 0, False
    if node is not None:
        if any(t._inference for t in tensors_of(node.saved or ())):
            raise errors.inference_saved()
        if state.pack_hooks:
            saved_tensors.pack(node, partial(_tell, op, inputs, out, node))
        if state.anomaly:
            saved_tensors.trace_forward(node)
    batched: bool = state.batching is not None and state.batching.batch(op, inputs, out)
    if state.dual is not None:
        state.dual.propagate(op, inputs, out)
    return batched, node


def _all_inference(op: Op, inputs: tuple[Any, ...]) -> bool:
    """Whether an op meets inference tensors only, which autograd does not see: a number is a tensor of its own kind."""
    for parameter, value in zip(op.parameters, inputs, strict=True):
        if parameter.kind == "grad" and isinstance(value, bool | int | float | complex):
            return False
        if any(not t._inference for t in tensors_of((value,))):
            return False
    return True


_IN_SINGLE = {"": "", "bfloat16": "E", "half": "eE"}


def in_single_of(op: Emitter) -> str:
    """The dtypes, as numpy's characters, for which an op computes in float32."""
    return _IN_SINGLE[op.opmath]


UNDERIVABLE = "NotImplemented"
"""What PyTorch calls the node of an op that it cannot differentiate."""


def drop_unused(node: Node) -> None:
    """Only inputs that require grad are edges of a node that cannot be run."""
    live = [place for place, edge in enumerate(node.next_edges) if edge is not None]
    if node.input_nrs is not None:
        node.input_nrs = tuple([node.input_nrs[place] for place in live])
    node.next_edges = tuple([node.next_edges[place] for place in live])


UNASKED = frozenset({"plain", "scalar", "tensors"})
"""Kinds of parameters that a call takes without looking at their types."""

_RUNTIME = {
    "Tensor": Tensor,
    "alike": alike,
    "channels_last": channels_last,
    "contiguous": contiguous,
    "number": number,
    "scalar": scalar,
    "regenerate_grad_fn": regenerate_grad_fn,
    "grad_accumulator": grad_accumulator,
    "share": share,
    "attach_alias": attach_alias,
    "as_view": as_view,
    "promote": dtypes.promote,
    "in_single": in_single,
    "promote_factors": dtypes.promote_factors,
    "promote_quotient": dtypes.promote_quotient,
    "promote_float": dtypes.promote_float,
    "promote_all": dtypes.promote_all,
    "to_float": dtypes.to_float,
    "state": state,
    "sequence": sequence,
    "VersionCounter": VersionCounter,
    "check_version": check_version,
    "modified": modified,
    "recover": recover,
    "versions_of": versions_of,
    "saved_version": saved_version,
    "output_tensor": output_tensor,
    "new": object.__new__,
    "ndarray": np.ndarray,
    "float32": np.float32,
    "SINGLE": SINGLE,
    "generic": (np.generic, Coo),
    "Coo": Coo,
    "errors": errors,
    "np": np,
    "inf": float("inf"),
    "nan": float("nan"),
    "lowered": autocast.lowered,
    "widened": autocast.widened,
    "refusal": refusal,
    "refused": dtype_checks.refused,
    "unfit": dtype_checks.unfit,
    "refused_along": dtype_checks.refused_along,
    "promote_difference": promote_difference,
    "equal_to": equal_to,
    "promote_given": promote_given,
    "drop_unused": drop_unused,
    "take": costs.take,
    "work": costs.work,
    "operand": operand,
    "work_together": costs.work_together,
    "work_list": costs.work_list,
}


def _plain_number(name: str) -> str:
    """Code that tells Python numbers which a floating point operand takes as they are."""
    return f"(type({name}) is float or type({name}) is int and -0x8000000000000000 <= {name} <= 0xFFFFFFFFFFFFFFFF)"


def _of_tensors(name: str, numbers: bool) -> str:
    """Code that tells tensors from other operands, numbers before `isinstance` would: a class with a metaclass of its
    own takes that long to deny that a number is one of its kind."""
    test = f"isinstance({name}, Tensor)"
    other = f"type({name}) is not float and type({name}) is not int"
    return f"type({name}) is Tensor or {other} and {test}" if numbers else test


def _of_floats(name: str, chars: str) -> str:
    """Code that tells operands of floating point dtypes, single numbers of float32 before others: numpy makes up the
    dtype of a number when it is asked."""
    return f"(type({name}_) is float32 or {name}_.dtype.char in {chars!r})"


def _kept(name: str, parameters: dict[str, Parameter], promoted: list[str]) -> str:
    owner, _, attribute = name.rpartition("__")
    number = owner in promoted  # may be a Python number
    if parameters[owner].kind == "tensors":
        return f"[x.{attribute} for x in {owner}_]"
    if parameters[owner].kind == "grad" and parameters[owner].default is inspect.Parameter.empty and not number:
        return f"{owner}_.{attribute}"
    default = "()" if attribute in ("shape", "strides") else "0" if attribute == "ndim" else "None"
    return f"getattr({owner}_, {attribute!r}, {default})"


class Emitter(Traits):
    """The part of an op that writes code."""

    full_name: str
    name: str
    identifier: str
    forward_text: str
    parameters: list[Parameter]
    by_name: dict[str, Parameter]
    inputs: list[Parameter]
    outputs: list[Output]
    variadic: bool
    only_output: int | None
    promote: list[str]
    real: list[str]
    numbers: bool
    bools: bool
    view: bool
    together: tuple[str, str] | None
    trees: dict[str, ast.Expression]
    users: dict[str, list[str]]
    saved_tensors: list[str]
    saved_outputs: list[str]
    saved_values: list[str]
    saved_attributes: list[str]
    kernel: Callable[..., Any]
    node_class: NodeMeta | None
    node_name: str | None
    call: Callable[..., Any]

    def _compile_kernel(self, forward: str | Callable[..., Any]) -> Callable[..., Any]:
        if callable(forward):
            return forward
        named = re.fullmatch(rf"(\w+)\({', '.join(p.name for p in self.parameters)}\)", forward)
        if named and all(p.default is inspect.Parameter.empty and not p.keyword_only for p in self.parameters):
            function = NUMPY.get(named[1])
            if callable(function):
                return function  # type: ignore[no-any-return]
        arguments = ", ".join(
            ("*, " if p.keyword_only and not self._keyword_before(p) else "")
            + p.name
            + ("" if p.default is inspect.Parameter.empty else f"={p.default!r}")
            for p in self.parameters
        )
        source = f"lambda {arguments}: {forward}"
        return eval(compile(source, f"<kernel of {self.full_name}>", "eval"), NUMPY)  # type: ignore[no-any-return]

    def _keyword_before(self, parameter: Parameter) -> bool:
        return any(p.keyword_only for p in self.parameters[: self.parameters.index(parameter)])

    def _header(self, rename: dict[str, str] | None, options: bool) -> str:
        """The parameters of a call as text; without `options` only those that must be given."""
        parts: list[str] = []
        for p in self.parameters:
            if p.is_option and not options:
                continue
            if p.keyword_only and "*" not in parts:
                parts.append("*")
            shown = (rename or {}).get(p.name, p.name)
            parts.append(shown if p.default is inspect.Parameter.empty else f"{shown}={p.default!r}")
        return ", ".join(parts)

    def _compile_call(
        self, name: str, operator: bool = False, rename: dict[str, str] | None = None
    ) -> Callable[..., Any]:
        header = self._header(rename, options=not operator)
        write = partial(self._write_call, name, header, operator, rename)
        function = deferred(name, header, f"<{self.full_name}>", {}, write)
        function.__qualname__ = function.__name__ = self.name
        function.__dict__["guarded"] = partial(self._guarded, name, rename)
        return function

    def computed(self) -> Callable[..., Any]:
        """The call where its result is known, which is given first: `(out_, *args)`, of tensors that need no promotion.

        It records what the call records, and tells observers the same.
        """
        header = "out_, " + self._header(None, options=True)
        return deferred(
            self.identifier, header, f"<computed {self.full_name}>", {}, partial(self._write_computed, header)
        )

    def _write_computed(self, header: str) -> tuple[str, dict[str, Any]]:
        body = [f"def {self.identifier}({header}):"]
        for p in self.parameters:
            n = p.name
            if p.kind in ("grad", "tensor"):
                body += [*self._refreshed(n, "    "), f"    {n}_ = {n}._array", f"    {n}_g = {n}._requires_grad"]
                body += self._counted(n, True, "    ")
            elif p.kind == "scalar":
                body.append(f"    {n}_ = {n}")
        body += [*self._wrap_outputs(), "    return out"]
        results = TYPES.get(self.name, tuple)
        return "\n".join(body), {**_RUNTIME, "OP": self, "NODE": self.node_class, "RESULTS": results}

    def _guarded(self, name: str, rename: dict[str, str] | None, guard: Any) -> FunctionType | None:
        """The same call for users, who may be wrong (see `engine.composites.bindings`).

        It computes with what must be given, by position, and asks the guard about other calls. None where a keyword
        must be given.
        """
        required = [p for p in self.parameters if p.default is inspect.Parameter.empty]
        if not required or any(p.keyword_only for p in required):
            return None
        names = [(rename or {}).get(p.name, p.name) for p in required]
        header = ", ".join([*(f"{n}=MISSING" for n in names), "/", "*more", "**others"])
        given = f"({', '.join(names)},)"
        odd = f" or {names[-1]} is MISSING" if required[-1].kind in UNASKED else ""
        odd += "".join(f" or {n} is True or {n} is False or {n} is None" for n in names[1:])

        def write() -> tuple[str, dict[str, Any]]:
            source, scope = self._write_call(name, header, False, rename, fixed=True)
            first, _, body = source.partition("\n")
            lines = [
                first,
                f"    if more or others{odd}: return GUARD.otherwise({given}, more, others)",
                "    try:",
                textwrap.indent(body, "    "),
                f"    except Exception: return GUARD.failed({given})",
            ]
            return "\n".join(lines), {**scope, "GUARD": guard, "MISSING": MISSING}

        return deferred(name, header, f"<{self.full_name}>", {}, write)

    def _write_call(
        self,
        name: str,
        header: str,
        operator: bool,
        rename: dict[str, str] | None,
        fixed: bool = False,
    ) -> tuple[str, dict[str, Any]]:
        """The source of a call, and what its names mean; `fixed`: only of what must be given."""
        # Operators have no options: their defaults are constants, which leaves less to do for `a + b`.
        constants = {
            p.name: p.default
            for p in self.parameters
            if operator and p.is_option or fixed and p.default is not inspect.Parameter.empty
        }
        body: list[str] = [f"def {name}({header}):"]
        body += [f"    {option} = {option}_ = {default!r}" for option, default in constants.items()]
        for new_name, old in {v: k for k, v in (rename or {}).items()}.items():
            body.append(f"    {old} = {new_name}")
        refuse: Callable[[str], str] = lambda n: self._decline() if operator else self._refuse(n, rename)  # noqa: E731
        body += autocast.code(self)
        body += self._unwrap(refuse, rename is None and not fixed, constants)
        body += costs.code(self)
        body += self._refuse_sparse()
        for operand in self.converts.split():
            given = operand if self.by_name[operand].kind == "plain" else operand + "_"
            kind = self.parameters[0].name + "_.dtype.kind"
            unfit = f"type({given}) is complex and {kind} != 'c' or {kind} in 'iu' and {given} in (inf, -inf)"
            body.append(f"    if {unfit}: raise unfit({self.identifier!r}, {self.parameters[0].name}_.dtype)")
        kernel_arguments = ", ".join(
            (f"{p.name}=" if p.keyword_only else "") + (p.name if p.kind == "plain" else p.name + "_")
            for p in self.parameters
        )
        functions: dict[str, Any] = {}
        inline = self._inline_forward(constants, functions)
        result = inline or f"kernel({kernel_arguments})"
        short = in_single_of(self)
        if short:
            tensors = ", ".join(p.name + "_" for p in self.parameters if p.kind in ("grad", "tensor"))
            first = tensors.partition(",")[0]
            single = f"in_single(lambda {tensors}: {result}, {tensors})"
            own = " and dtype is None" if "dtype" in self.by_name else ""
            result = f"{single} if {first}.dtype.char in {short!r}{own} else {result}"
        forward = f"out_ = {result}"
        taken = [p for p in self.parameters if p.kind in ("grad", "tensor")]
        if len(self.promote) > 1 or not self.bools or len(taken) > 1:
            arguments = [p.name + "_" for p in self.parameters if p.kind in ("grad", "tensor")]
            operands = ", ".join(arguments[::-1] if self.swapped else arguments)
            body += [
                f"    try: {forward}",
                f"    except ({self._refusals()}) as error: raise refusal(error, {operands}) from None",
            ]
        else:
            body.append("    " + forward)
        body += memory_format.code(self)
        body += self._wrap_outputs()
        body.append("    return out")
        results = TYPES.get(self.name, tuple)
        functions |= {"kernel": self.kernel, "OP": self, "NODE": self.node_class, "RESULTS": results}
        return "\n".join(body), {**_RUNTIME, **functions}

    def _decline(self) -> str:
        """Code of an operator that leaves its operands to others; an array is compared to as a tensor."""
        return "return equal_to(self, other)" if self.compares_arrays else "return NotImplemented"

    def _refuse(self, name: str, rename: dict[str, str] | None) -> str:
        """Code that raises for an argument that is no tensor; a method does not count `self` among its arguments."""
        position = self.parameters.index(self.by_name[name])
        if rename or self.parameters[0].name != "self":
            position += 1
        shown = (rename or {}).get(name, name)
        return f"raise errors.argument_type({self.name!r}, {shown!r}, {position}, 'Tensor', {name})"

    def function(self) -> Callable[..., Any]:
        """The call as `torch.*` offers it: the first parameter is named `input`."""
        first = self.parameters[0].name
        return self._compile_call(self.identifier, rename={"self": "input"}) if first == "self" else self.call

    def _inline_forward(self, constants: dict[str, Any], functions: dict[str, Any]) -> str | None:
        """The forward text with unwrapped names, which saves a call; the kernels it names are added to `functions`.

        None where the text names anything that may change later, such as another op.
        """
        if not self.forward_text:
            return None
        tree = Folded(constants).visit(ast.parse(self.forward_text, mode="eval"))
        if any(isinstance(n, ast.Lambda | ast.comprehension) for n in ast.walk(tree)):
            return None
        names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        for name in names - {"np", "inf", "nan"} - set(self.by_name):
            function = NUMPY.get(name)
            if name in _RUNTIME or getattr(function, "__name__", None) != name:
                return None
            functions[name] = function
        return ast.unparse(Rename({p.name: p.name + "_" for p in self.parameters if p.kind != "plain"}).visit(tree))

    def _unwrap(self, bad: Callable[[str], str], arrays: bool, constants: dict[str, Any]) -> list[str]:
        """Code that turns parameters `x` into numpy values `x_` and gradient flags `x_g`; `bad` gives what to do with
        anything but tensors, and `arrays` says whether numpy values are welcome, as formulas pass them."""
        lines: list[str] = []
        tensors = [p for p in self.parameters if p.kind in ("grad", "tensor")]
        for p in self.parameters:
            n = p.name
            if p.kind == "tensors":
                lines += [
                    *(
                        [f"    if {n} and not isinstance({n}[0], Tensor): return kernel({self._arguments()})"]
                        if arrays
                        else []
                    ),
                    f"    for t in {n}:",
                    f"        if not isinstance(t, Tensor): raise errors.expected_tensors({self.name!r}, {n})",
                    *self._refreshed("t", "        "),
                    f"    {n}_ = [t._array for t in {n}]",
                    f"    {n}_g = any([t._requires_grad for t in {n}])",
                ]
            elif p.kind == "scalar" and n not in constants:
                lines.append(f"    {n}_ = {n} if type({n}) is int or type({n}) is float else scalar({n})")
        if len(tensors) == 2 and self.promote == [p.name for p in tensors] and self.real in ([], self.promote):
            a, b = (p.name for p in tensors)
            lines += self._unwrap_pair(a, b, bad, arrays)
            either = f"({a}_ if type({a}_) is not float and type({a}_) is not int else {b}_)"
            return lines + self._refuse_kinds(either, f", {a}_, {b}_")
        for p in tensors:
            n = p.name
            optional = p.default is None
            lines += [
                f"    if isinstance({n}, Tensor):",
                *self._refreshed(n, "        "),
                f"        {n}_ = {n}._array",
            ]
            if p.kind == "grad":
                lines.append(f"        {n}_g = {n}._requires_grad")
            if self.view and n == "self":
                lines.append(
                    "        if type(self_) is not ndarray or self._version_counter is None: self_ = share(self)"
                )
            lines += [*self._counted(n, True, "        "), "    else:", *self._counted(n, False, "        ")]
            if p is tensors[0] and arrays and not optional:
                lines.append(f"        if isinstance({n}, (ndarray, generic)): return kernel({self._arguments()})")
            if optional:
                lines.append(f"        if {n} is not None: {bad(n)}")
                lines.append(f"        {n}_ = None")
            elif n in self.promote and self.numbers:
                lines.append(f"        {n}_ = number({n})")
            else:
                lines.append(f"        {bad(n)}")
            if p.kind == "grad":
                lines.append(f"        {n}_g = False")
        if tensors:
            lines += self._refuse_kinds(tensors[0].name + "_")
        lines += self._promotion()
        if len(self.promote) == 2 and any(self.by_name[n].kind == "scalar" for n in self.promote):
            lines += self._refuse_kinds(tensors[0].name + "_")  # a complex number makes it one
        return lines

    def _refuse_sparse(self) -> list[str]:
        """Code that refuses sparse operands of an op that does not know them: its kernel may take memory for a whole
        one."""
        operands = [p.name + "_" for p in self.parameters if p.kind in ("grad", "tensor")]
        if self.sparse or not operands:
            return []
        test = " or ".join(f"type({x}) is Coo" for x in operands)
        return [f"    if state.sparse and ({test}): raise errors.sparse_unavailable({self.name!r})"]

    def _refusals(self) -> str:
        """The errors of a kernel that may be about shapes: of all two operands, those about their types, too."""
        tensors = [p.name for p in self.parameters if p.kind in ("grad", "tensor")]
        return "ValueError, TypeError" + (", NotImplementedError" if self.promote == tensors else "")

    def _refreshed(self, name: str, indent: str) -> list[str]:
        """Code that asks a view for its place in the graph, if there will be a node that needs it."""
        if not self.inputs:
            return []
        stale = f"{name}._view is not None and {name}._view.attr_version != {name}._version_counter.n"
        return [f"{indent}if {stale}: regenerate_grad_fn({name})"]

    def _refuse_kinds(self, operand: str, broadcast: str = "") -> list[str]:
        kinds = "".join(self.refuses)
        if not self.complex_grad:
            wanted = f"self_g and state.grad and {operand}.dtype.kind == 'c'"
            return [f"    if {wanted}: raise errors.complex_autograd({self.name!r})"]
        if not kinds:
            return []
        error = f"refused({self.identifier!r}, {operand}.dtype{broadcast})"
        if self.dim_first:
            error = f"refused_along({self.identifier!r}, {operand}, dim)"
        half = f" or {operand}.dtype.char == 'e'" if "h" in kinds else ""
        return [f"    if {operand}.dtype.kind in {kinds.replace('h', '')!r}{half}: raise {error}"]

    def _arguments(self) -> str:
        """The parameters as they are passed on to the kernel."""
        return ", ".join((f"{p.name}=" if p.keyword_only else "") + p.name for p in self.parameters)

    def _promotion(self) -> list[str]:
        if self.promote:
            names = [n + "_" for n in self.promote]
            if len(names) == 2:
                function = "promote_float" if self.real else "promote" if self.bools else "promote_difference"
                promotion = f"{names[0]}, {names[1]} = {function}({names[0]}, {names[1]})"
                numbers = [n + "_" for n in self.promote if self.by_name[n].kind == "scalar"]
                if len(numbers) == 1:
                    other = names[names[0] == numbers[0]]
                    floats = "fdeE" if self.wrapped_number == "kept" else "fde"
                    plain = f"{other}.dtype.char in {floats!r} and {_plain_number(numbers[0])}"
                    promotion = f"if not ({plain}): {promotion}"
                return ["    " + promotion]
            function = "promote_given" if any(self.by_name[n].default is None for n in self.promote) else "promote_all"
            return [f"    {', '.join(names)} = {function}({', '.join(names)})"]
        return [f"    if {n}_.dtype.kind not in 'fc': {n}_ = to_float({n}_)" for n in self.real]

    def _unwrap_pair(self, a: str, b: str, bad: Callable[[str], str], arrays: bool) -> list[str]:
        """Two promoted operands, where equal dtypes and floats with numbers need no promotion."""
        promote, unequal = "promote" if self.bools else "promote_difference", f"{a}_.dtype is not {b}_.dtype"
        unsure = f"type({a}_) is not float32 or type({b}_) is not float32"
        by_number, floats = promote, "fde"
        plain = _plain_number(b) if self.numbers else "False"
        number = "isinstance({}, (float, int, complex, generic))" if self.numbers else "False"
        if self.real:
            by_number = promote = "promote_float"
            unequal = f"{unequal} or {a}_.dtype.kind not in 'fc'"
        if self.wrapped_number in ("factors", "quotient"):
            by_number, floats = f"promote_{self.wrapped_number}", "fd"
            if self.wrapped_number == "factors":  # either may be the number
                promote = by_number
        return [
            f"    if isinstance({a}, Tensor):",
            *self._refreshed(a, "        "),
            f"        {a}_ = {a}._array",
            f"        {a}_g = {a}._requires_grad",
            *self._counted(a, True, "        "),
            f"        if {_of_tensors(b, self.numbers)}:",
            *self._refreshed(b, "            "),
            f"            {b}_ = {b}._array",
            f"            {b}_g = {b}._requires_grad",
            *self._counted(b, True, "            "),
            f"            if ({unsure}) and ({unequal}): {a}_, {b}_ = {promote}({a}_, {b}_)",
            "        else:",
            f"            {b}_g = False",
            *self._counted(b, False, "            "),
            f"            {b}_ = {b}",
            f"            if type({a}_) is float32 and {plain}: pass",
            f"            elif {plain} and {a}_.dtype.char in {floats!r}:",
            f"                if type({a}_) is ndarray and {b}: {b}_ = operand({b}, {a}_.dtype)",
            f"            elif {number.format(b)}: {a}_, {b}_ = {by_number}({a}_, number({b}))",
            f"            else: {bad(b)}",
            f"    elif isinstance({b}, Tensor):",
            *self._refreshed(b, "        "),
            f"        {b}_ = {b}._array",
            f"        {a}_g = False",
            f"        {b}_g = {b}._requires_grad",
            *self._counted(a, False, "        "),
            *self._counted(b, True, "        "),
            f"        {a}_ = {a}",
            f"        if {_plain_number(a) if self.numbers else False} and {_of_floats(b, 'fde')}: pass",
            f"        elif {number.format(a)}: {a}_, {b}_ = {promote}(number({a}), {b}_)",
            f"        else: {bad(a)}",
            f"    elif isinstance({a}, (ndarray, generic)) or isinstance({b}, (ndarray, generic)):",
            f"        {f'return kernel({self._arguments()})' if arrays else bad(a)}",
            f"    else: {bad(a)}",
        ]

    def _wrap_outputs(self) -> list[str]:
        lines: list[str] = []
        if self.outputs or self.variadic:
            lines += [
                "    out = []",
                "    for array_ in out_:",
                "        t = new(Tensor)",
                "        t._array = array_; t._grad_fn = t._version_counter = t._view = None",
                "        t._requires_grad = False; t._output_nr = 0",
                "        out.append(t)",
            ]
            if any(o.optional for o in self.outputs):
                lines.append("    out = [None if array_ is None else t for t, array_ in zip(out, out_)]")
        else:
            lines += [
                "    out = new(Tensor)",
                "    out._array = out_; out._grad_fn = out._version_counter = out._view = None",
                "    out._requires_grad = False; out._output_nr = 0",
            ]
        if self.view and self.node_class is None:
            lines.append("    attach_alias(out, self)")
        elif self.view:
            multiple = bool(self.outputs or self.variadic)
            lines.append("    for t in out: as_view(t, self, True)" if multiple else "    as_view(out, self, False)")
        if self.node_class is not None:
            live = " or ".join(f"{p.name}_g" for p in self.inputs)
            lines.append(f"    if state.grad and ({live}):" if live else "    if False:")
            lines += ["        " + line for line in self._make_node()]
        tensors = ", ".join(p.name for p in self.parameters)
        node = "node" if self.node_class is not None else "None"
        if node == "node":
            lines.append("    else: node = None")
        lines.append(f"    if state.watched: state.tell(OP, ({tensors},), out, {node})")
        if self.variadic:
            lines.append("    out = tuple(out)")
        elif self.outputs:
            lines.append("    out = RESULTS(out)")
        return lines

    def _make_node(self) -> list[str]:
        """Code that builds the node; expects `x`, `x_`, `x_g` for inputs, `out` and `out_`."""
        lines = [
            "node = new(NODE)",
            f"node.sequence_nr = {LEAF_SEQUENCE if self.node_name == UNDERIVABLE else 'sequence.next()'}",
            "node.input_nrs = node.outputs = node.versions = node.hooks = None",
            "node.saved = node.args = ()",
        ]
        if len(self.inputs) == 1 and self.inputs[0].kind == "tensors":
            n = self.inputs[0].name
            edge = "(t._grad_fn or grad_accumulator(t)) if t._requires_grad else None"
            lines.append(f"node.next_edges = tuple([{edge} for t in {n}])")
            lines.append(f"if any([t._output_nr for t in {n}]): node.input_nrs = tuple([t._output_nr for t in {n}])")
        elif self.inputs:
            names = [p.name for p in self.inputs]
            edges = ", ".join(f"({n}._grad_fn or grad_accumulator({n})) if {n}_g else None" for n in names)
            numbers = " or ".join(f"({n}_g and {n}._output_nr)" for n in names)
            values = ", ".join(f"{n}._output_nr if {n}_g else 0" for n in names)
            if len(names) == 1:  # there would be no node if it needed no gradient
                n = names[0]
                edges, numbers, values = f"{n}._grad_fn or grad_accumulator({n})", f"{n}._output_nr", f"{n}._output_nr"
            lines.append(f"node.next_edges = ({edges},)")
            lines.append(f"if {numbers}: node.input_nrs = ({values},)")
            if self.node_name == UNDERIVABLE:
                lines.append("drop_unused(node)")
        saved = [self._save_expression(name) for name in self.saved_tensors]
        for name in self.saved_outputs:
            position = [o.name for o in self.outputs].index(name) if self.outputs else None
            tensor = "out" if position is None else f"out[{position}]"
            if self.view:
                lines.append(f"if {tensor}._version_counter is None: {tensor}._version_counter = VersionCounter()")
                saved.append(f"({tensor}._array, {tensor}._version_counter, {tensor}._version_counter.n)")
            else:
                lines.append(f"{tensor}._version_counter = {name}_c = new(VersionCounter); {name}_c.n = 0")
                saved.append(f"({tensor}._array, {name}_c, 0)")
        if saved:
            lines.append(f"node.saved = ({', '.join(saved)},)")
            plain = [n for n in self.saved_tensors if self.by_name[n].kind != "tensors"]
            if plain:
                stale = " or ".join(f"{n}_c is not None" for n in plain)
                lines.append(f"if {stale}: node.versions = {self._versions()}")
            elif self.saved_tensors:
                lines.append("node.versions = versions_of(node.saved)")
        kept = [f"{n}_" if self.by_name[n].kind == "scalar" else n for n in self.saved_values] + [
            _kept(name, self.by_name, self.promote) for name in self.saved_attributes
        ]
        if kept:
            lines.append(f"node.args = ({', '.join(kept)},)")
        if self.only_output is not None:
            i = self.only_output
            lines += [
                f"node.shape, node.dtype = out[{i}]._array.shape, out[{i}]._array.dtype",
                f"out[{i}]._grad_fn = node; out[{i}]._requires_grad = True",
            ]
        elif self.outputs or self.variadic:
            if any(o.optional for o in self.outputs):
                lines.append(
                    "node.outputs = [((), None) if t is None else (t._array.shape, t._array.dtype) for t in out]"
                )
            else:
                results = ", ".join(f"out[{i}]" for i in self._ranks())
                counted = "out" if len(self._ranks()) == len(self.outputs) else f"[{results}]"
                lines.append(f"node.outputs = [(t._array.shape, t._array.dtype) for t in {counted}]")
            lines.append("if out: node.shape, node.dtype = node.outputs[0]")
            if self.variadic:
                lines += ["for i, t in enumerate(out): t._grad_fn = node; t._requires_grad = True; t._output_nr = i"]
            for i, rank in self._ranks().items():
                test = f"if out[{i}] is not None: " if self.outputs[i].optional else ""
                lines.append(
                    f"{test}out[{i}]._grad_fn = node; out[{i}]._requires_grad = True; out[{i}]._output_nr = {rank}"
                )
        else:
            lines += [
                "if type(out_) is float32: node.shape, node.dtype = (), SINGLE",
                "else: node.shape, node.dtype = out_.shape, out_.dtype",
                "out._grad_fn = node",
                "out._requires_grad = True",
            ]
        return lines

    def _versions(self) -> str:
        """Code of the versions of what is saved: `versions_of`, written out where no lists are saved."""
        if any(self.by_name[n].kind == "tensors" for n in self.saved_tensors):
            return "versions_of(node.saved)"
        versions = ", ".join(f"0 if {n}_c is None else {n}_c.n" for n in self.saved_tensors)
        return f"({versions},)"

    def _counted(self, name: str, there: bool, indent: str) -> list[str]:
        """Code that finds the version counter of an operand that may be saved: `x_c`, None where nothing writes."""
        if self.node_class is None or name not in self.saved_tensors:
            return []
        return [f"{indent}{name}_c = {f'{name}._version_counter' if there else None}"]

    def _ranks(self) -> dict[int, int]:
        """Positions of the differentiable results, and which of the node's outputs each is: it counts no others."""
        return {i: rank for rank, i in enumerate(i for i, o in enumerate(self.outputs) if o.differentiable)}

    def output_number(self, name: str) -> int | None:
        """Which of the node's outputs a result is; None for one that is not differentiable."""
        if not self.outputs:
            return 0
        position = next(i for i, o in enumerate(self.outputs) if o.name == name)
        return self._ranks().get(position)

    def _save_expression(self, name: str) -> str:
        """Keep a tensor that the gradient of one input reads only where that is needed; PyTorch looks no further."""
        parameter = self.by_name[name]
        if parameter.kind == "tensors":
            return f"tuple({name})"
        users = self.users[name]
        if len(self.inputs) == 1 or len(users) != 1 or any(self.by_name[u].kind == "tensors" for u in users):
            return name
        return f"{name} if {next(iter(users))}_g else None"
