# ruff: noqa: E501 - programs are easier to read on one line
"""Random programs of the whole language, each a handful of pieces that print what they see and what they raise."""

from __future__ import annotations

import random
from collections.abc import Callable

Piece = Callable[["Writer"], str]
PIECES: list[Piece] = []

ERRORS = "ValueError TypeError KeyError IndexError ZeroDivisionError AttributeError RuntimeError StopIteration LookupError ArithmeticError OSError AssertionError NotImplementedError Exception NameError UnicodeError".split()
STR_METHODS = (
    "capitalize() casefold() title() upper() lower() swapcase() strip() lstrip() rstrip() isalpha() isdigit() isalnum() isspace()"
    " isupper() islower() istitle() isidentifier() isnumeric() isdecimal() isascii() isprintable() split() rsplit() splitlines() encode()"
).split()
STR_CALLS = (
    "center({i}) ljust({i}) rjust({i},{s}) zfill({i}) count({s}) find({s}) rfind({s},{i}) index({s}) rindex({s}) startswith({s})"
    " endswith(({s},{s})) strip({s}) lstrip({s}) rstrip({s}) split({s}) split({s},{i}) rsplit({s},{i}) partition({s}) rpartition({s})"
    " replace({s},{s}) replace({s},{s},{i}) removeprefix({s}) removesuffix({s}) join({l}) join({s}) expandtabs({i}) translate({{97:{s}}})"
    " format({e},{e}) encode('ascii') splitlines(True) center({i},{s}) ljust({e}) join({e}) find({e}) replace({e},{s}) split({e})"
).split()
LIST_CALLS = (
    "append({e}) extend({l}) insert({i},{e}) pop() pop({i}) remove({e}) index({e}) count({e}) reverse() sort() clear() copy()"
    " sort(key=str) sort(reverse=True) sort(key=lambda v:(str(type(v)),str(v))) index({e},{i}) extend({e}) insert({e},{e}) pop({e})"
).split()
DICT_CALLS = (
    "get({e}) get({e},{e}) pop({e}) pop({e},{e}) setdefault({e},{e}) update({d}) keys() values() items() popitem() copy() clear()"
    " update({e}) update([({e},{e})]) pop() get()"
).split()
SET_CALLS = (
    "add({e}) discard({e}) remove({e}) union({t}) intersection({t}) difference({t}) symmetric_difference({t}) update({t}) issubset({t})"
    " issuperset({t}) isdisjoint({t}) pop() copy() intersection_update({t}) difference_update({l}) symmetric_difference_update({t}) add() update({e})"
).split()
SPECS = "d x X o b e E f F g G % n s c , _ .2f .3e 08.3f +d -d >8 <8 ^8 *>7 =+6 #x #o #b 05d .0f .1% 010.4g ,.2f _d ^+9.2f z.1f 3 .3 > 0 -05 10s .2s a ! {} d. 5.2d".split()


class Writer:
    """Writes one program."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.names = 0

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    def name(self) -> str:
        self.names += 1
        return f"v{self.names}"

    # --- values

    def i(self) -> str:
        return self.rng.choice(("0", "1", "2", "3", "-1", "5", "7", "-4", "10", "True", "255", "997", "-17"))

    def f(self) -> str:
        return self.rng.choice(("0.5", "-1.25", "3.0", "1e3", "0.1", "2.675", "1e-7", "-0.0", "1e16", "float('inf')", "123456.789", "float('nan')"))

    def s(self) -> str:
        return self.rng.choice(("''", "'a'", "'abc'", "'Hello World'", "'a,b,,c'", "' x '", "'1'", "'-2.5'", "'b'", "'\\n'", "'tab\\there'", "'é'", "'ß'", "'aXbXc'", "'%s'", "'{}'", "'12'", "'a\\'q\"'", "'line\\nline2'", "'0x1f'"))

    def l(self) -> str:  # noqa: E743 - a list
        return self.rng.choice(("[]", "[1]", "[3, 1, 2]", "['a', 'b']", "[1, 'a', None]", "[[1], [2, 3]]", "list('hello')", "[0.5, 2]", "[True, 1, 0]", "list(range(6))", f"[{self.e(1)}, {self.e(1)}]"))

    def d(self) -> str:
        return self.rng.choice(("{}", "{'a': 1}", "{1: 'x', 2: 'y'}", "{'k': [1, 2]}", "{'a': {'b': 2}}", "{(1, 2): 3, None: 0}", f"{{{self.k()}: {self.e(1)}, {self.k()}: {self.e(1)}}}"))

    def t(self) -> str:
        return self.rng.choice(("set()", "{1}", "{1, 2, 3}", "{'a', 'b'}", "{1, 'a', 2.5}", "{(1, 2), 3}", "set('hello')", "{2, 4, 33, 17}", "frozenset({1, 5})", f"{{{self.k()}, {self.k()}}}"))

    def k(self) -> str:
        return self.rng.choice((self.i, self.s, self.f, lambda: f"({self.i()}, {self.s()})", self.i, self.s))()

    def u(self) -> str:
        return self.rng.choice(("()", "(1,)", "(1, 2)", "('a', 3)", "((1, 2), 3)", f"({self.e(1)}, {self.e(1)})"))

    def e(self, depth: int = 2) -> str:
        """Any expression."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.45:
            return rng.choice((self.i, self.i, self.s, self.f, self.u, lambda: "None", lambda: "[1, 2]", lambda: "{'a': 1}", lambda: "{1, 2}"))()
        a, b, c = (self.e(depth - 1) for _ in range(3))
        return rng.choice((
            lambda: f"({a} {self.pick(*'+ - * / // % & | ^ << >> == != < <= > >= in is and or'.split())} {b})",
            lambda: f"({a} if {b} else {c})", lambda: f"(not {a})", lambda: f"-{self.i()}", lambda: f"[{a}, {b}]", lambda: f"({a}, {b})",
            lambda: f"len({self.l()})", lambda: f"str({a})", lambda: f"repr({a})", lambda: f"{self.s()}.{self.method(STR_METHODS)}",
            lambda: f"sorted({self.l()}, key=str)", lambda: f"{self.l()}[{self.i()}]", lambda: f"{self.l()}[{self.slice()}]", lambda: f"type({a}).__name__",
            lambda: f"isinstance({a}, (int, str))", lambda: f"{self.d()}.get({self.k()}, {b})", lambda: f"bool({a})", lambda: f"{self.l()}", lambda: f"{self.d()}", lambda: f"{self.t()}",
        ))()  # fmt: skip

    def method(self, methods: tuple[str, ...] | list[str]) -> str:
        return self.fill(self.rng.choice(methods))

    def slice(self) -> str:
        return ":".join(self.pick("", "", self.i()) for _ in range(self.rng.choice((2, 2, 3))))

    def fill(self, template: str) -> str:
        """`{i}`, `{s}`, … become random expressions of that kind."""
        out, rest = [], template
        while "{" in rest or "}}" in rest:
            at = min(p for p in (rest.find("{"), rest.find("}}")) if p >= 0)
            out.append(rest[:at])
            if rest[at : at + 2] in ("{{", "}}"):
                out.append(rest[at])
                rest = rest[at + 2 :]
                continue
            end = rest.index("}", at)
            out.append(getattr(self, rest[at + 1 : end])())
            rest = rest[end + 1 :]
        return "".join([*out, rest])

    def error(self) -> str:
        return self.rng.choice(ERRORS)

    # --- programs

    def piece(self) -> str:
        body = self.rng.choice(PIECES)(self).strip("\n")
        return "try:\n" + indent(body) + "\nexcept Exception as error:\n    report(error)"

    def program(self) -> str:
        pieces = [self.piece() if self.rng.random() < 0.93 else self.rng.choice(PIECES)(self).strip("\n") for _ in range(self.rng.randint(3, 7))]
        return HEAD + "\n".join(pieces) + "\n"


HEAD = '''\
def report(error, depth=0):
    print("  " * depth + type(error).__name__, error, repr(error), error.args, error.__suppress_context__)
    for link in (error.__cause__, error.__context__):
        if link is not None and depth < 4:
            report(link, depth + 1)
'''


def indent(text: str) -> str:
    return "\n".join("    " + line for line in text.split("\n"))


def piece(function: Piece) -> Piece:
    PIECES.append(function)
    return function


# --- values and their methods


@piece
def strings(w: Writer) -> str:
    return "\n".join(f"print(repr({w.s()}.{w.method((*STR_CALLS, *STR_METHODS))}))" for _ in range(3))


@piece
def lists(w: Writer) -> str:
    v = w.name()
    steps = "\n".join(f"print({v}.{w.method(LIST_CALLS)}, {v})" for _ in range(3))
    return f"{v} = {w.l()}\n{steps}"


@piece
def dicts(w: Writer) -> str:
    v = w.name()
    steps = "\n".join(f"print({v}.{w.method(DICT_CALLS)}, {v})" for _ in range(3))
    return f"{v} = {w.d()}\n{steps}\nprint(list({v}), {w.k()} in {v}, {v} == {w.d()}, {v} | {w.d()})"


@piece
def sets(w: Writer) -> str:
    v = w.name()
    steps = "\n".join(f"print({v}.{w.method(SET_CALLS)}, {v})" for _ in range(3))
    return f"{v} = {w.t()}\n{steps}\nprint(list({v}), {v} {w.pick('|', '&', '-', '^', '<', '<=', '==')} {w.t()}, {v} {w.pick('|', '&', '-', '^')} {w.e()})"


@piece
def slices(w: Writer) -> str:
    v = w.name()
    change = w.pick(f"{v}[{w.slice()}] = {w.l()}", f"del {v}[{w.slice()}]", f"{v}[{w.i()}] = {w.e()}", f"{v}[{w.slice()}] = {w.e()}", f"del {v}[{w.e()}]")
    return f"{v} = list(range(8))\nprint({v}[{w.slice()}], 'abcdefgh'[{w.slice()}], tuple({v})[{w.slice()}], range(10)[{w.slice()}], slice({w.i()}, {w.i()}).indices(5))\n{change}\nprint({v})\nprint({w.pick(v, w.s(), w.u(), w.d(), w.e())}[{w.e()}])"


@piece
def numbers(w: Writer) -> str:
    a, b = w.rng.choice((w.i, w.f))(), w.rng.choice((w.i, w.f))()
    return "\n".join((
        f"print({a} {w.pick('+', '-', '*', '/', '//', '%')} {b}, {a} ** {w.pick('0', '1', '2', '-1', '0.5')})",
        f"print(divmod({a}, {b}), round({a}), round({b}, {w.pick('1', '0', '-1', '2', 'None')}), abs({a}), int({b}))",
        f"print(pow({w.i()}, {w.pick('0', '1', '5', '-1')}, {w.i()}), {w.i()} {w.pick('<<', '>>', '&', '|', '^')} {w.pick('0', '1', '3', '-1', '2.0')})",
        f"print(({w.i()}).bit_length(), ({w.f()}).is_integer(), ({w.f()}).as_integer_ratio(), ({a}).real, hex({w.i()}), bin({w.i()}), oct({w.e()}))",
    ))  # fmt: skip


@piece
def conversions(w: Writer) -> str:
    return "\n".join(
        f"print(repr({w.pick('int', 'float', 'str', 'bool', 'list', 'tuple', 'set', 'dict', 'complex', 'bytes', 'frozenset', 'ord', 'chr', 'len', 'iter', 'abs', 'sum', 'any', 'all', 'reversed', 'sorted', 'next', 'range', 'callable')}({w.e()})) if {w.i()} else 0)"
        if w.rng.random() < 0.7
        else f"print(int({w.s()}, {w.pick('0', '2', '8', '10', '16', '36', '37', '1')}), float({w.s()}))"
        for _ in range(2)
    ).replace("repr(iter", "type(iter").replace("repr(reversed", "list(reversed")


@piece
def formats(w: Writer) -> str:
    value = w.rng.choice((w.i, w.f, w.s, w.e))()
    spec = w.pick(*SPECS)
    quoted = spec.replace("'", "")
    return "\n".join((
        f"print(format({value}, {quoted!r}))",
        f"print('{{:{quoted.replace('{}', '')}}}|{{0!r:>{w.pick('3', '12')}}}'.format({value}))" if w.rng.random() < 0.2 else f"print('{{:>{w.i()}}}|{{!r}}'.format({w.e()}, {w.e()}))",
        f"x = {value}; print(f'{{x!r}} {{x=}} {{x!s:>{w.pick('4', '10')}}} {{x:{w.pick('', '>6', '<3', '^9', quoted.replace('{}', '').replace('!', ''))}}}')",
    ))  # fmt: skip


@piece
def percents(w: Writer) -> str:
    conversion = "%" + w.pick("", "-", "0", "+", " ", "#") + w.pick("", "5", "8.2", ".3", "*") + w.pick(*"dsrfgexoaciGE%z")
    return f"print({conversion!r} % {w.pick(w.e(), w.u(), w.i(), w.f(), w.s(), w.d())})\nprint('%s and %r' % ({w.e()}, {w.e()}))\nprint('%(a)s-%(b)d' % {{'a': {w.e()}, 'b': {w.i()}}})"


@piece
def braces(w: Writer) -> str:
    return "\n".join((
        f"print('{{0}} {{1}} {{0!r}}'.format({w.e()}, {w.e()}))",
        f"print('{{a}} {{b[0]}} {{a.real}}'.format(a={w.i()}, b={w.l()}))",
        f"print({w.pick(repr('{} {}'), repr('{0} {}'), repr('{x}'), repr('{0[a]}'), repr('{0.x}'), repr('{:>{}}'), repr('{'), repr('}'), repr('{{}}'), repr('{!z}'))}.format({w.e()}, {w.e()}))",
    ))  # fmt: skip


@piece
def byte_strings(w: Writer) -> str:
    return f"b = {w.pick('b', '')}{w.s()!s}\nprint(b, len(b), b[{w.i()}], b[{w.slice()}], b + b, b * 2)\nprint({w.s()}.encode({w.pick('', repr('ascii'), repr('latin-1'), repr('utf-16'), repr('nope'))}))\nprint(bytes({w.pick('[1, 2]', '3', '[256]', repr('a'), '[-1]')}))".replace("b = bb'é'", "b = b''").replace("b = b'é'", "b = b'x'").replace("b = b'ß'", "b = b'y'")


# --- control flow


@piece
def unpacking(w: Writer) -> str:
    return w.pick(
        f"a, b = {w.e()}\nprint(a, b)", f"a, *b = {w.e()}\nprint(a, b)", f"*a, b = {w.l()}\nprint(a, b)", f"a, *b, c = {w.l()}\nprint(a, b, c)",
        f"(a, b), c = {w.e()}, {w.e()}\nprint(a, b, c)", f"for a, b in [{w.e()}, {w.u()}]: print(a, b)", f"[a, [b, c]] = {w.l()}\nprint(a, b, c)",
        f"print(*{w.e()}, sep='-')\nprint([*{w.l()}, *{w.e()}], {{**{w.d()}, **{w.d()}}})", f"a = b = {w.l()}\na, b[0] = {w.e()}, {w.e()}\nprint(a, b)",
        f"def f(*a, **k): return a, k\nprint(f(*{w.e()}, **{w.d()}))", f"a, b, c = {w.l()}\nprint(a, b, c)",
    )  # fmt: skip


def steps(w: Writer, depth: int) -> str:
    """Statements that raise, print, jump and nest."""
    simple = (
        lambda: f"print({w.e(1)})", lambda: f"raise {w.error()}({w.e(1)})", lambda: "raise", lambda: f"return {w.e(1)}", lambda: f"log.append({w.i()})",
        lambda: f"raise {w.error()}({w.i()}) from {w.pick(w.error() + '(0)', 'None', w.error(), w.i())}", lambda: f"1 / {w.pick('0', '1', '2')}", lambda: f"{w.d()}[{w.k()}]",
        lambda: f"assert {w.e(1)}, {w.e(1)}", lambda: f"{w.l()}[{w.i()}]", lambda: "continue", lambda: "break", lambda: "pass", lambda: "undefined_name", lambda: f"raise {w.e(1)}",
        lambda: f"{w.s()}.missing", lambda: f"{w.s()} + {w.i()}",
    )  # fmt: skip
    if depth <= 0 or w.rng.random() < 0.35:
        return w.rng.choice(simple)()
    body = lambda: indent("\n".join(steps(w, depth - 1) for _ in range(w.rng.randint(1, 2))))  # noqa: E731
    kind = w.pick("try", "try", "finally", "with", "if", "for", "both", "else", "while")
    caught = w.pick(w.error(), f"({w.error()}, {w.error()})", "Exception", "ArithmeticError", "LookupError", w.error())
    if kind == "try":
        return f"try:\n{body()}\nexcept {caught} as e:\n    print('caught', type(e).__name__, e, type(e.__context__).__name__)\n{body()}"
    if kind == "finally":
        return f"try:\n{body()}\nfinally:\n    print('finally')\n{body()}"
    if kind == "both":
        return f"try:\n{body()}\nexcept {caught}:\n{body()}\nexcept Exception as e:\n    print('other', repr(e))\nelse:\n{body()}\nfinally:\n{body()}"
    if kind == "else":
        return f"try:\n{body()}\nexcept {caught}:\n{body()}\nelse:\n    print('else')\n{body()}"
    if kind == "with":
        return f"with Manager({w.pick('True', 'False')}, {w.pick('0', '0', '1', '2')}) as m:\n{body()}"
    if kind == "if":
        return f"if {w.e(1)}:\n{body()}\nelse:\n{body()}"
    if kind == "while":
        return f"n = 0\nwhile n < 2:\n    n += 1\n{body()}\nelse:\n    print('ran out')"
    return f"for i in {w.pick('range(2)', '[1, 2]', w.e(1))}:\n    print('turn', i)\n{body()}\nelse:\n    print('loop over')"


MANAGER = """\
log = []
class Manager:
    def __init__(self, swallow, trouble): self.swallow, self.trouble = swallow, trouble
    def __enter__(self):
        print('enter')
        if self.trouble == 1: raise ValueError('in enter')
        return self
    def __exit__(self, kind, value, trace):
        print('exit', None if kind is None else kind.__name__, value)
        if self.trouble == 2: raise KeyError('in exit')
        return self.swallow
"""


@piece
def exceptions(w: Writer) -> str:
    body = "\n".join(steps(w, 3) for _ in range(w.rng.randint(1, 3)))
    return f"{MANAGER}def run():\n    for turn in range(2):\n{indent(indent(body))}\n    return 'end'\nprint(run(), log)"


@piece
def generator_steps(w: Writer) -> str:
    body = "\n".join(w.rng.choice((
        lambda: f"got = yield {w.e(1)}\nprint('got', got)", lambda: f"yield {w.e(1)}", lambda: f"yield from {w.pick('[1, 2]', 'inner()', w.e(1))}",
        lambda: f"try:\n    yield {w.i()}\nexcept {w.error()} as e:\n    print('in', repr(e))\n    yield 'recovered'", lambda: f"try:\n    yield {w.i()}\nfinally:\n    print('closing')",
        lambda: f"return {w.e(1)}", lambda: f"print({w.e(1)})", lambda: f"raise {w.error()}('g')", lambda: "for i in range(2):\n    x = yield i\n    if x: print('x', x)",
        lambda: "r = yield from inner()\nprint('r', r)", lambda: "try:\n    1 / 0\nexcept ZeroDivisionError:\n    yield 'handling'\n    raise",
    ))() for _ in range(w.rng.randint(1, 4)))  # fmt: skip
    uses = "\n".join(w.rng.choice((
        lambda: "print(next(g))", lambda: f"print(g.send({w.pick('None', w.e(1))}))", lambda: f"print(g.throw({w.error()}('t')))", lambda: "print(g.close())", lambda: "print(list(g))",
        lambda: "print(next(g, 'default'))", lambda: "for x in g: print('each', x)", lambda: "try:\n    {}['q']\nexcept KeyError:\n    print(next(g, 0))",
    ))() for _ in range(w.rng.randint(2, 5)))  # fmt: skip
    return f"def inner():\n    got = yield 'i1'\n    print('inner got', got)\n    yield 'i2'\n    return 'inner result'\ndef gen():\n    if 0: yield\n{indent(body)}\ng = gen()\nprint(next(g))\n{uses}"


@piece
def comprehensions(w: Writer) -> str:
    return w.pick(
        f"print([(a, b) for a in {w.l()} for b in {w.e(1)} if {w.pick('a', 'b', 'a != b', w.e(1))}])", f"print({{a: b for a, b in {w.e(1)}}})",
        f"print({{a % 3 for a in range({w.i()})}}, {{str(a): a for a in {w.l()}}})", f"print([y for x in range(4) if (y := x * {w.i()}) > 2], y)",
        f"print(sum(x for x in {w.l()}), max((x for x in {w.l()}), default={w.e(1)}))", f"fs = [lambda: i for i in range(3)]\nprint([f() for f in fs], [g(1) for g in [lambda x, k=k: x + k for k in {w.l()}]])",
        f"x = 'outer'\nprint([x for x in {w.l()}], x)", f"print([[c * r for c in range(3)] for r in range({w.i()})], list(map(lambda a, b: (a, b), {w.l()}, {w.e(1)})), list(filter(None, {w.l()})))",
        f"print(list(zip({w.l()}, {w.e(1)}, strict={w.pick('True', 'False')})), list(enumerate({w.l()}, {w.i()})))", f"print(any(x == {w.e(1)} for x in {w.l()}), all(x for x in {w.e(1)}))",
    )  # fmt: skip


def pattern(w: Writer, depth: int = 2) -> str:
    if depth <= 0 or w.rng.random() < 0.4:
        return w.pick("_x", "0", "1", "'a'", "None", "True", "int()", "str()", "2 | 3", "-1", "1.5", "Point()", "float()", "list()", "dict()", "bool()")
    a, b = pattern(w, depth - 1), pattern(w, depth - 1)
    a, b = a.replace("_x", "p" + str(depth)), b.replace("_x", "q" + str(depth))
    return w.pick(f"[{a}, *_]", f"({a}, {b})", f"{{'a': {a}}}", f"{{'a': {a}, **rest}}", f"Point(x={a})", f"Point({a}, {b})", f"[{a}]", "[]", f"({a}) as whole", "int(n)", "str(n)", f"[*_, {a}]", "{}")


@piece
def matches(w: Writer) -> str:
    cases = "\n".join(f"    case {pattern(w)}{w.pick('', '', f' if {w.e(1)}')}: print('case', {n}, sorted(k for k in vars_of(locals_ := 0)))".replace("sorted(k for k in vars_of(locals_ := 0))", str(n)) for n in range(3))
    return f"class Point:\n    __match_args__ = ('x', 'y')\n    def __init__(self, x=1, y=2): self.x, self.y = x, y\nmatch {w.pick(w.e(), 'Point()', 'Point(0, 1)', '[1, [2]]', w.d(), w.u())}:\n{cases}\n    case _: print('nothing')"


@piece
def scopes(w: Writer) -> str:
    return w.pick(
        "total = 0\ndef add(n):\n    global total\n    total += n\n    return total\nprint(add(2), add(3), total)", "def f():\n    print(local)\n    local = 1\nf()", f"def f():\n    x = 1\n    def g():\n        nonlocal x\n        x += {w.i()}\n        return x\n    return g\ng = f()\nprint(g(), g())",
        "def f():\n    del missing\nf()", "x = 1\ndel x\nprint(x)", f"def f():\n    try:\n        v = {w.e()}\n    except Exception as v:\n        print(repr(v))\n    print(v)\nf()", "def f():\n    return later\nprint(f())",
        "class A:\n    n = 3\n    values = [n for _ in range(2)]\nprint(A.values)", "def f(a):\n    def g():\n        return b\n    if a: b = a\n    return g()\nprint(f(1))\nprint(f(0))", f"counter = iter(range(3))\nprint([next(counter), next(counter)], next(counter, {w.e()}), next(counter))",
        "try:\n    1 / 0\nexcept ZeroDivisionError as e: pass\nprint(e)", "for q in []: pass\nprint(q)", "def f(n): return n if n < 2 else f(n - 1) + f(n - 2)\nprint([f(i) for i in range(10)])", "x = 5\nclass A:\n    x = x + 1\n    def get(self): return x\nprint(A.x, A().get())",
        "def f():\n    for i in range(3):\n        pass\n    return i\nprint(f())", "def f():\n    with_default = lambda a, b=2, *c, d, **e: (a, b, c, d, e)\n    return with_default(1, d=4, z=5)\nprint(f())",
    )  # fmt: skip


@piece
def calls(w: Writer) -> str:
    signature = w.pick("a, b", "a, b=2", "a, /, b", "a, *, b", "*args, **kw", "a, *args, b=1, **kw", "a=1, /, b=2, *, c", "a, b, c=3", "", "*, a, b")
    arguments = ", ".join(w.rng.choice((w.i, w.s, lambda: f"*{w.l()}", w.e))() for _ in range(w.rng.randint(0, 3)))
    named = w.rng.sample([f"b={w.i()}", f"a={w.e(1)}", f"c={w.i()}", f"z={w.i()}", f"**{w.pick(w.d(), '{}', '{chr(98): 1}')}"], w.rng.randint(0, 2))
    names = [part.split("=")[0].strip("* ") for part in signature.split(",") if part.strip() not in ("/", "*", "")]
    define = w.pick(f"def f({signature}): return ({', '.join(names)}{',' if names else ''})", f"f = lambda {signature}: ({', '.join(names)}{',' if names else ''})", f"class K:\n    def f(self, {signature}): return ({', '.join(names)}{',' if names else ''})\nf = K().f")
    return f"{define}\nprint(f({', '.join(filter(None, [arguments, *named]))}))"


@piece
def recursions(w: Writer) -> str:
    return f"def walk(v, depth=0):\n    if isinstance(v, (list, tuple, set)):\n        return [walk(x, depth + 1) for x in v]\n    if isinstance(v, dict):\n        return {{k: walk(x, depth + 1) for k, x in v.items()}}\n    return (depth, v)\nprint(walk({w.e(3)}))"


# --- classes


@piece
def arithmetic_classes(w: Writer) -> str:
    names = w.rng.sample("add radd sub rsub mul rmul truediv floordiv mod pow lt gt eq le matmul and or neg abs iadd contains getitem len bool call hash".split(), 5)
    bodies = {
        "neg": "return 'neg'", "abs": f"return {w.e(1)}", "len": f"return {w.i()}", "bool": f"return {w.pick('True', 'False', w.e(1))}", "hash": f"return {w.i()}",
        "call": "return a", "getitem": f"if a[0] == 3: raise IndexError('end')\n        return {w.e(1)}", "contains": f"return {w.e(1)}",
    }  # fmt: skip
    methods = "\n".join(f"    def __{n}__(self, *a):\n        print('{n}', a if '{n}' != 'getitem' else a)\n        {bodies.get(n, 'return ' + w.pick('NotImplemented', repr(n), w.e(1)))}" for n in names)
    after, before = w.pick(*"+ - * / // % ** < > == != <= @ & |".split()), w.pick(*"+ - * < == in".split())
    shown = (f"v {after} {w.e(1)}", f"{w.e(1)} {before} v", *"-v|abs(v)|len(v)|bool(v)|v()|v[0]|3 in v|list(v)|[*v]|sorted(v)|tuple(v)|v == v|not v|v(1, 2)|v + v".split("|"))
    uses = "\n".join(f"print({w.pick(*shown)})" for _ in range(3))
    return f"class V:\n{methods}\n    def __repr__(self): return 'V'\nv = V()\n{uses}"


@piece
def inheritance(w: Writer) -> str:
    bases = w.pick("A", "B, A", "B", "A, B", "C0, B", "B, C0")
    method = w.pick("super().hello(n)", "super().hello()", "super().missing()", "A.hello(self, n)", "n", "super().hello(n) + ['D']")
    return f"""class A:
    kind = {w.e(1)}
    def __init__(self, n={w.i()}): self.n = n
    def hello(self, n): return ['A', n]
    def __repr__(self): return f'{{type(self).__name__}}({{self.n!r}})'
class B(A):
    def __init__(self, *args):
        super().__init__(*args)
        self.b = {w.e(1)}
    def hello(self, n): return super().hello(n) + ['B']
class C0:
    def hello(self, n): return ['C0']
class D({bases}):
    def hello(self, n): return {method}
d = D({w.pick('', w.i(), f'{w.i()}, {w.i()}')})
print(d, d.hello({w.pick('1', '', '1, 2')}), D.__mro__[1].__name__, isinstance(d, A), issubclass(D, (A, C0)), d.__dict__)
print(D.kind, hasattr(d, 'b'), getattr(d, {w.s()}, 'none'), d.{w.pick('n', 'kind', 'nope', 'b')})"""


@piece
def attributes(w: Writer) -> str:
    return w.pick(
        f"class P:\n    def __init__(self): self._x = 1\n    @property\n    def x(self):\n        'doc'\n        return self._x\n    @x.setter\n    def x(self, v):\n        if v == 3: raise ValueError(v)\n        self._x = v\np = P()\np.x = {w.i()}\nprint(p.x, p.__dict__, P.x.__doc__ if 0 else '')\ndel p.x",
        "class R:\n    @property\n    def y(self): return self.z\nr = R()\ntry: r.y = 2\nexcept AttributeError as e: print(type(e).__name__)\nprint(r.y)", f"class S:\n    __slots__ = ('a', 'b')\ns = S()\ns.a = {w.e()}\nprint(s.a)\nprint(s.{w.pick('b', 'c', 'a')})",
        f"class G:\n    def __getattr__(self, name): return name * 2 if name != 'bad' else super().nothing\n    def __setattr__(self, name, value):\n        print('set', name)\n        super().__setattr__(name, value)\ng = G()\ng.q = {w.i()}\nprint(g.q, g.zz, hasattr(g, 'bad'))",
        "class C:\n    count = 0\n    @classmethod\n    def make(cls, *a):\n        cls.count += 1\n        return cls\n    @staticmethod\n    def add(a, b): return a + b\nclass D(C): pass\nprint(C.make() is C, D.make() is D, C.count, D.count, C.add(1, 2), D().add('a', 'b'), C.add(1))",
        "class M:\n    __secret = 1\n    def get(self): return self.__secret\nprint(M().get(), [n for n in dir(M) if 'secret' in n])\nprint(M().__secret)", f"class T:\n    pass\nt = T()\nsetattr(t, 'a', {w.e()})\nprint(t.a, vars(t))\ndelattr(t, 'a')\nprint(vars(t))\ndel t.a",
        "class Desc:\n    def __set_name__(self, owner, name): self.name = name\n    def __get__(self, obj, owner=None): return self if obj is None else obj.__dict__.get(self.name, 'unset')\n    def __set__(self, obj, value): obj.__dict__[self.name] = value * 2\nclass H:\n    d = Desc()\nh = H()\nprint(h.d)\nh.d = 4\nprint(h.d, vars(h))",
        "class Base:\n    subs = []\n    def __init_subclass__(cls, tag=None, **kw):\n        super().__init_subclass__(**kw)\n        Base.subs.append((cls.__name__, tag))\nclass X(Base, tag='t'): pass\nclass Y(X): pass\nprint(Base.subs)\nclass Z(Base, other=1): pass",
        "class I:\n    def __init__(self): return 1\nI()", "class N:\n    def __new__(cls, v):\n        self = super().__new__(cls)\n        self.v = v\n        return self\n    def __init__(self, v): self.w = v\nprint(vars(N(3)))\nN()", "class O: pass\nO(1)", "class O:\n    def m(self): pass\nO.m()\n",
        f"class E:\n    def __init__(self, v): self.v = v\n    def __eq__(self, o): return isinstance(o, E) and self.v == o.v\n    def __hash__(self): return hash(self.v)\n    def __lt__(self, o): return self.v < o.v\nprint(E(1) == E(1), len({{E(1), E(1), E(2)}}), sorted([E(3), E(1)])[0].v, max([E({w.i()}), E(5)]).v, E(1) != E(2), E(1) in [E(1)])\nprint(E(1) <= E(2))",
        f"class It:\n    def __init__(self, n): self.n = n\n    def __iter__(self): return self\n    def __next__(self):\n        if self.n <= 0: raise StopIteration\n        self.n -= 1\n        return self.n\nprint(list(It(3)), sum(It(4)), [*It(2)], dict(zip(It(2), 'ab')), 2 in It({w.i()}), max(It({w.i()})), tuple(It(1)))",
        f"class U:\n    __hash__ = None\n    def __str__(self): return {w.e(1)}\nprint(str(U()))", "class U:\n    def __eq__(self, o): return True\nprint({U()})", f"class F:\n    def __format__(self, spec): return f'<{{spec}}>'\n    def __bool__(self): return {w.pick('True', '1', 'None')}\nprint(f'{{F():abc}}', format(F(), 'x'))\nprint(bool(F()))",
        f"class Q:\n    def __len__(self): return {w.pick('3', '-1', '2.5', repr('a'))}\n    def __getitem__(self, i):\n        if i > 2: raise IndexError(i)\n        return i * 2\nq = Q()\nprint(list(q), 4 in q, list(reversed(q)), len(q))", "class W(dict):\n    def __missing__(self, k): return k * 2\nw = W(a=1)\nprint(w['a'], w['b'], w, len(w), w.get('c'))",
        f"class L(list):\n    def total(self): return sum(self)\nl = L({w.l()})\nl.append(3)\nprint(l, len(l), l[-1], l + [1], isinstance(l, list), l == list(l))\nprint(l.total())",
    )  # fmt: skip


@piece
def own_errors(w: Writer) -> str:
    base = w.error()
    return f"""class Own({base}):
    {w.pick('pass', "def __init__(self, a, b=2): super().__init__(a); self.b = b", "def __str__(self): return 'own text'", "def __init__(self, a): self.a = a", "code = 3")}
try:
    raise Own{w.pick('(1)', '', '(1, 2)', "('x')", '(None)')}
except {w.pick('Own', base, 'Exception', w.error())} as e:
    print(repr(e), str(e), e.args, isinstance(e, {base}))
    {w.pick('raise', 'raise ValueError("again") from e', 'raise KeyError(e)', 'pass', 'raise e', 'e.add_note("n"); print(e.__notes__)', 'raise Own(2) from None')}"""


# --- the library


@piece
def decorators(w: Writer) -> str:
    return w.pick(
        f"import functools\ndef twice(f):\n    @functools.wraps(f)\n    def wrapper(*a, **k): return [f(*a, **k), f(*a, **k)]\n    return wrapper\n@twice\ndef greet(n={w.e(1)}):\n    'doc'\n    return n\nprint(greet(), greet({w.i()}), greet.__name__, greet.__doc__)",
        "import functools\n@functools.lru_cache(maxsize=2)\ndef slow(n):\n    print('slow', n)\n    return n * 2\nprint([slow(i) for i in (1, 2, 1, 3, 1, 2)], slow.cache_info())\nslow([])", f"import functools\nprint(functools.reduce(lambda a, b: (a, b), {w.l()}), functools.partial(int, base=2)('101'), functools.reduce(max, {w.e(1)}, 0))",
        "def tag(*names):\n    def deco(f):\n        f.names = names\n        return f\n    return deco\n@tag('a', 'b')\ndef g(): pass\nprint(g.names, g.__name__)\nprint(g.other)", "from functools import total_ordering\n@total_ordering\nclass T:\n    def __init__(self, v): self.v = v\n    def __eq__(self, o): return self.v == o.v\n    def __lt__(self, o): return self.v < o.v\nprint(T(1) <= T(2), T(2) >= T(3), T(1) > T(0), T(1) != T(1))",
    )  # fmt: skip


@piece
def sorting(w: Writer) -> str:
    return w.pick(
        "rows = [(w, i) for i, w in enumerate('the quick brown fox jumps over the lazy dog'.split())]\nprint(sorted(rows, key=lambda r: len(r[0])), sorted(rows, key=lambda r: r[0][-1], reverse=True), min(rows, key=lambda r: len(r[0])), max(rows, key=lambda r: len(r[0])))",
        f"print(sorted({w.e()}), sorted({w.l()}, reverse={w.i()}))", f"print(max({w.e()}, {w.e()}), min({w.e()}, default={w.e(1)}))", f"from functools import cmp_to_key\nprint(sorted([3, 1, 2, {w.i()}], key=cmp_to_key(lambda a, b: {w.pick('a - b', 'b - a', '0', w.e(1))})))",
        f"l = {w.l()}\nl.sort(key=lambda x: {w.pick('str(x)', '-x', '0', 'len(x)', 'x[0]')})\nprint(l)", f"print(sorted({w.d()}), sorted({w.t()}, key=str), list(reversed(sorted('hello'))))",
    )  # fmt: skip


@piece
def collections(w: Writer) -> str:
    return w.pick(
        f"from collections import Counter\nc = Counter({w.pick(w.s(), w.l(), w.e())})\nprint(c, c.most_common(2), c['zzz'], c + Counter('ab'), c - Counter('a'), sum(c.values()))", f"from collections import defaultdict\nd = defaultdict({w.pick('list', 'int', 'lambda: 7', 'set')})\nd['a']\nd['b'] = {w.e(1)}\nprint(d, d['c'], len(d), 'x' in d, dict(d))",
        f"from collections import deque\nq = deque({w.l()}, maxlen={w.pick('None', '2', '3')})\nq.append(1); q.appendleft({w.e(1)}); q.rotate({w.i()})\nprint(q, len(q), q[0], list(q))\nprint(q.pop(), q.popleft(), q)\nq.popleft()", f"from collections import namedtuple\nP = namedtuple('P', 'x y')\np = P({w.pick('1, 2', 'x=1, y=2', '1', '1, 2, 3', '1, z=2')})\nprint(p, p.x, p[1], p._replace(x=5), p._asdict(), p == (1, 2), P._fields, *p)",
        f"from collections import OrderedDict\no = OrderedDict({w.d()})\no['z'] = 1\no.move_to_end('z', last=False)\nprint(list(o.items()), o == dict(o), o.popitem(last=False))", f"from dataclasses import dataclass, field\n@dataclass{w.pick('', '(order=True)', '(frozen=True)')}\nclass D:\n    a: int\n    b: list = field(default_factory=list)\n    c: str = {w.s()}\nd = D({w.pick('1', '1, [2]', 'a=3', '', '1, 2, 3, 4')})\nprint(d, d == D(1), d.a)\nprint(d < D(2))\nd.a = 5\nprint(d)",
        "from enum import Enum\nclass Color(Enum):\n    RED = 1\n    BLUE = 2\n    ALSO = 1\nprint(Color.RED, repr(Color.BLUE), Color(1), Color['BLUE'], list(Color), Color.RED is Color.ALSO, Color.RED.name, Color.RED.value)\nprint(Color(9))",
        f"import itertools as it\nprint(list(it.chain({w.l()}, {w.e(1)})), list(it.islice(it.count({w.i()}), 3)), list(it.combinations('abc', 2)), list(it.product([1, 2], 'ab')), list(it.accumulate([1, 2, 3])), [(k, list(g)) for k, g in it.groupby('aabbc')], list(it.zip_longest([1], [2, 3], fillvalue={w.e(1)})), list(it.takewhile(bool, {w.l()})))",
        f"import math\nprint(math.floor({w.f()}), math.sqrt({w.i()}), math.gcd({w.i()}, {w.i()}), math.factorial({w.i()}), math.log({w.i()}), math.isclose(0.1 + 0.2, 0.3), math.hypot(3, 4), math.comb(5, 2), math.prod([1, 2, 3]))", f"import json\nprint(json.dumps({w.e()}), json.loads('[1, 2.5, null, true, \"x\"]'), json.dumps({w.d()}, indent=2))",
        f"import string, textwrap\nprint(string.ascii_lowercase[:3], textwrap.fill('word ' * 12, 20))\nimport bisect, heapq\nl = [1, 3, 5]\nbisect.insort(l, {w.i()})\nprint(l, bisect.bisect(l, 3), heapq.nsmallest(2, l))", f"import random\nrandom.seed({w.pick('0', '1', repr('x'))})\nprint(random.random(), random.randint(1, 6), random.choice('abc'), random.sample(range(9), 3), random.uniform(0, 1))\nl = [1, 2, 3, 4]\nrandom.shuffle(l)\nprint(l, random.gauss(0, 1))",
        f"import operator as op\nprint(op.itemgetter(1)([{w.e(1)}, 2]), op.add({w.i()}, {w.i()}), op.attrgetter('real')({w.i()}), op.methodcaller('upper')({w.s()}), op.mul({w.e(1)}, 2))", f"import statistics\nprint(statistics.mean([1, 2, {w.i()}]), statistics.median([3, 1, 2]), statistics.stdev([1, 2, 4]))",
    )  # fmt: skip


@piece
def copies(w: Writer) -> str:
    return f"import copy\na = {w.pick(w.l(), w.d(), '[[1], [2]]', w.t(), w.u())}\nb, c = copy.copy(a), copy.deepcopy(a)\nprint(b == a, c == a, b is a, c is a, c)\nx = [1]\ny = [x, x, {{'k': x}}]\nz = copy.deepcopy(y)\nprint(z[0] is z[1], z[2]['k'] is z[0], z[0] is x)\ny.append(y)\nw = copy.deepcopy(y)\nprint(w[3] is w, len(w))\nclass N:\n    def __init__(self): self.me = self; self.v = [{w.e(1)}]\nn = copy.deepcopy(N())\nprint(n.me is n, n.v)\nprint(y)"


@piece
def contexts(w: Writer) -> str:
    return w.pick(
        f"from contextlib import contextmanager, suppress\n@contextmanager\ndef around(n):\n    print('in', n)\n    try:\n        yield n\n    {w.pick('finally', 'except ValueError', 'except Exception')}:\n        print('out', n)\nwith around(1) as a, around(2) as b:\n    print(a, b)\n    {w.pick('raise ValueError(3)', 'pass', '1 / 0')}",
        f"from contextlib import suppress\nwith suppress({w.error()}, {w.error()}):\n    raise {w.error()}('s')\nprint('after')", f"with {w.e()} as x: print(x)", "class M:\n    def __enter__(self): return 1\nwith M(): pass", "from contextlib import ExitStack\nwith ExitStack() as s:\n    s.callback(print, 'bye')\n    print('hi')\n    1 / 0",
        "import io, contextlib\nb = io.StringIO()\nwith contextlib.redirect_stdout(b):\n    print('hidden')\nprint(repr(b.getvalue()))",
    )  # fmt: skip


@piece
def prints(w: Writer) -> str:
    return f"print({w.e()}, {w.e()}, sep={w.pick(repr('-'), 'None', repr(''), w.i())}, end={w.pick(repr('!') , repr(chr(10)), 'None')})\nprint()\nprint({w.e(3)}, [{w.s()}], ({w.f()},), {{{w.k()}: {w.s()}}})"


@piece
def augmented(w: Writer) -> str:
    v = w.name()
    return f"{v} = {w.e()}\nother = {v}\n{v} {w.pick('+=', '-=', '*=', '|=', '&=', '//=', '%=', '**=' if 0 else '/=', '<<=' if 0 else '^=')} {w.e()}\nprint({v}, other, {v} is other)"
