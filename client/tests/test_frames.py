"""Where notebooks are shown: frames with what VS Code, Colab and strangers allow, imitated in a browser."""

from __future__ import annotations

import html
from typing import Any

import backlight
import pytest
import torch
from backlight import export
from playwright.sync_api import expect
from torch import nn

OF_VS_CODE = (
    "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; "
    "img-src https: http: data:; font-src https:; connect-src https:; child-src https: data:;"
)
"""The policy of a notebook's outputs there, without its own addresses. It refuses fonts in a page: others stand in."""

PLACES = {
    "VS Code": ("allow-scripts allow-same-origin allow-forms allow-downloads", OF_VS_CODE),
    "Colab": ("allow-scripts allow-same-origin allow-forms allow-popups allow-downloads", ""),
    "without an origin": ("allow-scripts", ""),
}


def shown(kind: str) -> tuple[str, int]:
    """What an output has, and how many pages play in it."""
    model, x = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1)), torch.randn(5, 3)
    with backlight.capture() as run:
        loss = model(x).square().mean()
        loss.backward()
    outputs = {
        "a run": (run._repr_html_(), 1),
        "two that share the viewer": ("".join(export.shared_frame(run.document, first) for first in (True, False)), 2),
        "a comparison": (run.compare(run)._repr_html_(), 2),
        "a page": (run.html(), 1),
    }
    return outputs[kind]


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("kind", ["a run", "two that share the viewer", "a comparison", "a page"])
def test_an_output_plays(place: str, kind: str, browser: Any) -> None:
    sandbox, policy = PLACES[place]
    output, players = shown(kind)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{html.escape(policy)}">'
    inside = output if kind == "a page" else f"<!doctype html><html><head>{meta}</head><body>{output}</body></html>"
    complaints: list[str] = []
    page = browser.new_page(viewport={"width": 1220, "height": 820}, reduced_motion="reduce")
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda asked: complaints.append(asked.url) if asked.url.startswith("http") else None)
    page.set_content(
        f'<iframe sandbox="{sandbox}" style="width:1200px;height:1600px" srcdoc="{html.escape(inside)}"></iframe>'
    )
    page.wait_for_function("frames.length > 0")
    for _ in range(120):
        playing = [frame for frame in page.frames if frame.locator("#story .say").count()]
        if len(playing) == players:
            break
        page.wait_for_timeout(250)
    assert len(playing) == players
    for frame in playing:
        expect(frame.locator("#story .say")).to_contain_text("loss receives 1")
    assert not complaints
    page.close()
