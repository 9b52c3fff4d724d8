"""The server for language models, driven over stdio by the SDK's own client."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import TextContent

from app.config import PROJECT, Settings
from app.mcp import text
from app.mcp.server import Programs
from tests.findings.test_reports import BROADCAST, BROKEN
from tests.loops import completed

PRODUCT = """\
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)
unused = torch.tensor(1.0, requires_grad=True)
y = (w * w).sum() + b * w.sum()
y.backward()
print(w.grad)
"""
DRAWS = "import torch\nprint(torch.rand(1))\n"
T = TypeVar("T")


@asynccontextmanager
async def connected(**settings: str) -> AsyncIterator[Client]:
    environment = {"PYTHONPATH": str(PROJECT), "BACKLIGHT_STORE": "memory", **settings}
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "app.mcp"], env=environment, cwd=PROJECT)
    async with asyncio.timeout(120), Client(stdio_client(parameters)) as client:
        yield client


async def called(client: Client, tool: str, **arguments: Any) -> tuple[bool, str]:
    """Whether a call failed, and the text of its answer."""
    answer = await client.call_tool(tool, arguments)
    (content,) = answer.content
    assert isinstance(content, TextContent)
    return bool(answer.is_error), content.text


def with_server(work: Callable[[Client], Awaitable[T]], **settings: str) -> T:
    async def run() -> T:
        async with connected(**settings) as client:
            return await work(client)

    return completed(run())


@pytest.fixture(scope="module")
def answers() -> dict[str, tuple[bool, str]]:
    """One server, asked everything."""
    broken = (BROKEN / BROADCAST).read_text("utf-8")
    asked: dict[str, tuple[str, dict[str, Any]]] = {
        "run": ("run", {"code": PRODUCT, "check": ["w"]}),
        "again": ("run", {"code": PRODUCT, "check": ["w"]}),
        "finding": ("run", {"code": broken}),
        "raises": ("run", {"code": "import torch\nx = torch.ones(2)\nx.sum().backward()\n"}),
        "syntax": ("run", {"code": "x = ("}),
        "files": ("run", {"code": "import os\nprint(sorted(os.listdir('/')))\nopen('/etc/passwd')\n"}),
        "exits": ("run", {"code": "import os\nos._exit(3)\n"}),
        "explain": ("explain", {"code": PRODUCT, "tensor": "w", "check": True}),
        "unused": ("explain", {"code": PRODUCT, "tensor": "unused"}),
        "unknown": ("explain", {"code": PRODUCT, "tensor": "z"}),
        "compare": ("compare", {"code": PRODUCT, "other": PRODUCT.replace("b * w", "2 * b * w")}),
        "same": ("compare", {"code": DRAWS, "other": f"# the same\n{DRAWS}"}),
        "forgotten": ("explain", {"code": "print('\\ud800')\nraise ValueError('\\ud800')", "tensor": "z"}),
        "checks": ("run", {"code": PRODUCT, "check": ["w"] * 9}),
        "surrogate": ("run", {"code": "print('\\ud800')"}),
        "after": ("run", {"code": "print('still here')"}),
    }  # fmt: skip

    async def ask(client: Client) -> dict[str, tuple[bool, str]]:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["run", "explain", "compare"]
        assert all(tool.description and tool.input_schema["required"][0] == "code" for tool in tools)
        assert client.server_info is not None and client.server_info.name == "backlight"
        return {name: await called(client, tool, **arguments) for name, (tool, arguments) in asked.items()}

    return with_server(ask)


def test_a_run_is_told_whole(answers: dict[str, tuple[bool, str]]) -> None:
    failed, told = answers["run"]
    assert not failed
    assert "tensor([2.5000, 4.5000])" in told
    assert "- w (line 2: `w = torch.tensor([1.0, 2.0], requires_grad=True)`; leaf, requires grad" in told
    assert "= [1, 2]; .grad = [2.5, 4.5]" in told
    steps = [line for line in told.splitlines() if line[:1].isdigit()]
    assert steps[0] == "1. AddBackward0 of y (line 5): g = 1"
    assert steps[-1] == "7. AccumulateGrad of w receives [2.5, 4.5]"
    assert "rule: self: g * other; other: g * self, where" in told
    assert "PyTorch: mul_tensor_backward(grad, self, other.scalar_type())" in told
    assert "gradient 3 of 3, sum [2.5, 4.5]" in told
    assert "w.grad: None + [2.5, 4.5] = [2.5, 4.5]" in told
    assert "- w: agrees, 2 of 2 elements" in told
    assert answers["again"] == answers["run"]


def test_what_is_wrong_is_told_with_its_line_and_its_fix(answers: dict[str, tuple[bool, str]]) -> None:
    failed, told = answers["finding"]
    assert not failed
    assert "- error broadcast-loss: sub compares pred (10, 1) with y (10,)" in told
    assert "line 11: `loss = ((pred - y) ** 2).mean()" in told
    assert "Why: Missing dimensions" in told and "What to do: Give both the same shape" in told
    assert "pred.squeeze(1)" in told


def test_an_error_is_explained(answers: dict[str, tuple[bool, str]]) -> None:
    failed, told = answers["raises"]
    assert not failed and "RuntimeError: element 0 of tensors does not require grad" in told
    assert "at line 3: `x.sum().backward()`" in told and "Why: " in told and "What helps: " in told
    assert "SyntaxError: '(' was never closed" in answers["syntax"][1]


def test_programs_run_behind_the_walls_of_the_service(answers: dict[str, tuple[bool, str]]) -> None:
    failed, told = answers["files"]
    assert not failed and "Error: " in told and "root:" not in told
    assert "etc" not in told.partition("## Printed")[2] or "FileNotFoundError" in told
    assert answers["exits"][0] or "exit" in answers["exits"][1].lower()
    assert "still here" in answers["after"][1]


def test_one_gradient_is_explained_by_what_leads_to_it(answers: dict[str, tuple[bool, str]]) -> None:
    failed, told = answers["explain"]
    assert not failed and "AccumulateGrad of w" in told and "- w: agrees" in told
    assert "AccumulateGrad of b" not in "".join(line for line in told.splitlines() if line[:1].isdigit())
    assert "No node of the graph leads to it" in answers["unused"][1] and ".grad is None" in answers["unused"][1]
    failed, told = answers["unknown"]
    assert failed and "No tensor is called 'z'" in told and "b, unused, w, y" in told


def test_two_programs_are_compared(answers: dict[str, tuple[bool, str]]) -> None:
    failed, told = answers["compare"]
    assert not failed
    assert "Output differs first in its line 1: 'tensor([2.5000, 4.5000])' and 'tensor([3., 5.])'." in told
    assert "is the first that differs" in told
    assert "- w.grad: [2.5, 4.5] and [3, 5]" in told and "- b.grad: 3 and 6" in told and "- y: 6.5 and 8" in told
    assert "- w:" not in told
    assert "Both print the same." in answers["same"][1]


def test_what_is_refused_says_what_to_do(answers: dict[str, tuple[bool, str]]) -> None:
    failed, told = answers["checks"]
    assert failed and "at most 8 leaves" in told
    assert not answers["surrogate"][0] and "## Printed\n?" in answers["surrogate"][1]
    assert answers["forgotten"][0] and "ValueError: ?" in answers["forgotten"][1]


@pytest.mark.parametrize("asked", [("x = '\ud800'", None), ("x = 1", ["\ud800"])])
def test_half_of_a_surrogate_pair_is_refused(asked: tuple[str, list[str] | None]) -> None:
    programs = Programs(Settings(store="memory"))
    with pytest.raises(ToolError, match="half of a surrogate pair"):
        completed(programs.document(asked[0], None, asked[1]))


def test_a_program_that_never_ends_is_ended_and_told() -> None:
    async def ask(client: Client) -> tuple[bool, str]:
        return await called(client, "run", code="while True:\n    pass\n")

    failed, told = with_server(ask, BACKLIGHT_CPU_SECONDS="1")
    assert failed or "LimitExceeded" in told


def test_a_long_answer_is_cut_and_says_so() -> None:
    told = text.bounded(iter(["a" * 100] * 1000))
    assert len(told) < text.CHARACTERS + 200 and "more lines" in told.splitlines()[-1]


def test_without_the_sdk_it_says_what_is_missing() -> None:
    blocked = (
        "import runpy, sys; sys.modules['mcp'] = None; sys.argv = ['app.mcp'];"
        "runpy.run_module('app.mcp', run_name='__main__')"
    )
    ended = subprocess.run([sys.executable, "-c", blocked], cwd=PROJECT, capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1 and "backlight-service[mcp]" in ended.stderr and "Traceback" not in ended.stderr
