"""What a page says of itself, to who finds a link to it: title, description and a picture of the step."""

from __future__ import annotations

import re
from dataclasses import dataclass

from starlette.requests import Request

from app.examples import Example
from app.hosts import authority, field
from app.requests import STEP
from app.roots import root_of
from app.state import state_of

TITLE = "Backlight — see the backward pass"
DESCRIPTION = (
    "Paste PyTorch code and watch backward() run: every gradient on every edge, every sum, every .grad, for your own"
    " program, with nothing to install."
)
RUN = re.compile(r"[\w-]{1,64}", re.ASCII)


@dataclass(frozen=True, slots=True)
class About:
    """Paths are of this service; `canonical` is the one that search engines keep, None where they shall keep none."""

    title: str
    description: str
    path: str
    picture: str
    canonical: str | None


def about_home(version: str) -> About:
    """`version` is that of the static files, one of which is the picture."""
    return About(TITLE, DESCRIPTION, "/", f"/static/{version}/icons/preview.png", "/")


def about_lesson(example: Example, step: str | None) -> About:
    path, picture = step_of(f"/l/{example.id}", step)
    return About(f"{example.question} — Backlight", example.description, path, picture, f"/l/{example.id}")


def about_run(run: str, step: str | None) -> About:
    """A run is told of to nobody who has not its id, so nothing of it is in what search engines keep."""
    path, picture = step_of(f"/r/{run if RUN.fullmatch(run) else 'unknown'}", step)
    return About("A run of backward() — Backlight", DESCRIPTION, path, picture, None)


def step_of(path: str, step: str | None) -> tuple[str, str]:
    """The address of a step, and of its picture; the page leaves out what is no step."""
    full = f"{path}/{step}" if step and STEP.fullmatch(step) else path
    return full, f"/preview{full}.png"


def origin_of(request: Request) -> str:
    """Scheme, host and root that the request was sent to; the root alone where it does not name its host."""
    scope = request.scope
    host = (field(scope, b"host") or b"").decode("latin-1")
    if authority(host) is None:
        return root_of(scope)
    secure = state_of(request).addresses.scheme(scope) == "https"
    return f"{'https' if secure else scope['scheme']}://{host.lower()}{root_of(scope)}"
