"""Random programs of views, writes and ops print what they printed under torch."""

import json
from pathlib import Path

import pytest

import engine.torch
from tests.engine.random_programs import printed, source

RECORDED = json.loads((Path(__file__).parent / "data" / "random_programs.json").read_text())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", RECORDED)
def test_a_random_program_prints_what_torch_printed(seed: str) -> None:
    assert printed(source(int(seed)), engine.torch) == RECORDED[seed]
