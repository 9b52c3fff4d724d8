"""A document inside the viewer: one HTML file that needs no network, or a frame of a notebook."""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

PLACE = '<script type="application/json" id="run-document"></script>'
"""Where the viewer takes the document from."""

_INERT = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"}
"""What could end the element, or begin another, is written so that only JSON reads it."""


def viewer() -> str:
    """The page without a document: `viewer.html` of this package, in the repository a link to that of `static/`."""
    path = Path(__file__).parent / "viewer.html"
    if not path.is_file():
        raise FileNotFoundError("viewer.html is not installed; run.save('run.json') still writes the document")
    return path.read_text("utf-8")


def parts(empty: str) -> tuple[str, str]:
    """A page before and behind its place for a document."""
    before, place, after = empty.partition(PLACE)
    if not place or PLACE in after:
        raise ValueError("the viewer has no place for a document, or several")
    return before, after


def inert(value: Any) -> str:
    """JSON that is inert in an element of a page."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).translate(_INERT)
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def page(document: Mapping[str, Any], empty: str | None = None) -> str:
    """The viewer with a document in it. `empty`: the page to put it into, if not the one of this package."""
    before, after = parts(viewer() if empty is None else empty)
    return f"{before}{PLACE.replace('></', f'>{inert(document)}</')}{after}"


def with_training(training: Mapping[str, Any]) -> str:
    """The viewer with a training in it, which is a run after the other (static/js/live); empty where it goes on."""
    before, after = parts(viewer())
    return f'{before}{PLACE}<script type="application/json" id="training">{inert(training)}</script>{after}'


def without_source(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document without the text of its files and where they lay: with their names alone, and without what was typed
    to start the program. What it printed, and what variables are called, stays."""
    left = {key: value for key, value in document["origin"].items() if key != "argv"}
    files = [{**file, "name": re.split(r"[/\\\\]", file["name"])[-1], "code": ""} for file in document["files"]]
    reduced = {**document, "source": {**document["source"], "code": ""}, "files": files, "origin": left}
    if "findings" in document:
        reduced["findings"] = [{**finding, "fix": {"text": finding["fix"]["text"]}} for finding in document["findings"]]
    return reduced


_RIGHTS = "allow-scripts allow-downloads"
"""What a page in a notebook may do: run its own scripts, and hand on files when it is told to export them."""

_STYLE = "width:100%;height:720px;border:0"


def frame(document: Mapping[str, Any]) -> str:
    """The page as a frame of a notebook, apart from it and without its rights."""
    return framed(page(document))


_KEPT = {ord(white): f"&#{ord(white)};" for white in "\t\n\f"}
"""What reStructuredText, by which sphinx-gallery takes outputs, would change: then the page's scripts are not those
that its policy knows."""


def framed(text: str) -> str:
    """A whole page as such a frame."""
    inside = html.escape(text, quote=True).translate(_KEPT)
    return f'<iframe sandbox="{_RIGHTS}" style="{_STYLE}" title="Backlight" srcdoc="{inside}"></iframe>'


def frame_at(address: str) -> str:
    """As `frame`, of a page that this machine serves, and how it is opened apart."""
    source = html.escape(address, quote=True)
    return (
        f'<p>Backlight: <a href="{source}" target="_blank" rel="noreferrer">{source}</a></p>'
        f'<iframe style="{_STYLE}" title="Backlight" src="{source}"></iframe>'
    )


def shared_frame(document: Mapping[str, Any], carries: bool) -> str:
    """As `frame`, for notebooks whose outputs can see each other: the viewer is in one of them, which `carries` it, and
    others take it from there. Scripts make the frame, so it is shown where the notebook is trusted."""
    before, after = parts(viewer())
    key = hashlib.sha256(f"{before}{after}".encode()).hexdigest()[:16]
    own = (
        f'<script type="application/json" class="backlight-viewer">{inert([before, after])}</script>' if carries else ""
    )
    begin, end = PLACE.split("></")
    settings = inert([key, f"{begin}>", f"</{end}", _RIGHTS, _STYLE])
    return (
        '<div class="backlight"><p>Backlight plays a run here. It waits for the output of this notebook that has its '
        "page: trust the notebook, or scroll there; if that is gone, run this cell again in a new kernel.</p>"
        f'{own}<script type="application/json" class="backlight-run">{inert(document)}</script>'
        f"<script>({_SHARING})(document.currentScript.parentElement, {settings})</script></div>"
    )


_SHARING = """(here, [key, begin, end, rights, style]) => {
  const viewers = (window.backlightViewers ??= {});
  const own = here.querySelector(".backlight-viewer");
  if (own) viewers[key] = JSON.parse(own.textContent);
  let gone = 0;
  const show = () => {
    const parts = viewers[key];
    if (!parts) {
      gone = here.isConnected ? 0 : gone + 1;
      if (gone < 20) setTimeout(show, 500);
      return;
    }
    const frame = document.createElement("iframe");
    frame.setAttribute("sandbox", rights);
    frame.style.cssText = style;
    frame.title = "Backlight";
    frame.srcdoc = parts[0] + begin + here.querySelector(".backlight-run").textContent + end + parts[1];
    here.querySelector("p").replaceWith(frame);
  };
  show();
}"""
"""Makes the frame when the viewer is there; outputs out of sight are not in the page, and come later."""
