"""`/llms.txt`: what the service is, for programs that read before they call. Everything in it is said elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import app
from app import openapi
from app.about import DESCRIPTION

CALLS = ("createRun", "getCheck", "getValue")
OTHERS = ("listOps", "listExamples", "getLimits")
FIELDS = ("status", "error", "findings", "tensors", "nodes", "events", "values", "limits")
"""What to look at in a run document, most urgent first."""
LIMITS = (
    ("engine", "source_bytes"),
    ("engine", "fuel"),
    ("service", "processor_time"),
    ("service", "memory"),
    ("service", "programs_at_once"),
    ("service", "client_processor_time"),
    ("service", "client_processor_time_refill"),
)


def llms(description: Mapping[str, Any], limits: Mapping[str, Mapping[str, Mapping[str, Any]]], origin: str) -> str:
    """The text, in Markdown as llmstxt.org has it.

    `description` is the OpenAPI document, `limits` what `GET /v1/limits` answers, `origin` where this was asked for.
    """
    operations = {
        operation["operationId"]: (f"{method.upper()} {path}", operation)
        for path, methods in description["paths"].items()
        for method, operation in methods.items()
    }
    document = description["components"]["schemas"]["RunDocument"]["properties"]
    fields = [f"- `{name}`: {document[name]['description']}" for name in FIELDS]
    allowed = [_limit(name, limits[side][name]) for side, name in LIMITS]
    body = json.dumps(openapi.RUN_EXAMPLES["code"]["value"])
    return "\n".join(
        [
            "# Backlight",
            "",
            f"> {DESCRIPTION}",
            "",
            f"{openapi.DESCRIPTION.strip()} Programs are PyTorch programs as they are; there is no account and no key."
            f" Version {app.__version__}.",
            "",
            "## Calls",
            "",
            *(_call(*operations[name]) for name in CALLS),
            "",
            f"    curl {origin}/v1/runs -H 'Content-Type: application/json' -d '{body}'",
            "",
            "The answer is the run document. Where to look in it:",
            "",
            *fields,
            "",
            "A program that raises is answered with 200: `status` is `error`, and `error` says why and what helps. A"
            " request that is refused is answered with a problem (RFC 9457), whose `fix` says what to do.",
            "",
            "## Limits",
            "",
            *allowed,
            "",
            "After 429 and 503 wait as many seconds as `Retry-After` says. Runs are kept for a while and can be read by"
            " whoever has their id; the answer to POST /v1/runs carries a `Deletion-Token` that deletes them.",
            "",
            "## Documentation",
            "",
            f"- [OpenAPI]({origin}/openapi.json): every call, every field, every problem",
            f"- [Reference]({origin}/docs): the same for reading",
            *(_link(*operations[name], origin) for name in OTHERS),
            f"- [Lessons]({origin}/l): questions about backward(), each with a program that answers it",
            "",
        ]
    )


def _call(address: str, operation: Mapping[str, Any]) -> str:
    said = operation["description"].strip().partition("\n\n")[0].replace("\n", " ")
    return f"- `{address}` — {operation['summary']}. {said}"


def _link(address: str, operation: Mapping[str, Any], origin: str) -> str:
    return f"- [{operation['summary']}]({origin}{address.partition(' ')[2]})"


def _limit(name: str, row: Mapping[str, Any]) -> str:
    value = f"{row['value']:,.6g}" if isinstance(row["value"], float) else f"{row['value']:,}"
    return f"- {name.replace('_', ' ')}: {value} {row['unit']}" + (f", {row['help']}" if "help" in row else "")
