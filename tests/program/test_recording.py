# ruff: noqa: E501 - programs are easier to read on one line
"""What a recorder is told of a program, where it says it is, and what an outcome holds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import engine
import engine.torch as torch
from engine import running
from engine.core.state import state
from engine.document.limits import MEMBERS, PARTS
from engine.limits import Limits
from engine.program import execute
from engine.trace import Recorder, reading


class Listener(Recorder):
    """A recorder that keeps what it is told as it is told."""

    def __init__(self) -> None:
        super().__init__(Limits())
        self.bound: list[tuple[str, Any]] = []
        self.printed: list[str] = []
        self.looked: list[tuple[str, tuple[int, ...], int | None]] = []

    def read(self, target: Any, attribute: str, index: tuple[int, ...]) -> None:
        self.looked.append((attribute, index, state.position[0] if state.position else None))

    def bind(self, name: str, value: Any) -> None:
        self.bound.append((name, value))

    def print(self, text: str, piece: bool = False) -> None:
        self.printed.append(text)


@pytest.fixture(autouse=True)
def fresh_engine() -> None:
    running._fresh(0)


def listen(program: str) -> Listener:
    listener = Listener()
    outcome = execute(program, recorder=listener, seed=0)
    assert outcome.error is None, outcome.error
    return listener


def test_every_assignment_to_a_name_is_told_except_plain_numbers_and_text() -> None:
    listener = listen(
        "import torch\n"
        "x = torch.ones(2)\n"
        "y = z = x * 2\n"
        "a, (b, *c) = x, (y, z)\n"
        "n = 5\n"
        "def f(t):\n    inner = t + 1\n    return inner\n"
        "r = f(x)\n"
        "for row in [x, y]: pass\n"
        "with torch.no_grad(): w = x\n"
        "x += 1\n"
        "if (q := x) is not None: pass\n"
        "l = [i for i in [x]]\n"
    )
    names = [name for name, value in listener.bound if isinstance(value, torch.Tensor)]
    assert names == ["x", "y", "z", "a", "b", "inner", "r", "row", "row", "w", "x", "q"]
    assert "n" not in [name for name, _ in listener.bound]


def test_what_is_printed_is_told_and_collected() -> None:
    listener = Listener()
    outcome = execute(
        "print('a', 1, sep='-', end='!')\nprint()\nimport sys\nsys.stdout.write('b')", recorder=listener, seed=0
    )
    assert outcome.stdout == "a-1!\nb" == "".join(listener.printed)


WATCH = """
import torch
x = torch.ones(2, requires_grad=True)
y = (x * 2
     + 1)
z = y.sum().exp(
)
def f(t):
    return t @ t
f(y)
y[0]
for row in y: pass
loss = z + f(y)
loss.backward()
"""


def test_operations_run_at_the_position_of_their_expression() -> None:
    seen: list[tuple[str, Any]] = []

    class Observer:
        def op(self, op: Any, *rest: Any) -> None:
            seen.append((op.name, state.position))

        def __getattr__(self, name: str) -> Any:
            return lambda *args, **kwargs: None

    state.watch(Observer())  # type: ignore[arg-type]
    outcome = execute(WATCH, seed=0)
    state.watch(None)
    assert outcome.error is None, outcome.error
    lines = WATCH.split("\n")

    def text(position: tuple[int, int, int, int]) -> str:
        line, column, end_line, end_column = position
        return lines[line - 1][column : end_column if line == end_line else None].strip()

    at = [(name.split(".")[0], text(position)) for name, position in seen]
    assert ("mul", "x * 2") in at
    assert ("add", "x * 2") in at or ("add", "(x * 2") in at
    assert ("sum", "y.sum()") in at
    assert any(name == "exp" for name, _ in at)
    assert ("dot", "t @ t") in at
    assert ("select", "y[0]") in at
    assert ("unbind", "y") in at
    assert ("add", "z + f(y)") in at


def test_variables_are_bound_where_the_program_names_them() -> None:
    program = "import torch\ndef double(x):\n    return x * 2\na = torch.ones(2)\nb = double(a)\nc = [double(a)\n][0]\nd = c\n"
    bound = [(event["name"], event["line"]) for event in _events(program) if event["kind"] == "bind"]
    assert bound == [("a", 4), ("b", 5), ("c", 6), ("d", 8)]


def test_what_a_custom_function_saves_is_told() -> None:
    program = (
        "import torch\nclass Square(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x):\n"
        "        ctx.save_for_backward(None, x)\n        return x * x\n    @staticmethod\n    def backward(ctx, g):\n"
        "        return 2 * ctx.saved_tensors[1] * g\n"
        "Square.apply(torch.ones(2, requires_grad=True)).sum().backward()\n"
    )
    nodes = engine.run(code=program).document["nodes"]
    assert [list(node["saved"]) for node in nodes if node["name"] == "SquareBackward"] == [["saved_tensors[1]"]]


def _events(program: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = engine.run(code=program).document["events"]
    return found


def test_the_position_of_a_call_survives_the_hooks_it_runs() -> None:
    program = "import torch\nx = torch.ones(2, requires_grad=True)\ndef h(g):\n    a = g * 2\n    return a\nx.register_hook(h)\ny = x * 3\ny.sum().backward()"
    lines: list[int] = []

    class Observer:
        def accumulate(self, *args: Any) -> None:
            assert state.position is not None
            lines.append(state.position[0])

        def __getattr__(self, name: str) -> Any:
            return lambda *args, **kwargs: None

    state.watch(Observer())  # type: ignore[arg-type]
    outcome = execute(program, seed=0)
    state.watch(None)
    assert outcome.error is None, outcome.error
    assert lines == [8]


HOOKS = """\
import torch
from torch import nn
x = torch.ones(2, requires_grad=True)
y = x * 3
y.register_hook(lambda g: g * 2)
y.grad_fn.register_hook(lambda gi, go: None)
y.grad_fn.register_prehook(lambda go: None)
x.register_hook(lambda g: None)
x.register_post_accumulate_grad_hook(lambda t: None)
layer = nn.Linear(2, 1)
layer.register_full_backward_hook(lambda m, gi, go: None)
layer(y).sum().backward()
"""


def test_a_document_says_which_module_a_hook_was_put_on() -> None:
    code = (
        "import torch\nfrom torch import nn\ndef report(m, gi, go):\n    pass\n"
        "net = nn.Sequential(nn.Linear(2, 2), nn.Tanh())\nnet[1].register_full_backward_hook(report)\n"
        "def hidden():\n    layer = nn.Tanh()\n    layer.register_full_backward_hook(report)\n    return layer\n"
        "hidden()(net(torch.ones(1, 2))).sum().backward()\n"
    )
    document = engine.run(code=code, seed=0).document
    hooks = [event["target"] for event in document["events"] if event["kind"] == "hook"]
    assert hooks == ["Tanh", "net.1"]


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("x.register_hook(lambda g: torch.ones(5))", "tensor"),
        ("x.register_post_accumulate_grad_hook(lambda p: p.grad)", "post_accumulate"),
        ("y.grad_fn.register_prehook(lambda g: (g[0], g[0]))", "node_pre"),
        ("y.grad_fn.register_hook(lambda left, given: 1)", "node"),
    ],
)
def test_a_hook_is_told_of_whose_answer_pytorch_refuses(statement: str, kind: str) -> None:
    code = f"import torch\nx = torch.ones(2, requires_grad=True)\ny = x * 2\n{statement}\ny.sum().backward()\n"
    document = engine.run(code=code, seed=0).document
    (hook,) = [event for event in document["events"] if event["kind"] == "hook"]
    assert (hook["on"], hook["registered"]) == (kind, 4)
    assert document["error"]["line"] == 5


def test_hooks_before_the_backward_of_a_module_are_told() -> None:
    code = (
        "import torch\nlayer = torch.nn.Linear(2, 1)\nlayer.register_full_backward_pre_hook(lambda m, go: (go[0] * 3,))\n"
        "layer(torch.ones(1, 2)).sum().backward()\n"
    )
    document = engine.run(code=code, seed=0).document
    (hook,) = [event for event in document["events"] if event["kind"] == "hook"]
    values = [document["values"][hook[key][0]]["data"] for key in ("before", "after")]
    assert (hook["on"], hook["target"], hook["registered"], values) == ("module", "layer", 3, [[[1.0]], [[3.0]]])


def test_weights_in_a_long_list_have_their_place_as_name() -> None:
    code = (
        "import torch\nweights = [torch.ones(2, requires_grad=True) for _ in range(50)]\n"
        "sum(w.sum() for w in weights).backward()\n"
    )
    document = engine.run(code=code, seed=0).document
    leaves = [t["name"] for t in document["tensors"] if t["is_leaf"] and t["requires_grad"]]
    assert leaves == [f"weights[{i}]" for i in range(50)]
    assert list(document["globals"]) == []  # which lists what short containers hold


HELD = {
    "rows of a list": (
        "w = [[torch.ones(1, requires_grad=True) for _ in range(2)] for _ in range(2)]\n"
        "sum(a for row in w for a in row).backward()",
        ["w[0][0]", "w[0][1]", "w[1][0]", "w[1][1]"],
    ),
    "an object": (
        "class Net:\n"
        "    def __init__(self):\n"
        "        self.W = torch.ones(2, 2, requires_grad=True)\n"
        "        self.b = [torch.zeros(2, requires_grad=True)]\n"
        "    def __call__(self, x):\n"
        "        return x @ self.W + self.b[0]\n"
        "net = Net()\nnet(torch.ones(2)).sum().backward()",
        ["net.W", "net.b[0]"],
    ),
    "objects in an object": (
        "class Neuron:\n    def __init__(self): self.w = torch.ones(1, requires_grad=True)\n"
        "class Layer:\n    def __init__(self): self.neurons = [Neuron() for _ in range(2)]\n"
        "layer = Layer()\nparameters = [n.w for n in layer.neurons]\nfor p in parameters:\n    p.grad = None\n"
        "sum(n.w for n in layer.neurons).backward()",
        ["layer.neurons[0].w", "layer.neurons[1].w"],
    ),
    "dicts": (
        "p = {'enc': {'w': torch.ones(2, requires_grad=True)}, 'dec': (torch.ones(2, requires_grad=True),)}\n"
        "(p['enc']['w'] * p['dec'][0]).sum().backward()",
        ["p['enc']['w']", "p['dec'][0]"],
    ),
    "one variable for several": (
        "p = [(torch.ones(2, requires_grad=True), torch.zeros(2, requires_grad=True)) for _ in range(2)]\n"
        "x = torch.ones(2)\nfor w, b in p:\n    x = x * w + b\nx.sum().backward()",
        ["p[0][0]", "p[0][1]", "p[1][0]", "p[1][1]"],
    ),
    "one variable for one after the other": (
        "kept = []\nfor _ in range(2):\n    w = torch.ones(2, requires_grad=True)\n    kept.append(w)\n    w.sum().backward()",
        ["w", "w"],
    ),
    "a class that answers for everything": (
        "class Net:\n"
        "    def __init__(self): self.w = torch.ones(1, requires_grad=True)\n"
        "    def __getattr__(self, name): raise RuntimeError(name)\n"
        "    def __len__(self): raise RuntimeError('len')\n"
        "net = Net()\nnet.w.sum().backward()",
        ["net.w"],
    ),
    "what a module did not register": (
        "class Net(torch.nn.Module):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "        self.scale = torch.ones(1, requires_grad=True)\n"
        "        self.layers = [torch.nn.Linear(1, 1, bias=False) for _ in range(2)]\n"
        "    def forward(self, x):\n"
        "        for layer in self.layers: x = layer(x)\n"
        "        return x * self.scale\n"
        "net = Net()\nnet(torch.ones(1)).sum().backward()",
        ["net.scale", "net.layers[0].weight", "net.layers[1].weight"],
    ),
    "names that go on and on": (
        "class Net: pass\nnet = Net()\n"
        "setattr(net, 'a' * 100_000, [[torch.ones(1, requires_grad=True)] for _ in range(2)])\n"
        "sum(x for part in vars(net).values() for x, in part).backward()",
        ["net." + "a" * 195 + "…"] * 2,
    ),
    "what holds itself": (
        "class Node: pass\na = Node()\na.self, a.all = a, [a]\na.all.append(a.all)\n"
        "a.w = torch.ones(1, requires_grad=True)\na.w.sum().backward()",
        ["a.w"],
    ),
}
"""Programs, and the names of their leaves."""


@pytest.mark.parametrize(("program", "names"), HELD.values(), ids=HELD)
def test_leaves_are_called_by_what_holds_them(program: str, names: list[str]) -> None:
    document = engine.run(code=f"import torch\n{program}\n", seed=0).document
    assert document["error"] is None
    assert [t["name"] for t in document["tensors"] if t["is_leaf"] and t["requires_grad"]] == names


@pytest.mark.parametrize(
    ("place", "latex"),
    [("p['a.b']", r"g \cdot \text{p['a.b']}"), ("p['q'][0]", r"g \cdot \text{p['q'][0]}"), ("net.ws[0]", r"g \cdot \mathrm{ws[0]}")],
)  # fmt: skip
def test_formulas_call_tensors_by_their_own_part_of_a_path(place: str, latex: str) -> None:
    program = (
        "import torch\nmade = lambda: torch.ones(2, requires_grad=True)\nclass Net: pass\nnet = Net()\nnet.ws = [made()]\n"
        f"p = {{'a.b': made(), 'q': [made()]}}\nx = made()\ny = x * {place}\ny.sum().backward()"
    )
    (node,) = [row for row in engine.run(code=program, seed=0).document["nodes"] if row["name"] == "MulBackward0"]
    assert node["formula"]["self"]["latex"] == latex


def test_names_are_looked_for_in_bounded_time(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0

    def counted(value: Any) -> Any:
        nonlocal looked
        for member in members(value):
            looked += 1
            yield member

    members = reading.members
    monkeypatch.setattr(reading, "members", counted)
    program = (
        "import torch\nx = torch.ones(1, requires_grad=True)\ny = [x]\nfor _ in range(60):\n    y = [y, y]\n"
        "z = [[[[k], k] for k in range(50)] for _ in range(1000)]\nx.sum().backward()\n"
    )
    assert engine.run(code=program, seed=0).document["error"] is None
    assert 0 < looked <= PARTS + 61 * MEMBERS


@pytest.mark.parametrize("made", ["[np.zeros(1000)]", "{'a': np.zeros(1000)}", "Held()"])
def test_what_only_gives_names_takes_no_memory_that_a_program_needs(made: str) -> None:
    program = (
        "import numpy as np\nimport torch\nclass Held:\n    def __init__(self): self.a = np.zeros(1000)\n"
        f"kept = [torch.ones(2, requires_grad=True)]\nfor _ in range(60):\n    held = {made}\nkept[0].sum().backward()"
    )
    document = engine.run(code=program, seed=0, limits=Limits(total_bytes=200_000)).document
    assert document["error"] is None
    assert "kept[0]" in [t["name"] for t in document["tensors"]]


def test_an_argument_does_not_rename_a_variable() -> None:
    code = (
        "import torch\nw = torch.nn.Parameter(torch.ones(2))\ndef f(params):\n    return params[0].sum()\n"
        "f([w]).backward()\n"
    )
    document = engine.run(code=code, seed=0).document
    assert [t["name"] for t in document["tensors"] if t["is_leaf"] and t["requires_grad"]] == ["w"]


@pytest.mark.parametrize(
    ("expression", "node", "names"),
    [
        ("F.layer_norm(x, (2,))", "NativeLayerNormBackward0", ["input", "result1", "result2"]),
        ("torch.autograd.grad(F.relu(x).sum(), x, create_graph=True)[0]", "ThresholdBackwardBackward0", ["self"]),
        (
            "torch.autograd.grad(F.mse_loss(x, x.detach()), x, create_graph=True)[0]", "MseLossBackwardBackward0",
            ["grad_output", "self", "target"],
        ),
    ],
)  # fmt: skip
def test_a_node_saves_what_pytorch_saves_under_its_names(expression: str, node: str, names: list[str]) -> None:
    code = (
        f"import torch\nimport torch.nn.functional as F\nx = torch.ones(1, 2, requires_grad=True)\ny = {expression}\n"
    )
    document = engine.run(code=code, seed=0).document
    assert [sorted(row["saved"]) for row in document["nodes"] if row["name"] == node] == [names]


@pytest.mark.parametrize(
    ("expression", "node", "shown"),
    [
        ("z * w", "MulBackward0", [("g * conj(other)", r"g \cdot \overline{w}"), ("g * conj(self)", r"g \cdot \overline{z}")]),
        ("z / w", "DivBackward0", [
            ("g / conj(other)", r"\frac{g}{\overline{w}}"),
            ("-g * conj(self / other / other)", r"\left(-g\right) \cdot \overline{\frac{\frac{z}{w}}{w}}"),
        ]),
        ("z - w", "SubBackward0", [
            ("g", "g"), ("-g if alpha == 1 else -g * conj(alpha)", "-g"),
        ]),
        ("m @ m", "MmBackward0", [
            ("conj(mm_grad_first(conj(g), mat2, self.shape, self.strides))", r"\overline{\overline{G}\,B^{\mathsf T}}"),
            ("conj(mm_grad_second(conj(g), self, mat2.shape, mat2.strides))", r"\overline{A^{\mathsf T} \overline{G}}"),
        ]),
        ("z.abs()", "AbsBackward0", [("g * sgn(self)", r"g \cdot \operatorname{sign}(z)")]),
    ],
)  # fmt: skip
def test_formulas_of_complex_gradients_have_conjugates(
    expression: str, node: str, shown: list[tuple[str, str]]
) -> None:
    program = (
        "import torch\nz = torch.tensor(1 + 2j, requires_grad=True)\nw = torch.tensor(2 - 1j, requires_grad=True)\n"
        f"m = torch.ones(2, 2, dtype=torch.complex64, requires_grad=True)\ny = {expression}\n"
    )
    (row,) = [row for row in engine.run(code=program, seed=0).document["nodes"] if row["name"] == node]
    assert [(part["text"], part["latex"]) for part in row["formula"].values()] == shown
    assert node != "AbsBackward0" or row["says"].startswith("the derivative points away from 0")


def test_an_observer_hears_of_every_hook_with_the_line_that_registered_it_and_of_none_of_the_librarys_own() -> None:
    heard: list[tuple[str, int | None]] = []

    class Observer:
        def hook(self, on: str, target: Any, before: Any, after: Any, registered: Any) -> None:
            heard.append((on, registered and registered[0]))

        def __getattr__(self, name: str) -> Any:
            return lambda *args, **kwargs: None

    state.watch(Observer())  # type: ignore[arg-type]
    outcome = execute(HOOKS, seed=0)
    state.watch(None)
    assert outcome.error is None, outcome.error
    assert heard == [("module", 11), ("tensor", 5), ("node_pre", 7), ("node", 6), ("tensor", 8), ("post_accumulate", 9)]


def test_columns_count_characters() -> None:
    outcome = execute("x = 'é€𝄞' + undefined", seed=0)
    assert outcome.error is not None
    assert (outcome.error.column, outcome.error.end_column) == (12, 21)
    for character in "\x0c\x85\u2028":  # which end a line of `splitlines`, but none of Python's
        outcome = execute(f"import torch\na = '{character}é'\né = 1; é.missing", seed=0)
        assert outcome.error is not None
        assert (outcome.error.line, outcome.error.column, outcome.error.end_column) == (3, 7, 16)


def test_a_copied_optimizer_is_met_at_its_first_use() -> None:
    lines = ["import copy, torch", "w = torch.ones(2, requires_grad=True)", "o = torch.optim.SGD([w])"]
    lines += ["p = copy.deepcopy(o)", "p.step()"]
    made, copied = engine.run(code="\n".join(lines)).document["optimizers"]
    assert (made["name"], made["line"], len(made["tensors"]), made["uses"]) == ("o", 3, 1, [])
    assert (copied["name"], copied["line"], len(copied["tensors"])) == ("p", None, 1)
    assert copied["uses"] == [{"what": "step", "passes": 0, "lr": 0.001, "line": 5}]


def test_a_step_of_an_optimizer_tells_its_learning_rate_where_there_is_one_for_all() -> None:
    lines = ["import torch", "w, b = (torch.ones(2, requires_grad=True) for _ in range(2))"]
    lines += ["o = torch.optim.SGD([{'params': [w]}, {'params': [b]}], lr=0.5)", "o.zero_grad()", "o.step()"]
    lines += [
        "o.param_groups[0]['lr'] = float('inf')",
        "o.step()",
        "o.param_groups[1]['lr'] = float('inf')",
        "o.step()",
    ]
    (found,) = engine.run(code="\n".join(lines)).document["optimizers"]
    assert [use.get("lr") for use in found["uses"]] == [None, 0.5, None, "Infinity"]


def test_globals_come_in_the_order_of_the_source() -> None:
    outcome = execute(
        "import math\nb = 1\na = [2]\ndef f(): pass\nclass C: pass\nfor i in []: pass\n_hidden = 3\ndel b", seed=0
    )
    assert list(outcome.globals) == ["math", "a", "f", "C", "_hidden"]
    assert outcome.globals["a"] == [2]


def test_an_error_keeps_what_happened_before_it() -> None:
    outcome = execute("import torch\nx = torch.ones(1)\nprint('before')\ny = x + z\nw = 1", seed=0)
    assert outcome.stdout == "before\n"
    assert list(outcome.globals) == ["torch", "x"]
    assert outcome.error is not None
    assert (outcome.error.line, outcome.error.column, outcome.error.end_line, outcome.error.end_column) == (4, 8, 4, 9)


def test_tracebacks_name_functions_and_lines() -> None:
    outcome = execute("def outer():\n    return inner()\ndef inner():\n    return [1][5]\nouter()", seed=0)
    assert outcome.error is not None
    assert [(frame.line, frame.function) for frame in outcome.error.traceback] == [
        (5, "<module>"),
        (2, "outer"),
        (4, "inner"),
    ]


def test_warnings_are_kept_once_per_line_with_the_line_that_caused_them() -> None:
    program = "import warnings\nfor i in range(3):\n    warnings.warn('careful')\nwarnings.warn('careful')\nwarnings.warn('old', DeprecationWarning)"
    outcome = execute(program, seed=0)
    assert [(w.category, w.message, w.line) for w in outcome.warnings] == [
        ("UserWarning", "careful", 3),
        ("UserWarning", "careful", 4),
        ("DeprecationWarning", "old", 5),
    ]
    assert execute("import warnings\nwarnings.filterwarnings('ignore')\nwarnings.warn('x')", seed=0).warnings == []
    outcome = execute("import warnings\nwarnings.simplefilter('error')\nwarnings.warn('x')", seed=0)
    assert outcome.error is not None and outcome.error.type == "UserWarning"


def test_the_engine_warns_at_the_line_of_the_program() -> None:
    outcome = execute("import torch\nx = torch.ones(1, requires_grad=True)\ny = x * 2\nprint(y.grad)", seed=0)
    assert [(w.category, w.line) for w in outcome.warnings] == [("UserWarning", 4)]
    assert outcome.warnings[0].message.startswith("The .grad attribute of a Tensor that is not a leaf")


def test_runs_are_repeatable() -> None:
    program = (
        "import random, time, numpy as np\nprint(random.random(), np.random.rand(), time.time(), id([]), object())"
    )
    assert execute(program, seed=3).stdout == execute(program, seed=3).stdout
    assert execute(program, seed=3).stdout != execute(program, seed=4).stdout


@pytest.mark.parametrize(
    ("program", "kind", "hint"),
    [
        ("import torchaudio\ntorchaudio.load", "ModuleNotFoundError", "torch.randn"),
        ("from nothing.here import x\nx()", "ModuleNotFoundError", "nothing is not available here"),
        (">>> x = 1", "SyntaxError", ">>> and ..."),
        ("files = !ls", "SyntaxError", "write its result"),
    ],
)
def test_errors_that_need_it_come_with_a_hint(program: str, kind: str, hint: str) -> None:
    outcome = execute(program, seed=0)
    assert outcome.error is not None and outcome.error.type == kind
    assert outcome.error.hint is not None and hint in outcome.error.hint


GRAPH = "import torch\na = torch.tensor(2.0, requires_grad=True)\nb = a + 1\ne = a * b\n"


def test_attributes_that_are_printed_asserted_or_followed_are_told_with_their_line_and_subscripts() -> None:
    listener = listen(
        GRAPH + "print(e.grad_fn.next_functions, f'{a.is_leaf}')\n"
        "fn = e.grad_fn.next_functions[1][0]\n"
        "assert b.retains_grad is False\n"
        "for edge, i in fn.next_functions[:1]: print([t.requires_grad for t in (a, b)], edge.name())\n"
        "e.grad_fn\n"
    )
    assert listener.looked == [
        ("grad_fn", (), 5), ("next_functions", (), 5), ("is_leaf", (), 5),
        ("grad_fn", (), 6), ("next_functions", (1, 0), 6),
        ("retains_grad", (), 7),
        ("next_functions", (), 8), ("requires_grad", (), 8), ("requires_grad", (), 8), ("name", (), 8),
        ("grad_fn", (), 9),
    ]  # fmt: skip


def test_what_is_computed_with_or_read_by_the_engine_is_no_inspection() -> None:
    listener = listen(
        GRAPH + "e.backward()\n"
        "with torch.no_grad(): a -= 0.1 * a.grad\n"
        "g = a.grad\n"
        "a.grad.zero_()\n"
        "e.grad_fn.register_hook(lambda i, o: None)\n"
        "print(e)\n"
        "class P:\n    grad = 1\n    name = 'p'\n"
        "print(P.grad, P().name, torch.optim.SGD([a], lr=0.1).step())\n"
    )
    assert listener.looked == []


def test_a_read_says_what_it_gave() -> None:
    document = engine.run(code=GRAPH + "print(a.grad, a.is_leaf, b.grad_fn)\ne.backward()\nprint(a.grad)").document
    reads = [event for event in document["events"] if event["kind"] == "read"]
    assert [(event["attribute"], event["value"]) for event in reads[:3]] == [
        ("grad", None),
        ("is_leaf", True),
        ("grad_fn", document["tensors"][1]["grad_fn"]),
    ]
    assert document["values"][reads[3]["value"]]["data"] == 5.0
    assert [event["tensor"] for event in reads] == ["t0", "t0", "t1", "t0"]


def test_a_loop_that_reads_fills_neither_the_document_nor_the_time() -> None:
    loop = GRAPH + "e.backward()\nfor i in range(10_000):\n    assert a.grad is not None and a.is_leaf\n"
    document = engine.run(code=loop).document
    assert document["limits"]["truncated"] is None
    assert sum(event["kind"] == "read" for event in document["events"]) == 200
    many = "\n".join(["print(a.is_leaf)"] * 30)
    document = engine.run(code=GRAPH + "for i in range(200):\n    " + many.replace("\n", "\n    ")).document
    assert sum(event["kind"] == "read" for event in document["events"]) == 2_000


REPLACED = {
    "transposed": ("a.t_()", [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]),
    "resized": ("a.resize_(2)", [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]),
    "resized for a result": ("torch.add(torch.ones(2), 1, out=a)", [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]),
    "set": ("a.set_(torch.zeros(3))", [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]),
    "new data": ("a.data = torch.zeros(3)", [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]),
}


@pytest.mark.filterwarnings("ignore:An output with one or more elements was resized")
@pytest.mark.parametrize(("statement", "expected"), REPLACED.values(), ids=REPLACED)
def test_what_a_node_saved_stays_as_it_was(statement: str, expected: Any) -> None:
    program = f"import torch\na = torch.arange(6.).reshape(2, 3).clone()\nw = torch.ones(2, 3, requires_grad=True)\ny = w * a\n{statement}"
    document = engine.run(code=program, seed=0).document
    assert document["error"] is None
    (node,) = [node for node in document["nodes"] if node["name"] == "MulBackward0"]
    assert document["values"][node["saved"]["other"]]["data"] == expected


@pytest.mark.parametrize("made", ["torch.tensor(2., ", "torch.tensor([2.], "])
def test_inputs_that_gradcheck_moves_are_saved_where_they_were(made: str) -> None:
    program = f"import torch\nx = {made}dtype=torch.float64, requires_grad=True)\ntorch.autograd.gradcheck(lambda x: x * x, x)"
    document = engine.run(code=program, seed=0).document
    assert document["error"] is None

    def number(ref: str) -> float:
        return float(np.array(document["values"][ref]["data"]).item())

    outputs = {op["node"]: op["outputs"] for op in document["ops"]}
    values = {t["id"]: t["value"] for t in document["tensors"]}
    seen = set()
    for node in document["nodes"]:
        if node["name"] == "MulBackward0" and node["id"] in outputs:
            at = number(node["saved"]["self"])
            assert number(values[outputs[node["id"]][0]]) == at * at
            seen.add(round(at, 7))
    assert seen == {2.0, 1.999999, 2.000001}


WRITES = (
    "a[0] = 5", "a += 4", "a.fill(5)", "a.flat = 5", "np.add.at(a, [0], 4)", "np.put(a, [0], 5)", "np.add(a, 4, out=a)",
    "np.copyto(a, 5)", "a[::-1].sort()", "np.random.shuffle(a)", "np.random.default_rng(1).shuffle(a)", "a.partition(1)",
)  # fmt: skip


@pytest.mark.parametrize("write", WRITES)
def test_values_are_those_before_numpy_wrote_to_the_memory_of_a_tensor(write: str) -> None:
    program = (
        "import numpy as np, torch\na = np.array([1, 3, 2], dtype=np.float32)\nv = torch.from_numpy(a)\ns = v * 2\n"
        f"{write}\nprint(v.tolist() == a.tolist())"
    )
    document = engine.run(code=program, seed=0).document
    values = {tensor["name"]: document["values"][tensor["value"]]["data"] for tensor in document["tensors"]}
    assert document["stdout"] == "True\n" and values["v"] == [1, 3, 2] and values["s"] == [2, 6, 4]
