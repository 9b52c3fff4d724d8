"""Compares a run document with what was recorded from PyTorch: everything a user of the program could observe.

Numbers agree to 1e-4 (float32) or 1e-7 (float64) relative, texts to the character. Node ids are each side's own, so
graphs are numbered by walking them from the roots before they are compared.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

TOLERANCE = {"float64": (1e-7, 1e-10), "complex128": (1e-7, 1e-10)}
NUMBER = re.compile(r"(?<![A-Za-z_0-9])[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+|nan|inf)(?![A-Za-z_])")
ADDRESS = re.compile(r"0x[0-9a-fA-F]+\b")
ADDRESS_OR_NUMBER = re.compile(r"0x(?:ADDR|[0-9a-fA-F]+)")
HEXADECIMAL = re.compile(r"(?<! at )0x[0-9a-fA-F]+\b")
"""Numbers that are no address of an object; records mask them all the same."""

NEWER = {
    "max() iterable argument is empty": "max() arg is an empty sequence",
    " and no __dict__ for setting new attributes": "",
    "'I' format requires 0 <= number <= 4294967295": "argument out of range",
    "empty range in randrange(3, 2)": "empty range for randrange() (3, 2, -1)",
    "float values are not JSON compliant: nan": "float values are not JSON compliant",
    "(calendar.THURSDAY, 29)": "(3, 29)",
    "28 72 44 48 24 64 80": "28 72 52 48 24 64 80",
    "[ 2. -0. -1. -0.] 3.0": "[ 2.  0. -1. -0.] 3.0",
    "[-0.767592+0.j  0.434259+0.j]": "[-0.767592  0.434259]",
    "[-0.76759188+0.j  0.43425855+0.j]": "[-0.76759188  0.43425855]",
    "np.sum(generator) is deprecated. Use": "np.sum(generator) is deprecated.Use",
    "6 5 [1, 1]": "6 6 [1, 1]",  # tests that ran: 3.12.1 counts none that are skipped
    "5 4 [1, 1]": "5 5 [1, 1]",
}
"""What later versions of CPython and numpy say, and what was recorded instead."""

QUOTE = "'"
ORDERED = re.compile(r"\b(OrderedDict|O)\(\{((?:[^{}]|\{[^{}]*\})*)\}\)")
"""An `OrderedDict`, or one of a class `O` of a program, as CPython prints it since 3.12."""

ABSTRACT = re.compile(r"without an implementation for abstract (methods?) ('\w+'(?:, '\w+')*)")
"""What CPython misses in a class since 3.12."""

LITERAL = re.compile(r"with '\w+' literal")
"""Of which type one is, CPython tells since 3.12."""

Fetch = Callable[[str], Any]


def judge(record: dict[str, Any], document: dict[str, Any], fetch: Fetch) -> list[str]:
    """What differs; empty when the document is entirely right. `fetch(value id)` gives the data of a large value."""
    return Comparison(record, document, fetch).differences()


def normal(text: str) -> str:
    """Text without addresses, in the words of the CPython that was recorded."""
    return ADDRESS_OR_NUMBER.sub("0xADDR", recorded_words(text))


def recorded_words(text: str) -> str:
    for newer, recorded in NEWER.items():
        text = text.replace(newer, recorded)
    text = LITERAL.sub("with a literal", text)
    text = ABSTRACT.sub(lambda found: f"with abstract {found[1]} {found[2].replace(QUOTE, '')}", text)
    return ORDERED.sub(lambda found: f"{found[1]}([{_pairs(found[2])}])", text)


def _pairs(items: str) -> str:
    """`k: v, …` as `(k, v), …`; what stands in brackets holds together."""
    depth, parts = 0, [""]
    for character in items:
        depth += (character in "([{") - (character in ")]}")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    pairs = (part.strip().partition(": ") for part in parts if part)
    return ", ".join(f"({key}, {value})" for key, _, value in pairs)


class Comparison:
    """One document beside one record."""

    def __init__(self, record: dict[str, Any], document: dict[str, Any], fetch: Fetch) -> None:
        self.expected, self.document, self.fetch = record["expected"], document, fetch
        self.structure_only = bool(self.expected.get("structure_only"))
        self.tensors = {t["id"]: t for t in document["tensors"]}
        self.nodes = {n["id"]: n for n in document["nodes"]}
        self.names: dict[str, list[str]] = {}
        for name, ref in document["globals"].items():
            self.names.setdefault(ref, []).append(name)
        self.found: list[str] = []

    def differences(self) -> list[str]:
        self.stdout()
        self.error()
        for name, want in self.expected["tensors"].items():
            if not want.get("trace_error"):
                self.tensor(name, want)
        self.backward()
        return self.found

    def note(self, what: str, want: Any, got: Any) -> None:
        self.found.append(f"{what}: expected {str(want)[:300]} got {str(got)[:300]}")

    # What was printed and raised

    def stdout(self) -> None:
        if self.structure_only:
            return
        want, got = tokens(self.expected["stdout"]), tokens(recorded_words(self.document["stdout"]))
        if len(want) != len(got) or not all(map(same_token, got, want)):
            self.note("stdout", repr(self.expected["stdout"]), repr(self.document["stdout"]))

    def error(self) -> None:
        want, got = self.expected["error"], self.document["error"]
        if want is None or got is None:
            if want is not got:
                self.note("error", want, got)
            return
        right = (
            got["type"] == want["type"]
            and ADDRESS.sub("0xADDR", recorded_words(got["message"])).split() == want["message"].split()
            and got["line"] in (want["line"], want["line_top"])
        )
        if not right:
            self.note("error", want, {k: got[k] for k in ("type", "message", "line")})

    # Tensors

    def array(self, ref: str | None) -> dict[str, Any] | None:
        if ref is None:
            return None
        value = self.document["values"][ref]
        return {"shape": value["shape"], "data": lambda: self.fetch(ref) if value["data"] is None else value["data"]}

    def tensor(self, name: str, want: dict[str, Any]) -> None:
        ref = self.document["globals"].get(name)
        if ref is None:
            self.note(name, "a tensor", "nothing")
            return
        got = self.tensors[ref]
        for key in ("shape", "dtype", "requires_grad", "is_leaf"):
            if got[key] != want[key]:
                self.note(f"{name}.{key}", want[key], got[key])
        grad_fn = self.nodes[got["grad_fn"]]["name"] if got["grad_fn"] else None
        if grad_fn != want["grad_fn"]:
            self.note(f"{name}.grad_fn", want["grad_fn"], grad_fn)
        value, grad = self.array(got["final"]), self.array(got["grad"])
        if want["values"] is not None and not self.structure_only and value is not None:
            self.same(f"{name}", value["data"], want["values"], want["dtype"])
        if (want["grad"] is None) != (grad is None):
            self.note(f"{name}.grad", want["grad"], grad)
        elif grad is not None:
            if grad["shape"] != want["grad"]["shape"]:
                self.note(f"{name}.grad.shape", want["grad"]["shape"], grad["shape"])
            elif not self.structure_only:
                self.same(f"{name}.grad", grad["data"], want["grad"]["values"], want["grad"].get("dtype", "float32"))

    def same(self, what: str, got: Callable[[], Any], want: Any, dtype: str) -> None:
        """Note a difference; `got` is not fetched where nothing was recorded."""
        if want is not None and not same_values(got(), want, dtype):
            self.note(what, want, got())

    # Backward passes

    def passes(self) -> list[dict[str, Any]]:
        """The engine runs of the document, as the record describes them. Those of a program's own tape, which have the
        lines that ran, are not PyTorch's."""
        own = {event["call"] for event in self.document["events"] if event["kind"] == "node" and "line" in event}
        found: list[dict[str, Any]] = []
        open_passes: dict[int, dict[str, Any]] = {}
        for event in self.document["events"]:
            if event.get("call") in own:
                continue
            if event["kind"] == "backward":
                found.append({"roots": event["roots"], "order": [], "gradients": {}})
                open_passes[event["call"]] = found[-1]
            elif event["kind"] == "node":
                current = open_passes[event["call"]]
                current["order"].append(event["node"])
                current["gradients"][event["node"]] = {k: event[k] for k in ("grad_outputs", "grad_inputs")}
        return found

    def backward(self) -> None:
        want, got = self.expected["backward"], self.passes()
        count = self.expected["backward_count"]
        if count is None:
            return
        raised = sum(bool(w.get("errored")) for w in want)
        if len(got) not in (count, count - raised):
            self.note("engine runs", count, len(got))
        if raised and len(got) == count - raised:
            want = [w for w in want if not w.get("errored")]
        for index, (w, g) in enumerate(zip(want, got, strict=False)):
            if not w.get("structure_varies") and not w.get("trace_error"):
                self.one_pass(f"backward {index}", w, g)

    def one_pass(self, what: str, want: dict[str, Any], got: dict[str, Any]) -> None:
        theirs = {n["id"]: (n["name"].split("::")[-1], n["next"]) for n in want["nodes"]}
        ours = {i: (n["name"], [e if e else [None, 0] for e in n["next_functions"]]) for i, n in self.nodes.items()}
        order_theirs, shape_theirs = walk([r and r[0] for r in want["roots"]], theirs)
        order_ours, shape_ours = walk([r and r[0] for r in got["roots"]], ours)
        if shape_theirs != shape_ours:
            self.note(f"{what} graph", shape_theirs, shape_ours)
            return
        partner = dict(zip(order_theirs, order_ours, strict=True))
        for node in want["nodes"]:
            if node.get("variable") and node["id"] in partner:
                leaf = self.nodes[partner[node["id"]]]["variable"]
                names = {*self.names.get(leaf, []), self.tensors[leaf]["name"]}
                if not names & set(node["variable"]):
                    self.note(f"{what} leaf", node["variable"], names)
        if want.get("errored"):
            return
        executed = [partner.get(n) for n in want["order"]]
        if executed != got["order"]:
            self.note(f"{what} order", [theirs[n][0] for n in want["order"]], [ours[n][0] for n in got["order"]])
        if not self.structure_only:
            for node, gradients in (want.get("node_grads") or {}).items():
                self.gradients(f"{what} {node}", gradients, got["gradients"].get(partner.get(int(node)), {}))

    def gradients(self, what: str, want: dict[str, Any], got: dict[str, Any]) -> None:
        for key in ("grad_outputs", "grad_inputs"):
            mine = got.get(key)
            if want.get(key) is None:
                continue
            if mine is None or len(mine) != len(want[key]):
                self.note(f"{what} {key}", want[key], mine)
                continue
            for w, ref in zip(want[key], mine, strict=True):
                g = self.array(ref)
                if (w is None) != (g is None):
                    self.note(f"{what} {key}", w, g)
                elif w is not None and g is not None:
                    if g["shape"] != w["shape"]:
                        self.note(f"{what} {key} shape", w["shape"], g["shape"])
                    elif "values" in w:
                        self.same(f"{what} {key}", g["data"], w["values"], "float32")


def walk(roots: list[Any], nodes: dict[Any, Any]) -> tuple[list[Any], list[Any]]:
    """Nodes in the order a walk from the roots meets them, and the graph written with those numbers."""
    order: dict[Any, int] = {}
    queue: list[Any] = []

    def number(node: Any) -> int | None:
        if node is None:
            return None
        if node not in order:
            order[node] = len(order)
            queue.append(node)
        return order[node]

    shape: list[Any] = [[number(r) for r in roots]]
    position = 0
    while position < len(queue):
        name, edges = nodes[queue[position]]
        position += 1
        shape.append((name, [(number(n), nr if n is not None else 0) for n, nr in edges]))
    return list(order), shape


def as_float(value: Any) -> float:
    names = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}
    return float(names.get(value, value))


def same_values(got: Any, want: Any, dtype: str) -> bool:
    relative, absolute = TOLERANCE.get(dtype, (1e-4, 1e-6))
    if dtype == "bool" or "int" in dtype:
        relative = absolute = 0.0
    elif dtype not in TOLERANCE:
        absolute += 1e-6 * largest(want)
    return _same(got, want, relative, absolute)


def largest(value: Any) -> float:
    if isinstance(value, list):
        return max(map(largest, value), default=0.0)
    size = abs(as_float(value))
    return size if math.isfinite(size) else 0.0


def _same(got: Any, want: Any, relative: float, absolute: float) -> bool:
    if isinstance(want, list) or isinstance(got, list):
        both = isinstance(want, list) and isinstance(got, list) and len(want) == len(got)
        return both and all(_same(g, w, relative, absolute) for g, w in zip(got, want, strict=True))
    g, w = as_float(got), as_float(want)
    if math.isnan(w) or math.isnan(g):
        return math.isnan(w) and math.isnan(g)
    return g == w if math.isinf(w) else abs(g - w) <= absolute + relative * abs(w)


def tokens(text: str) -> list[tuple[str, str]]:
    """Numbers and the text between them, blanks squeezed. Documents show addresses as the records do."""
    text = HEXADECIMAL.sub("0xADDR", text)
    found: list[tuple[str, str]] = []
    position = 0
    for match in NUMBER.finditer(text):
        found += [("text", " ".join(text[position : match.start()].split())), ("number", match.group())]
        position = match.end()
    return [*found, ("text", " ".join(text[position:].split()))]


def same_token(got: tuple[str, str], want: tuple[str, str]) -> bool:
    if got == want:
        return True
    if got[0] != want[0] or want[0] == "text" or ("." not in want[1] and "e" not in want[1].lower()):
        return False
    g, w = float(got[1]), float(want[1])
    if not (math.isfinite(g) and math.isfinite(w)):
        return g == w or (g != g and w != w)
    if "e" in want[1].lower():
        return abs(g - w) <= 2e-4 * abs(w)
    decimals = min(len(want[1].split(".")[1]), 4)
    return abs(g - w) <= 1.01 * 10**-decimals + 1e-4 * abs(w)
