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
* the LaTeX and the text that the page shows (`engine.tex`).

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
`inplace=False` for ops without an in-place twin.
"""

from __future__ import annotations

import ast
import functools
import inspect
import operator
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from engine import dtypes, errors
from engine.return_types import returns
from engine.node import (
    Node, NodeMeta, VersionCounter, check_version, modified, modified_tensor, recover, saved_version, versions_of,
)
from engine.state import sequence, state
from engine.tensor import Tensor, attach_view, leaf, number, output_tensor, refresh, share, tensors_of

F = TypeVar("F", bound=Callable[..., Any])

OPS: dict[str, Op] = {}
"""Every op by its identifier (`mul`, `sum_dim`)."""

NUMPY: dict[str, Any] = {"np": np, "inf": float("inf"), "nan": float("nan")}
"""What names mean in kernels and in formulas of an ordinary backward pass."""

GRAPH: dict[str, Any] = {"np": np, "inf": float("inf"), "nan": float("nan")}
"""What names mean in formulas when the gradient is itself recorded."""

NODES: dict[str, NodeMeta] = {}

_KEPT_ATTRIBUTES = ("shape", "ndim", "dtype", "strides")
_RUNTIME = {
    "Tensor": Tensor, "number": number, "refresh": refresh, "leaf": leaf, "share": share, "attach_view": attach_view,
    "promote": dtypes.promote, "promote_float": dtypes.promote_float, "promote_all": dtypes.promote_all,
    "to_float": dtypes.to_float, "state": state, "sequence": sequence, "VersionCounter": VersionCounter,
    "check_version": check_version, "modified": modified, "recover": recover, "versions_of": versions_of,
    "saved_version": saved_version, "output_tensor": output_tensor, "new": object.__new__, "ndarray": np.ndarray,
    "generic": np.generic, "errors": errors, "returns": returns, "np": np, "inf": float("inf"), "nan": float("nan"),
}


class _Calls:
    """`ops.exp(x)` in rules and composites: the call of an op, wherever it is declared."""

    def __getattr__(self, identifier: str) -> Callable[..., Any]:
        row = OPS.get(identifier)
        if row is None:
            raise AttributeError(f"no op {identifier!r}")
        setattr(self, identifier, row.call)
        return row.call


ops = _Calls()


class Parameter:
    """One parameter of a row. `kind`: grad (differentiable), tensor, tensors, scalar or plain."""

    __slots__ = ("default", "keyword_only", "kind", "name")

    def __init__(self, name: str, kind: str, default: Any, keyword_only: bool) -> None:
        self.name, self.kind, self.default, self.keyword_only = name, kind, default, keyword_only


class Output:
    """One result of a row with several."""

    __slots__ = ("differentiable", "name", "optional")

    def __init__(self, text: str) -> None:
        self.name = text.rstrip("!?")
        self.differentiable = "!" not in text
        self.optional = "?" in text


class Op:
    """A compiled row.

    `group` is the module that declares it. `call(*args)` runs it on Tensors (numpy in → numpy out), `kernel(*args)` on
    numpy values. `formulas` maps a parameter to the text of its gradient; `saved_names` are the tensors and values a
    node keeps.
    """

    def __init__(
        self,
        signature: str,
        node: str | None,
        forward: str | Callable[..., Any],
        formulas: dict[str, str],
        *,
        promote: str,
        real: str,
        view: bool,
        outputs: str,
        inplace: bool,
        says: str,
        tex: str | None,
        together: tuple[str, str] | None = None,
        numbers: bool = True,
        bools: bool = True,
    ) -> None:
        if together is not None:
            formulas = formulas | dict.fromkeys(together[0].split(), together[1])
        self.together = together
        head, _, rest = signature.partition("(")
        self.group = ""
        self.signature = signature
        self.full_name = head
        self.name = head.split(".")[0]
        self.identifier = head.replace(".", "_")
        self.node_name = node
        self.formulas = formulas
        self.says, self.tex = says, tex
        self.promote, self.real = promote.split(), real.split()
        self.numbers, self.bools = numbers, bools
        self.view, self.inplace = view, inplace and not view
        self.variadic = outputs == "*"
        self.outputs = [Output(text) for text in outputs.split()] if outputs and not self.variadic else []
        differentiable = [i for i, o in enumerate(self.outputs) if o.differentiable]
        # As in PyTorch, a node counts differentiable outputs only: `max.dim`'s has one.
        self.only_output = differentiable[0] if len(differentiable) == 1 else None
        self.parameters = _parse(rest, formulas)
        self.inputs = [p for p in self.parameters if p.name in formulas]
        self.by_name = {p.name: p for p in self.parameters}
        self._find_saved()
        self.forward_text = forward if isinstance(forward, str) else ""
        self.kernel: Callable[..., Any] = self._compile_kernel(forward)
        self.node_class: NodeMeta | None = self._make_node_class()
        self.call: Callable[..., Any] = self._compile_call(self.identifier)
        self.operator: Callable[..., Any] = self._compile_call("__" + self.identifier, operator=True)

    # --- what the text says

    def _find_saved(self) -> None:
        """Free names of the formulas → saved tensors, saved attributes of tensors, saved plain values, outputs."""
        trees = {name: ast.parse(text, mode="eval") for name, text in self.formulas.items()}
        for tree in trees.values():
            _Attributes(self.by_name).visit(tree)
        self.trees = trees
        names = {name: {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)} for name, tree in trees.items()}
        used = set().union(*names.values()) if names else set()
        self.saved_tensors = [p.name for p in self.parameters if p.kind in ("grad", "tensor", "tensors") and p.name in used]
        self.users = {s: [p for p, free in names.items() if s in free] for s in self.saved_tensors}
        output_names = [o.name for o in self.outputs] or ["result"]
        self.saved_outputs = [name for name in output_names if name in used]
        self.saved_values = [p.name for p in self.parameters if p.kind in ("scalar", "plain") and p.name in used]
        self.saved_attributes = sorted(n for n in used if n.rpartition("__")[2] in _KEPT_ATTRIBUTES and "__" in n)
        self.saved_names = self.saved_tensors + self.saved_outputs + self.saved_values + self.saved_attributes

    def _make_node_class(self) -> NodeMeta | None:
        if self.node_name is None:
            return None
        body: dict[str, Any] = {"op": self, "__module__": "torch.autograd"}
        if self.formulas:
            body["apply"] = self._compile_vjp(graph=False)
            body["apply_graph"] = self._compile_vjp(graph=True)
        cls = NodeMeta(self.node_name.split("::")[-1], (Node,), body)
        if "::" in self.node_name:
            cls.qualified_name = self.node_name  # type: ignore[attr-defined]
        NODES.setdefault(self.node_name, cls)
        return cls

    # --- generated code

    def _compile_kernel(self, forward: str | Callable[..., Any]) -> Callable[..., Any]:
        if callable(forward):
            return forward
        arguments = ", ".join(
            ("*, " if p.keyword_only and not self._keyword_before(p) else "")
            + p.name + ("" if p.default is inspect.Parameter.empty else f"={p.default!r}")
            for p in self.parameters
        )
        source = f"lambda {arguments}: {forward}"
        return eval(compile(source, f"<kernel of {self.full_name}>", "eval"), NUMPY)  # type: ignore[no-any-return]

    def _keyword_before(self, parameter: Parameter) -> bool:
        return any(p.keyword_only for p in self.parameters[: self.parameters.index(parameter)])

    def _header(self, name: str, rename: dict[str, str] | None = None) -> str:
        parts: list[str] = []
        for p in self.parameters:
            if p.keyword_only and "*" not in parts:
                parts.append("*")
            shown = (rename or {}).get(p.name, p.name)
            parts.append(shown if p.default is inspect.Parameter.empty else f"{shown}={p.default!r}")
        return f"def {name}({', '.join(parts)}):"

    def _compile_call(self, name: str, operator: bool = False, rename: dict[str, str] | None = None) -> Callable[..., Any]:
        body: list[str] = [self._header(name, rename)]
        for new_name, old in {v: k for k, v in (rename or {}).items()}.items():
            body.append(f"    {old} = {new_name}")
        body += self._unwrap(lambda parameter: "return NotImplemented" if operator else self._refuse(parameter, rename))
        kernel_arguments = ", ".join(
            (f"{p.name}=" if p.keyword_only else "") + (p.name if p.kind == "plain" else p.name + "_")
            for p in self.parameters
        )
        inline = self._inline_forward()
        forward = f"out_ = {inline or f'kernel({kernel_arguments})'}"
        if len(self.promote) > 1 or not self.bools:
            operands = ", ".join(p.name + "_" for p in self.parameters if p.kind in ("grad", "tensor"))
            body += [
                f"    try: {forward}",
                f"    except (ValueError, TypeError) as error: raise refusal(error, {operands}) from None",
            ]
        else:
            body.append("    " + forward)
        body += self._wrap_outputs()
        body.append("    return out")
        namespace = {**_RUNTIME, "kernel": self.kernel, "OP": self, "NODE": self.node_class}
        source = "\n".join(body)
        exec(compile(source, f"<{self.full_name}>", "exec"), namespace)
        function: Callable[..., Any] = namespace[name]
        function.__qualname__ = function.__name__ = self.name
        function.source = source  # type: ignore[attr-defined]
        return function

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

    def _inline_forward(self) -> str | None:
        """The forward text with unwrapped names, when it is plain operators: saves a call on the hot path."""
        if not self.forward_text or self.outputs or self.variadic:
            return None
        tree = ast.parse(self.forward_text, mode="eval")
        if any(isinstance(n, ast.Call | ast.Lambda | ast.comprehension) for n in ast.walk(tree)):
            return None
        return ast.unparse(_Rename({p.name: p.name + "_" for p in self.parameters if p.kind != "plain"}).visit(tree))

    def _unwrap(self, bad: Callable[[str], str]) -> list[str]:
        """Code that turns parameters `x` into numpy values `x_` and gradient flags `x_g`."""
        lines: list[str] = []
        tensors = [p for p in self.parameters if p.kind in ("grad", "tensor")]
        for p in self.parameters:
            n = p.name
            if p.kind == "tensors":
                lines += [
                    f"    if {n} and not isinstance({n}[0], Tensor): return kernel({', '.join(q.name for q in self.parameters)})",
                    f"    for t in {n}:",
                    f"        if not isinstance(t, Tensor): raise errors.expected_tensors({self.name!r}, {n})",
                    "        if t._view is not None: refresh(t)",
                    f"    {n}_ = [t._a for t in {n}]",
                    f"    {n}_g = any([t._rg for t in {n}])",
                ]
            elif p.kind == "scalar":
                lines.append(f"    {n}_ = {n} if type({n}) is int or type({n}) is float else number({n})")
        if len(tensors) == 2 and self.promote == [p.name for p in tensors] and self.real in ([], self.promote):
            a, b = (p.name for p in tensors)
            lines += self._unwrap_pair(a, b, bad)
            return lines
        for p in tensors:
            n = p.name
            optional = p.default is None
            lines += [
                f"    if isinstance({n}, Tensor):",
                f"        if {n}._view is not None: refresh({n})",
                f"        {n}_ = {n}._a",
            ]
            if p.kind == "grad":
                lines.append(f"        {n}_g = {n}._rg")
            if self.view and n == "self":
                lines.append("        if type(self_) is not ndarray or self._vc is None: self_ = share(self)")
            lines.append("    else:")
            if p is tensors[0] and not optional:
                arguments = ", ".join((f"{q.name}=" if q.keyword_only else "") + q.name for q in self.parameters)
                lines.append(f"        if isinstance({n}, (ndarray, generic)): return kernel({arguments})")
            if optional:
                lines.append(f"        if {n} is not None: {bad(n)}")
                lines.append(f"        {n}_ = None")
            elif n in self.promote and self.numbers:
                lines.append(f"        {n}_ = number({n})")
            else:
                lines.append(f"        {bad(n)}")
            if p.kind == "grad":
                lines.append(f"        {n}_g = False")
        lines += self._promotion()
        return lines

    def _promotion(self) -> list[str]:
        if self.promote:
            names = [n + "_" for n in self.promote]
            if len(names) == 2:
                function = "promote_float" if self.real else "promote" if self.bools else "promote_difference"
                return [f"    {names[0]}, {names[1]} = {function}({names[0]}, {names[1]})"]
            function = "promote_given" if any(self.by_name[n].default is None for n in self.promote) else "promote_all"
            return [f"    {', '.join(names)} = {function}({', '.join(names)})"]
        return [f"    if {n}_.dtype.kind not in 'fc': {n}_ = to_float({n}_)" for n in self.real]

    def _unwrap_pair(self, a: str, b: str, bad: Callable[[str], str]) -> list[str]:
        """Two promoted operands, where equal dtypes and floats with numbers need no promotion."""
        promote, unequal = "promote" if self.bools else "promote_difference", f"{a}_.dtype is not {b}_.dtype"
        number = "isinstance({}, (float, int, complex, generic))" if self.numbers else "False"
        if self.real:
            promote, unequal = "promote_float", f"{unequal} or {a}_.dtype.kind not in 'fc'"
        return [
            f"    if isinstance({a}, Tensor):",
            f"        if {a}._view is not None: refresh({a})",
            f"        {a}_ = {a}._a",
            f"        {a}_g = {a}._rg",
            f"        if isinstance({b}, Tensor):",
            f"            if {b}._view is not None: refresh({b})",
            f"            {b}_ = {b}._a",
            f"            {b}_g = {b}._rg",
            f"            if {unequal}: {a}_, {b}_ = {promote}({a}_, {b}_)",
            "        else:",
            f"            {b}_g = False",
            f"            {b}_ = {b}",
            f"            if {_plain_number(b) if self.numbers else False} and {a}_.dtype.kind == 'f': pass",
            f"            elif {number.format(b)}: {a}_, {b}_ = {promote}({a}_, number({b}))",
            f"            else: {bad(b)}",
            f"    elif isinstance({b}, Tensor):",
            f"        if {b}._view is not None: refresh({b})",
            f"        {b}_ = {b}._a",
            f"        {a}_g = False",
            f"        {b}_g = {b}._rg",
            f"        {a}_ = {a}",
            f"        if {_plain_number(a) if self.numbers else False} and {b}_.dtype.kind == 'f': pass",
            f"        elif {number.format(a)}: {a}_, {b}_ = {promote}(number({a}), {b}_)",
            f"        else: {bad(a)}",
            f"    elif isinstance({a}, (ndarray, generic)) or isinstance({b}, (ndarray, generic)):",
            f"        return kernel({', '.join((f'{q.name}=' if q.keyword_only else '') + q.name for q in self.parameters)})",
            f"    else: {bad(a)}",
        ]

    def _wrap_outputs(self) -> list[str]:
        lines: list[str] = []
        if self.outputs or self.variadic:
            lines += ["    out = []", "    for array_ in out_:", "        t = new(Tensor)", "        t._a = array_", "        out.append(t)"]
            if any(o.optional for o in self.outputs):
                lines.append("    out = [None if array_ is None else t for t, array_ in zip(out, out_)]")
        else:
            lines += ["    out = new(Tensor)", "    out._a = out_"]
        if self.view:
            multiple = bool(self.outputs or self.variadic)
            lines.append("    for t in out: attach_view(t, self, True)" if multiple else "    attach_view(out, self, False)")
        if self.node_class is not None:
            live = " or ".join(f"{p.name}_g" for p in self.inputs)
            lines.append(f"    if state.grad and ({live}):" if live else "    if False:")
            lines += ["        " + line for line in self._make_node()]
        tensors = ", ".join(p.name for p in self.parameters)
        node = "node" if self.node_class is not None else "None"
        if node == "node":
            lines.append("    else: node = None")
        lines.append(f"    if state.watched: watch(OP, ({tensors},), out, {node})")
        if self.variadic:
            lines.append("    out = tuple(out)")
        elif self.outputs:
            lines.append(f"    out = returns({self.name!r}, out)")
        return lines

    def _make_node(self) -> list[str]:
        """Code that builds the node; expects `x`, `x_`, `x_g` for inputs, `out` and `out_`."""
        lines = ["node = new(NODE)", "node.seq = sequence.next()"]
        if len(self.inputs) == 1 and self.inputs[0].kind == "tensors":
            n = self.inputs[0].name
            lines.append(f"node.edges = tuple([(t._fn or leaf(t)) if t._rg else None for t in {n}])")
            lines.append(f"if any([t._nr for t in {n}]): node.numbers = tuple([t._nr for t in {n}])")
        elif self.inputs:
            edges = ", ".join(f"({p.name}._fn or leaf({p.name})) if {p.name}_g else None" for p in self.inputs)
            lines.append(f"node.edges = ({edges},)")
            numbers = " or ".join(f"({p.name}_g and {p.name}._nr)" for p in self.inputs)
            values = ", ".join(f"{p.name}._nr if {p.name}_g else 0" for p in self.inputs)
            lines.append(f"if {numbers}: node.numbers = ({values},)")
        saved = [self._save_expression(name) for name in self.saved_tensors]
        for name in self.saved_outputs:
            position = [o.name for o in self.outputs].index(name) if self.outputs else None
            tensor = "out" if position is None else f"out[{position}]"
            lines.append(f"if {tensor}._vc is None: {tensor}._vc = VersionCounter()")
            saved.append(f"({tensor}._a, {tensor}._vc, {tensor}._vc.n)")
        if saved:
            lines.append(f"node.saved = ({', '.join(saved)},)")
            plain = [n for n in self.saved_tensors if self.by_name[n].kind != "tensors"]
            if plain:
                stale = " or ".join(f"getattr({n}, '_vc', None) is not None" for n in plain)
                if len(plain) == len([n for n in plain if self.by_name[n].kind == "grad" and n not in self.promote]):
                    stale = " or ".join(
                        f"{n}._vc is not None" if self.by_name[n].default is inspect.Parameter.empty
                        else f"{n} is not None and {n}._vc is not None"
                        for n in plain
                    )
                lines.append(f"if {stale}: node.versions = versions_of(node.saved)")
            else:
                lines.append("node.versions = versions_of(node.saved)")
        kept = [f"{n}_" if self.by_name[n].kind == "scalar" else n for n in self.saved_values] + [_kept(name, self.by_name) for name in self.saved_attributes]
        if kept:
            lines.append(f"node.args = ({', '.join(kept)},)")
        if self.only_output is not None:
            i = self.only_output
            lines += [f"node.shape, node.dtype = out[{i}]._a.shape, out[{i}]._a.dtype", f"out[{i}]._fn = node; out[{i}]._rg = True"]
        elif self.outputs or self.variadic:
            if any(o.optional for o in self.outputs):
                lines.append("node.outputs = [((), None) if t is None else (t._a.shape, t._a.dtype) for t in out]")
            else:
                lines.append("node.outputs = [(t._a.shape, t._a.dtype) for t in out]")
            lines.append("if out: node.shape, node.dtype = node.outputs[0]")
            if self.variadic:
                lines += ["for i, t in enumerate(out): t._fn = node; t._rg = True; t._nr = i"]
            for i, o in enumerate(self.outputs):
                if o.differentiable:
                    test = f"if out[{i}] is not None: " if o.optional else ""
                    lines.append(f"{test}out[{i}]._fn = node; out[{i}]._rg = True; out[{i}]._nr = {i}")
        else:
            lines += ["node.shape = out_.shape", "node.dtype = out_.dtype", "out._fn = node", "out._rg = True"]
        return lines

    def output_number(self, name: str) -> int | None:
        """Which of the node's outputs a result is; None for one that is not differentiable."""
        if not self.outputs:
            return 0
        position = next(i for i, o in enumerate(self.outputs) if o.name == name)
        if not self.outputs[position].differentiable:
            return None
        return position if self.only_output is None else 0

    def _save_expression(self, name: str) -> str:
        """Keep a tensor only for the inputs that need a gradient."""
        parameter = self.by_name[name]
        if parameter.kind == "tensors":
            return f"tuple({name})"
        users = self.users[name]
        if len(self.inputs) == 1 or len(users) == len(self.inputs) or any(self.by_name[u].kind == "tensors" for u in users):
            return name
        return f"{name} if {' or '.join(u + '_g' for u in users)} else None"

    def _compile_vjp(self, graph: bool) -> Callable[..., Any]:
        """`(node, g, edges) -> gradients`: on numpy values, or on Tensors when the gradient is recorded."""
        many = self.variadic or bool(self.outputs) and self.only_output is None
        lines = ["def apply(node, g, edges):"]
        none = "(None,) * len(edges)"
        if many:
            lines.append(f"    if every([x is None for x in g]): return {none}")
        else:
            lines.append(f"    if g is None: return {none}")
        saved = self.saved_tensors + self.saved_outputs
        if saved:
            lines += ["    saved = node.saved", "    if saved is None: saved = recover(node)"]
            lines.append(f"    {', '.join(saved)}, = saved")
        for index, name in enumerate(self.saved_tensors):
            if self.by_name[name].kind == "tensors":
                lines.append(f"    check_list_version(node, {index}, {name})")
                lines.append(f"    {name}_ = {name}" if graph else f"    {name}_ = [t._a for t in {name}]")
                continue
            lines += [
                f"    if isinstance({name}, Tensor):",
                f"        if {name}._vc is not None: check_version(node, {index}, {name})",
                f"        {name}_ = {name}" if graph else f"        {name}_ = {name}._a",
                f"    else: {name}_ = {name}",
            ]
        for name in self.saved_outputs:
            number = self.output_number(name)
            owner = "None" if number is None else "node"
            lines += [
                f"    if type({name}) is tuple:",
                f"        value, counter, version = {name}",
                f"        if counter.n != version: modified(value, {owner}, {number or 0}, counter, version, node)",
                f"        {name}_ = output_tensor(value, node, {number}, counter)" if graph else f"        {name}_ = value",
                f"    else: {name}_ = {name}" + ("" if graph else "._a"),
            ]
        kept = self.saved_values + self.saved_attributes
        if kept:
            lines.append(f"    {', '.join(n + '_' for n in kept)}, = node.args")
        renames = {n: n + "_" for n in saved + kept}
        texts = {}
        for p in self.inputs:
            tree = _Rename(renames).visit(ast.parse(ast.unparse(self.trees[p.name]), mode="eval"))
            if graph:
                promoted = {n + "_" for n in self.promote if self.by_name[n].kind in ("grad", "tensor")}
                tree = _Scalars(promoted, {n + "_" for n in self.saved_values}).visit(tree)
            texts[p.name] = ast.unparse(ast.fix_missing_locations(tree))
        if self.together is not None:
            lines.append("    wanted = tuple([edge is not None for edge in edges])")
            lines.append(f"    return {texts[self.inputs[0].name]}")
        elif len(self.inputs) == 1 and self.inputs[0].kind == "tensors":
            lines.append(f"    return {texts[self.inputs[0].name]}")
        elif len(self.inputs) == 1:
            lines.append(f"    return ({texts[self.inputs[0].name]},)")
        else:
            names = [f"edge_{i}" for i in range(len(self.inputs))]
            lines.append(f"    {', '.join(names)} = edges")
            values = ", ".join(f"({texts[p.name]}) if {e} is not None else None" for p, e in zip(self.inputs, names, strict=True))
            lines.append(f"    return ({values})")
        base = GRAPH if graph else NUMPY
        base.update(_VJP_RUNTIME)
        scope: dict[str, Any] = {}
        source = "\n".join(lines)
        exec(compile(source, f"<vjp of {self.full_name}>", "exec"), base, scope)
        function: Callable[..., Any] = scope["apply"]
        function.source = source  # type: ignore[attr-defined]
        return function

    # --- used by in-place ops, hooks and the page

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

    def saved_value(self, node: Node, name: str) -> Any:
        """What `node._saved_<name>` reads: a tensor, a number, or a shape. Raises when it was freed."""
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
                check_version(node, self.saved_tensors.index(name), value)
            elif isinstance(value, int | float | complex) and not isinstance(value, Tensor):
                return Tensor._from_number(value)
            return value
        kept = self.saved_values + self.saved_attributes
        if name in kept:
            return _unsigned(node.args[kept.index(name)])
        raise AttributeError(f"'{type(node).__name__}' object has no attribute '_saved_{name}'")

    def raw_saved_value(self, node: Node, name: str) -> Any:
        from engine.saved import SavedTensor

        return SavedTensor(node, name)

    def arguments(self, values: Sequence[Any]) -> dict[str, Any]:
        """The non-tensor arguments of a call that differ from their defaults."""
        return {
            p.name: v
            for p, v in zip(self.parameters, values, strict=True)
            if p.kind in ("scalar", "plain") and not (v is None or v is p.default or v == p.default if not isinstance(v, Tensor) else False)
        }


def refusal(error: Exception, *operands: Any) -> Exception:
    """PyTorch's error where numpy refused the operands of an op; other errors are passed on."""
    text = str(error)
    if text.startswith("numpy boolean subtract"):
        return errors.subtract_bools()
    if text.startswith("The numpy boolean negative"):
        return errors.negate_bool()
    if "broadcast" not in text:
        return error
    shape: tuple[int, ...] = ()
    for operand in operands:
        other = np.shape(operand)
        width = max(len(shape), len(other))
        a, b = (1,) * (width - len(shape)) + shape, (1,) * (width - len(other)) + other
        for dim in reversed(range(width)):
            if a[dim] != b[dim] and a[dim] != 1 and b[dim] != 1:
                return errors.size_mismatch(a[dim], b[dim], dim)
        shape = tuple(y if x == 1 else x for x, y in zip(a, b, strict=True))
    return error


def promote_given(*operands: Any) -> tuple[Any, ...]:
    """`promote_all` of the operands that are there."""
    given = iter(dtypes.promote_all(*(x for x in operands if x is not None)))
    return tuple(None if x is None else next(given) for x in operands)


def promote_difference(a: Any, b: Any) -> tuple[Any, Any]:
    """Promotion of the operands of a subtraction, which must not be bools."""
    bools = [isinstance(x, bool) or getattr(x, "dtype", None) == np.bool_ for x in (a, b)]
    if any(bools):
        raise errors.subtract_bools() if all(bools) else errors.subtract_bool()
    return dtypes.promote(a, b)


def _plain_number(name: str) -> str:
    """Code that tells Python numbers which a floating point operand takes as they are."""
    return f"(type({name}) is float or type({name}) is int and -0x8000000000000000 <= {name} <= 0xFFFFFFFFFFFFFFFF)"


class _Attributes(ast.NodeTransformer):
    """`x.shape` of a tensor parameter becomes the saved value `x__shape`."""

    def __init__(self, parameters: dict[str, Parameter]) -> None:
        self.parameters = parameters

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.attr in _KEPT_ATTRIBUTES:
            parameter = self.parameters.get(node.value.id)
            if parameter is not None and parameter.kind in ("grad", "tensor", "tensors"):
                return ast.copy_location(ast.Name(f"{node.value.id}__{node.attr}", ast.Load()), node)
        return node


class _Rename(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


class _Scalars(ast.NodeTransformer):
    """Operators in recorded formulas become the overloads that PyTorch's formulas use.

    A number in the text takes the scalar overload (`MulBackward1`). `promoted` names the operands that PyTorch holds as
    tensors even when the user wrote a number: with each other and with tensors they take the tensor overload.
    """

    NAMES = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "div", ast.Pow: "pow"}

    def __init__(self, promoted: set[str], numbers: set[str]) -> None:
        self.promoted, self.numbers = promoted, numbers

    def _is_number(self, side: ast.expr) -> bool:
        return isinstance(side, ast.Constant) or isinstance(side, ast.Name) and side.id in self.numbers

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = self.NAMES.get(type(node.op))
        if name is None:
            return node
        sides = [node.left, node.right]
        promoted = any(isinstance(side, ast.Name) and side.id in self.promoted for side in sides)
        overload = f"{name}_" if promoted and not any(map(self._is_number, sides)) else f"_{name}"
        return ast.copy_location(ast.Call(ast.Name(overload, ast.Load()), sides, []), node)


def _overload(name: str, symbol: Callable[[Any, Any], Any], wrapped: bool) -> Callable[[Any, Any], Any]:
    """An operator of recorded formulas; `wrapped`: numbers count as tensors."""
    tensor = "pow_Tensor_Tensor" if name == "pow" else name
    right = "pow_Tensor_Scalar" if name == "pow" else name + "_Scalar"
    commutes = name in ("add", "mul")

    def apply(a: Any, b: Any) -> Any:
        if isinstance(a, Tensor):
            return OPS[tensor if wrapped or isinstance(b, Tensor) else right].call(a, b)
        if not isinstance(b, Tensor):
            return symbol(a, b)
        if wrapped or not commutes:
            return OPS["pow_Scalar" if name == "pow" else tensor].call(a, b)
        return OPS[right].call(b, a)

    return apply


OPERATORS = {
    prefix + name + suffix: _overload(name, symbol, wrapped)
    for name, symbol in (
        ("add", operator.add), ("sub", operator.sub), ("mul", operator.mul), ("div", operator.truediv), ("pow", operator.pow),
    )
    for prefix, suffix, wrapped in (("_", "", False), ("", "_", True))
}
GRAPH.update(OPERATORS)


def check_list_version(node: Node, index: int, tensors: Sequence[Tensor]) -> None:
    """As `check_version`, for a saved list of tensors."""
    for tensor, version in zip(tensors, (0,) * len(tensors) if node.versions is None else node.versions[index], strict=True):
        if tensor._vc is not None and tensor._vc.n != version:
            modified_tensor(tensor, version, node)


def watch(op: Op, inputs: tuple[Any, ...], out: Any, node: Node | None) -> None:
    """The slow path after an op: inference mode, saved-tensor hooks, anomaly mode, then the observer."""
    from engine import saved

    if state.inference:
        for t in (out,) if isinstance(out, Tensor) else out:
            t._inference = True
    if node is not None:
        if any(t._inference for t in tensors_of(node.saved or ())):
            raise errors.inference_saved()
        if state.pack_hooks:
            saved.pack(node)
        if state.anomaly:
            node.metadata["traceback_"] = saved.forward_traceback()
    observer = state.observer
    if observer is not None:
        outputs = (out,) if isinstance(out, Tensor) else tuple(t for t in out if t is not None)
        observer.op(op, inputs, outputs, node)


_RUNTIME |= {
    "watch": watch, "refusal": refusal, "promote_difference": promote_difference, "promote_given": promote_given,
}
_VJP_RUNTIME: dict[str, Any] = {
    "Tensor": Tensor, "check_version": check_version, "check_list_version": check_list_version, "modified": modified,
    "recover": recover, "output_tensor": output_tensor, "every": all,  # in formulas, `all` is the op
}


def _kept(name: str, parameters: dict[str, Parameter]) -> str:
    owner, _, attribute = name.rpartition("__")
    if parameters[owner].kind == "tensors":
        return f"[x.{attribute} for x in {owner}_]"
    default = "()" if attribute in ("shape", "strides") else "0" if attribute == "ndim" else "None"
    return f"getattr({owner}_, {attribute!r}, {default})"


def _torch_saved_name(name: str, op: Op) -> str:
    """Our name of what PyTorch calls `self_sym_sizes` (`self__shape`) or `result1` (the second of unnamed results)."""
    name = name.removesuffix("_opt")
    match = re.fullmatch(r"result(\d)", name)
    if match and int(match[1]) < len(op.outputs):
        return op.outputs[int(match[1])].name
    match = re.fullmatch(r"(\w+?)_(?:sym_)?(sizes|strides|numel|dim|scalar_type)", name)
    if match:
        kept = {"sizes": "shape", "strides": "strides", "dim": "ndim", "scalar_type": "dtype"}.get(match[2])
        if kept and f"{match[1]}__{kept}" in op.saved_names:
            return f"{match[1]}__{kept}"
    return name


def shown_saved_names(op: Op) -> list[str]:
    """What a node keeps, under PyTorch's names."""
    outputs = [o.name for o in op.outputs]
    shown: list[str] = []
    for name in op.saved_names:
        owner, _, attribute = name.rpartition("__")
        if owner in op.by_name:
            if attribute in ("shape", "strides") and op.by_name[owner].kind != "tensors":
                suffix = "_sym_sizes" if attribute == "shape" else "_sym_strides"
                shown.append(owner + suffix + ("_opt" if op.by_name[owner].default is None else ""))
        elif name in outputs and outputs[0] == "result":
            shown.append(f"result{outputs.index(name)}")
        else:
            shown.append(name)
    return shown


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


def _parse(rest: str, formulas: dict[str, str]) -> list[Parameter]:
    tree = ast.parse(f"def row({rest}: pass").body[0]
    assert isinstance(tree, ast.FunctionDef)
    arguments = tree.args
    parameters: list[Parameter] = []
    positional = arguments.args
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    pairs = [(a, d, False) for a, d in zip(positional, defaults, strict=True)]
    pairs += [(a, d, True) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    for argument, default, keyword_only in pairs:
        annotation = argument.annotation.id if isinstance(argument.annotation, ast.Name) else ""
        kind = {"Tensor": "tensor", "Tensors": "tensors", "Scalar": "scalar"}.get(annotation, "plain")
        if argument.arg in formulas and kind != "tensors":
            kind = "grad"
        value = inspect.Parameter.empty if default is None else ast.literal_eval(default)
        parameters.append(Parameter(argument.arg, kind, value, keyword_only))
    return parameters


def op(
    signature: str,
    node: str | None,
    forward: str | Callable[..., Any],
    *,
    promote: str = "",
    real: str = "",
    view: bool = False,
    outputs: str = "",
    inplace: bool = True,
    says: str = "",
    tex: str | None = None,
    together: tuple[str, str] | None = None,
    numbers: bool = True,
    bools: bool = True,
    **formulas: str,
) -> Callable[..., Any]:
    """Declare an op; returns its call. See the module's docstring for the row."""
    made = Op(
        signature, node, forward, formulas,
        promote=promote, real=real, view=view, outputs=outputs, inplace=inplace, says=says, tex=tex,
        together=together, numbers=numbers, bools=bools,
    )
    made.group = sys._getframe(1).f_globals["__name__"].rpartition(".")[2]
    assert made.identifier not in OPS, f"{made.identifier} is declared twice"
    OPS[made.identifier] = made
    NUMPY[made.identifier] = made.kernel
    GRAPH[made.identifier] = made.call
    return made.call


def rule(function: F) -> F:
    """A named piece of a formula: statements where an expression is not enough.

    It is given numpy values or Tensors, and calls ops by their `call`, which take both. As in a formula, its operators
    with numbers are PyTorch's scalar overloads when the gradient is recorded.
    """
    recorded = _recorded(function)
    NUMPY[function.__name__] = function
    GRAPH[function.__name__] = recorded

    @functools.wraps(function)
    def either(*args: Any, **kwargs: Any) -> Any:
        tensors = any([isinstance(value, Tensor) for value in args])
        return (recorded if tensors else function)(*args, **kwargs)

    return either  # type: ignore[return-value]


def _recorded(function: F) -> F:
    """The same function with the operators of a recorded formula."""
    definition = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list = []
    tree = ast.parse(f"def make({', '.join(OPERATORS)}): return {definition.name}")
    tree.body[0].body.insert(0, _Scalars(set(), set()).visit(definition))  # type: ignore[attr-defined]
    scope: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(tree), f"<recorded {function.__name__}>", "exec"), function.__globals__, scope)
    return scope["make"](**OPERATORS)  # type: ignore[no-any-return]


def kernel(function: F) -> F:
    """A named numpy function that forward texts may call."""
    NUMPY[function.__name__] = function
    return function
