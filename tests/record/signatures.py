"""Record the signatures that PyTorch's parser of arguments knows:  python -m tests.record.signatures  (torch 2.13).

The parser is given its signatures as texts such as `add(Tensor input, Tensor other, *, Scalar alpha=1)`, which its
library holds. A call with too many arguments of a type that nothing takes tells which of them belong to a function: it
is answered with all of them, or with how many arguments the only one takes. The result is engine/signatures/native.txt.
"""

from __future__ import annotations

import re
import types
from pathlib import Path
from typing import Any

import torch

from engine.signatures.parser import Signature

ROOT = Path(__file__).parents[2]
LIBRARY = Path(torch.__file__).parent / "lib" / "libtorch_python.so"
TEXT = rb"[A-Za-z_]\w*\([\w*&:\[\]?=,.\"\-+{}<> ]*\)(?:\|deprecated|\|hidden)?(?=\0)"
NATIVE = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)
SPACES: dict[str, Any] = {
    "torch": torch,
    "Tensor": torch.Tensor,
    "functional": torch.nn.functional,
    "nn": torch._C._nn,
    "linalg": torch.linalg,
    "special": torch.special,
    "fft": torch.fft,
}


class Odd:
    """An argument that fits no parameter."""


def complaint(function: Any, method: bool) -> str:
    """What a call with far too many wrong arguments is answered with."""
    try:
        function(*([torch.zeros(())] if method else []), *[Odd()] * 40)
    except TypeError as error:
        return str(error)
    except Exception:  # not parsed the usual way
        return ""
    return ""


def known_texts() -> dict[str, list[str]]:
    """All signatures by name. The library stores a text that ends another one only once."""
    found: dict[str, list[str]] = {}
    texts = sorted({match.decode() for match in re.findall(TEXT, LIBRARY.read_bytes())})
    for text in texts:
        found.setdefault(text.partition("(")[0], []).append(text)
    return found


TEXTS = known_texts()


def candidates(name: str) -> list[str]:
    """Texts that may be signatures of `name`, its own first."""
    tails = [t[len(long) - len(name) :] for long, texts in TEXTS.items() if long.endswith(name) for t in texts]
    return list(dict.fromkeys([*TEXTS.get(name, []), *tails]))


def only(texts: list[str], name: str) -> str | None:
    own = [text for text in texts if text in TEXTS.get(name, [])]
    chosen = own or texts
    return chosen[0] if len(chosen) == 1 else None


def shown(name: str, complaint: str) -> list[str] | None:
    """The signatures that a complaint lists, and those it hides. None when one of them is not known."""
    lines = [line.strip()[2:].strip() for line in complaint.split("\n") if line.startswith(" * ")]
    lines = lines or [complaint.split("but expected ", 1)[1].strip()]
    found = []
    for line in lines:
        text = only([t for t in candidates(name) if Signature(t).shown == line and "|" not in t], name)
        if text is None:
            return None
        found.append(text)
    hidden = [t for t in TEXTS.get(name, []) if "|" in t and ("Tensor input" in t) == ("Tensor input" in lines[0])]
    return found + hidden


def single(name: str, least: int, most: int, method: bool) -> list[str] | None:
    """The only signature of a function that takes so many positional arguments. None when there is no such text."""

    def fits(text: str) -> bool:
        signature = Signature(text)
        first = signature.parameters[0].name if signature.parameters else ""
        return signature.least == least and len(signature.positional) == most and not (method and first == "input")

    text = only([t for t in candidates(name) if fits(t)], name)
    return None if text is None else [text]


def entry(space: str, name: str, function: Any) -> list[str] | None:
    """The lines of one function."""
    text = complaint(function, space == "Tensor")
    if "takes no arguments" in text:
        return [text.split(" takes")[0]]
    if "takes exactly one argument" in text:
        return [text.split("()")[0] + "(object)"]
    named = re.match(r"(\w+)\(\) (?:takes (?:from (\d+) to )?(\d+) positional|received)", text)
    if named is None:
        return None
    if named[3] is None:
        return shown(named[1], text)
    return single(named[1], int(named[2] or named[3]), int(named[3]), space == "Tensor")


def main() -> None:
    """Write the table."""
    lines = [f"# Recorded from torch {torch.__version__}. A name, then its signatures as the parser is given them."]
    for space, source in SPACES.items():
        lines.append(f"[{space}]")
        for name in sorted(dir(source)):
            function = getattr(source, name, None)
            if space == "torch" and isinstance(function, types.FunctionType):  # what it is wrapped around
                function = getattr(torch._C._VariableFunctions, name, function)
            private = name.startswith("_") and space != "nn" and not name.startswith(("_unique2", "_foreach_"))
            native = isinstance(function, NATIVE) or function in (torch.device, torch.Generator, torch.FloatTensor)
            if private or not native or space == "Tensor" and hasattr(function, "__self__"):
                continue
            found = entry(space, name, function)
            if found is None:
                print("left out:", space, name)
                continue
            lines.append(name)
            own = name + "("
            lines += ["  " + (text[len(name) :] if text.startswith(own) else text) for text in found]
    (ROOT / "engine" / "signatures" / "native.txt").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
