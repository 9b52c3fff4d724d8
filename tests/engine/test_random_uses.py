"""Random uses of PyTorch's names print what they printed under torch, but for those that are known to differ."""

import json
from pathlib import Path

import pytest

import engine
from tests.engine.random_uses import source, statements

RECORDED = json.loads((Path(__file__).parent / "data" / "random_uses.json").read_text())
DIFFERENT: dict[str, set[str]] = {
    "0": {"c[4:]"},
    "6": {"torch.linalg.pinv(z)"},
    "22": {"c.unsafe_chunk(1)"},
    "30": {"torch.fft.fft(z,dim=1)"},
    "37": {"torch.linalg.eigvals(m)"},
    "55": {"torch.rot90(e,1,(-1,0))"},
    "57": {"F.lp_pool1d(z,2,2)"},
    "63": {"torch.fft.rfft(v)"},
    "66": {"F.glu(o,0)"},
    "68": {"torch.linalg.pinv(m)"},
    "72": {"torch.fft.rfft(a)"},
    "88": {"F.unfold(k,2)"},
    "134": {"torch.linalg.vector_norm(z,-1,0)"},
    "144": {"F.nll_loss(c,k)"},
    "148": {"y*1j"},
}
"""By seed, statements that print something else: strides of gradients and of tensors without elements, mostly."""


@pytest.mark.parametrize("seed", RECORDED)
def test_random_uses_print_what_torch_printed(seed: str) -> None:
    document = engine.run(code=source(int(seed)), seed=1).document
    assert document["error"] is None
    pairs = list(zip(RECORDED[seed], statements(document["stdout"]), strict=True))
    differ = {theirs.splitlines()[0].removeprefix("$ ") for theirs, ours in pairs if theirs != ours}
    assert differ == DIFFERENT.get(seed, set()), [pair for pair in pairs if pair[0] != pair[1]]
