"""What computing costs: nanoseconds of CPU, in steps of fuel that each pay for `STEP` of them.

Ops charge before they compute: for the elements of their largest operand, or of their result where broadcasting makes
it larger, at the `cost` that its row names; so do their gradients. The rates are measured: what an element costs on one
core at a million elements, on the slowest path. Small operands are free beyond the op's own step, which takes one
comparison to see. What is proportional to something else (the flops of a product, the words of a random stream) is
charged by the kernel that does it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.limits import meter

if TYPE_CHECKING:
    from engine.codegen.call import Emitter

STEP = 4_000
"""Nanoseconds that one step pays for."""

USUAL = 2
"""Nanoseconds an element of an op whose row names no `cost`."""

COPIED, READ, WRITTEN = 8, 20, 50
"""Nanoseconds of an element that is copied, and of one that is read or written where an index says."""

POWER = 50
"""Nanoseconds of a power that no multiplications give, beyond what its op costs: as of small or negative numbers."""

LARGE, TAKEN = 1 << 20, 2
"""Bytes of an operand from which on there must be room for so many times as much while an op runs: its result, and what
it computes on the way."""
_FREE = 3 * STEP
_SLOW = {"e": 4, "E": 4, "F": 4, "D": 4}
"""How much longer types of 16 bits and complex numbers take."""
_VECTORISED = 8
"""Nanoseconds up to which an op's loops are vectorised: single precision takes half of the time of double."""
ndarray = np.ndarray


def unnoticed(ns: int) -> int:
    """How many elements of `ns` nanoseconds an op computes for the step that it costs anyway."""
    return min(_FREE // ns, 2048)


def broadcasts(op: Emitter) -> bool:
    """Whether an op computes as many elements as its operands have when they are broadcast together."""
    if op.broadcasts is not None:
        return op.broadcasts
    return op.pointwise and len(op.promote) > 1


def code(op: Emitter) -> list[str]:
    """Code of a call that charges for large operands `x_` before anything is computed."""
    if op.view:
        return []
    operands = [p.name + "_" for p in op.parameters if p.kind in ("grad", "tensor")]
    if op.gathers:
        operands.remove("self_")
    lists = [p.name + "_" for p in op.parameters if p.kind == "tensors"]
    few, ns = unnoticed(op.cost), op.cost
    lines = [f"    work_list({ns}, {n})" for n in lists]
    if operands:
        broadcast = broadcasts(op)
        few = min(few, 128) if broadcast and len(operands) > 2 else few
        large = " or ".join(f"type({n}) is ndarray and {n}.size > {few}" for n in operands)
        function = "work_together" if broadcast else "work"
        if op.workspace:
            lines.append(f"    if {large}: take({op.workspace}, {', '.join(operands)})")
        lines.append(f"    if {large}: {function}({ns}, {', '.join(operands)})")
    return lines


def gradient_code(op: Emitter, many: bool) -> list[str]:
    """Code of a vjp on numpy values that charges for what it costs, and for a large gradient `g`."""
    if op.view:
        return []
    few, ns = unnoticed(op.cost), op.cost
    lines = [f"    charge_steps({op.backward_cost})"] if op.backward_cost else []
    if many:
        return [*lines, f"    work_list({ns}, g)"]
    if op.workspace:
        lines.append(f"    if type(g) is ndarray and g.size > {few}: take({op.workspace}, g)")
    return [*lines, f"    if type(g) is ndarray and g.size > {few}: work({ns}, g)"]


def factored_code(op: Emitter, many: bool, saved: Iterable[str]) -> list[str]:
    """Code of a vjp on numpy values that charges for the products of large matrices."""
    if not op.matmul_backward:
        return []
    return [f"    work_products({', '.join(['*g' if many else 'g', *[name + '_' for name in saved]])})"]


def products(*operands: Any) -> None:
    """Charge the products with large matrices that a gradient consists of."""
    for x in operands:
        if type(x) is ndarray and x.ndim > 1 and x.size > 256:
            rows, columns = x.shape[-2:]
            meter.product(rows, columns, max(rows, columns), x.dtype, 4 * x.size // (rows * columns))


def _price(ns: int, char: str) -> int:
    """Nanoseconds an element of a dtype."""
    if char == "f":
        return ns >> 1 if ns <= _VECTORISED else ns
    return ns * _SLOW.get(char, 1)


def take(times: int, *operands: Any) -> None:
    """Look whether there is room for so many times the largest array. Raises LimitExceeded."""
    largest = max([x.nbytes for x in operands if type(x) is ndarray], default=0)
    if largest > LARGE:
        meter.room(times * largest)


def work(ns: int, *operands: Any) -> None:
    """Charge `ns` nanoseconds for every element of the largest array."""
    if meter.limits is None:
        return
    most = largest = 0
    for x in operands:
        if type(x) is ndarray:
            cost = x.size * _price(ns, x.dtype.char)
            if cost > most:
                most = cost
            if x.nbytes > largest:
                largest = x.nbytes
    if largest > LARGE:
        meter.room(TAKEN * largest)
    meter.charge(most // STEP)


def gathered(ns: int, elements: int, dtype: Any) -> None:
    """Charge an op that `gathers` for the elements that it reads and for their memory."""
    meter.allocate(elements, dtype.itemsize)
    if elements > unnoticed(ns):
        meter.charge(elements * _price(ns, dtype.char) // STEP)


def work_together(ns: int, *operands: Any) -> None:
    """The same for arrays that are broadcast together: LimitExceeded when the result would be too large."""
    if meter.limits is None:
        return
    shape: tuple[int, ...] | None = None
    size = 0
    width = 1
    single = True
    for x in operands:
        if type(x) is ndarray:
            if shape is None:
                shape = x.shape
            elif x.shape != shape:
                try:
                    shape = np.broadcast_shapes(shape, x.shape)
                except ValueError:
                    return  # the op says so in PyTorch's words
            if x.size > size:
                size = x.size
            width = max(width, x.itemsize)
            ns *= _SLOW.get(x.dtype.char, 1)
            single = single and x.dtype.char == "f"
    result = 1
    for extent in shape or ():
        result *= extent
    if result > size:
        meter.reserve(result, width)
        size = result
    if size * width > LARGE:
        meter.room(TAKEN * size * width)
    meter.charge(size * (_price(ns, "f") if single else ns) // STEP)


def work_list(ns: int, operands: Iterable[Any]) -> None:
    """The same for the arrays of a list, all of them; each costs something by itself."""
    if meter.limits is None:
        return
    cost = count = taken = 0
    for x in operands:
        count += 1
        if type(x) is ndarray:
            cost += x.size * (_price(ns, "f") if x.dtype.char == "f" else ns)
            taken += x.nbytes
    if taken > LARGE:
        meter.room(TAKEN * taken)
    if count > 8 or cost > 512 * ns:
        meter.charge((cost + count * STEP // 2) // STEP)


def charge(count: int, ns: int) -> None:
    """Charge for `count` things that take `ns` nanoseconds each."""
    meter.charge(count * ns // STEP)
