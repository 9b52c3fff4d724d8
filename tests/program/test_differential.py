# ruff: noqa: E501 - programs are easier to read on one line
"""Random programs behave as in CPython: same output, same error, same line."""

from __future__ import annotations

import contextlib
import io
import traceback
import warnings

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.program import execute
from tests.snippets.judge import normal

NAMES = ["a", "b", "c", "d"]
names = st.sampled_from(NAMES)
atoms = st.one_of(
    names,
    st.integers(-3, 12).map(str),
    st.sampled_from(
        ["0.5", "2.0", "'x'", "'ab'", "None", "True", "[]", "[1, 2]", "(3, 4)", "{'k': 1}", "{1, 2}", "range(3)"]
    ),
)


def grow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        st.builds(
            "({0[0]} {1} {0[1]})".format,
            pair,
            st.sampled_from("+ - * / // % << >> & | ^ < <= == != > in is and or".split() + ["not in", "is not"]),
        ),
        st.builds("({} ** {})".format, inner, st.integers(-2, 3)),
        st.builds("({}{})".format, st.sampled_from(["-", "+", "~", "not "]), inner),
        st.builds("{}[{}]".format, inner, inner),
        st.builds("{}[{}:{}]".format, inner, inner, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("({0} < {1} <= {2})".format, inner, inner, inner),
        st.builds("[{}, {}]".format, inner, inner),
        st.builds("({}, *[{}])".format, inner, inner),
        st.builds("{{{}: {}}}".format, inner, inner),
        st.builds("[{} for {} in {} if {}]".format, inner, names, inner, inner),
        st.builds("{{{}: {} for {} in {}}}".format, inner, inner, names, inner),
        st.builds("sum({} for {} in {})".format, inner, names, inner),
        st.builds(
            "{}({})".format,
            st.sampled_from("len str repr bool int float list tuple sorted sum max abs type".split()),
            inner,
        ),
        st.builds("(lambda {}, q={}: {})({})".format, names, inner, inner, inner),
        st.builds("f'{{{}!r:>{}}}'".format, names, st.integers(0, 6)),
        st.builds("('%s|%r' % ({}, {}))".format, inner, inner),
        st.builds("'{{}}-{{!s:>4}}'.format({}, {})".format, inner, inner),
        st.builds(
            "{}.{}".format,
            inner,
            st.sampled_from(["real", "missing", "upper()", "keys()", "append(1)", "index(1)", "count(2)"]),
        ),
        st.builds("({} := {})".format, names, inner),
        st.builds("isinstance({}, (int, str))".format, inner),
        st.builds("list(zip({}, enumerate({})))".format, inner, inner),
        st.builds("list(map(lambda {}: {}, {}))".format, names, inner, inner),
    )


expressions = st.recursive(atoms, grow, max_leaves=6)


def indent(body: list[str]) -> str:
    return "\n".join("    " + line for text in body for line in text.split("\n"))


def compound(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    body = st.lists(inner, min_size=1, max_size=3).map(indent)
    return st.one_of(
        st.builds("if {}:\n{}\nelse:\n{}".format, expressions, body, body),
        st.builds("for {} in {}:\n{}\nelse:\n{}".format, names, expressions, body, body),
        st.builds("for {}, {} in [({}, {})]:\n{}".format, names, names, expressions, expressions, body),
        st.builds("a = 0\nwhile a < 3:\n    a += 1\n{}\n    if b == a: break\n    if c == a: continue".format, body),
        st.builds(
            "try:\n{}\nexcept {} as error:\n    print(type(error).__name__, error)\n{}\n"
            "else:\n    print('else')\nfinally:\n{}".format,
            body,
            st.sampled_from(["TypeError", "(ValueError, KeyError)", "Exception", "ArithmeticError", "LookupError"]),
            body,
            body,
        ),
        st.builds("def f({0}, {1}={2}, *args, **kw):\n{3}\n    return {0}\nprint(f({4}))".format,
                  st.just("p"), st.just("q"), expressions, body, expressions),
        st.builds("def g(n):\n    yield n\n{}\n    yield {}\nprint(list(g({})))".format, body, expressions, expressions),
        st.builds("class C:\n    z = {}\n    def __init__(self, v): self.v = v\n    def __add__(self, o): return {}\n"
                  "    def __repr__(self): return 'C(%r)' % (self.v,)\nd = C({})\nprint(d, d + 1, d.z)".format,
                  expressions, expressions, expressions),
        st.builds("def outer():\n    n = {}\n    def inner():\n        nonlocal n\n        n = {}\n        return n\n"
                  "    return inner(), n\nprint(outer())".format,
                  expressions, expressions),
        st.builds("match {}:\n    case 0 | None: print('zero')\n    case [x, *_]: print('seq', x)\n"
                  "    case {{'k': v}}: print('map', v)\n"
                  "    case int() | str() as w: print('as', w)\n    case _: print('any')".format, expressions),
    )  # fmt: skip


simple = st.one_of(
    st.builds("{} = {}".format, names, expressions),
    st.builds("{} {}= {}".format, names, st.sampled_from(["+", "-", "*", "//", "%", "|", "&"]), expressions),
    st.builds("{}, {} = {}".format, names, names, expressions),
    st.builds("{}, *{} = {}".format, names, names, expressions),
    st.builds("{} = {} = {}".format, names, names, expressions),
    st.builds("print({})".format, expressions),
    st.builds("{}[{}] = {}".format, names, expressions, expressions),
    st.builds("del {}".format, names),
    st.builds("assert {}, 'no'".format, expressions),
    st.builds("raise ValueError({})".format, expressions),
    expressions,
)
statements = st.recursive(simple, compound, max_leaves=8)
guarded = st.builds(
    "try:\n{}\nexcept Exception as e:\n    print(type(e).__name__, e)".format, statements.map(lambda s: indent([s]))
)
programs = st.lists(st.one_of(guarded, guarded, statements), min_size=1, max_size=6).map(
    lambda parts: "a, b, c, d = 1, [1, 2], 'ab', {'k': 2}\n" + "\n".join(parts) + "\nprint(a, b, c, d)\n"
)


def in_python(program: str) -> tuple[str, tuple[str, str, int] | None]:
    """What CPython makes of a program."""
    out = io.StringIO()
    error = None
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(program, "<program>", "exec", dont_inherit=True), {"__name__": "__main__"})
        except Exception as raised:
            frames = [f for f in traceback.extract_tb(raised.__traceback__) if f.filename == "<program>"]
            line = frames[-1].lineno if frames else getattr(raised, "lineno", 0)
            message = raised.msg if isinstance(raised, SyntaxError) else str(raised)
            error = (type(raised).__name__, normal(message), line or 0)
    return normal(out.getvalue()), error


@settings(max_examples=80, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(programs)
def test_random_programs_behave_as_in_python(program: str) -> None:
    stdout, error = in_python(program)
    outcome = execute(program, seed=0)
    ours = outcome.error and (outcome.error.type, normal(outcome.error.message), outcome.error.line)
    assert (normal(outcome.stdout), ours) == (stdout, error)
