"""Every tier-1 op of PyTorch's op database: values, gradients, node names and graphs of all recorded samples."""

import pytest

from tests.opdb.replay import keys, replay


@pytest.mark.parametrize("key", keys(tier=1))
def test_op_answers_as_recorded_from_torch(key: str) -> None:
    verdict = replay(key)
    assert verdict.cases > 0
    assert (verdict.right, verdict.names, verdict.graphs) == (verdict.cases,) * 3, "\n".join(verdict.why[:5])
