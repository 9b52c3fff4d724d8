"""What Python finds when it runs a program here, where that is not Python's own."""

from __future__ import annotations

from typing import Any

from engine import running


def document(code: str) -> dict[str, Any]:
    return running.run(code=code, seed=0, cpython=True).document


def test_numpy_warns_of_the_programs_arithmetic_and_not_of_the_engines() -> None:
    told = document(
        "import numpy as np, torch\n"
        "t = torch.tensor([0.0, -1.0], requires_grad=True)\n"
        "(torch.log(t) / 0).sum().backward()\n"
        "t.detach().numpy() / 0\n"
        "np.log(t.detach().numpy())\n"
    )
    found = [(each["category"], each["message"], each["line"]) for each in told["warnings"]]
    assert found == [
        ("RuntimeWarning", "divide by zero encountered in divide", 4),
        ("RuntimeWarning", "invalid value encountered in divide", 4),
        ("RuntimeWarning", "divide by zero encountered in log", 5),
        ("RuntimeWarning", "invalid value encountered in log", 5),
    ]


def test_numpy_raises_for_the_programs_arithmetic_alone() -> None:
    told = document(
        "import numpy as np, torch\n"
        "np.seterr(all='raise')\n"
        "print(torch.tensor([1.0]) / 0, torch.exp(torch.tensor([-200.0, 200.0])).tolist())\n"
        "np.array([1.0]) / 0\n"
    )
    assert told["stdout"] == "tensor([inf]) [0.0, inf]\n"
    assert (told["error"]["type"], told["error"]["line"]) == ("FloatingPointError", 4)
    assert document("import numpy as np\nprint(np.geterr()['divide'])\n")["stdout"] == "warn\n"
