"""The program in a page of prose: an article, an answer of a forum, a talk with an assistant, copied whole.

A block of code is kept where every line of it reads as Python and every name in it is known by then.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

Kind = Literal["code", "prose", "blank", "comment", "odd"]
"""odd: neither code nor plain prose."""


class Piece(NamedTuple):
    """A statement or a line, and what it is; `quoted`: it stood between Markdown's backticks."""

    kind: Kind
    text: str
    quoted: bool


KEYWORDS = frozenset(
    "and as assert async await break class continue def del elif else except False finally for from global if import "
    "in is lambda None nonlocal not or pass raise return True try while with yield".split()
)
"""Words that stand beside others in code."""
_BUILTINS = frozenset(
    "abs all any bin bool bytes callable chr complex dict dir display divmod enumerate filter float format frozenset "
    "getattr hasattr hash hex id int isinstance issubclass iter len list map max min next object open ord pow "
    "print property range repr reversed round set setattr slice sorted staticmethod classmethod str sum super tuple "
    "type vars zip StopIteration NotImplemented self cls".split()
)
"""Names that need no definition."""
_USUAL = frozenset("torch nn F optim np plt math".split())
"""What programs import first, and what is imported by its usual name when a text never does."""

LONGEST, TRIED = 4000, 4000
"""Signs of a statement, and lines that are tried as parts of statements of several lines: no text is read for long."""

_STRING = re.compile(
    r"#.*|[rbfu]{0,2}(?:\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?'''|\"(?:[^\"\\\n]++|\\.)*+\"|'(?:[^'\\\n]++|\\.)*+')", re.I
)
_LETTER = r"[^\W\d_]"
_NAME = r"[^\W\d]\w*"
_TYPE = r"(?:int|float|str|bool|list|dict|tuple|[\w.]*Tensor|[\w.]+\[\])"
_SIGN = r"(?:[-+*/@%&|]|\*\*|//)?"

_STATEMENTS = [
    re.compile(form)
    for form in (
        r"import [\w.]+(?: as \w+)?(?:, ?[\w.]+(?: as \w+)?)*",
        r"from [\w.]+ import (?:\*|\([\w\s,]+\)|\w+(?: as \w+)?(?:, ?\w+(?: as \w+)?)*)",
        rf"(?![^=]*\w\s?\()(?:[^\W\d]|[(*])[\w.,\s*()[\]]*(?:: ?{_TYPE})?\s*{_SIGN}=(?!=)\s*\S[\s\S]*",
        r"\([\s\S]+\)\.\w+\([\s\S]*\)",
        rf"\w+\s*:\s*{_TYPE}",
        r"\[[\s\S]*\]",
        rf"(?:await )?{_NAME}(?:\.{_NAME}|\[[^\]]*\])*\s?\([\s\S]*\)(?:[.[][\s\S]*)?",
        r"(?:def \w+\s?\([\s\S]*\)(?:\s*->.*)?|class \w+(?:\s?\([\s\S]*\))?)\s*:[\s\S]*",
        r"(?:for [\w\s,()*]+ in|while|with|if|elif|async for|async with)\b[\s\S]+:[\s\S]*",
        r"(?:else|try|finally|except(?: [\w.(), ]+)?)\s*:[\s\S]*",
        r"(?:return|yield|assert|raise|del|global|nonlocal)\b[\s\S]*",
        r"(?:pass|break|continue|return)",
        r"@[\w.]+(?:\(.*\))?",
    )
]
"""How statements begin that are no words of a sentence."""
_SHOWN = re.compile(rf'(?:{_NAME}(?:\.{_NAME}|\[[^\]]*\])+|"")')
"""What is code beside other code alone: a value that a cell or a session shows, a text that describes a function."""
_FOREIGN = [
    re.compile(r"[\"'`?!$\\^]|[^\w\s\x20-\x7e]|\.\.\.[^\]),]"),
    re.compile(rf"(?:^|[^\w.])\d+(?:\.\d*)?(?!e[-+]?\d|j\b|x[\da-f]){_LETTER}", re.I),
    re.compile(rf"[)\]}}]\s*(?!(?:if|else|for|in|and|or|not|is|as|from)\b)(?:{_LETTER}|\d)"),
]
"""What no statement has outside of its strings."""
_TOKEN = re.compile(rf'{_NAME}|\d[\w.]*|""|\S')
_GLUED = re.compile(rf"^([^\s#].*?\))(?=(?:print\(|{_NAME}(?:\.{_NAME})*(?: ?= ?|\.\w+\())(?!\s))")
_PAIR = re.compile(rf"(?<![\w.])(?=((?:{_LETTER}|[’'-])+) ((?:{_LETTER}|[’'-])+)(?![\w(=]))")
_BINDINGS = [
    re.compile(way)
    for way in (
        r"(?:^|[\n;])(?![^=\n;]*\w\s?\()([^=\n;]+)(?<![!<>])=(?!=)",
        r"=\s*([\w, ]+?)\s*=(?!=)",
        r"\b(\w+)\s*:=",
        r"\bfor\s+(.+?)\s+in\b",
        r"\bas\s+(\w+)",
        r"\bimport\s+(\([^)]*\)|[^\n;]*)",
        r"\b(?:def|class)\s+(\w+)",
        r"\bdef\s+\w+\s?\(([\s\S]*?)\)\s*(?:->[^\n]*)?:",
        r"\blambda\b([^:]*):",
    )
]


def hollow(text: str) -> str:
    """A statement with its strings empty and without comments."""
    return _STRING.sub(lambda found: "" if found[0].startswith("#") else '""', text)


def depth_of(text: str) -> int:
    """How many brackets a text opens and does not close."""
    bare = hollow(text)
    return sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))


def _reads_as_code(text: str) -> bool:
    """Whether a statement reads as Python, as far as that can be told without its grammar."""
    bare = hollow(text).strip()
    plain = bare.replace('""', "_").replace("!=", "==")
    if any(sign.search(plain) for sign in _FOREIGN):
        return False
    tokens = _TOKEN.findall(bare)
    return not any(_is_operand(one) and _is_operand(other) for one, other in zip(tokens, tokens[1:], strict=False))


def _is_operand(token: str) -> bool:
    return (token[0] == "_" or token[0].isalnum() or token == '""') and token not in KEYWORDS


def _without_places(text: str) -> str:
    """With nothing in its square brackets."""
    while (less := re.sub(r"\[[^\[\]]+\]", "[]", text)) != text:
        text = less
    return text


def _kind_of(text: str) -> Kind:
    trimmed = text.strip()
    if not trimmed:
        return "blank"
    if len(trimmed) > LONGEST:
        return "prose"
    if trimmed.startswith("#"):
        return "comment"
    if depth_of(trimmed) == 0 and _reads_as_code(trimmed):
        statements = [part for part in re.split(r";\s*", _without_places(hollow(trimmed).strip())) if part]
        if all(any(form.fullmatch(each) for form in _STATEMENTS) or _SHOWN.fullmatch(each) for each in statements):
            return "code"
    return "prose" if _is_prose(trimmed) else "odd"


def _is_prose(text: str) -> bool:
    """Words in a row as no code has them; also a heading, a name, a number that counts something."""
    if not re.search(r"[=(){}\[\]]", text):
        return True
    return _is_wordy(text) and not re.match(r"[\w.\[\]]+(?:, ?[\w.\[\]]+)* ?[=(]", text)


def _is_wordy(text: str) -> bool:
    """Words that stand side by side without one of Python's between them, at least twice."""
    pairs = [found for found in _PAIR.findall(hollow(text)) if KEYWORDS.isdisjoint(found)]
    return len(pairs) >= 2


def _pieces(text: str) -> Iterator[Piece]:
    """The statements of a text, each as what it is."""
    lines = text.split("\n")
    tried = i = 0
    while i < len(lines):
        quote = re.fullmatch(r"\s*`([^`]+)`\s*", lines[i])
        line = statement = quote[1] if quote else lines[i]
        last = i
        if _kind_of(statement) != "code":
            for more in range(i + 1, len(lines)):
                tried += 1
                if not _is_open(statement) or tried > TRIED or len(statement) > LONGEST:
                    break
                statement += f"\n{lines[more]}"
                if not _is_open(statement) and _kind_of(statement) == "code":
                    last = more
        i = last + 1
        if _kind_of(statement) == "code":
            yield Piece("code", statement, quote is not None)
            continue
        parts = (_GLUED.sub(r"\1\n", line) if depth_of(line) == 0 else line).split("\n")
        if len(parts) > 1 and all(_kind_of(part) == "code" for part in parts):
            yield from [Piece("code", part, quote is not None) for part in parts]
        else:
            yield Piece(_kind_of(line), line, quote is not None)


def _is_open(text: str) -> bool:
    """Whether a statement goes on in the next line."""
    if not re.match(rf"\s*(?:{_LETTER}|[_@\"'])", text):
        return False
    return depth_of(text) > 0 or re.search(r"\\\s*$", text) is not None or _quotes(text) % 2 == 1


def _quotes(text: str) -> int:
    return text.count('"""') + text.count("'''")


def _blocks_of(pieces: Iterable[Piece]) -> list[str]:
    """Stretches of code with nothing but blank lines and comments within."""
    blocks: list[str] = []
    block: list[Piece] = []
    sound = True

    def close() -> None:
        while block and block[-1].kind != "code":
            block.pop()
        code = [piece for piece in block if piece.kind == "code"]
        strong = any(not _SHOWN.fullmatch(hollow(piece.text).strip()) for piece in code)
        if sound and strong and (len(code) > 1 or not code[0].quoted):
            text = _evenly([piece.text for piece in block])
            if text is not None and _is_indented(text):
                blocks.append("\n".join(text))
        block.clear()

    for piece in pieces:
        if piece.kind == "prose":
            close()
            sound = True
        elif piece.kind == "odd":
            sound = False
        elif piece.kind == "code" or block:
            block.append(piece)
    close()
    return blocks


def _evenly(statements: list[str]) -> list[str] | None:
    """The lines of a block as far to the left as it goes; None if that cannot be."""
    lines = [line for text in statements for line in text.split("\n")]
    first = lines[0][: len(lines[0]) - len(lines[0].lstrip(" \t"))]
    code = [text for text in statements if text.strip() and not text.strip().startswith("#")]
    if not all(text.startswith(first) for text in code):
        return None
    return [line[len(first) :] if line.startswith(first) else line.lstrip() for line in lines]


def _is_indented(lines: list[str]) -> bool:
    """Whether every block of statements stands further to the right than what opens it."""
    levels, opened, rest = [0], False, ""
    for line in lines:
        inside = rest != ""
        rest = f"{rest}\n{line}" if rest else line
        if not line.strip() or line.lstrip().startswith("#"):
            rest = rest if inside else ""
            continue
        indent = len(line) - len(line.lstrip(" \t"))
        if not inside:
            while not opened and indent < levels[-1]:
                levels.pop()
            if indent <= levels[-1] if opened else indent != levels[-1]:
                return False
            if opened:
                levels.append(indent)
        if _is_open(rest):
            continue
        opened, rest = hollow(rest).strip().endswith(":"), ""
    return not opened and not rest


def _identifiers(text: str) -> list[str]:
    """Names of a text that are no attributes."""
    return re.findall(rf"(?<![.\w]){_NAME}", text)


def _bound_in(code: str) -> set[str]:
    """Names that a block gives a value, as far as they show."""
    bare = hollow(code)
    return {name for way in _BINDINGS for found in way.findall(bare) for name in _identifiers(found)}


def _used_in(code: str) -> list[str]:
    """Names whose values a block asks for."""
    bare = re.sub(r"\bfrom\s+[\w.]+\s+import\b", "import", hollow(code))
    bare = re.sub(rf"{_NAME}\s*=(?!=)", "", bare)
    known = re.compile(r"__|.*(?:Error|Warning|Exception)$")
    return [name for name in _identifiers(bare) if name not in KEYWORDS and not known.match(name)]


def without_prose(text: str) -> str:
    """The code of a text that is mostly prose; the text itself where there is none, or where it is code already."""
    if not has_prose(text):
        return text
    blocks = _blocks_of(_pieces(text))
    imported = {name for block in blocks for name in _bound_in(block)}
    known = set(_BUILTINS | (_USUAL - imported))
    kept = []
    for block in blocks:
        bound = _bound_in(block)
        if known.union(bound).issuperset(_used_in(block)):
            known |= bound
            kept.append(block)
    code = "\n\n".join(kept)
    return f"{code}\n" if re.search(r"\btorch\b", code) and "\n" in code else text


def has_prose(text: str) -> bool:
    """Whether there are sentences in a text, and none that may stand in a string without an end."""
    return _quotes(text) % 2 == 0 and any(piece.kind == "prose" and _is_wordy(piece.text) for piece in _pieces(text))
