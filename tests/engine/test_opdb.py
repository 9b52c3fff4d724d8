"""Every op of PyTorch's op database: values, dtypes, gradients, node names and graphs of all recorded samples."""

import pytest

from tests.opdb.replay import CLOSE, keys, replay

INTERNAL = {
    "_batch_norm_with_update",
    "_native_batch_norm_legit",
    "_unsafe_masked_index",
    "_unsafe_masked_index_put_accumulate",
    "native_dropout_backward",
}
"""Ops of PyTorch's compiler, which programs do not call and eager mode does not record."""

EXCUSED = {
    "float32": {
        "linalg.eig": "a vector of length 1 has no sign of its own",
        "linalg.householder_product": "its gradient divides by what rounding left of a difference",
    },
    "bfloat16": {
        "cross": "a difference of products that PyTorch rounds first, too",
        "linalg.cross": "the same",
        "grid_sampler_2d": "PyTorch rounds after each step of the interpolation",
        "nn.functional.grid_sample": "the same",
        "matrix_exp": "PyTorch's polynomials overflow",
        "special.i1": "PyTorch has no gradient in bfloat16",
        "special.i1e": "the same",
    },
}
"""Ops whose results differ by more than a rounding."""

RECORDED = [
    (dtype, key)
    for dtype in CLOSE
    for key in keys(dtype=dtype)
    if key not in INTERNAL and key not in EXCUSED.get(dtype, ())
]


@pytest.mark.parametrize(("dtype", "key"), RECORDED, ids=["-".join(pair) for pair in RECORDED])
def test_op_answers_as_recorded_from_torch(dtype: str, key: str) -> None:
    verdict = replay(key, dtype)
    assert verdict.cases > 0
    assert (verdict.right, verdict.names, verdict.graphs) == (verdict.cases,) * 3, "\n".join(verdict.why[:5])
