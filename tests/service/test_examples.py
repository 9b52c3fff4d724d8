"""The menu of examples is complete and in order."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import httpx
import pytest

from app.examples import FOLDER, load_examples

MENU = load_examples().menu


def test_every_program_is_in_the_menu_once() -> None:
    listed = [example.id for example in MENU.examples]
    assert sorted(listed) == sorted(path.stem for path in (FOLDER / "programs").glob("*.py"))


def test_the_first_example_is_the_one_with_five_scalars() -> None:
    assert "c = a + b" in MENU.examples[0].code and "e = c * d" in MENU.examples[0].code


def test_examples_come_group_by_group() -> None:
    order = list(dict.fromkeys(example.group for example in MENU.examples))
    assert order == [group.id for group in MENU.groups]
    positions = [order.index(example.group) for example in MENU.examples]
    assert positions == sorted(positions)


def test_titles_are_short_and_different() -> None:
    titles = [example.title for example in MENU.examples]
    assert len(set(titles)) == len(titles) and max(map(len, titles)) <= 42
    for example in MENU.examples:
        assert example.question.endswith("?") and example.description.endswith(".")


def test_every_example_says_in_one_sentence_what_to_look_at() -> None:
    said = [example.look for example in MENU.examples]
    assert len(set(said)) == len(said)
    assert all(20 <= len(look) <= 110 and look.endswith(".") for look in said)


def test_groups_are_questions() -> None:
    assert all(group.title.endswith("?") for group in MENU.groups)


def test_every_example_has_a_sketch_of_its_graph() -> None:
    sketches = (FOLDER.parents[1] / "static" / "icons" / "sketches.svg").read_text("utf-8")
    assert re.findall(r'<symbol id="(\w+)"', sketches) == sorted(example.id for example in MENU.examples)
    assert len(gzip.compress(sketches.encode())) < 16_000


def test_the_service_lists_them(fake: httpx.Client) -> None:
    answer = fake.get("/v1/examples").json()
    assert [example["id"] for example in answer["examples"]] == [example.id for example in MENU.examples]
    assert set(answer["examples"][0]) == {"id", "group", "title", "description", "look", "question", "code"}


def test_an_entry_without_a_group_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "menu.toml").write_text('group = []\n[[example]]\nid = "x"\ngroup = "y"\n')
    with pytest.raises(ValueError, match="there is no group y"):
        load_examples(tmp_path)


def test_an_example_has_a_run_that_nothing_need_be_sent_for(client: httpx.Client) -> None:
    example = MENU.examples[0]
    asked = client.get(f"/v1/examples/{example.id}/run")
    sent = client.post("/v1/runs", json={"code": example.code, "options": {"seed": 0}})
    assert asked.json() == sent.json() and asked.headers["access-control-allow-origin"] == "*"
    again = client.get(f"/v1/examples/{example.id}/run", headers={"If-None-Match": asked.headers["etag"]})
    assert again.status_code == 304
    assert client.get("/v1/examples/none/run").status_code == 404
