"""The program in a text that was copied with more than the program, or in another form."""

from __future__ import annotations

import json
import time

import pytest

import engine
from engine.program.pasted import program_in

PROGRAM = """import torch
x = torch.tensor([1., 2.], requires_grad=True)
for i in range(2):
    y = (x * x).sum()
    if y > 0:
        y.backward()
print(x.grad)
"""
LINES = PROGRAM.rstrip("\n").split("\n")
NUMBERED = list(enumerate(LINES, 1))


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("\n".join(f"{i} {line}" for i, line in NUMBERED), "without line numbers"),
        ("\n".join(f"{i}. {line}" for i, line in NUMBERED), "without line numbers"),
        ("\n".join(f"{i}\t{line}" for i, line in NUMBERED), "without line numbers"),
        ("\n".join(f"{i:>3} | {line}" for i, line in NUMBERED), "without line numbers"),
        ("\n".join(f"{i:>6}→{line}" for i, line in NUMBERED), "without line numbers"),
        ("\n".join(f"[{i}] {line}" for i, line in NUMBERED), "without line numbers"),
        ("\n".join(f"{i}\n{line}" for i, line in NUMBERED), "without line numbers"),
        (PROGRAM.replace(">", "&gt;"), "with the signs that entities stand for"),
        (f"<pre><code>{PROGRAM}</code></pre>", "without a page’s tags"),
        (f"python\nCopy code\n{PROGRAM}", "without a page’s buttons"),
        (f"python\n{PROGRAM}", "without a page’s buttons"),
        ("Try this:\n\n" + "\n".join(f"    {line}" for line in LINES) + "\n\nIt works.", "without the lines around it"),
        (f"% python3 grads.py\n{PROGRAM}", "without the commands of a shell"),
        (f"(env) me@host:~/work$ cat grads.py\n{PROGRAM}", "without the commands of a shell"),
        (f"C:\\Users\\me> type grads.py\n{PROGRAM}", "without the commands of a shell"),
        ("\n".join(f"+{line}" for line in LINES), "as it is after the diff"),
        (
            "@@ -1,2 +1,7 @@\n import torch\n-y = 3\n" + "\n".join(f"+{line}" for line in LINES[1:]),
            "as it is after the diff",
        ),
        ("\n".join(f"> {line}" for line in LINES), "without the marks of a quotation"),
        ("\n".join(f">> {line}" for line in LINES), "without the marks of a quotation"),
        ("\n".join(f"| {line}" for line in LINES), "without the marks of a quotation"),
        ("On Monday A wrote:\n" + "\n".join(f"> {line}" for line in LINES), "without the marks of a quotation"),
        (PROGRAM.replace("range", "xrange").replace("print(x.grad)", "print x.grad"), "in Python 3"),
        (PROGRAM.replace("range", "xrange"), "in Python 3"),
        (PROGRAM.replace("    y =", "\ty ="), "with blanks for tabs"),
        (f"This is how it goes:\n```python\n{PROGRAM}```\n", "without Markdown’s marks"),
        (PROGRAM.replace("(2)", "（2）"), "in plain signs"),
        ("\n".join(f"    {line}" for line in LINES) + "\n", "without its indentation"),
        (
            "\n".join(f"{i} {line}" for i, line in zip((1, 2, 9, 10, 11, 12, 30), LINES, strict=True)),
            "without line numbers",
        ),
        ("\n".join(f"L{i} {line}" for i, line in NUMBERED), "without line numbers"),
        ("\n".join(f"{i}{line}" for i, line in NUMBERED), "without line numbers"),
        ("\n".join(f"grads.py:{i}:{line}" for i, line in NUMBERED), "without line numbers"),
        (
            "\n".join(f"^a1b2c3d4 (Ann 2024-01-02 10:00:00 +0100 {i}) {line}" for i, line in NUMBERED),
            "without line numbers",
        ),
        ("\n".join(f"[{i}]: {line}" for i, line in NUMBERED), "without line numbers"),
        (f"{PROGRAM}Copy\n", "without a page’s buttons"),
        (f"{PROGRAM}Copied!\n", "without a page’s buttons"),
        (f"grads.py\n{PROGRAM}", "without a page’s buttons"),
        (f"Ann  10:14 AM\n{PROGRAM}", "without a page’s buttons"),
        (f"{PROGRAM}~\n~\n", "without a page’s buttons"),
        ("\n".join(f">{line}" for line in LINES), "without the marks of a quotation"),
        ("\n".join(f"\x1b[34m{line}\x1b[0m" for line in LINES), "without the signs of a terminal"),
        (PROGRAM.replace("import", "[34mimport[0m"), "without the signs of a terminal"),
        (PROGRAM.replace("\n", "\u2028"), "without the signs of a terminal"),
        (PROGRAM.replace("tensor", "ten\xadsor"), "without the signs of a terminal"),
        (f"{PROGRAM}\0", "without the signs of a terminal"),
        (PROGRAM.replace(">", "&amp;gt;"), "with the signs that entities stand for"),
        ("<br>\n".join(LINES), "without a page’s tags"),
        (f"[code]\n{PROGRAM}[/code]", "without a page’s tags"),
        (f"\\begin{{verbatim}}\n{PROGRAM}\\end{{verbatim}}\n", "without the marks around it"),
        (f"{{code:python}}\n{PROGRAM}{{code}}\n", "without the marks around it"),
        (f"cat > grads.py <<'EOF'\n{PROGRAM}EOF\n", "without the marks around it"),
        (
            "{\\rtf1\\ansi\n{\\fonttbl\\f0 Menlo;}\n\\f0\\fs22 " + "\\\n".join(LINES) + "}",
            "without a word processor’s marks",
        ),
        (PROGRAM.replace("\n", "\\n"), "with line breaks for their signs"),
        (f"- ```py\n{PROGRAM}  ```\n", "without Markdown’s marks"),
        (f"{PROGRAM.rstrip()}```\n", "without Markdown’s marks"),
        (PROGRAM.replace("x * x", "х * х"), "in plain signs"),  # Cyrillic
        (PROGRAM.rstrip()[:-1], "with its last line closed"),
        (PROGRAM + "tensor([4., 8.])\nprint(\n", None),
    ],
)
def test_what_was_copied_along_is_taken_out(text: str, change: str | None) -> None:
    error = engine.run(code=text).document["error"]
    assert error is not None
    if change is None:
        assert "program" not in error
    else:
        assert error["program"] == {"code": PROGRAM, "changes": [change]}


def test_sessions_are_programs_that_print_what_they_showed() -> None:
    session = (
        '$ python\nPython 3.11.7 (main, Dec  8 2023)\nType "help", "copyright" or "license" for more information.\n'
        ">>> import torch\n>>> x = torch.tensor(2., requires_grad=True)\n>>> for i in range(2):\n"
        "...     (x * x).backward()\n...\n>>> x.grad  # twice\ntensor(8.)\n"
    )
    offered = engine.run(code=session).document["error"]["program"]
    assert offered["changes"] == ["without the commands of a shell", "without prompts and printed results"]
    again = engine.run(code=offered["code"]).document
    assert again["error"] is None and again["stdout"] == "tensor(8.)\n"


def test_cells_stay_cells() -> None:
    cells = "In [1]: import torch\nIn [2]: torch.ones(2)\nOut[2]: tensor([1., 1.])\n"
    assert program_in(cells) == ("# %% In [1]\nimport torch\n\n# %% In [2]\ntorch.ones(2)\n", [
        "without the cells’ prompts and results"
    ])  # fmt: skip


def test_marks_of_files_and_the_files_of_notebooks_run_at_once() -> None:
    marked = engine.run(code=f"\ufeff{PROGRAM}").document
    assert marked["error"] is None and marked["source"] == {"kind": "code", "code": PROGRAM}
    file = {"cells": [{"cell_type": "code", "source": LINES, "outputs": [], "execution_count": None}], "nbformat": 4}
    file["cells"][0]["source"] = [f"{line}\n" for line in LINES]  # type: ignore[index]
    run = engine.run(code=json.dumps(file)).document
    assert run["error"] is None and run["stdout"] == "tensor([4., 8.])\n"
    assert run["source"]["changes"] == ["as the cells of a notebook"]
    assert run["source"]["code"] == f"# %% In [1]\n{PROGRAM}"
    for cells in (file["cells"], file["cells"][0]):
        assert engine.run(code=json.dumps(cells), seed=0).document["source"] == run["source"]


QUESTION = "I do not see where these three numbers come from, and the manual (see below) does not say so."


def _among_prose(code: str) -> str:
    return (
        f"How are gradients weighed?\nAsked 3 years ago\n{QUESTION}\n\n{code}\n\n"
        "The call weighs every element of y, as in sum(w * y), before it goes back.\n7\nShare\nFollow\n"
    )


OF_EVERY_KIND = '''import torch

class Twice(torch.nn.Module):
    """Two of it, that is all it does."""

    def forward(self, x, by=2.0):
        return x * by  # (so)

x = torch.tensor(
    [1.0, 2.0],
    requires_grad=True,
)
out, (h, c) = Twice()(x), (1, 2)
for i in range(2):
    # each iteration adds
    if i != 1:
        out.sum().backward(retain_graph=True)
    else:
        (out * 2).sum().backward()
print(f"{x.grad} is what it is", x.grad[0])
'''
APART = """y.backward(torch.ones(3))

That line stands in the question and lacks all before it.

import torch
x = torch.ones(3, requires_grad=True)

Now we go on from there with a sum.

y = x.sum()
y.backward()
x.grad

What comes out of this is shown here:

tensor([1., 1., 1.])

and with a model of your own it would be

loss = model(data).mean()
loss.backward()"""


@pytest.mark.parametrize(
    ("code", "program"),
    [
        (OF_EVERY_KIND, OF_EVERY_KIND),
        ("\n".join(f"    {line}" if line else "" for line in OF_EVERY_KIND.split("\n")), OF_EVERY_KIND),
        (APART, "import torch\nx = torch.ones(3, requires_grad=True)\n\ny = x.sum()\ny.backward()\nx.grad\n"),
        (
            "`a = torch.tensor(2.0, requires_grad=True)`\n\nb = a * 3\n\nb.backward()print(a.grad)",
            "a = torch.tensor(2.0, requires_grad=True)\n\nb = a * 3\n\nb.backward()\nprint(a.grad)\n",
        ),
        ("x = torch.ones(2, requires_grad=True)\nwhile x.sum() < 9:\nx = x * 2\nx.sum().backward()", None),
        ("import torch\nx = torch.ones(2\ny = x * 2\ny.backward()", None),
        ("The value of `y.backward()` is never what one would look at.", None),
        ("These “numbers” are what I do not see at all.", None),
        ("dL/dx = 2x\ny = x^2\nloss = f(x1, x2, ... xn)", None),
    ],
)
def test_the_code_among_prose_is_found_whole_or_not_at_all(code: str, program: str | None) -> None:
    found = program_in(_among_prose(code))
    assert (found and found.code) == program


@pytest.mark.parametrize(
    "code",
    [
        "import torch\n# here comes all that we need for this\nx = torch.ones(2\nprint(x)",
        "import torch\nprint('the loss of this step is now)\nx = torch.ones(2)",
        "import torch\nfor name, layer, grad in parts\n    print(name)",
        'import torch\n"""\nWhat this program does is not much.\nx = torch.ones(2)\nprint(x)',
        "import torch\nprint(hello my dear old friend)\nx = torch.ones(2)",
        "1. First one makes a tensor.\n2. Then one calls backward() on it, and that is all.",
        "x = 3 >\n",
        "class Net(torch.nn.Module)\n    def forward(self, x):\n        return torch.relu(x)\n",
        "for x in torch.ones(2)\n    print(x)\n",
        '{"cells": 3}',
    ],
)
def test_an_error_of_a_program_is_left_to_it(code: str) -> None:
    assert "program" not in (engine.run(code=code).document["error"] or {})


def test_a_long_text_that_is_no_program_is_read_quickly() -> None:
    for text in ("f(\n" * 9000, "x = f(' \n" * 5000, "for a in b in " * 4000 + "\n", "1 \n" * 30_000, "> > " * 20_000):
        begun = time.process_time()
        assert program_in(f"{text}the cat sat down on the mat (or did it)\n") is None
        assert time.process_time() - begun < 10


HARD = {
    "brackets in brackets": ">>> x = " + "(" * 45_000 + ")" * 45_000 + "\n1\n",
    "quotes that never close": "'\\\"" * 30_000,
    "lines of them": "\n".join(["'\\" * 99 + "a" * 800] * 99),
    "one sentence": "the quick brown fox jumps. " * 3_600,
}


@pytest.mark.parametrize("name", HARD)
def test_no_text_is_looked_through_for_long(name: str) -> None:
    before = time.process_time()
    program_in(HARD[name])
    assert time.process_time() - before < 5, "of processor time: some of these took a minute"
