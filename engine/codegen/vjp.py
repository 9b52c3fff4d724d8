"""Generates the vjp of an op from its row: the gradients of its inputs, on numpy values and on Tensors.

`node.apply.source` shows the code, once it ran.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from engine import costs, errors
from engine.codegen import memory_format
from engine.codegen.call import UNDERIVABLE, Emitter
from engine.codegen.deferred import deferred
from engine.codegen.row import Powers, Rename, Scalars
from engine.core.node import Node, modified
from engine.core.registry import GRAPH, NUMPY
from engine.core.saved_tensors import recover
from engine.core.tensor import Tensor, output_tensor
from engine.core.views import check_version, modified_tensor
from engine.kernels.memory_format import alike
from engine.limits import meter
from engine.types import dtypes
from engine.types.half import factor


def check_list_version(node: Node, index: int, tensors: Sequence[Tensor]) -> None:
    """As `check_version`, for a saved list of tensors."""
    versions: Any = (0,) * len(tensors) if node.versions is None else node.versions[index]
    for tensor, version in zip(tensors, versions, strict=True):
        if tensor._version_counter is not None and tensor._version_counter.n != version:
            modified_tensor(tensor, version, node)


def _check_divisor(value: Any) -> None:
    dtype = getattr(getattr(value, "_array", value), "dtype", None)
    if dtype is not None and dtype.kind in "iub":
        raise errors.inplace_dtype("Float", dtypes.of(dtype).type_name)


def _is_bool(value: Any) -> bool:
    return getattr(getattr(value, "_array", value), "dtype", None) == np.bool_


_VJP_RUNTIME: dict[str, Any] = {
    "Tensor": Tensor,
    "check_version": check_version,
    "check_list_version": check_list_version,
    "modified": modified,
    "recover": recover,
    "output_tensor": output_tensor,
    "every": all,  # in formulas, `all` is the op
    "ndarray": costs.ndarray,
    "alike": alike,
    "is_bool": _is_bool,
    "check_divisor": _check_divisor,
    "subtract_bool": errors.subtract_bool,
    "charge_steps": meter.charge,
    "take": costs.take,
    "work": costs.work,
    "work_products": costs.products,
    "work_list": costs.work_list,
    "factor": factor,
    "HALF": np.dtype(np.float16),
}


class Differentiated(Emitter):
    """The part of an op that writes the code of its backward pass."""

    def _compile_vjp(self, graph: bool) -> Callable[..., Any]:
        """`(node, g, edges) -> gradients`: on numpy values, or on Tensors when the gradient is recorded."""
        base = GRAPH if graph else NUMPY
        base.update(_VJP_RUNTIME)
        write = partial(self._write_vjp, graph)
        return deferred("apply", "node, g, edges", f"<vjp of {self.full_name}>", base, write)

    def _factors(self) -> list[str]:
        """The names in formulas that may be numbers by which a gradient is multiplied."""
        operands = [n for n in self.saved_tensors if self.numbers and n in self.promote]
        return operands + [
            n for n in self.saved_values if self.by_name[n].kind == "scalar" or type(self.by_name[n].default) is float
        ]

    def _write_vjp(self, graph: bool) -> tuple[str, dict[str, Any]]:
        """The source of a vjp, whose names mean what they do in all of them."""
        many = self.variadic or bool(self.outputs) and self.only_output is None
        lines = ["def apply(node, g, edges):", *self._arrived(many)]
        if not graph:
            lines += costs.gradient_code(self, many)
        lines += self._recovered(graph)
        if not graph:
            lines += costs.factored_code(self, many, self.saved_tensors + self.saved_outputs)
        kept = self.saved_values + self.saved_attributes
        if kept:
            lines.append(f"    {', '.join(n + '_' for n in kept)}, = node.args")
        if not graph:
            if not many and (numbers := self._factors()):
                wrapped = ", ".join(f"factor({n}_)" for n in numbers)
                lines.append(f"    if node.dtype is HALF: {', '.join(n + '_' for n in numbers)} = {wrapped}")
        formulas = {p.name: self._formula(p.name, graph) for p in self.inputs}
        first = formulas[self.inputs[0].name]
        if self.node_name == UNDERIVABLE:
            lines.append(f"    return {first}")
        elif self.together is not None:
            lines.append("    wanted = tuple([edge is not None for edge in edges])")
            lines.append(f"    found = {first}")
            lines.append("    return found if None not in edges else [d if w else None for d, w in zip(found, wanted)]")
        elif len(self.inputs) == 1:
            lines.append(f"    return {first}" if self.inputs[0].kind == "tensors" else f"    return ({first},)")
        else:
            lines += self._each(formulas, graph)
        return "\n".join(lines), {}

    def _arrived(self, many: bool) -> list[str]:
        """The gradients of the results, as formulas number them; without any, there are none of the inputs."""
        none = "(None,) * len(edges)"
        if not many:
            return [f"    if g is None: return {none}"]
        lines = [f"    if every([x is None for x in g]): return {none}"]
        ranks = self._ranks()
        if len(ranks) < len(self.outputs):
            places = [f"g[{ranks[i]}]" if i in ranks else "None" for i in range(len(self.outputs))]
            lines.append(f"    g = [{', '.join(places)}]")
        return lines

    def _recovered(self, graph: bool) -> list[str]:
        """Unpack saved tensors under their names in formulas, checked for in-place writes."""
        saved = self.saved_tensors + self.saved_outputs
        if not saved:
            return []
        lines = ["    saved = node.saved", "    if saved is None: saved = recover(node)"]
        lines.append(f"    {', '.join(saved)}, = saved")
        if self.saved_tensors:
            lines.append("    versions = node.versions")
        array = "" if graph else "._array"
        for index, name in enumerate(self.saved_tensors):
            if self.by_name[name].kind == "tensors":
                lines.append(f"    check_list_version(node, {index}, {name})")
                lines.append(f"    {name}_ = {name}" if graph else f"    {name}_ = [t._array for t in {name}]")
                continue
            other = f"{name} is None"
            if self.numbers and name in self.promote:
                other += f" or type({name}) is float or type({name}) is int"
            lines += [
                f"    if type({name}) is not Tensor and ({other}): {name}_ = {name}",
                f"    elif isinstance({name}, Tensor):",
                f"        counter = {name}._version_counter",
                f"        if counter is not None and counter.n != (versions[{index}] if versions else 0):",
                f"            check_version(node, {index}, {name})",
                f"        {name}_ = {name}{array}",
                f"    else: {name}_ = {name}",
            ]
        for name in self.saved_outputs:
            number = self.output_number(name)
            owner = "None" if number is None else "node"
            value = f"output_tensor(value, node, {number}, counter)" if graph else "value"
            lines += [
                f"    if type({name}) is tuple:",
                f"        value, counter, version = {name}",
                f"        if counter.n != version: modified(value, {owner}, {number or 0}, counter, version, node)",
                f"        {name}_ = {value}",
                f"    else: {name}_ = {name}{array}",
            ]
        return lines

    def _formula(self, name: str, graph: bool) -> str:
        """The formula of an input's gradient, in the names of the source."""
        saved, values = self.saved_tensors + self.saved_outputs, self.saved_values
        renames = {n: n + "_" for n in saved + values + self.saved_attributes}
        tree = Rename(renames).visit(ast.parse(ast.unparse(self.trees[name]), mode="eval"))
        if graph:
            promoted = {n + "_" for n in self.promote if self.by_name[n].kind in ("grad", "tensor")}
            tree = Scalars(promoted, {n + "_" for n in values}).visit(tree)
        else:
            tree = Powers().visit(tree)
        return ast.unparse(ast.fix_missing_locations(tree))

    def _each(self, formulas: dict[str, str], graph: bool) -> list[str]:
        """The gradients of several inputs, each computed if it is asked for."""
        edges = {p.name: f"edge_{i}" for i, p in enumerate(self.inputs)}
        lines = [f"    {', '.join(edges.values())} = edges"]
        for name, edge in edges.items():
            if name in self.divides:
                lines.append(f"    if {edge} is not None: check_divisor({self.divides[name]}_)")
            if name in self.subtracts:
                lines.append(f"    if {edge} is not None and is_bool({self.subtracts[name]}_): raise subtract_bool()")
        # PyTorch computes the gradients in alphabetical order, and that orders the nodes of their graph.
        for name, edge in sorted(edges.items()):
            lines.append(f"    d{edge[5:]} = ({formulas[name]}) if {edge} is not None else None")
        if not graph:
            lines += memory_format.gradient_code(self)
        return [*lines, f"    return ({', '.join(f'd{i}' for i in range(len(self.inputs)))})"]
