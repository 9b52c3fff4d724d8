"""Edges go around cards, above the shelf and on it: all examples, on four screens."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

import engine
from app.examples import load_examples
from tests.browser.conftest import Open

MOST_STEPS = 10
"""Of a run; of longer ones it is so many, from its first to its last."""

THROUGH = """async ([doc, most]) => {
    const [{goTo, stage}, {store}, {shownIn, RIM}] = await Promise.all(
        ["page/page.js", "page/state.js", "scene/shelf.js"].map(pageModule));
    const shown = await shownScene(doc);
    if (!shown) return null;
    const box = (element) => element.getBoundingClientRect();
    const less = ({left, right, top, bottom}, by) =>
        ({left: left + by, right: right - by, top: top + by, bottom: bottom - by});
    const isFace = (each) => each.nodeName === "rect" && !each.hasAttribute("opacity") &&  // as the halo of a circle
        each.width.baseVal.value > 24 && each.height.baseVal.value > 16;
    const facesOf = (item) => [...item.children].filter(isFace).map((each) => less(box(each), 3));
    const pointsOf = (line, {left, right, top, bottom}) => {
        const screen = line.getScreenCTM();
        const points = [];
        for (let at = 0; at <= line.getTotalLength(); at += 4) {
            points.push(line.getPointAtLength(at).matrixTransform(screen));
        }
        return points.filter(({x, y}) => x > left && x < right && y > top && y < bottom - 1);
    };
    const meets = (points, faces) => points.some(({x, y}) =>
        faces.some((face) => x > face.left && x < face.right && y > face.top && y < face.bottom));
    const {stops} = store.get();
    const stride = Math.max(1, Math.ceil(stops.length / most));
    const found = new Set();
    const looks = new Set();
    let [seen, scenes, last] = [0, 0, null];
    for (const t of stops.filter((_, i) => i % stride === 0 || i === stops.length - 1)) {
        goTo(t);
        await stage.painted();
        const {scene, painter} = shown;
        const slots = scene.slots.map((slot) => shownIn(scene, slot, t));
        const shelf = document.querySelector(".stage-shelf");
        const room = box(document.querySelector(".stage-svg"));
        const inRoom = less(room, 0);
        inRoom.bottom -= slots.length && RIM;
        const drops = [...document.querySelectorAll(".stage-svg .drops path")];
        const {a, e, f} = painter.links[0]?.line.getScreenCTM() ?? room;
        if (scene !== last) [scenes, last] = [scenes + 1, scene];
        const look = JSON.stringify([scenes, slots, a, e, f, drops.map((line) => line.getAttribute("d"))]);
        if (looks.has(look)) continue;  // everything stands where it did
        looks.add(look);
        const above = painter.items.flatMap((item, i) => scene.shows(i) ? [{i, faces: facesOf(item)}] : []);
        const standing = [...shelf.querySelectorAll(".items > .item")].map((item, k) =>
            ({i: slots[k], faces: facesOf(item)}));
        const down = slots.flatMap((i) => scene.out[i].map((j) => [i, scene.links[j].to]));
        const ends = [...shelf.querySelectorAll(".edges path")].slice(0, down.length);
        if (drops.length !== down.length || ends.length !== down.length) throw Error("edges of leaves are missing");
        const check = (line, [from, to], cards, within) => {
            if (!line.getAttribute("d")) return;
            const points = pointsOf(line, within);
            seen += points.length;
            for (const {i, faces} of cards) {
                if (i === from || i === to || !meets(points, faces)) continue;
                const [a, b, card] = [from, to, i].map((each) => scene.items[each].key);
                found.add(`${a} to ${b} through ${card}, at ${t}`);
            }
        };
        scene.links.forEach(({from, to}, j) => check(painter.links[j].line, [from, to], above, inRoom));
        down.forEach((pair, k) => {
            check(drops[k], pair, above, inRoom);
            check(ends[k], pair, standing, box(shelf));
        });
    }
    return {found: [...found], seen};
}"""


def crossed(page: Page, examples: list[Any]) -> tuple[dict[str, list[str]], int]:
    """By example, edges that run through a card at neither of their ends; how many points of edges were looked at."""
    wrong: dict[str, list[str]] = {}
    seen = 0
    for example in examples:
        found = page.evaluate(THROUGH, [engine.run(code=example.code, seed=0).document, MOST_STEPS])
        if found is None:
            continue
        seen += found["seen"]
        if found["found"]:
            wrong[example.id] = found["found"][:4]
    return wrong, seen


BARRED = ["seed2_is_leaf", "seed1_prosti_ex3_zeros", "seed2_jacobian_vector", "seed3_conv_backward_hook"]
"""Where something lies below a port, or a leaf in a second row."""


def test_an_edge_of_a_leaf_goes_around_what_is_below_its_port(visit: Open) -> None:
    examples = [example for example in load_examples().menu.examples if example.id in BARRED]
    wrong, seen = crossed(visit().page, examples)
    assert wrong == {}
    assert seen > 500


def test_an_edge_into_a_leaf_ends_at_its_name(visit: Open) -> None:
    """`a` was computed from `x`, which requires no grad: the edge of `x` does not end at a bare edge of `a`."""
    page = visit("/l/seed2_is_leaf/9").page
    name = page.locator(".stage-svg .items > .item").get_by_text("a", exact=True)
    x = page.locator(".stage-svg .items > .item", has=page.get_by_text("x", exact=True))
    named, card = name.bounding_box(), x.bounding_box()
    assert named and card and named["y"] + named["height"] < card["y"]
    assert card["x"] < named["x"] + named["width"] / 2 < card["x"] + card["width"]


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1366, 768), (1024, 768), (390, 844)])
def test_no_edge_runs_through_a_card(visit: Open, width: int, height: int) -> None:
    wrong, seen = crossed(visit(width=width, height=height).page, load_examples().menu.examples)
    assert wrong == {}
    assert seen > 20_000
