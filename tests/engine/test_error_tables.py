"""The tables of errors: every row is well-formed, used, and makes the error that it says."""

import builtins
import inspect
import re
import warnings
from pathlib import Path

import engine
from engine import errors, settings
from engine.errors import explained, table
from tools.errors import STUB, stub

ROWS = list(table.rows())
GIVEN = {
    "int": 3,
    "str": "a",
    "object": 2.5,
    "Any": 2.5,
    "float": 2.5,
    "bool": True,
    "type": int,
    "Exception": ValueError("no"),
    "Shape": (2, 3, 4),
    "Sequence[str]": ["a", "b"],
    "Sequence[type]": [int, str],
    "list[Any]": [1, "a"],
    "list[int]": [1, 2],
    "list[str]": ["a", "b"],
    "list[type]": [int, str],
    "tuple[Any, Any]": (1, "a"),
    "tuple[int, int]": (1, 2),
    "tuple[object, ...]": (1, "a"),
    "tuple[object, Shape]": (2.5, (0, 1)),
    "tuple[str, ...]": ("a", "b"),
    "tuple[str, str]": ("a", "b"),
    "dict[str, int]": {"a": 1},
    "Mapping[int, tuple[Any, Any]]": {0: (1, 2)},
    "Mapping[str, str]": {"a": "b"},
}
"""A value of each type that rows ask for."""


def test_a_table_holds_rows_and_comments_alone() -> None:
    for file, text in table.TABLES.items():
        heads = re.findall(r"^[^#\s].*", text, re.MULTILINE)
        names = [found[1] for found in re.finditer(table._ROW, text)]
        assert [head.partition("(")[0] for head in heads] == names, file
    assert len({row.name for row in ROWS}) == len(ROWS) > 1500


def test_every_row_takes_arguments_of_its_types() -> None:
    for row in ROWS:
        make = getattr(errors, row.name)
        asked = [each.annotation for each in inspect.signature(make).parameters.values()]
        for optional in (False, True):
            given = [None if optional and "None" in kind else GIVEN[kind.removesuffix(" | None")] for kind in asked]
            settings.fresh()
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                made = make(*given)
            if row.warns:
                assert [(w.category.__name__, w.filename) for w in caught] == [(row.kind, __file__)], row.name
            else:
                assert type(made) is (getattr(builtins, row.kind, None) or getattr(errors, row.kind)), row.name


def test_every_row_is_used() -> None:
    files = Path(*engine.__path__).rglob("*.py")
    used = set(re.findall(r"\berrors\.(\w+)", "".join(file.read_text("utf-8") for file in files)))
    for row in ROWS:
        used |= set(re.findall(r"\w+", "".join(re.findall(r"\{[^{}]*[(,][^{}]*\}", row.text))))
    assert not [row.name for row in ROWS if row.name not in used]


def test_checkers_know_the_types_of_all_rows() -> None:
    assert STUB.read_text("utf-8") == stub(), "python -m tools.errors"


def test_a_table_of_explanations_holds_rows_and_comments_alone() -> None:
    for name, text in explained.TEXTS.items():
        assert not re.sub(r"^#.*\n", "", explained.ROW.sub("", text), flags=re.MULTILINE).strip(), name
        for row in explained.rows(name):
            groups = [*row.pattern.groupindex, *(row.of.groupindex if row.of else ())]
            found = dict.fromkeys(groups, "a") | explained.unnamed()
            assert row.explanation.format(**found) and row.fix.format(**found), row.pattern.pattern
    assert {file.stem for file in Path(explained.__file__).parent.glob("*.txt")} == set(explained.TEXTS)
