"""Ops that answer rather than compute: comparisons, tests, logic, positions, counts. None of them has a gradient."""

from __future__ import annotations

from engine.codegen.op import op
from engine.kernels.compare import (
    bincount_kernel,
    heaviside_kernel,
    histc_kernel,
    isclose_kernel,
    nonzero_kernel,
    one_hot_kernel,
    unravel_kernel,
)

_SAYS = "true or false has no gradient: the graph ends here"
for _name, _symbol in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    op(f"{_name}(self: Tensor, other: Tensor)", None, f"self {_symbol} other", promote="self other", says=_SAYS)

_WRITTEN = "true or false does not depend on what was there by a slope: the gradient is 0"
for _name, _symbol in (("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")):
    op(f"{_name}_.Scalar(self, other: Scalar)", f"{_name.capitalize()}Backward0", f"self {_symbol} other",
       self="new_zeros(g, g.shape)", says=_WRITTEN)
    op(f"{_name}_.Tensor(self, other)", f"{_name.capitalize()}Backward1", f"self {_symbol} other",
       promote="self other", self="new_zeros(g, g.shape)", other="new_zeros(g, other.shape)", says=_WRITTEN)

# --- tests of each element

for _name in ("isnan", "isinf", "isfinite", "isposinf", "isneginf"):
    _function = "isinf" if _name in ("isposinf", "isneginf") else _name
    _sign = {"isposinf": " & (self > 0)", "isneginf": " & (self < 0)"}.get(_name, "")
    op(f"{_name}(self: Tensor)", None, f"test_kernel(self, {_function!r}){_sign}", inplace=False, says=_SAYS)
op("isreal(self: Tensor)", None, "self.imag == 0 if self.dtype.kind == 'c' else self == self.real", inplace=False,
   says=_SAYS)
op("signbit(self: Tensor)", None, "np.signbit(self) if self.dtype.kind == 'f' else self < 0", inplace=False, says=_SAYS)
op("isclose(self: Tensor, other: Tensor, rtol=1e-05, atol=1e-08, equal_nan=False)", None, isclose_kernel, inplace=False,
   says=_SAYS)

# --- logic and bits

for _name in ("and", "or", "xor"):
    op(f"bitwise_{_name}(self: Tensor, other: Tensor)", None,
       f"bits_kernel(self, other, 'bitwise_{_name}', 'bitwise_{_name}')", promote="self other", says=_SAYS)
    op(f"logical_{_name}(self: Tensor, other: Tensor)", None, f"np.logical_{_name}(self, other)", says=_SAYS)
for _name in ("left", "right"):
    op(f"bitwise_{_name}_shift(self: Tensor, other: Tensor)", None,
       f"bits_kernel(self, other, '{_name}_shift', '{_name[0]}shift')", promote="self other", says=_SAYS)
op("bitwise_not(self: Tensor)", None, "invert_kernel(self)", says=_SAYS)
op("logical_not(self: Tensor)", None, "np.logical_not(self)", says=_SAYS)
for _name in ("gcd", "lcm"):
    op(f"{_name}(self: Tensor, other: Tensor)", None, f"bits_kernel(self, other, '{_name}', '{_name}')",
       promote="self other", says=_SAYS)

op(
    "heaviside(self, values)", "NotImplemented", heaviside_kernel, self="underivable('heaviside')",
    values="underivable('heaviside')", says="PyTorch has no gradient for it",
)

# --- answers about many elements

for _name in ("all", "any"):
    op(f"{_name}(self: Tensor, dim=None, keepdim=False)", None, f"all_any_kernel(self, '{_name}', dim, keepdim)",
       inplace=False, says=_SAYS)

_POSITIONS = "a position is a whole number and has no gradient: the graph ends here"
op("argmax(self: Tensor, dim=None, keepdim=False)", None, "arg_kernel(self, 'argmax', dim, keepdim)", inplace=False,
   says=_POSITIONS)
op("argmin(self: Tensor, dim=None, keepdim=False)", None, "arg_kernel(self, 'argmin', dim, keepdim)", inplace=False,
   says=_POSITIONS)

op("nonzero(self: Tensor)", None, nonzero_kernel, inplace=False, says=_POSITIONS)
op("count_nonzero(self: Tensor, dim=None)", None, "count_kernel(self, dim)", inplace=False, says=_POSITIONS)

op("unravel_index(indices: Tensor, shape)", None, unravel_kernel, outputs="*", inplace=False, says=_POSITIONS)

# --- sorted sequences and sets

op("searchsorted(sorted_sequence: Tensor, self: Tensor, *, out_int32=False, right=False)", None,
   "searchsorted_kernel(sorted_sequence, self, out_int32, right)", inplace=False, says=_POSITIONS)
op("searchsorted.Scalar(sorted_sequence: Tensor, self: Scalar, *, out_int32=False, right=False)", None,
   "searchsorted_kernel(sorted_sequence, self, out_int32, right)", inplace=False, says=_POSITIONS)

for _signature, _node in (
    ("_unique2(self", "Unique2Backward0"),
    ("unique_dim(self, dim", "UniqueDimBackward0"),
    ("unique_consecutive(self, dim=None", "UniqueConsecutiveBackward0"),
):
    _name = _signature.partition("(")[0]
    _kernel = "unique_consecutive_kernel" if "consecutive" in _name else "unique_kernel"
    op(f"{_signature})", _node, f"{_kernel}(self{', dim' if 'dim' in _signature else ''})",
       outputs="output inverse_indices! counts!", inplace=False, self=f"unavailable('{_name}')",
       says="PyTorch has no gradient for it")

op("isin(elements: Tensor, test_elements: Tensor, *, assume_unique=False, invert=False)", None,
   "isin_kernel(elements, test_elements, invert)", inplace=False, says=_SAYS)

# --- counting

_COUNTS = "a count has no gradient: the graph ends here"
op("bincount(self: Tensor, weights: Tensor = None, minlength=0)", None, bincount_kernel, inplace=False, says=_COUNTS)
op("histc(self: Tensor, bins=100, min=0, max=0)", None, histc_kernel, inplace=False, says=_COUNTS)

op("one_hot(self: Tensor, num_classes=-1)", None, one_hot_kernel, inplace=False, says=_POSITIONS)
