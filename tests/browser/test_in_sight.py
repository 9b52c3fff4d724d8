"""What a pass starts from and what happens now are in sight together: all examples, on three screens, at every step."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

import engine
from app.examples import load_examples
from tests.browser.conftest import Open

MOST_STEPS = 24
"""Of a run; of longer ones it is so many, from its first to its last."""

LARGE = {
    "api_functional_hessian": "46 ops of nested double backwards without a name to fold by",
    "examples_legendre": "one turn of a training, whose root lies inside the turn",
    "examples_polynomial": "one turn of a training, whose root lies inside the turn",
    "extra_attention": "six products of matrices below each other",
    "extra_rnn_cell": "four steps of a cell below each other, without a loop or a module",
    "seed1_weighted_losses": "three losses beside each other, wider than the stage",
    "seed3_depth_ones": "two layers of maps in a module that holds the root",
}
"""Examples whose passes are larger than a screen, and why; of them the page says which way the root is."""

OUT = """async ([doc, most]) => {
    const {href} = document.querySelector("link[rel=modulepreload][href$='/js/trace.js']");
    const [{goTo, show, stage}, {store}, {SvgPainter}, {rootsAt}] = await Promise.all(
        ["page/page.js", "page/state.js", "paint/svg.js", "scene/story.js"].map((name) => import(new URL(name, href))));
    const shown = window.shownScene ??= {};
    if (!shown.set) {
        shown.set = SvgPainter.prototype.setScene;
        SvgPainter.prototype.setScene = function (scene, moment) {
            Object.assign(shown, {scene, painter: this});
            return shown.set.call(this, scene, moment);
        };
    }
    shown.scene = null;
    await show(doc, {stored: false});
    await stage.painted();
    if (!shown.scene) return null;
    const svg = document.querySelector(".stage-svg");
    const more = document.querySelector(".stage-more");
    const {stops} = store.get();
    const stride = Math.max(1, Math.ceil(stops.length / most));
    let out = 0;
    let silent = 0;
    let smallest = 99;
    for (const t of stops.filter((_, i) => i % stride === 0 || i === stops.length - 1)) {
        goTo(t);
        await stage.painted();
        const {scene, painter} = shown;
        const view = svg.getBoundingClientRect();
        const isOut = (i) => {
            const {left, right, top, bottom} = painter.items[i].getBoundingClientRect();
            return left < view.left - 3 || right > view.right + 3 || top < view.top - 3 || bottom > view.bottom + 3;
        };
        const event = scene.trace.events[t - 1];
        const node = event && "node" in event ? scene.itemOf(event.node, t) : undefined;
        const roots = rootsAt(scene, t);
        const rootOut = roots.some(isOut);
        if (rootOut || (node !== undefined && scene.shows(node) && isOut(node))) out++;
        if (rootOut && more.hidden) silent++;
        for (const text of svg.querySelectorAll(".items text")) {
            smallest = Math.min(smallest, parseFloat(text.getAttribute("font-size")) * text.getScreenCTM().a);
        }
    }
    return {out, silent, smallest};
}"""


def out_of_sight(page: Page) -> tuple[dict[str, int], list[str], float]:
    """By example, steps at which something is out of sight; examples that do not say so; the smallest text."""
    out: dict[str, int] = {}
    silent: list[str] = []
    smallest = 99.0
    for example in load_examples().menu.examples:
        document: dict[str, Any] = engine.run(code=example.code, seed=0).document
        found = page.evaluate(OUT, [document, MOST_STEPS])
        if found is None:
            continue
        smallest = min(smallest, found["smallest"])
        if found["out"]:
            out[example.id] = found["out"]
        if found["silent"]:
            silent.append(example.id)
    return out, silent, smallest


@pytest.mark.parametrize(
    ("width", "height", "steps"),
    [(1440, 900, 22), (1366, 768, 32), (1024, 768, 60)],
)
def test_a_pass_is_in_sight_from_its_root_to_what_happens(visit: Open, width: int, height: int, steps: int) -> None:
    out, silent, smallest = out_of_sight(visit(width=width, height=height).page)
    assert silent == [], "the root is out of sight, and the page does not say where it is"
    assert smallest >= 11.95
    if width >= 1366:
        few = {name for name, count in out.items() if count > 2}
        assert few <= LARGE.keys(), out
    assert sum(out.values()) <= steps, out
