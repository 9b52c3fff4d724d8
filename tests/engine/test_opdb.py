"""Every op of PyTorch's op database: values, gradients, node names and graphs of all recorded samples."""

import pytest

from tests.opdb.replay import keys, replay

INTERNAL = {
    "_batch_norm_with_update", "_native_batch_norm_legit", "_unsafe_masked_index",
    "_unsafe_masked_index_put_accumulate", "native_dropout_backward",
}
"""Ops of PyTorch's compiler, which programs do not call and eager mode does not record."""


@pytest.mark.parametrize("key", [key for key in keys() if key not in INTERNAL])
def test_op_answers_as_recorded_from_torch(key: str) -> None:
    verdict = replay(key)
    assert verdict.cases > 0
    assert (verdict.right, verdict.names, verdict.graphs) == (verdict.cases,) * 3, "\n".join(verdict.why[:5])
