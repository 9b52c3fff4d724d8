"""Random uses of PyTorch's names print what they printed under torch, but for those that are known to differ."""

import json
from pathlib import Path

import pytest

import engine
from tests.engine.random_uses import source, statements

RECORDED = json.loads((Path(__file__).parent / "data" / "random_uses.json").read_text())
DIFFERENT: dict[str, set[str]] = {"88": {"F.unfold(k,2)"}, "134": {"torch.linalg.vector_norm(z,-1,0)"}}
"""By seed, statements that print something else: strides of gradients and of tensors without elements, mostly."""


@pytest.mark.parametrize("seed", RECORDED)
def test_random_uses_print_what_torch_printed(seed: str) -> None:
    document = engine.run(code=source(int(seed)), seed=1).document
    assert document["error"] is None
    pairs = list(zip(RECORDED[seed], statements(document["stdout"]), strict=True))
    differ = {theirs.splitlines()[0].removeprefix("$ ") for theirs, ours in pairs if theirs != ours}
    assert differ == DIFFERENT.get(seed, set()), [pair for pair in pairs if pair[0] != pair[1]]
