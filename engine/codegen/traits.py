"""What a row says of its op beside what it computes: cost, memory format, batching, autocast, in-place writes.

Each is a keyword of the row, left out where the default holds. What runs an op reads them here and knows no op by name:
a row means the same in every file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from engine.costs import USUAL


class Traits:
    """The traits of an op, with their defaults."""

    pointwise: bool = False
    """PyTorch's tag: each element of the result is made of those in its place. Rows of `pointwise(…)` have it."""

    # What it costs (docs/limits.md)
    cost: int = USUAL
    """Nanoseconds an element."""
    backward_cost: int = 0
    """Steps that a gradient costs beside its node's: a step is some 8 microseconds."""
    workspace: int = 0
    """How many times its largest operand it takes in memory while it runs, if that is more than usual."""
    broadcasts: bool | None = None
    """Whether it computes as many elements as its operands have when they are broadcast together; None: where it is
    pointwise and promotes several."""
    gathers: bool = False
    """It reads the elements of `self` that an index names, and no others; its kernel charges for those."""
    matmul_backward: bool = False
    """Its gradient consists of products of the matrices that it was made of."""

    # How results lie in memory (engine/codegen/memory_format.py)
    memory_format: str = ""
    """Of the result: `contiguous`; `preserve`, like the first operand, as what promotes several operands does anyway;
    `preserve_self`, never like the second; `channels_last`, where the first operand has it, or those named after it."""
    formula_format: str = ""
    """The same where a formula of a gradient calls the op."""
    gradient_format: str = ""
    """Operands whose gradients lie like what arrives, whatever the other operands look like."""
    gradient_follows: Literal["", "factor", "operands"] = ""
    """What else decides: the other `factor`, or both `operands`."""

    # Types of elements (engine/codegen/dtype_checks.py)
    refuses: dict[str, str] = {}
    """Kinds of elements that the kernel does not take, and what PyTorch says then."""
    refuses_inplace: dict[str, str] = {}
    """The same for the in-place form alone."""
    dim_first: bool = False
    """It looks at its `dim` before it looks at the type."""
    complex_grad: bool = True
    """Whether PyTorch differentiates it for complex numbers."""
    converts: str = ""
    """Numbers that it converts to the type of its first operand."""
    converts_to: Literal["scalar_t", "opmath_t", "double"] = "scalar_t"
    """What the kernel has such a number in: ATen's `scalar_t`, `opmath_t`, or `double`."""
    wrapped_number: Literal["", "factors", "quotient", "kept"] = ""
    """How a number is promoted against half precision: kept in float32 as one of the `factors` or in a `quotient`, or
    `kept` as it is."""
    opmath: Literal["", "bfloat16", "half"] = ""
    """Types for which it computes in float32 and rounds once, not after each step: `bfloat16`, or `half`, both."""
    divides: dict[str, str] = {}
    """Input → the operand that a number is divided by in its gradient, in its own type: it cannot be a whole number."""
    subtracts: dict[str, str] = {}
    """Input → the operand that its gradient computes a difference of, which PyTorch refuses of bools."""
    returns_bool: bool = False
    """It is a comparison: its result can be written to any type."""
    autocast: Literal["", "lower_precision_fp", "fp32"] = ""
    """The policy of a region of mixed precision: `lower_precision_fp` or `fp32`."""

    # Complex numbers (engine/core/complex.py)
    wirtinger: bool = False
    """Its formulas are conjugate Wirtinger derivatives as they stand, not meant for real numbers."""
    handle_r_to_c: bool = True
    """Whether a real input gets the real part of a complex gradient; PyTorch refuses the gradient of the others."""
    says_of_complex: str = ""
    """What the row says of complex numbers, where that is something else."""
    fused_backward: bool = False
    """PyTorch computes its gradient at one go, though the formula has several steps."""

    # What PyTorch makes of it
    gradient_omits: tuple[str, str] = ("", "")
    """An option that, not negative, takes something out of the gradient that the result depends on; and what."""
    sparse: bool = False
    """Its kernel takes sparse operands, or refuses them in PyTorch's words."""
    composed: bool = False
    """PyTorch composes it of a new tensor, which no mode made, and a copy into it."""
    conj_view: bool = False
    """To PyTorch it is a view, which only remembers that its numbers are to be conjugated."""
    storage_view: bool = False
    """A view of memory, whatever the tensor looks like."""
    swapped: bool = False
    """PyTorch calls another op with the operands the other way round, which its errors show."""
    compares_arrays: bool = False
    """As an operator it compares a tensor with an array."""

    # Vmap (engine/batching/rules.py)
    vmap: Callable[..., Any] | None = None
    """The batching rule; None: element by element if it is pointwise, else entry by entry."""
    keeps_bdim: bool | None = None
    """Whether the dimension that is mapped stays where it is; None: where it is pointwise and takes one tensor."""
    vmap_inplace: Callable[..., Any] | None = None
    """The batching rule of the in-place form; None: of `vmap`."""
    vmap_error: Callable[[], Exception] | None = None
    """The error of an op that cannot be batched."""

    # Writing in place (engine/autograd/inplace.py)
    internal_overlap: Literal["", "warn", "allow"] = ""
    """Whether elements that are written may share memory: no, or with a warning (`warn`), or (`allow`) as they get one
    value."""
    overlap: Literal["partial", "any", "none"] = "partial"
    """Which memory its operands must not share with what is written: `partial`, parts of it; `any`; or `none`, they may
    share any."""
    memory_last: bool = False
    """Shapes and types are looked at before memory that is shared."""
    overwrites_leaves: bool = False
    """PyTorch lets it overwrite any tensor."""
    copies: bool = False
    """It writes what its operand holds, in the type of what is written."""
    inplace_grad: bool = True
    """Whether PyTorch differentiates the in-place form of an op that it differentiates."""
    inplace_check: Callable[[dict[str, Any]], None] | None = None
    """Refuses operands by their sizes before anything else is looked at."""
    inplace_broadcast: Callable[[dict[str, Any]], bool] | None = None
    """Asked where what is written to is too small: whether to say so, for another error may come first."""
    names_sizes: bool = False
    """Its error names both sizes where what it computes has another than what it writes."""
    names_cpp_type: bool = False
    """Its error names the type of what it writes as C++ does."""
    fast_inplace: Literal["", "floating", "integral"] = ""
    """`floating`: the result has the type of the operands when those are all of one floating point type; `integral`:
    of int64, too."""


TRAITS = frozenset(Traits.__annotations__)
