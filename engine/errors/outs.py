"""What PyTorch says to a tensor given as `out` that has another dtype than the result."""

from __future__ import annotations

_CAST = "result type {found} can't be cast to the desired output type {given}"
_EXACT = "Expected out tensor to have dtype {found_cpp}, but got {given_cpp} instead"
_FOUND = "Found dtype {given} but expected {found}"
_CAT = "torch.cat(): input types can't be cast to the desired output type {given}"
_DOT = "result dtype {given} does not match input dtype {found}"
_BOOLEAN = "{name} does not support non-boolean outputs."
_REDUCED = "{name} only supports bool tensor for result, got: {given}"
_EXTREME = (
    "Expected the dtype for input and out to match, but got {found} for input's dtype and {given} for out's dtype."
)
_PARTS = "Expected object of scalar type {found} but got scalar type {given} for argument 'out'"
_PLACES = (
    "torch.searchsorted(): output tensor's dtype is wrong, it can only be Int(int32) or Long(int64) depending on"
    " whether out_int32 flag is True, but we got output tensor's dtype {given} and out_int32 flag is {small}"
)
_MEDIAN = (
    "Expected tensor for argument #1 'indices' to have scalar type Long; but got torch.{given}Tensor instead"
    " (while checking arguments for median)"
)

FILLING = frozenset("arange bernoulli empty eye full linspace logspace ones randint randperm range zeros".split())
"""Functions that give `out` their size without a word, and fill it in its own dtype."""

ANY = FILLING | frozenset("cumprod cumsum prod sum geqrf".split())
"""Functions for whose `out` any dtype will do."""

_STRICT: dict[str, str] = {
    **dict.fromkeys(
        "addmm addmv addbmm baddbmm bmm cross gather index_add index_copy index_reduce inverse log_softmax matmul mm"
        " msort mv norm permute_copy renorm scatter scatter_add scatter_reduce slice_scatter softmax take_along_dim"
        " transpose_copy tril triu unsqueeze_copy lu_solve vector_norm inv det solve svdvals eigvalsh argmax argmin"
        " isin max min topk sort aminmax qr slogdet triangular_solve eigh lu_factor ldl_factor inv_ex cholesky_ex svd"
        " lu diag matrix_power".split(),
        _EXACT,
    ),
    **dict.fromkeys(
        "abs absolute ceil conj_physical fix floor frac hardshrink lerp neg negative round sgn sign trunc"
        " bitwise_not".split(),
        _FOUND,
    ),
    **dict.fromkeys("dot vdot".split(), _DOT),
    **dict.fromkeys("isneginf isposinf signbit".split(), _BOOLEAN),
    **dict.fromkeys("all any".split(), _REDUCED),
    **dict.fromkeys("amax amin".split(), _EXTREME),
    **dict.fromkeys("complex polar".split(), _PARTS),
    **dict.fromkeys("bucketize searchsorted".split(), _PLACES),
    **dict.fromkeys(
        "inner tensordot".split(),
        "tensordot: Expected the output tensor to have dtype {found}, but got an output tensor with dtype {given}",
    ),
    **dict.fromkeys("quantile nanquantile".split(), "quantile() out tensor must be same dtype as the input tensor"),
    "take": (
        "take(): self and out expected to have the same dtype, but got self.dtype = {found} and out.dtype = {given}"
    ),
    "index_select": "index_select(): self and result must have the same scalar type",
    "masked_select": "masked_select(): self and result must have the same scalar type",
    "logcumsumexp": "expected scalar_type {found} but found {given}",
    "cummax": "expected scalar_type {found} but found {given}",
    "cummin": "expected scalar_type {found} but found {given}",
    "multinomial": "multinomial expects {found} tensor out, got: {given}",
    "nonzero": "nonzero: Expected out tensor to have scalar type {found} but got scalar type{given}",
    "nan_to_num": "nan_to_num: dtype of out: {given} should be same as input: {found}",
    "heaviside": "heaviside is not yet implemented for tensors with different dtypes.",
    "histc": (
        "torch.histogram: input tensor and hist tensor should have the same dtype, but got input {found_cpp} and hist"
        " {given_cpp}"
    ),
    "where": "Expected out type to be {found} but got {given}",
    "multi_dot": "multi_dot(): expected out tensor to have dtype {found_cpp} but got {given_cpp}",
    "solve_triangular": "expected scalar type {found} but found {given}",
    "vecdot": "linalg.vecdot: Expected out of dtype{found} but found {given}",
    "matrix_norm": "linalg.matrix_norm expected out tensor dtype {found} but got: {given}",
    "linalg.norm": "linalg.norm expected out tensor dtype {found} but got: {given}",
}
"""What functions say whose `out` must have the dtype of the result."""

_NEXT: dict[str, tuple[str, ...]] = {
    "kthvalue": ("output values must be of same type as input", "output indices must be of scalar type Long"),
    "mode": (
        "expected scalar type '{found}' but got '{given}' for values output",
        "expected scalar type '{found}' but got '{given}' for indices output",
    ),
    "frexp": (
        "torch.frexp() expects mantissa to have dtype {found_cpp} but got {given_cpp}",
        "torch.frexp() expects exponent to have int dtype but got {given_cpp}",
    ),
    "median": (_CAST, _MEDIAN),
    "nanmedian": (_CAST, _MEDIAN),
}
"""The same of functions with several results that have words of their own for each."""

_SAFELY = "Expected result to be safely castable from {found} dtype, but got result with dtype {given}"
_CASTING: dict[str, str] = {
    **dict.fromkeys("cat concat concatenate column_stack dstack hstack row_stack stack vstack".split(), _CAT),
    **dict.fromkeys(
        "logsumexp".split(), "logsumexp(): Expected floating point type for result tensor, but got: {given}"
    ),
    **{name: f"{name}: {_SAFELY}" for name in "cholesky cholesky_inverse cholesky_solve tensorsolve tensorinv".split()},
    **{name: f"linalg.{name}: {_SAFELY}" for name in ("pinv", "cond")},
    "householder_product": f"torch.linalg.householder_product: {_SAFELY}",
    "eigvals": (
        "torch.linalg.eigvals: Expected eigenvalues to be safely castable from {found} dtype, but got eigenvalues with"
        " dtype {given}"
    ),
    "float_power": (
        "the output given to float_power has dtype {given} but the operation's result requires dtype {found}"
    ),
}
"""What functions say whose result must be castable to the dtype of `out`, if not the usual."""


def out_must_match(name: str, place: int) -> bool:
    """Whether the result of a function at this place must have the very dtype of its `out`."""
    return name in _STRICT or place < len(_NEXT.get(name, ())) and _NEXT[name][place] is not _CAST


def out_dtype(name: str, place: int, found: tuple[str, str], given: tuple[str, str]) -> Exception:
    """The result number `place` of a function and its `out` do not fit; dtypes as PyTorch and as C++ name them."""
    words = _NEXT.get(name, ())
    text = words[place] if place < len(words) else _STRICT.get(name) or _CASTING.get(name, _CAST)
    filled = text.format(
        name=name, found=found[0], given=given[0], found_cpp=found[1], given_cpp=given[1], small=found[0] == "Int"
    )
    return TypeError(filled) if text is _CAT else RuntimeError(filled)
