"""Every way the service says no, as RFC 9457 problem details.

    Problem
    ├── the request cannot be read     malformed-request, request-timeout, header-too-large, body-too-large,
    │                                  unsupported-media-type, unsupported-content-encoding, invalid-json, invalid-input
    ├── it is not for this service     misdirected-request, foreign-origin, wrong-token
    ├── there is nothing there         not-found, method-not-allowed, unknown-run, unknown-value, unknown-check,
    │                                  unknown-address
    ├── it is asked otherwise          invalid-query, unsupported-format
    ├── the program cannot be run      program-too-large, run-time-limit, run-memory-limit, result-too-large,
    │                                  run-crashed
    ├── the client has to wait         over-budget, too-many-at-once
    └── the service cannot answer now  busy, not-ready, internal-error

A program that raises is not a problem: its run document is a 200 that tells where and why.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field
from pydantic_core import to_json

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of problem: its slug (the last part of `type`), HTTP status, title, and what the client can do."""

    slug: str
    status: int
    title: str
    fix: str


MALFORMED_REQUEST = Kind("malformed-request", 400, "Not an HTTP request", "Send a well-formed HTTP/1.1 request.")
REQUEST_TIMEOUT = Kind(
    "request-timeout", 408, "The request took too long to arrive", "Send the whole request without pausing."
)
HEADER_TOO_LARGE = Kind(
    "header-too-large", 431, "The request line and headers are too large", "Send fewer or shorter headers."
)
BODY_TOO_LARGE = Kind(
    "body-too-large", 413, "The request body is too large", "Send a shorter program, or smaller tensors in the graph."
)
UNSUPPORTED_MEDIA_TYPE = Kind(
    "unsupported-media-type",
    415,
    "The body is not JSON",
    "Send JSON in UTF-8 with the header `Content-Type: application/json`.",
)
UNSUPPORTED_CONTENT_ENCODING = Kind(
    "unsupported-content-encoding",
    415,
    "The body is compressed",
    "Send the body as it is, without a Content-Encoding.",
)
INVALID_JSON = Kind(
    "invalid-json",
    400,
    "The body is not valid JSON",
    "Send one JSON object as RFC 8259 defines it: UTF-8, no NaN or Infinity, no duplicate keys.",
)
INVALID_INPUT = Kind(
    "invalid-input",
    422,
    "The body does not describe a run",
    "Send an object with exactly one of `code` and `graph`; `errors` lists what does not fit.",
)

MISDIRECTED = Kind(
    "misdirected-request",
    421,
    "The service does not go by that name",
    "Ask it by a name that `BACKLIGHT_HOSTS` lists, as `localhost` where it serves this machine only.",
)
FOREIGN_ORIGIN = Kind(
    "foreign-origin",
    403,
    "A page of another site may not do this",
    "Ask from the service's own page or from a program, or have the site listed in `BACKLIGHT_ORIGINS`.",
)
WRONG_TOKEN = Kind(
    "wrong-token",
    403,
    "Only who has sent the program may delete the run",
    "Send the header `Deletion-Token` as it came with the answer to POST /v1/runs.",
)

NOT_FOUND = Kind("not-found", 404, "There is nothing at this address", "See /docs for the addresses that exist.")
METHOD_NOT_ALLOWED = Kind(
    "method-not-allowed", 405, "This address does not take that method", "Use a method named in the Allow header."
)
UNKNOWN_RUN = Kind(
    "unknown-run",
    404,
    "There is no run with this id here",
    "Send the program again with POST /v1/runs: the same program gets the same id.",
)
UNKNOWN_VALUE = Kind(
    "unknown-value",
    404,
    "The run has no such large value",
    "Use a name from the document's `values` whose `data` is null; the others are in the document itself.",
)
UNKNOWN_CHECK = Kind(
    "unknown-check",
    404,
    "The run has no such leaf to check",
    "Use the id of a tensor that an `accumulate` event of the document names, with `@` and the event's `call` for a "
    "pass other than the last.",
)

UNKNOWN_ADDRESS = Kind(
    "unknown-address",
    404,
    "That is the address of no page here that a frame can show",
    "Give `url` the whole address of a program, a lesson or a kept run of this service, as the page's Share has it.",
)
INVALID_QUERY = Kind(
    "invalid-query",
    400,
    "The query cannot be read",
    "Name each parameter once; `maxwidth` and `maxheight` are whole numbers of pixels, from 1 on.",
)
UNSUPPORTED_FORMAT = Kind("unsupported-format", 501, "Only JSON is answered", "Leave `format` out, or ask for `json`.")

PROGRAM_TOO_LARGE = Kind(
    "program-too-large", 422, "The program is too long", "Send a shorter one; /v1/limits tells how long it may be."
)
RUN_TIME_LIMIT = Kind(
    "run-time-limit", 422, "The program ran out of time", "Run fewer iterations, or use smaller tensors."
)
RUN_MEMORY_LIMIT = Kind("run-memory-limit", 422, "The program ran out of memory", "Use fewer or smaller tensors.")
RESULT_TOO_LARGE = Kind(
    "result-too-large", 422, "The run's document is too large", "Run fewer iterations, or use smaller tensors."
)
RUN_CRASHED = Kind(
    "run-crashed",
    422,
    "The program brought its process down",
    "Take the program apart to find the line; please report it, a program should not be able to do this.",
)

OVER_BUDGET = Kind(
    "over-budget",
    429,
    "Your processor time is used up",
    "Wait the seconds in the Retry-After header, and run shorter programs; /v1/limits tells how much time comes back.",
)
TOO_MANY_AT_ONCE = Kind(
    "too-many-at-once",
    429,
    "You have too much under way",
    "Wait for answers and read them before you send more; /v1/limits tells how much one client may have under way.",
)
BUSY = Kind("busy", 503, "All workers are taken", "Try again after the seconds in the Retry-After header.")
NOT_READY = Kind("not-ready", 503, "The service is not ready", "Try again in a few seconds.")
INTERNAL_ERROR = Kind(
    "internal-error",
    500,
    "Something went wrong in the service",
    "This is our mistake. Please report it with the `request_id`.",
)

KINDS: dict[str, Kind] = {kind.slug: kind for kind in list(globals().values()) if isinstance(kind, Kind)}


class Problem(Exception):
    """Raised anywhere while a request is answered; becomes an `application/problem+json` response.

    `detail` says what was wrong with this request; `members` are added to the body (limit, used, errors …). Neither
    may hold unbounded client input.
    """

    def __init__(self, kind: Kind, detail: str, *, headers: dict[str, str] | None = None, **members: Any) -> None:
        super().__init__(f"{kind.slug}: {detail}")
        self.kind = kind
        self.detail = detail
        self.headers = headers or {}
        self.members = members

    def body(self, instance: str | None = None, request_id: str | None = None, root: str = "") -> bytes:
        """The problem as JSON; `instance` is the path asked for, `root` where the service lies on its site."""
        content: dict[str, Any] = {
            "type": f"{root}/problems/{self.kind.slug}",
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail,
            "fix": self.kind.fix,
            **self.members,
        }
        if instance is not None:
            content["instance"] = f"{root}{instance[:200]}"
        if request_id is not None:
            content["request_id"] = request_id
        return to_json(content, inf_nan_mode="strings")


class InputError(BaseModel):
    """One thing that does not fit in the request body."""

    pointer: str = Field(description="Where: a JSON pointer into the body.")
    detail: str = Field(description="What is wrong there.")


class ProblemDocument(BaseModel):
    """Problem details (RFC 9457), with what the client can do in `fix`."""

    model_config = ConfigDict(extra="allow", title="Problem")

    type: str = Field(description="Address of the page about this kind of problem.", examples=["/problems/busy"])
    title: str
    status: int
    detail: str = Field(description="What was wrong with this request.")
    fix: str = Field(description="What to do about it.")
    instance: str | None = Field(None, description="The path that was asked for.")
    request_id: str | None = Field(None, description="The X-Request-ID of the answer.")
    errors: list[InputError] | None = Field(None, description="With `invalid-input`: up to 20 things that do not fit.")
    limit: float | None = Field(None, description="The limit that was reached, where there is one.")
