"""Where the service lies below a path of another site, behind a reverse proxy.

A proxy may strip that path, the root, from requests or keep it; routes never see it. Pages need not know it: they name
what is of the service relative to themselves. What is read elsewhere (links of previews, `Content-Location`, problem
types, `/llms.txt`) names the root where a setting or a trusted proxy says it.
"""

from __future__ import annotations

import re

from starlette.types import Scope

from app.clients import Addresses
from app.hosts import field

# Segments of unreserved characters (RFC 3986 §2.3), which nobody has to escape; none is `.` or `..`.
ROOT = re.compile(r"(?:/(?!\.\.?(?:/|$))[A-Za-z0-9._~-]{1,200}){1,16}", re.ASCII)
TAKEN = {"l", "r", "v1", "embed", "static", "preview", "problems"}
"""What paths of several segments begin with here: below a root that does so too, one could not be told from another."""


class Roots:
    """Finds the root of a request: `root` if there is one, else what a trusted proxy names in X-Forwarded-Prefix."""

    def __init__(self, root: str, addresses: Addresses) -> None:
        self._root = root
        self._addresses = addresses

    def enter(self, scope: Scope) -> tuple[str, Scope]:
        """The root, without a slash at its end, and the request as one that was sent to the service itself."""
        root = self._root or self._forwarded(scope)
        path: str = scope["path"]
        if not root or (path != root and not path.startswith(f"{root}/")):
            return root, scope
        kept = root.encode()
        raw: bytes = scope.get("raw_path") or b""
        return root, {**scope, "path": path[len(root) :] or "/", "raw_path": raw.removeprefix(kept) or b"/"}

    def _forwarded(self, scope: Scope) -> str:
        said = field(scope, b"x-forwarded-prefix")
        if said is None or not self._addresses.trusts(scope["client"][0] if scope.get("client") else None):
            return ""
        try:
            return root_path(said.decode("latin-1"))
        except ValueError:
            return ""


def root_path(text: str) -> str:
    """A root without a slash at its end; raises ValueError for what is none."""
    root = text.strip().rstrip("/")
    if root and ROOT.fullmatch(root) is None:
        raise ValueError("a root is a path as /tools/backlight, of letters, digits and -._~")
    if root.split("/")[1:2] and root.split("/")[1] in TAKEN:
        raise ValueError(f"/{root.split('/')[1]} is the beginning of the service's own paths")
    return root


def root_of(scope: Scope) -> str:
    """The root that a request came by; nothing where there is none, or none is known."""
    found: str = scope.get("state", {}).get("root", "")
    return found


def way_to_root(scope: Scope) -> str:
    """What stands before the service's own paths in a page, with a slash at its end.

    It is relative to the page where no root is known: a proxy that says nothing may still have stripped one.
    """
    if root := root_of(scope):
        return f"{root}/"
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    return "../" * (raw.count(b"/") - 1) or "./"
