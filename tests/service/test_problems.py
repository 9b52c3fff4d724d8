"""Problems come from one table, which the tree, the pages and the API description all agree with."""

from __future__ import annotations

import html
import json
import re

import httpx
import pytest

import app.problems as problems
from app.config import PROJECT
from app.problems import KINDS, Problem


def test_the_tree_in_the_module_names_exactly_the_kinds() -> None:
    assert set(re.findall(r"[a-z]+(?:-[a-z]+)+|busy", problems.__doc__ or "")) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_a_kind_says_what_to_do(kind: problems.Kind) -> None:
    assert 400 <= kind.status < 600
    assert kind.title[0].isupper() and not kind.title.endswith(".")
    assert kind.fix[0].isupper() and kind.fix.endswith(".")
    body = json.loads(Problem(kind, "Something.", limit=3).body("/x", "id"))
    assert body["type"].endswith(kind.slug) and body["status"] == kind.status and body["limit"] == 3


def test_every_kind_is_used() -> None:
    source = "".join(path.read_text("utf-8") for path in (PROJECT / "app").rglob("*.py"))
    for name, value in vars(problems).items():
        if isinstance(value, problems.Kind):
            assert len(re.findall(rf"\b{name}\b|\"{value.slug}\"", source)) > 2, name


@pytest.mark.parametrize("slug", KINDS)
def test_the_address_in_type_is_a_page(fake: httpx.Client, slug: str) -> None:
    page = fake.get(f"/problems/{slug}")
    assert page.status_code == 200 and KINDS[slug].title in html.unescape(page.text)


def test_a_problem_holds_only_text_that_json_can(fake: httpx.Client) -> None:
    body = Problem(problems.BUSY, "x", limit=float("inf")).body("/a" * 1000)
    assert len(json.loads(body)["instance"]) == 200 and json.loads(body)["limit"] == "Infinity"
