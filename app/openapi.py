"""The OpenAPI description: every response of every operation, with its problems."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

import app
from app.problems import (
    BUSY,
    INTERNAL_ERROR,
    MEDIA_TYPE,
    METHOD_NOT_ALLOWED,
    MISDIRECTED,
    OVER_BUDGET,
    TOO_MANY_AT_ONCE,
    Kind,
    ProblemDocument,
)
from app.requests import RunRequest

DESCRIPTION = """\
Runs a PyTorch program on its own autograd engine and answers one document: every tensor, every `grad_fn`, every
gradient, and the ordered events of the backward pass. Errors are problem details (RFC 9457) and always say what to do.
"""
RUN_EXAMPLES: dict[str, Any] = {
    "code": {
        "summary": "A program",
        "value": {"code": "import torch\nx = torch.tensor(3.0, requires_grad=True)\ny = x * x\ny.backward()\n"},
    },
    "graph": {
        "summary": "The same as a graph",
        "value": {
            "graph": {
                "tensors": {"x": {"data": 3.0, "requires_grad": True}},
                "ops": [{"op": "mul", "inputs": ["x", "x"], "output": "y"}],
                "backward": [{"tensor": "y"}],
            }
        },
    },
}
RUN_BODY: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/json": {"schema": {"$ref": "#/components/schemas/RunRequest"}, "examples": RUN_EXAMPLES}
        },
    }
}
CHECK_PARAMETER: dict[str, Any] = {
    "parameters": [
        {
            "name": "check",
            "in": "query",
            "description": "A leaf whose gradient is held beside central differences: its name or id, `w` or `t3`, "
            "with a backward pass `w@0`. May be given several times.",
            "schema": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 200}, "maxItems": 8},
            "examples": {"one": {"value": ["w"]}},
        }
    ]
}
TOKEN = "Deletion-Token"
TOKEN_PARAMETER: dict[str, Any] = {
    "parameters": [
        {
            "name": TOKEN,
            "in": "header",
            "required": True,
            "description": "As it came with the answer to POST /v1/runs.",
            "schema": {"type": "string"},
        }
    ]
}
COMMON_HEADERS = {"X-Request-ID": "The id of this request: yours if you sent one, else a new one."}
WAITING_HEADERS = {"Retry-After": "Seconds to wait before asking again."}
BUDGET_HEADERS = {
    "RateLimit-Policy": "A client's budget: processor seconds (`q`) that come back within `w` seconds.",
    "RateLimit": "What is left of it: processor seconds (`r`), all of them again in `t` seconds.",
}
CACHING_HEADERS = {"ETag": "Names this content; send it back as If-None-Match."}


def documented(
    content: type[BaseModel] | str | None,
    *problems: Kind,
    conditional: bool = False,
    headers: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Route arguments that describe its responses: `content` is the model of a JSON answer, another media type, or None
    where the answer is only a status.

    With `conditional`, the route also answers 304. Routes that may need a worker say so with `OVER_BUDGET`.
    """
    common = COMMON_HEADERS | (BUDGET_HEADERS if OVER_BUDGET in problems else {})
    ok: dict[str, Any] = {
        "description": "The answer.",
        "headers": described(common | (CACHING_HEADERS if conditional else {}) | (headers or {})),
    }
    if isinstance(content, str):
        ok["content"] = {content: {"schema": {"type": "string"}}}
    elif content is not None:
        ok["model"] = content
    responses: dict[int, dict[str, Any]] = {204 if content is None else 200: ok}
    if conditional:
        responses[304] = {"description": "The client has it already.", "headers": described(common)}
    sending = {TOO_MANY_AT_ONCE, BUSY} if conditional else set()
    always = {METHOD_NOT_ALLOWED, MISDIRECTED, INTERNAL_ERROR}
    for kind in sorted({*problems, *sending, *always}, key=lambda kind: (kind.status, kind.slug)):
        problem = responses.setdefault(
            kind.status,
            {
                "description": "",
                "headers": described(common | (WAITING_HEADERS if kind.status in (429, 503) else {})),
                "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
            },
        )
        problem["description"] += f"`{kind.slug}`: {kind.title}. {kind.fix}\n\n"
    return {"responses": responses, "response_model": None, **({"status_code": 204} if content is None else {})}


def described(headers: dict[str, str]) -> dict[str, Any]:
    return {name: {"description": text, "schema": {"type": "string"}} for name, text in headers.items()}


def describe(application: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of the application, made once."""
    if application.openapi_schema is None:
        document = get_openapi(
            title="Backlight",
            version=app.__version__,
            description=DESCRIPTION,
            routes=application.routes,
        )
        template = "#/components/schemas/{model}"
        _, extra = models_json_schema(
            [(RunRequest, "validation"), (ProblemDocument, "serialization")], ref_template=template
        )
        schemas = document.setdefault("components", {}).setdefault("schemas", {})
        for name, schema in extra["$defs"].items():
            schemas["Problem" if name == "ProblemDocument" else name] = schema
        for unused in ("HTTPValidationError", "ValidationError"):
            schemas.pop(unused, None)
        for path in document["paths"].values():
            for operation in path.values():
                if "HTTPValidationError" in str(operation.get("responses", {}).get("422", "")):
                    del operation["responses"]["422"]
        application.openapi_schema = document
    return application.openapi_schema
