"""A part of what there is to try: of a test with many cases every so many.

`make test` tries so much as a change needs while it is made; continuous integration tries all (`--sample 1`).
"""

from __future__ import annotations

import zlib
from collections import defaultdict

import pytest

MANY = 8
"""Cases that a test has to have for some of them to be left out."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--sample", type=int, default=1, metavar="N", help="of a test with many cases, try every Nth (default: all)"
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    every: int = config.getoption("sample")
    if every < 2:
        return
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        cases[item.nodeid.partition("[")[0]].append(item)
    left_out: list[pytest.Item] = []
    for test, of_it in cases.items():
        if len(of_it) >= MANY:
            first = zlib.crc32(test.encode()) % every  # not the first of each: these are the simplest
            left_out += [item for i, item in enumerate(of_it) if i % every != first]
    unwanted = set(left_out)
    items[:] = [item for item in items if item not in unwanted]
    config.hook.pytest_deselected(items=left_out)
