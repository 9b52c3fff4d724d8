"""The pages, rendered once: hundreds of requests for one must not keep the event loop busy with the same work."""

from __future__ import annotations

import secrets
from typing import Any

from jinja2 import Environment

NONCE = f"nonce-{secrets.token_hex(16)}"  # what stands in a rendered page for the nonce of each answer
MAX_PAGES = 256


class Pages:
    """Renders the templates of `environment`."""

    def __init__(self, environment: Environment) -> None:
        self._environment = environment
        self._rendered: dict[tuple[str, ...], str] = {}

    def render(self, template: str, nonce: str, which: tuple[str, ...], **context: Any) -> str:
        """A page with this nonce; `which` names whatever else in `context` differs between two pages of a template."""
        key = (template, *which)
        found = self._rendered.get(key)
        if found is None:
            if len(self._rendered) >= MAX_PAGES:
                self._rendered.clear()
            found = self._rendered[key] = self._environment.get_template(template).render(nonce=NONCE, **context)
        return found.replace(NONCE, nonce)
