"""Which of numpy's functions programs may call with what `calling.apply` makes of their arguments, by kind."""

from __future__ import annotations

ELEMENTWISE: list[str] = (
    "abs absolute fabs exp exp2 expm1 log log2 log10 log1p sqrt cbrt square reciprocal sin cos tan arcsin arccos arctan"
    " arctan2 sinh cosh tanh arcsinh arccosh arctanh sign floor ceil trunc rint negative positive add subtract multiply"
    " divide true_divide floor_divide power float_power mod remainder fmod maximum minimum fmax fmin hypot heaviside"
    " degrees radians deg2rad rad2deg isnan isinf isfinite logical_and logical_or logical_xor logical_not equal"
    " not_equal less less_equal greater greater_equal conj conjugate logaddexp nan_to_num sinc signbit copysign"
    " isclose angle bitwise_and bitwise_or bitwise_xor bitwise_not invert left_shift right_shift logaddexp2 fix divmod"
    " acos asin atan atan2 cosh acosh asinh atanh pow i0 gcd lcm ldexp isneginf isposinf iscomplex isreal"
    " nextafter vecdot spacing bitwise_invert bitwise_left_shift bitwise_right_shift"
).split()
REDUCTIONS: list[str] = (
    "sum mean std var min max amin amax argmin argmax prod median average cumsum cumprod all any nansum nanmean nanmax"
    " nanmin nanstd count_nonzero ptp percentile quantile diff trace linalg.norm linalg.det argsort sort unique"
    " array_equal allclose round around clip squeeze ravel reshape transpose expand_dims flip fliplr flipud roll"
    " swapaxes moveaxis diagonal triu tril where concatenate stack vstack hstack dstack column_stack append nonzero"
    " argwhere searchsorted take split array_split interp polyfit polyval gradient trapezoid cross copy atleast_1d"
    " atleast_2d ndim shape size linalg.inv linalg.solve linalg.eigvals linalg.eigvalsh linalg.matrix_rank linalg.pinv"
    " linalg.cholesky linalg.eig linalg.eigh linalg.svd linalg.qr digitize bincount isin real imag"
    " linalg.slogdet linalg.cond linalg.lstsq linalg.matrix_power nanargmax nanargmin nanvar nanmedian nanprod"
    " nancumsum nanpercentile nanquantile flatnonzero delete insert rot90 union1d intersect1d setdiff1d setxor1d"
    " partition argpartition lexsort take_along_axis compress extract select unravel_index ravel_multi_index cov"
    " corrcoef histogram histogram2d histogram_bin_edges tensordot correlate pad vander tri tril_indices triu_indices"
    " diag_indices rollaxis hsplit vsplit dsplit ediff1d geomspace indices atleast_3d modf frexp unwrap"
    " iscomplexobj isrealobj shares_memory may_share_memory array_equiv fft.fft fft.ifft fft.rfft fft.irfft fft.fft2"
    " fft.rfft2 fft.irfft2 fft.rfftn fft.irfftn"
    " fft.ifft2 fft.fftn fft.ifftn fft.fftfreq fft.rfftfreq fft.fftshift fft.ifftshift hanning hamming blackman"
    " bartlett trim_zeros cumulative_sum concat permute_dims matrix_transpose diagflat packbits unpackbits resize"
    " real_if_close linalg.vector_norm linalg.matrix_norm linalg.matrix_transpose linalg.cross linalg.diagonal"
    " linalg.trace linalg.outer linalg.svdvals linalg.matmul linalg.vecdot linalg.tensordot linalg.tensorsolve"
    " linalg.tensorinv nancumprod unique_all unique_counts unique_inverse unique_values kaiser cumulative_prod"
    " sort_complex"
).split()
RETURNS_TENSORS = frozenset({
    *ELEMENTWISE,
    *"argmin argmax cumsum cumprod argsort round around squeeze transpose ptp clip reshape matmul".split(),
}) - set("isclose nan_to_num sinc angle i0 iscomplex".split())
"""Functions that give a tensor for a tensor: numpy hands their result back to whom it came from."""
PRODUCTS = "dot matmul inner outer vdot kron convolve".split()
KEYWORDS = frozenset(
    "axis keepdims ddof decimals a_min a_max min max n m k p q x y a b ord axes shape reps repeats mode rtol atol"
    " equal_nan return_index return_counts return_inverse side bins weights deg nan posinf neginf start stop step"
    " source destination initial prepend append method full_matrices full cov fill_value obj arr values base where_"
    " rowvar bias fweights aweights density range pad_width constant_values kth indices condlist choicelist default"
    " dims order N increasing rcond assume_unique return_counts left right correction returned stable sorted sorter"
    " edge_order dx axisa axisb axisc UPLO hermitian upper compute_uv minlength invert tol return_indices sparse trim"
    " bitorder w stat_length end_values reflect_type subok"
    " ind beta include_initial period discont num endpoint norm d s kind new_shape M casting offset axis1"
    " axis2".split()
)
MASKED = frozenset(
    "sum mean std var min max amin amax prod any all nansum nanmean nanstd nanvar nanmin nanmax".split()
)
"""Reductions of the elements `where` a mask says so."""
