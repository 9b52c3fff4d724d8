"""Regular expressions find what Python's do, and cost what they take."""

from __future__ import annotations

import random
import re

import pytest

from engine.limits import Limits
from engine.program import session as sessions
from engine.program.regex import at_start, compiled, matches, spans_of
from engine.program.run import execute

LETTERS = "aabbAB1 \n"
PLAIN = [*"abA1 .^$", r"\w", r"\d", r"\s", "[ab]", "[^a]", "[a-c1]", r"\b", r"\B", r"\A", r"\Z"]
AROUND = ["({})", "({})", "(?:{})", "(?={})", "(?!{})", "(?>{})", "(?i:{})"]
WHOLE = ["(?<=ab)", "(?<![ab])", r"(a)\1", "(b)?(?(1)a|b)"]
TIMES = ["*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}", "*?", "+?", "??", "{1,2}?", "*+", ""]


def pattern(rng: random.Random, depth: int) -> str:
    """A pattern of all kinds of syntax."""
    branches = ["".join(piece(rng, depth) for _ in range(rng.randint(1, 3))) for _ in range(rng.choice([1, 1, 2]))]
    return "|".join(branches)


def piece(rng: random.Random, depth: int) -> str:
    if not depth or rng.random() < 0.6:
        return rng.choice(PLAIN) + rng.choice([*TIMES, *[""] * 12])
    if rng.random() < 0.2:
        return rng.choice(WHOLE)
    return rng.choice(AROUND).format(pattern(rng, depth - 1)) + rng.choice([*TIMES, *[""] * 6])


@pytest.mark.parametrize("seed", range(4))
def test_random_patterns_match_as_in_python(seed: int) -> None:
    rng = random.Random(seed)
    tried = 0
    session = sessions.begin(Limits(fuel=10**9), None, 0)
    try:
        while tried < 150:
            given = pattern(rng, 2)
            try:
                theirs = re.compile(given)
            except re.error:
                continue
            text = "".join(rng.choices(LETTERS, k=rng.randint(0, 8)))
            ours, end = compiled(given, 0), len(text)
            groups = 2 * (ours.groups + 1)
            try:
                want = [spans_of(found) for found in theirs.finditer(text)]
                whole = theirs.fullmatch(text)
            except SystemError:  # "please report a bug for the re module"
                continue
            assert [spans[:groups] for spans in matches(ours, text, 0, end)] == want, (given, text)
            found = at_start(ours, text, 0, end, True)
            assert (found and found[:groups]) == (whole and spans_of(whole)), (given, text)
            tried += 1
    finally:
        sessions.end(session)


@pytest.mark.parametrize(
    "program",
    [
        "re.match('(a+)+$', 'a' * 40 + 'b')",
        "re.match('(a|aa)+$', 'a' * 60 + 'b')",
        "re.search('(.*)*x', 'a' * 200)",
        "re.match(r'(\\w+\\s*)+:', 'word ' * 60)",
        "re.search('a*a*a*a*a*b', 'a' * 1000)",
        "re.findall(r'(?=(a+))b', 'a' * 20_000)",
        "re.sub(r'\\s+$', '', ' ' * 100_000 + 'x')",
        "re.fullmatch('(?:a?){30}a{30}', 'a' * 29)",
    ],
)
def test_a_pattern_takes_no_more_than_the_fuel(program: str) -> None:
    outcome = execute(f"import re\n{program}", limits=Limits(fuel=20_000))
    assert outcome.error is not None and outcome.error.limit in ("fuel", "sequence_length")


@pytest.mark.parametrize(
    "call",
    ["findall(r'\\w+', text)", "sub('[^a-z]+', ' ', text)", "split(r'\\s+', text)", "findall('foo|[a-z]{1,3}', text)"],
)
def test_what_is_linear_costs_little(call: str) -> None:
    outcome = execute(f"import re\ntext = 'some words, ' * 2000\nre.{call}", limits=Limits(fuel=20_000))
    assert outcome.error is None
