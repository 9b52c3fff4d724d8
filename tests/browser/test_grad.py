"""Every example at every step: what the picture shows as `.grad` is what the document says it is then."""

from __future__ import annotations

import json
from typing import Any

import engine
from app.examples import load_examples
from tests.browser.conftest import Open

EXAMPLES = load_examples().menu.examples

SHOWN = """async ([text, history]) => {
    const parts = ["trace/files.js", "trace.js", "layout/layered.js", "paint/palette.js", "scene/blocks.js",
        "scene/colour.js", "scene/moment.js", "scene/scene.js", "scene/training.js"];
    const [{asOneListing}, {indexTrace, stops, valueSummary}, {layout}, {textMeasure}, {drawGradient}, {LIGHT},
        {Moment}, {draftScene, Scene, wholeGraph}, {sameTurns, turnsAt}] = await Promise.all(
        parts.map(pageModule));
    const trace = indexTrace(asOneListing(JSON.parse(text)));
    const measure = textMeasure();
    const drawn = (turns) => {
        const how = {folded: new Set(), measure, palette: LIGHT, view: {width: 720, height: 560}};
        const draft = draftScene(wholeGraph(trace, turns), how);
        return new Scene(draft, layout(draft.input), LIGHT);
    };
    const gradAt = (tensor, t) => (history[tensor] ?? []).findLast(([since]) => since <= t)?.[1] ?? null;
    const wrong = [];
    let compared = 0, turns = turnsAt(trace, 0), scene = drawn(turns), before = 0;
    const look = (moment, t) => scene.items.forEach((item, i) => {
        const plan = scene.plans[i];
        if (plan.kind !== "card" || !plan.gradient || item.from > moment.after.t) return;
        const grad = gradAt(item.tensor, Math.min(t, item.until));
        const marks = scene.itemMarks(i, moment).map((mark) => JSON.stringify(mark));
        const labelled = marks.some((mark) => JSON.parse(mark).text === ".grad");
        if (!plan.leaf && grad === null) return void (labelled && plan.lostY === null && wrong.push([plan.name, t]));
        const {x, y} = plan.body;
        const left = x + plan.gradientX;
        const top = y + plan.gradientY + plan.hookH + (plan.gradientH - plan.gradient.h) / 2;
        const looks = grad === null ? ["not yet", "none"] : [valueSummary(trace, grad)];
        const as = (shown) => drawGradient(plan.gradient, left, top, shown, scene.colours).map((mark) =>
            JSON.stringify(mark));
        compared++;
        if (!labelled || !looks.some((shown) => as(shown).every((mark) => marks.includes(mark))))
            wrong.push([plan.name, t, moment.stage, grad]);
    });
    for (const t of stops(trace)) {
        if (!sameTurns(turns, turnsAt(trace, t))) scene = drawn(turns = turnsAt(trace, t));
        look(new Moment(trace, t), t);
        look(new Moment(trace, t, before, "travel"), before);
        before = t;
    }
    return {wrong, compared};
}"""


def history(document: dict[str, Any]) -> dict[str, list[tuple[int, str | None]]]:
    """What the `.grad` of each tensor is from when on, in events that have happened."""
    changes: dict[str, list[tuple[int, str | None]]] = {}
    for i, event in enumerate(document["events"]):
        if event["kind"] in ("accumulate", "grad"):
            changes.setdefault(event["tensor"], []).append((i + 1, event["after"]))
    return changes


def test_grad_fills_when_it_lands(visit: Open) -> None:
    page = visit().page
    wrong: dict[str, list[Any]] = {}
    compared: dict[str, int] = {}
    for example in EXAMPLES:
        document = engine.run(code=example.code, seed=0).document
        found = page.evaluate(SHOWN, [json.dumps(document), history(document)])
        if found["wrong"]:
            wrong[example.id] = found["wrong"]
        compared[example.id] = found["compared"]
    assert wrong == {}
    assert len([name for name, count in compared.items() if count]) > 60
