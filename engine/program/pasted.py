"""The program in a text that is none: copied out of a session, a notebook, a page, a mail or a diff.

Without prompts, line numbers, printed results and the marks around it, in plain signs.
"""

from __future__ import annotations

import ast
import html
import re
import warnings
from collections.abc import Callable
from typing import NamedTuple

from engine.program import notebook
from engine.program.prose import KEYWORDS, depth_of, has_prose, hollow, without_prose

LONGEST, ESCAPED = 100_000, 100
"""Characters of a text that is looked through, and quotes of a line after a backslash: its end is sought for each."""


class Pasted(NamedTuple):
    """A program, and what was changed of the text that it was found in."""

    code: str
    changes: list[str]


def program_in(text: str) -> Pasted | None:
    """The program in a text that is none as it is; None where nothing is found to be changed, or that does not help."""
    if len(text) > LONGEST:
        return None
    code, changes = text.replace("\r\n", "\n").replace("\r", "\n"), list[str]()
    if any(len(re.findall(r"\\['\"]", line)) > ESCAPED for line in code.split("\n")):
        return None
    for what, change in _KINDS:
        changed = change(code)
        if changed != code:
            code = changed
            changes.append(what)
    code = code.strip("\n") + "\n"
    return Pasted(code, changes) if changes and code.strip() and not has_prose(code) else None


_NO_PROGRAM = frozenset({"SyntaxError", "IndentationError", "TabError"})
_NO_NAME = re.compile(
    r"name '(?:tensor|In|Out|xrange|[pP]ython|PYTHON|Copy|Copied|Run|Edit|Explain|cat|code|[^\x00-\x7f]+)' is not "
    "defined"
)
"""What a text says that holds results, prompts or buttons, or is of Python 2, and is a program by its grammar."""


def meant(text: str, kind: str, message: str) -> Pasted | None:
    """The program that was meant by a text which ended in an error of this type; None where it is one as it is."""
    titled = kind == "NameError" and re.match(r"\s*[\w/-]+\.py[ \t]*\n", text) is not None
    if kind not in _NO_PROGRAM and not _NO_NAME.match(message) and not titled:
        return None
    found = program_in(text)
    return found if found is not None and is_python(notebook.as_python(found.code)[0]) else None


def from_file(text: str) -> Pasted | None:
    """The program in the text of a notebook's file, or of its cells, pasted as it is; None for any other text."""
    text = text.strip()
    if not text.startswith(("{", "[")) or '"cell' not in text:
        return None
    if '"cells"' not in text:
        text = f'{{"cells": {text if text[0] == "[" else f"[{text}]"}}}'
    try:
        return Pasted(notebook.from_ipynb(text), ["as the cells of a notebook"])
    except ValueError:
        return None


def is_python(code: str) -> bool:
    """Whether a text is a program, at least by its grammar."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"


def _filled(code: str) -> list[str]:
    return [line for line in code.split("\n") if line.strip()]


def _without_entities(code: str) -> str:
    """Of a page's source, the signs that its entities stand for."""
    for _ in range(3):  # pages escape what was escaped
        if not re.search(r"&(?:gt|lt|amp|quot|apos|nbsp|#x?[0-9a-fA-F]{1,5});", code):
            break
        code = html.unescape(code)
    return code


def _without_controls(code: str) -> str:
    """Without what tells a terminal its colours, in lines that end as lines do."""
    code = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\n]*\x07|[\x00\x1a\x07\xad]", "", code)
    if "[0m" in code or "[39m" in code:  # without the sign that no page shows
        code = re.sub(r"\[\d{1,3}(?:;\d{1,3}){0,4}m", "", code)
    return re.sub(r"\n?\x0b\n?|[\x85\u2028\u2029]", "\n", code)


def _without_rtf(code: str) -> str:
    """Of a word processor's file, its text."""
    if not code.lstrip().startswith("{\\rtf") or code.count("{\\") > 200:
        return code
    code = re.sub(r"\{\\(?:\*|fonttbl|colortbl|stylesheet|info)[^{}]*(?:\{[^{}]*\}[^{}]*)*\}", "", code)
    code = re.sub(r"\\(?:par|line)\b ?|\\\n", "\n", code.replace("\\\\", "\0").replace("\\tab ", "    "))
    code = re.sub(r"\\'([0-9a-fA-F]{2})", lambda found: bytes.fromhex(found[1]).decode("cp1252", "replace"), code)
    code = re.sub(r"(?<!\\)[{}]", "", re.sub(r"\\[a-z]+-?\d* ?", "", code))
    return _joined(re.sub(r"\\([{}])", r"\1", code).replace("\0", "\\").strip("\n").split("\n"))


def _unescaped(code: str) -> str:
    """Of one line in which line breaks are written as signs, the lines."""
    text = code.strip().strip("\"'")
    if "\n" in text or text.count("\\n") < 2:
        return code
    return _joined(
        re.sub(r"\\([nt\"'\\])", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), text).split("\n")
    )


_MARKS = (
    (r"\s*\\begin\{(?:verbatim|lstlisting|minted)\}.*", r"\s*\\end\{\w+\}\s*"),
    (r"\s*#\+begin_(?:src|example)\b.*", r"\s*#\+end_\w+\s*"),
    (r"\s*\{(?:code|noformat)(?::[^}\n]*)?\}\s*", r"\s*\{(?:code|noformat)\}\s*"),
    (r".*<<-?\s*['\"]?EO[FT]['\"]?\s*", r"EO[FT]\s*"),
)
"""Lines between which other markups, and shells, have a program."""


def _without_marks(code: str) -> str:
    """What stands between the marks of LaTeX, Org, Jira or a shell."""
    lines = code.split("\n")
    for begin, end in _MARKS:
        starts = [at for at, line in enumerate(lines) if re.fullmatch(begin, line, re.IGNORECASE)]
        kept: list[str] = []
        for start in starts:
            stop = next((at for at in range(start + 1, len(lines)) if re.fullmatch(end, lines[at], re.I)), len(lines))
            kept += [*lines[start + 1 : stop], ""]
        if kept:
            return _joined(kept)
    return code


_TAGS = "pre|code|span|div|p|html|head|body|font|b|i|em|strong|table|tbody|tr|td|syntaxhighlight|source"


def _without_tags(code: str) -> str:
    """Of a page's source, what stands between its tags."""
    code = re.sub(r"\[/?(?:code|python|syntax)(?:=[\w-]+)?\]", "", code)
    if not re.search(r"<(?:pre|code|br|syntaxhighlight|source)\b[^<>\n]{0,200}>", code):
        return code
    code = re.sub(r"<br ?/?>\n?", "\n", code)
    return re.sub(rf"</?(?:{_TAGS})\b[^<>\n]{{0,200}}>", "", code)


_BUTTON = r"[Pp]ython\d?|PYTHON|py|[Cc]opy(?: [Cc]ode)?|Copied!?|Edit|Run|Explain|Open in Colab"
_TITLE = r"[\w/-]+\.py|[\w .]{1,40} \d{1,2}:\d\d(?: ?[AP]M)?|GNU nano .*"
"""What stands over a program: its file, who sent it and when, its editor."""


def _without_buttons(code: str) -> str:
    """Without what a page writes over a block of code: its language, and what copies it."""
    lines = code.split("\n")
    while lines and re.fullmatch(rf"\s*(?:|{_BUTTON}|{_TITLE})\s*", lines[0]):
        lines.pop(0)
    while lines and re.fullmatch(rf"\s*(?:|{_BUTTON}|~)\s*", lines[-1]):
        lines.pop()
    filled = code.strip("\n").split("\n")
    return code if not lines or [lines[0], lines[-1]] == [filled[0], filled[-1]] else _joined(lines)


def _without_frame(code: str) -> str:
    """Of a short answer, the block that is indented between its lines."""
    outside = [line for line in _filled(code) if not line.startswith(("    ", "\t"))]
    if not 0 < len(outside) <= 20 or any(re.match(rf"(?:{'|'.join(KEYWORDS)})\b|.*[=(@\[]", line) for line in outside):
        return code
    inside = _dedented("\n".join([line for line in code.split("\n") if line.startswith(("    ", "\t")) or not line]))
    found = _joined(inside.strip("\n").split("\n"))
    return found if "torch" in found and is_python(found) else code


_FENCE = re.compile(r"\s*(?:(?:[-*+]|\d+\.)\s+)?(?:`{3,}|~{3,})\s*\{?(\w*)")


def _without_fences(code: str) -> str:
    """Of Markdown, the blocks of Python."""
    if re.fullmatch(r"`[^`]+`\s*", code):
        return code.strip().strip("`") + "\n"
    kept: list[str] = []
    fenced = python = False
    whole, code = code, re.sub(r"(?<=[^\s`])[ \t]*(?=`{3})", "\n", code)
    if len(re.findall(r"^\s*`{3,}", code, re.M)) == 1 and code.rstrip().endswith("```"):
        return code.rstrip().rstrip("`").rstrip() + "\n"  # the block began above what was copied
    for line in code.split("\n"):
        fence = _FENCE.match(line)
        if fence is not None:
            python = not fenced and re.fullmatch(r"|py\w*|ipython\d?|code", fence[1], re.I) is not None
            fenced = not fenced
            if fenced and kept:
                kept.append("")
        elif fenced and python:
            kept.append(line)
    return _joined(kept) if kept else whole


def _without_diff(code: str) -> str:
    """Of a diff, the lines that are there after it."""
    lines = code.split("\n")
    filled = _filled(code)
    if not any(re.match(r"[+-](?![+-]{2} | *`{3})", line) for line in filled):
        return code
    if not all(re.match(r"[+\- ]|@@ |diff |index ", line) for line in filled):
        return code
    kept = [line for line in lines if not re.match(r"-|\+\+\+ |@@ |diff |index ", line)]
    return _joined([line[1:] for line in kept])


def _without_quotes(code: str) -> str:
    """Of an answer to a mail, what it quotes."""
    lines = code.strip("\n").split("\n")
    while lines and re.fullmatch(r"\s*|[^>|\n]*:\s*", lines[0]):
        lines.pop(0)  # who wrote it
    for mark in (r"> ?> ?(?!>)", r">(?!>)(?: |$)", r"\|(?: |$)", r">(?!>)"):
        if len(lines) > 1 and all(re.match(mark, line) for line in lines if line.strip()):
            return _joined([re.sub(f"^(?:{mark})", "", line, count=1) for line in lines])
    return code


_NUMBERS = (
    r"\s*(\d+)\s?[|│:→]", r"\s*\[(\d+)\]:?", r"\s*(\d+)\.", r"\s*(\d+)\)?[ \t]", r"\s*L(\d+):?[ \t]",
    r"[\w./-]+\.py[:-](\d+)[:-]", r"\s*(\d+)-", r"\^?[0-9a-f]{7,40} .{0,80}?(\d+)\)", r"(\d+)",
)  # fmt: skip
"""Line numbers of pages, viewers, grep and git blame."""


def _without_numbers(code: str) -> str:
    """Of a page with numbered lines, the lines."""
    filled, lines = _filled(code), code.rstrip("\n").split("\n")
    alone = [int(line) for line in lines[::2] if re.fullmatch(r"\s*[0-9]{1,5}\s*", line)]
    if 2 < len(lines) <= 2 * len(alone) + 1 and _counts(alone):
        return _joined(lines[1::2])
    for mark in _NUMBERS:
        found = [re.match(mark, line) or re.fullmatch(r"\s*(\d+)\s*[|│:.]?\s*", line) for line in filled]
        numbers = [int(each[1]) for each in found if each is not None]
        if len(filled) > 1 and len(numbers) == len(filled) and _counts(numbers):
            left = [re.sub(rf"^(?:{mark}|\s*\d+\s*$)", "", line, count=1) for line in code.split("\n")]
            if all(line.startswith((" ", "\t")) for line in left if line.strip()):
                left = [line[1:] for line in left]  # between the number and the line
            return _joined(left)
    return code


def _counts(numbers: list[int]) -> bool:
    """Whether these numbers count lines, of which some may have been left out."""
    return all(0 < after - before < 30 for before, after in zip(numbers, numbers[1:], strict=False))


def _without_commands(code: str) -> str:
    """Without the commands of a shell that began a session, and what Python says of itself there."""
    programs = r"(?:python|pip|ipython|conda|cat|cd)\d?\b"
    host = rf"(?:\([\w.-]+\) ?)?[\w.-]+@[\w.:~/ -]+[$%#] ?\w|\([\w.-]+\) ?[$%>] ?\w|[A-Z]:\\[^>\n]*> ?\w|% {programs}"
    banner = rf"Python \d[\d.]+ .*|\[(?:GCC|Clang|MSC).*|Type \"help\", .*|{host}"
    kept = [line for line in code.split("\n") if not re.match(rf"\s*[$%] ?(?:\w|\./)|{banner}", line)]
    if not any(re.match(rf"\s*\$ ?(?:\w|\./)|{banner}", line) for line in code.split("\n")):
        return code
    return "\n".join(kept)


_PROMPT = re.compile(r"\s*(>>>|\.\.\.(?!\.)) ?(.*)$")


def _without_prompts(code: str) -> str:
    """Of a session with `>>>`, what was typed; what it showed by itself is printed."""
    filled = _filled(code)
    if not (filled and re.match(r"\s*>>>", filled[0])) and not re.search(r"^>>> ", code, re.M):
        return code
    typed: list[list[str]] = []
    answered: list[bool] = []
    for line in code.split("\n"):
        prompt = _PROMPT.match(line)
        if prompt is not None and prompt[1] == ">>>":
            typed.append([prompt[2] or ""])
            answered.append(False)
        elif prompt is not None and typed and not answered[-1]:
            typed[-1].append(prompt[2] or "")
        elif typed and line.strip():
            answered[-1] = True
        elif not typed:
            typed.append([line])
            answered.append(False)
    statements = [_shown(each) if said else each for each, said in zip(typed, answered, strict=True)]
    return _joined(["\n".join(statement) for statement in statements])


_STATEMENT = re.compile(
    r"(?:from|import|for|while|if|with|def|class|del|assert|raise|return|print|try|pass|global)\b|@"
)


def _shown(statement: list[str]) -> list[str]:
    """An expression whose value a session shows by itself."""
    value, comment = re.fullmatch(r"(.*?)(\s*(?:#.*)?)", statement[0]).groups()  # type: ignore[union-attr]
    call = re.search(r"\.(?:backward|step|zero_grad)\(", value)
    if len(statement) > 1 or not value or _STATEMENT.match(value) or call:
        return statement
    return statement if re.search(r"(?<![=!<>])=(?!=)", _outermost(value)) else [f"print({value}){comment}"]


_CLOSES = {")": "(", "]": "[", "}": "{"}


def _outermost(line: str) -> str:
    """A line without what is in brackets that are closed."""
    kept: list[str] = []
    opened: list[int] = []
    for sign in hollow(line):
        if sign in _CLOSES and opened and kept[opened[-1]] == _CLOSES[sign]:
            del kept[opened.pop() :]
            continue
        if sign in _CLOSES:  # of none of those before it: they stay, too
            opened.clear()
        elif sign in _CLOSES.values():
            opened.append(len(kept))
        kept.append(sign)
    return "".join(kept)


def _without_cell_prompts(code: str) -> str:
    """Of a notebook with `In [1]:`, the cells, whose last values are shown."""
    if not re.search(r"^\s*In ?\[[\d ]*\]:", code, re.M):
        return code
    kept: list[str] = []
    cells, inside, alone = 0, True, False
    for line in code.split("\n"):
        prompt = re.match(r"\s*In ?\[[\d ]*\]:(?: (.*)|)$", line)
        more = re.match(r"\s*\.{3,}:(?: (.*)|)$", line)
        if prompt is not None:
            cells += 1
            alone, inside = not prompt[1], True
            kept += [*([""] if kept else []), f"# %% In [{cells}]", *([prompt[1]] if prompt[1] else [])]
        elif more is not None and inside:
            kept.append(more[1] or "")
        elif re.match(r"\s*Out ?\[[\d ]*\]:", line) or not (alone or not cells):
            inside = False
        elif inside and line.strip():
            kept.append(line)
        elif inside and kept and kept[-1].strip():
            kept.append("")
    return re.sub(r"\n{3,}", "\n\n", _joined(kept))


_REPORT = re.compile(
    r"^Traceback \(most recent call last\):\n(?:(?:[ \t].*|)\n)*(?:[\w.]+(?:: .*)?(?:\n|$))?", re.MULTILINE
)


def _without_traceback(code: str) -> str:
    """Without the reports of errors, from their first line to the one that names the error."""
    return _REPORT.sub("", code)


_RESULT = re.compile(
    r"\s*[(\[]*\s*(?:tensor|array|Parameter containing:)\s*[(\n]?|\s*(?:torch\.Size\(\[|<[\w.]+ (?:object|at) )"
)
_LABEL = re.compile(r"\s*(?:(?:the )?(?:outputs?|results?|prints?))\s*:\s*$", re.IGNORECASE)


def _without_results(code: str) -> str:
    """Without values as `print` writes them."""
    if not re.search(r"^\s*[(\[]*tensor\(|^\s*<[\w.]+ (?:object|at) |^Parameter containing:", code, re.M):
        return code
    kept: list[str] = []
    depth, in_result = 0, False
    lines = code.split("\n")
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        if depth == 0:
            in_result = bool(_RESULT.match(line) or _LABEL.match(line) and _RESULT.match(following))
        depth = max(0, depth + depth_of(line))
        if not in_result:
            kept.append(line)
    return code if len(kept) == len(lines) else _joined(kept)


_PLAIN = {
    "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'", "–": "-", "—": "-", "−": "-",
    "‐": "-", "‑": "-", "×": "*", "·": "*", "÷": "/", "…": "...", "，": ",", "：": ":", "（": "(", "）": ")",
    "；": ";", "＝": "=",
    "′": "'", "″": '"', "´": "'", "а": "a", "е": "e", "о": "o", "с": "c", "р": "p", "х": "x", "у": "y",
}  # fmt: skip
_SIGNS = re.compile(
    r"#.*|('''|\"\"\")[\s\S]*?\1|'(?:[^'\\\n]++|\\.)*+'|\"(?:[^\"\\\n]++|\\.)*+\""
    r"|[“”„][^“”„\"\n]*[“”\"]|[‘’‚][^‘’‚'\n]*[‘’']|[^\x00-\x7f]"
)
"""Comments and texts, in plain quotes and in curly ones, and what is no sign of a keyboard."""


def _in_plain_signs(code: str) -> str:
    """Signs as keyboards have them, outside of texts and comments."""
    return _SIGNS.sub(_plain, code)


def _plain(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) > 1:
        quote = '"' if found[0] in "“”„" else "'" if found[0] in "‘’‚" else ""
        return f"{quote}{found[1:-1]}{quote}" if quote else found
    if found in "\u200b\u200c\u200d\u2060\ufeff":
        return ""
    return " " if found.isspace() else _PLAIN.get(found, found)


def _out_of_prose(code: str) -> str:
    """Of a page of prose, its blocks of code."""
    plain = _in_plain_signs(code)
    found = without_prose(plain)
    return code if found == plain else found


def _dedented(code: str) -> str:
    """Every line begins as far to the left as its block allows."""
    indents = [line[: len(line) - len(line.lstrip(" \t"))] for line in _filled(code)]
    first = indents[0] if indents else ""
    if not first or not all(indent.startswith(first) for indent in indents):
        return code
    lines = code.split("\n")
    return "\n".join([line[len(first) :] if line.startswith(first) else line.lstrip() for line in lines])


def _without_tabs(code: str) -> str:
    """Where tabs and blanks indent lines of one text, tabs as so many blanks as make it a program."""
    indents = {line[: len(line) - len(line.lstrip(" \t"))] for line in _filled(code)}
    if not any("\t" in indent for indent in indents) or is_python(code):
        return code
    for width in (4, 8, 2):
        found = "\n".join([_expanded(line, width) for line in code.split("\n")])
        if is_python(found):
            return found
    return code


def _expanded(line: str, width: int) -> str:
    """A line whose indentation has no tabs."""
    text = line.lstrip(" \t")
    return line[: len(line) - len(text)].expandtabs(width) + text


def _closed(code: str) -> str:
    """With the brackets that the last line leaves open, as where a text was cut."""
    lines = code.rstrip().split("\n")
    last = hollow(lines[-1]).rstrip() if lines else ""
    if is_python(code) or last.endswith(("(", "[", "{", ",")) or not is_python("\n".join(lines[:-1]) + "\n"):
        return code
    opened: list[str] = []
    for sign in last:
        if sign in "([{":
            opened.append(sign)
        elif sign in _CLOSES and opened:
            opened.pop()
    found = _joined(
        [*lines[:-1], lines[-1] + "".join({"(": ")", "[": "]", "{": "}"}[sign] for sign in reversed(opened))]
    )
    return found if opened and is_python(found) else code


def _in_python_3(code: str) -> str:
    """The statements of Python 2 that are calls and other words now."""
    code = re.sub(r"^(\s*)print[ \t]+(?![(=.,])([^#\n]*[^#\s,]),?([ \t]*(?:#.*)?)$", r"\1print(\2)\3", code, flags=re.M)
    code = re.sub(r"^(\s*)print[ \t]*$", r"\1print()", code, flags=re.M)
    code = re.sub(r"^(\s*except\s+[\w.]+|\s*except\s+\([^()]*\)),\s*(\w+)\s*:", r"\1 as \2:", code, flags=re.M)
    code = re.sub(r"\.iter(items|keys|values)\(\)", r".\1()", code)
    return code if "def xrange" in code else re.sub(r"(?<![\w.])xrange(?=\()", "range", code)


_KINDS: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("without a word processor’s marks", _without_rtf),
    ("without the signs of a terminal", _without_controls),
    ("with line breaks for their signs", _unescaped),
    ("with the signs that entities stand for", _without_entities),
    ("without a page’s tags", _without_tags),
    ("as it is after the diff", _without_diff),
    ("without the marks of a quotation", _without_quotes),
    ("without the marks around it", _without_marks),
    ("without Markdown’s marks", _without_fences),
    ("without a page’s buttons", _without_buttons),
    ("without line numbers", _without_numbers),
    ("without the commands of a shell", _without_commands),
    ("without prompts and printed results", _without_prompts),
    ("without the cells’ prompts and results", _without_cell_prompts),
    ("without the report of an error", _without_traceback),
    ("without printed results", _without_results),
    ("without the text around it", _out_of_prose),
    ("without the lines around it", _without_frame),
    ("in plain signs", _in_plain_signs),
    ("without its indentation", _dedented),
    ("with blanks for tabs", _without_tabs),
    ("in Python 3", _in_python_3),
    ("with its last line closed", _closed),
)
"""Each makes one change to what is no part of a program."""
