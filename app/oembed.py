"""oEmbed 1.0 (https://oembed.com): what another site puts on its page for an address of this service.

Nothing is fetched: an address is taken apart as text, and only those of this service are answered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import escape
from urllib.parse import quote

from app.about import About, about_home, about_lesson, about_run
from app.examples import Examples
from app.hosts import PORTS, Authority, authority

PROVIDER = "Backlight"
WIDTH, HEIGHT = 720, 480
"""Of a frame, in pixels of CSS, where the site sets no bounds of its own."""
PICTURE = (1200, 630)
CACHE_SECONDS = 3600
LONGEST = 16_000
"""Characters of an address."""

# What RFC 3986 has in these parts; what is behind the `#` goes to the page as it is, which reads it as a stranger's.
ADDRESS = re.compile(
    r"(?P<scheme>https?)://(?P<authority>[A-Za-z0-9._:\[\]-]+)(?P<path>/[A-Za-z0-9/._~-]*)?"
    r"(?:\?[A-Za-z0-9._~!$&'()*+,;=:@/?%-]*)?(?:#(?P<fragment>[A-Za-z0-9._~!$&'()*+,;=:@/?%-]*))?",
    re.ASCII | re.IGNORECASE,
)
PAGE = re.compile(r"/(?:embed/?)?|/(?:embed/)?(?P<kind>[lr])/(?P<name>[\w-]{1,64})(?:/(?P<step>\d{1,6}))?/?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Shown:
    """A page that a frame can show: what it says of itself, and what its address has behind the `#`."""

    about: About
    fragment: str
    run: str | None
    """The id of the run that it shows, where that is a kept one."""


def discovery(origin: str, path: str) -> str | None:
    """Where a page's oEmbed answer is, for the page to say so. `origin`: scheme, host and root; None without a host."""
    return None if ADDRESS.fullmatch(origin) is None else f"{origin}/oembed?url={quote(origin + path, safe='')}"


def shown(url: str, origin: str, examples: Examples, version: str) -> Shown | None:
    """What an address shows; None where it is none of the service at `origin`, or of a page that is in no frame.

    `version` is that of the static files. Whether a run is kept is not looked up.
    """
    match = ADDRESS.fullmatch(url) if len(url) <= LONGEST else None
    own = ADDRESS.fullmatch(origin)
    if match is None or own is None or site(match) is None or site(match) != site(own):
        return None
    root = own["path"] or ""
    path = match["path"] or "/"
    if path != root and not path.startswith(f"{root}/"):
        return None
    page = PAGE.fullmatch(path[len(root) :] or "/")
    if page is None:
        return None
    fragment = match["fragment"] or ""
    name, step = page["name"], page["step"]
    if page["kind"] == "l":
        example = examples.named.get(name)
        return Shown(about_lesson(example, step), fragment, None) if example else None
    if page["kind"] == "r":
        return Shown(about_run(name, step), fragment, name)
    return Shown(about_home(version), fragment, None)


def site(match: re.Match[str]) -> Authority | None:
    """The host and the port of an address; the scheme is the affair of whoever stands in front of the service."""
    found = authority(match["authority"])
    if found is None:
        return None
    return Authority(found.name, None if found.port == PORTS[match["scheme"].lower()] else found.port)


def answer(page: Shown, origin: str, maxwidth: int | None, maxheight: int | None) -> dict[str, object]:
    """The oEmbed answer: of type `rich`, a frame no larger than asked for."""
    width = WIDTH if maxwidth is None else min(WIDTH, maxwidth)
    height = HEIGHT if maxheight is None else min(HEIGHT, maxheight)
    title = page.about.title
    return {
        "version": "1.0",
        "type": "rich",
        "title": title,
        "provider_name": PROVIDER,
        "provider_url": f"{origin}/",
        "cache_age": CACHE_SECONDS,
        "width": width,
        "height": height,
        "html": frame(page, origin, width, height),
        "thumbnail_url": origin + page.about.picture,
        "thumbnail_width": PICTURE[0],
        "thumbnail_height": PICTURE[1],
    }


def frame(page: Shown, origin: str, width: int, height: int) -> str:
    """The element that shows a page; what is in the address can end none of its attributes."""
    path = page.about.path.rstrip("/")
    source = f"{origin}/embed{path}{'#' if page.fragment else ''}{page.fragment}"
    return (
        f'<iframe src="{escape(source)}" title="{escape(page.about.title)}" width="{width}" height="{height}" '
        'style="max-width:100%;border:0" loading="lazy"></iframe>'
    )
