"""What computing costs: nanoseconds of CPU, in steps of fuel that each pay for `STEP` of them.

Ops charge before they compute: for the elements of their largest operand, or of their result where broadcasting makes
it larger, at the op's rate in `OPS`; so do their gradients. The rates are measured: what an element costs on one core
at a million elements, on the slowest path. Small operands are free beyond the op's own step, which takes one
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
"""Nanoseconds an element of an op that `OPS` does not name."""

_RATES: dict[int, str] = {
    8: (
        "clone to_dtype to_integer sum_dim mean_dim softmax log_softmax"
        " _softmax_backward_data _log_softmax_backward_data _safe_softmax native_layer_norm native_batch_norm"
        " native_group_norm native_layer_norm_backward native_batch_norm_backward where max min amax amin argmax"
        " argmin sigmoid silu gelu mish softplus tanh exp exp2 log sqrt rsqrt erf native_dropout cat stack"
        " constant_pad_nd flip isclose"
    ),
    20: (
        "div_Tensor_mode floor_divide floor_divide_Scalar floor_divide_Scalar_Tensor remainder remainder_Scalar"
        " remainder_Scalar_Tensor fmod fmod_Scalar pow_Tensor_Scalar pow_Tensor_Tensor pow_Scalar cumsum index"
        " gather take index_select masked_fill_Scalar masked_fill_Tensor max_dim min_dim tril triu roll"
        " round_decimals nan_to_num hypot atan2 sgn angle polar log_sigmoid log_sigmoid_backward logit logaddexp"
        " logaddexp2 logsumexp binary_cross_entropy binary_cross_entropy_with_logits sin cos tan asin acos atan"
        " sinh cosh asinh acosh atanh expm1 log1p log2 log10 normal_Tensor_float normal_float_Tensor"
        " normal_Tensor_Tensor bernoulli elu celu rrelu_with_noise count_nonzero all any isfinite as_strided_copy"
        " linalg_vector_norm norm_Scalar norm_ScalarOpt_dim trace renorm lerp_Scalar lerp_Tensor"
    ),
    50: (
        "erfc erfinv special_erfcx digamma ldexp gcd lcm prod prod_dim_int cumprod cummax cummin nonzero"
        " masked_select masked_scatter masked_scatter_backward scatter_src scatter_value scatter_add index_put"
        " _index_put_impl index_add index_copy index_fill_int_Scalar index_fill_int_Tensor put"
        " embedding_dense_backward sinc xlogy xlogy_OtherScalar xlogy_SelfScalar special_xlog1py"
        " special_xlog1py_other_scalar special_xlog1py_self_scalar i0 special_i0e special_i1 special_i1e"
        " special_entr special_ndtri special_log_ndtr nextafter huber_loss smooth_l1_loss multi_margin_loss"
        " bincount linalg_cross logcumsumexp aminmax std var std_mean var_mean frexp copysign heaviside"
    ),
    150: (
        "lgamma scatter_src_reduce scatter_value_reduce scatter_reduce index_reduce searchsorted"
        " searchsorted_Scalar histc unique_consecutive special_modified_bessel_i0 special_modified_bessel_i1"
        " special_bessel_j0 special_bessel_j1 special_bessel_y0 special_bessel_y1 special_modified_bessel_k0"
        " special_modified_bessel_k1 special_scaled_modified_bessel_k0"
        " special_scaled_modified_bessel_k1 special_spherical_bessel_j0 unravel_index"
    ),
    250: ("sort sort_stable argsort topk kthvalue median median_dim nanmedian nanmedian_dim isin mvlgamma"),
    500: (
        "_unique2 unique_dim igamma _standard_gamma _standard_gamma_grad _sample_dirichlet"
        " _dirichlet_grad poisson binomial"
    ),
    1500: ("igammac special_zeta special_zeta_self_scalar special_zeta_other_scalar polygamma special_airy_ai"),
    3000: ("mode"),
}
OPS: dict[str, int] = {name: rate for rate, names in _RATES.items() for name in names.split()}
"""Nanoseconds an element, by op."""

_PAIRED = frozenset("arithmetic pointwise compare special activation gamma masks".split())
"""Groups of ops whose operands are broadcast together where they take a common dtype."""
_ALSO = frozenset(
    "where addcmul addcdiv lerp_Tensor masked_fill_Scalar masked_fill_Tensor logical_and logical_or logical_xor isclose"
    " heaviside complex polar binary_cross_entropy binary_cross_entropy_with_logits mse_loss smooth_l1_loss huber_loss"
    " soft_margin_loss gcd lcm igamma igammac special_zeta nextafter dist normal_Tensor_Tensor".split()
)
"""Further ops that broadcast."""

_PICKED = frozenset("index index_select gather take".split())
"""Ops that read the elements which an index names, and no others: their kernels charge for those (`picked`)."""

_FACTORED = frozenset("decompositions least_squares reflections solve".split())
"""Groups of ops whose gradients are products of the matrices that they were made of."""

_GRADIENTS = {
    name: steps
    for steps, names in {
        1: "_fft_c2c amax amin as_strided baddbmm binary_cross_entropy_with_logits celu cumprod cumsum elu embedding"
        " gather gelu glu huber_loss im2col index index_add index_put index_select masked_fill_Tensor median mvlgamma"
        " native_batch_norm native_group_norm native_layer_norm norm_ScalarOpt_dim polar pow_Tensor_Tensor scatter_add"
        " scatter_src scatter_value sinc smooth_l1_loss sort topk upsample_linear1d upsample_nearest2d var xlogy",
        2: "_cdist_forward _fft_c2r _fft_r2c aminmax atan2 avg_pool2d dist index_copy linalg_pinv"
        " linalg_solve_triangular log_softmax logcumsumexp lu_unpack masked_scatter max_unpool2d max_unpool3d mish"
        " multi_margin_loss nll_loss2d reflection_pad2d replication_pad2d segment_reduce silu sort_stable special_i1e"
        " std std_mean upsample_bilinear2d var_mean",
        4: "_adaptive_avg_pool2d _adaptive_avg_pool3d _linalg_svd _pdist_forward"
        " _scaled_dot_product_flash_attention_for_cpu avg_pool3d convolution index_fill_int_Tensor index_reduce"
        " linalg_cross linalg_qr renorm scatter_reduce triangular_solve upsample_bicubic2d",
        8: "_euclidean_dist _linalg_slogdet cholesky cholesky_solve linalg_cholesky_ex linalg_lstsq linalg_lu_solve"
        " linalg_matrix_exp reflection_pad3d replication_pad3d",
        16: "_linalg_solve_ex _trilinear linalg_eig linalg_householder_product linalg_lu linalg_lu_factor_ex ormqr",
        32: "grid_sampler_3d",
    }.items()
    for name in names.split()
}
"""Steps that a gradient costs beside its node's, by op: a step is some 8 microseconds."""

POWER = 50
"""Nanoseconds of a power that no multiplications give, beyond what its op costs: as of small or negative numbers."""

LARGE, TAKEN = 1 << 20, 2
"""Bytes of an operand from which on there must be room for so many times as much while an op runs: its result, and what
it computes on the way."""
_TAKEN: dict[str, int] = {
    name: times
    for times, names in {
        3: "sort sort_stable argsort topk median_dim nanmedian_dim cummax cummin frexp"
        " isin index where dist lerp_Tensor polar lgamma atan2",
        4: "kthvalue unique_dim unique_consecutive mode scatter_reduce scatter_src_reduce index_reduce nextafter"
        " _sample_dirichlet _standard_gamma _standard_gamma_grad _dirichlet_grad normal_Tensor_Tensor",
        5: "logcumsumexp digamma",
        8: "_unique2",
    }.items()
    for name in names.split()
}
"""The same for ops that take more."""

_FREE = 3 * STEP
_SLOW = {"e": 4, "F": 4, "D": 4, "g": 16}
"""How much longer half precision, long doubles and complex numbers take."""
_VECTORISED = 8
"""Nanoseconds up to which an op's loops are vectorised: single precision takes half of the time of double."""
ndarray = np.ndarray


def rate(identifier: str) -> int:
    """Nanoseconds an element of an op."""
    return OPS.get(identifier, USUAL)


def unnoticed(identifier: str) -> int:
    """How many elements an op computes for the step that it costs anyway."""
    return min(_FREE // rate(identifier), 2048)


def broadcasts(op: Emitter) -> bool:
    """Whether an op computes as many elements as its operands have when they are broadcast together."""
    return op.identifier in _ALSO or len(op.promote) > 1 and op.group in _PAIRED


def code(op: Emitter) -> list[str]:
    """Code of a call that charges for large operands `x_` before anything is computed."""
    if op.view:
        return []
    operands = [p.name + "_" for p in op.parameters if p.kind in ("grad", "tensor")]
    if op.identifier in _PICKED:
        operands.remove("self_")
    lists = [p.name + "_" for p in op.parameters if p.kind == "tensors"]
    few, ns = unnoticed(op.identifier), rate(op.identifier)
    lines = [f"    work_list({ns}, {n})" for n in lists]
    if operands:
        broadcast = broadcasts(op)
        few = min(few, 128) if broadcast and len(operands) > 2 else few
        large = " or ".join(f"type({n}) is ndarray and {n}.size > {few}" for n in operands)
        function = "work_together" if broadcast else "work"
        if op.identifier in _TAKEN:
            lines.append(f"    if {large}: take({_TAKEN[op.identifier]}, {', '.join(operands)})")
        lines.append(f"    if {large}: {function}({ns}, {', '.join(operands)})")
    return lines


def gradient_code(op: Emitter, many: bool) -> list[str]:
    """Code of a vjp on numpy values that charges for what it costs, and for a large gradient `g`."""
    if op.view:
        return []
    few, ns = unnoticed(op.identifier), rate(op.identifier)
    steps = _GRADIENTS.get(op.identifier, 0)
    lines = [f"    charge_steps({steps})"] if steps else []
    if many:
        return [*lines, f"    work_list({ns}, g)"]
    if op.identifier in _TAKEN:
        lines.append(f"    if type(g) is ndarray and g.size > {few}: take({_TAKEN[op.identifier]}, g)")
    return [*lines, f"    if type(g) is ndarray and g.size > {few}: work({ns}, g)"]


def factored_code(op: Emitter, many: bool, saved: Iterable[str]) -> list[str]:
    """Code of a vjp on numpy values that charges for the products of large matrices."""
    if op.group not in _FACTORED:
        return []
    return [f"    work_products({', '.join(['*g' if many else 'g', *[name + '_' for name in saved]])})"]


def powers_code(op: Emitter) -> list[str]:
    """Code of a vjp on numpy values that charges for the powers it computes anew."""
    return ["    work_powers(self_, exponent_)"] if op.identifier in ("pow_Tensor_Scalar", "pow_Tensor_Tensor") else []


def powers(base: Any, exponent: Any) -> None:
    """Charge the power with an exponent less 1, where it is no product or root."""
    if type(exponent) is ndarray or type(base) is ndarray and exponent not in (0, 0.5, 1, 1.5, 2, 3):
        charge(np.broadcast(base, exponent).size, POWER)


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


def picked(identifier: str, elements: int, dtype: Any) -> None:
    """Charge an op of `_PICKED` for the elements that it reads and for their memory."""
    meter.allocate(elements, dtype.itemsize)
    if elements > unnoticed(identifier):
        meter.charge(elements * _price(rate(identifier), dtype.char) // STEP)


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
