"""Ops that answer rather than compute: comparisons, tests, logic, positions, counts. None of them has a gradient."""

from __future__ import annotations

from functools import partial

from engine import errors
from engine.batching import rules
from engine.codegen.op import op, pointwise
from engine.kernels.compare import (
    bincount_kernel,
    heaviside_kernel,
    heaviside_types,
    histc_kernel,
    isclose_kernel,
    nonzero_kernel,
    one_hot_kernel,
    unravel_kernel,
)

_SAYS = "true or false has no gradient: the graph ends here"
for _name, _symbol in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    _refused = {} if _name in ("eq", "ne") else {"c": f"{_name}_cpu"}  # complex numbers have no order
    pointwise(
        f"{_name}(self: Tensor, other: Tensor)", None, f"self {_symbol} other", promote="self other", says=_SAYS,
        refuses=_refused, returns_bool=True, compares_arrays=_name == "eq",
    )

_WRITTEN = "true or false does not depend on what was there: its derivative is 0"
for _name, _symbol in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    _refused = {} if _name in ("eq", "ne") else {"c": f"{_name}_cpu"}
    pointwise(
        f"{_name}_.Scalar(self, other: Scalar)", f"{_name.capitalize()}Backward0", f"self {_symbol} other",
        self="new_zeros(g, g.shape)", says=_WRITTEN, refuses=_refused, returns_bool=True,
    )
    pointwise(
        f"{_name}_.Tensor(self, other)", f"{_name.capitalize()}Backward1", f"self {_symbol} other",
        promote="self other", self="new_zeros(g, g.shape)", other="new_zeros(g, other.shape)", says=_WRITTEN,
        refuses=_refused, returns_bool=True,
    )

pointwise("isnan(self: Tensor)", None, "test_kernel(self, 'isnan')", inplace=False, says=_SAYS, sparse=True)
pointwise("isinf(self: Tensor)", None, "test_kernel(self, 'isinf')", inplace=False, says=_SAYS, sparse=True)
pointwise("isfinite(self: Tensor)", None, "test_kernel(self, 'isfinite')", inplace=False, says=_SAYS, cost=20)
for _name, _sign in (("isposinf", ">"), ("isneginf", "<")):
    pointwise(
        f"{_name}(self: Tensor)", None, f"test_kernel(self, 'isinf') & (self {_sign} 0)", inplace=False, says=_SAYS,
        refuses={"c": "{op} does not support complex inputs."},
    )
pointwise(
    "isreal(self: Tensor)", None, "self.imag == 0 if self.dtype.kind == 'c' else self == self.real", inplace=False,
    says=_SAYS,
)
pointwise(
    "signbit(self: Tensor)", None, "np.signbit(self) if self.dtype.kind == 'f' else self < 0", inplace=False,
    says=_SAYS, refuses={"c": "signbit is not implemented for complex tensors."},
)
pointwise(
    "isclose(self: Tensor, other: Tensor, rtol=1e-05, atol=1e-08, equal_nan=False)", None, isclose_kernel,
    inplace=False, says=_SAYS, broadcasts=True, cost=8, memory_format="preserve", opmath="bfloat16",
)

for _name in ("and", "or", "xor"):
    pointwise(
        f"bitwise_{_name}(self: Tensor, other: Tensor)", None,
        f"bits_kernel(self, other, 'bitwise_{_name}', 'bitwise_{_name}')", promote="self other", says=_SAYS,
    )
    pointwise(
        f"logical_{_name}(self: Tensor, other: Tensor)", None, f"np.logical_{_name}(self, other)", says=_SAYS,
        broadcasts=True, memory_format="preserve", overwrites_leaves=True,
    )
for _name in ("left", "right"):
    pointwise(
        f"bitwise_{_name}_shift(self: Tensor, other: Tensor)", None,
        f"bits_kernel(self, other, '{_name}_shift', '{_name[0]}shift')", promote="self other", says=_SAYS,
    )
pointwise("bitwise_not(self: Tensor)", None, "invert_kernel(self)", says=_SAYS)
pointwise("logical_not(self: Tensor)", None, "np.logical_not(self)", says=_SAYS, overwrites_leaves=True)
for _name in ("gcd", "lcm"):
    pointwise(
        f"{_name}(self: Tensor, other: Tensor)", None, f"bits_kernel(self, other, '{_name}', '{_name}')",
        promote="self other", says=_SAYS, cost=50, refuses={"b": f"{_name}_cpu"},
    )

pointwise(
    "heaviside(self, values)", "NotImplemented", heaviside_kernel, self="underivable('heaviside')",
    values="underivable('heaviside')", says="PyTorch has no gradient for it", broadcasts=True, cost=50,
    memory_format="preserve", refuses={"c": "heaviside is not yet implemented for complex tensors."},
    inplace_broadcast=heaviside_types,
)

for _name in ("all", "any"):
    op(f"{_name}(self: Tensor, dim=None, keepdim=False)", None, f"all_any_kernel(self, '{_name}', dim, keepdim)",
       inplace=False, says=_SAYS, vmap=rules.over, cost=20, memory_format="contiguous")

_POSITIONS = "a position is a whole number and has no gradient: the graph ends here"
op("argmax(self: Tensor, dim=None, keepdim=False)", None, "arg_kernel(self, 'argmax', dim, keepdim)", inplace=False,
   says=_POSITIONS, vmap=rules.over, cost=8, memory_format="contiguous",
   refuses={"c": "argmax(): does not support complex input"}, opmath="bfloat16")
op("argmin(self: Tensor, dim=None, keepdim=False)", None, "arg_kernel(self, 'argmin', dim, keepdim)", inplace=False,
   says=_POSITIONS, vmap=rules.over, cost=8, memory_format="contiguous",
   refuses={"c": "argmin(): does not support complex input"}, opmath="bfloat16")

op("nonzero(self: Tensor)", None, nonzero_kernel, inplace=False, says=_POSITIONS,
   vmap_error=partial(errors.vmap_dynamic, "nonzero"), cost=50)
op("count_nonzero(self: Tensor, dim=None)", None, "count_kernel(self, dim)", inplace=False, says=_POSITIONS,
   vmap=rules.over, cost=20, memory_format="contiguous")

op("unravel_index(indices: Tensor, shape)", None, unravel_kernel, outputs="*", inplace=False, says=_POSITIONS, cost=150)

op("searchsorted(sorted_sequence: Tensor, self: Tensor, *, out_int32=False, right=False)", None,
   "searchsorted_kernel(sorted_sequence, self, out_int32, right)", inplace=False, says=_POSITIONS, cost=150,
   refuses={"bc": "searchsorted_out_cpu"}, opmath="bfloat16")
op("searchsorted.Scalar(sorted_sequence: Tensor, self: Scalar, *, out_int32=False, right=False)", None,
   "searchsorted_kernel(sorted_sequence, self, out_int32, right)", inplace=False, says=_POSITIONS, cost=150)

_UNIQUE = "output inverse_indices! counts!"
_UNAVAILABLE = "PyTorch has no gradient for it"
op("_unique2(self)", "Unique2Backward0", "unique_kernel(self)", outputs=_UNIQUE, inplace=False,
   self="unavailable('_unique2')", says=_UNAVAILABLE, vmap_error=partial(errors.vmap_dynamic, "_unique2"), cost=500,
   workspace=8, refuses={"c": "unique"}, opmath="bfloat16")
op("unique_dim(self, dim)", "UniqueDimBackward0", "unique_kernel(self, dim)", outputs=_UNIQUE, inplace=False,
   self="unavailable('unique_dim')", says=_UNAVAILABLE, cost=500, workspace=4, refuses={"c": "unique_dim"},
   opmath="bfloat16")
op("unique_consecutive(self, dim=None)", "UniqueConsecutiveBackward0", "unique_consecutive_kernel(self, dim)",
   outputs=_UNIQUE, inplace=False, self="unavailable('unique_consecutive')", says=_UNAVAILABLE, cost=150, workspace=4,
   opmath="bfloat16")

op("isin(elements: Tensor, test_elements: Tensor, *, assume_unique=False, invert=False)", None,
   "isin_kernel(elements, test_elements, invert)", inplace=False, says=_SAYS, cost=250, workspace=3,
   refuses={"bc": "Unsupported input type encountered for isin(): {type}"}, opmath="bfloat16")

_COUNTS = "a count has no gradient: the graph ends here"
op("bincount(self: Tensor, weights: Tensor = None, minlength=0)", None, bincount_kernel, inplace=False, says=_COUNTS,
   cost=50)
op("histc(self: Tensor, bins=100, min=0, max=0)", None, histc_kernel, inplace=False, says=_COUNTS, cost=150)

op("one_hot(self: Tensor, num_classes=-1)", None, one_hot_kernel, inplace=False, says=_POSITIONS, vmap=rules.same,
   memory_format="contiguous")
