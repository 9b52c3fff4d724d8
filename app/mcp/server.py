"""The tools of the Model Context Protocol: run, explain, compare. Programs run where those of the service run."""

from __future__ import annotations

import contextlib
import gzip
import json
import logging
import sys
from collections.abc import AsyncIterator
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import ToolAnnotations
from pydantic import Field

import app
from app.api.runs import CHECK_NAME, CHECKS
from app.body import validate
from app.config import JOBS, Settings
from app.main import build
from app.mcp import text
from app.openapi import DESCRIPTION
from app.problems import Problem
from app.requests import RunRequest
from app.state import State

INSTRUCTIONS = (
    DESCRIPTION.replace("\n", " ")
    + "Programs are PyTorch programs as they are, with numpy; they see no files and no network. `run` tells what"
    " happened, `explain` how the gradient of one tensor came about, `compare` what two programs do differently."
)
ONLY_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)

Program = Annotated[str, Field(description="A PyTorch program, as you would paste it into Python.")]
Seed = Annotated[int | None, Field(description="Picks the random numbers of a program that sets no seed.")]


class Programs:
    """Runs programs through the pool, for one client. `settings` and `jobs` are those of the service."""

    def __init__(self, settings: Settings | None = None, jobs: str = JOBS) -> None:
        self.state: State = build(settings or Settings(), jobs)

    @contextlib.asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """Within this, programs can be run."""
        await self.state.store.open()
        try:
            await self.state.pool.start()
            yield
        finally:
            await self.state.pool.close()
            await self.state.store.close()

    async def document(self, code: str, seed: int | None, checks: list[str] | None = None) -> dict[str, Any]:
        """The run document. Raises ToolError with what is wrong and what to do where there is none."""
        runs, names = self.state.runs, checks or []
        if len(names) > CHECKS or not all(0 < len(name) <= CHECK_NAME and "\0" not in name for name in names):
            raise ToolError(f"check names at most {CHECKS} leaves, in 1 to {CHECK_NAME} characters each.")
        try:
            options = {} if seed is None else {"seed": seed}
            valid = validate(RunRequest, {"code": code, "options": options})
            key = runs.identify({"code": valid.code}, valid.options.seed, names)
            body = await runs.cached(key) or await runs.run(key, self.state.admission.client("stdio"))
        except Problem as problem:
            errors = "".join(f" {row['pointer']}: {row['detail']}." for row in problem.members.get("errors", ()))
            raise ToolError(f"{problem.kind.title}. {problem.detail}{errors} {problem.kind.fix}") from None
        except UnicodeEncodeError:
            raise ToolError("A text holds half of a surrogate pair. Send it in UTF-8.") from None
        found: dict[str, Any] = json.loads(gzip.decompress(body))
        return found


def server(programs: Programs) -> MCPServer:
    """The server, whose programs run in `programs`."""

    @contextlib.asynccontextmanager
    async def lifespan(_: MCPServer) -> AsyncIterator[None]:
        async with programs.serving():
            yield

    made = MCPServer("backlight", version=app.__version__, instructions=INSTRUCTIONS, lifespan=lifespan)

    @made.tool(annotations=ONLY_READS, structured_output=False)
    async def run(
        code: Program,
        seed: Seed = None,
        check: Annotated[
            list[str] | None, Field(description="Leaves whose gradients are held beside central differences, as `w`.")
        ] = None,
    ) -> str:
        """Run a PyTorch program and tell everything that happened: how it ended, with an explanation of its error; what
        its numbers show to be wrong, with the line and the fix; output; tensors with values and gradients; and every
        backward pass, node by node."""
        return text.run(await programs.document(code, seed, check))

    @made.tool(annotations=ONLY_READS, structured_output=False)
    async def explain(
        code: Program,
        tensor: Annotated[str, Field(description="Its name in the program, as `w` or `net.fc1.weight`.")],
        seed: Seed = None,
        check: Annotated[bool, Field(description="Whether its gradient is held beside central differences.")] = False,
    ) -> str:
        """Explain the gradient of one tensor of a PyTorch program: the nodes that lead to it, in order, with rules and
        numbers; what each pass added; or why it has none."""
        document = await programs.document(code, seed, [tensor] if check else None)
        try:
            return text.explain(document, tensor)
        except LookupError as error:
            raised = "".join(f"{line}\n" for line in text.Told(document).error())
            raise ToolError(text.legible(f"{error.args[0]}\n{raised}".strip())) from None

    @made.tool(annotations=ONLY_READS, structured_output=False)
    async def compare(
        code: Program,
        other: Annotated[str, Field(description="The program to compare it with.")],
        seed: Seed = None,
    ) -> str:
        """Compare two PyTorch programs: outcome, output, the first step of backward() that differs, and values and
        gradients by name. Without a seed in the programs or here, both draw the same random numbers (seed 0)."""
        seed = 0 if seed is None else seed
        return text.compare(await programs.document(code, seed), await programs.document(other, seed))

    return made


def main() -> None:
    """Serve over standard input and output until the input ends."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    server(Programs()).run("stdio")
