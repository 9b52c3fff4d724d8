"""Every lesson at every step, as written, after its change and after changed numbers: its caption is true there."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import engine
from app.examples import load_examples
from tests.browser.conftest import Open
from tests.browser.test_lessons import IDS

EXAMPLES = {example.id: example for example in load_examples().menu.examples}

TOLD = """async ([text, example]) => {
    const parts = ["trace/files.js", "trace.js", "layout/layered.js", "lessons/lessons.js", "lessons/tour.js",
        "lessons/values.js", "paint/palette.js", "scene/colour.js", "scene/moment.js", "scene/motion.js",
        "scene/scene.js", "scene/training.js", "timeline/places.js", "ui/book.js"];
    const [{asOneListing}, {flatten, formatNumber, indexTrace, stateAt, stops}, {layout}, {lessonOf}, {openAt},
        {filled}, {textMeasure}, {LIGHT}, {Moment, progressAt, STEP_MS}, {overlay}, {draftScene, Scene, wholeGraph},
        {sameTurns, turnsAt}, {placeAt}, {Book}] = await Promise.all(parts.map(pageModule));
    const book = new Book(indexTrace(asOneListing(JSON.parse(text))));
    const {trace, doc} = book;
    const times = stops(trace);
    const {tour} = lessonOf(example);
    const all = tour.statements(book, times);
    const texts = (marks) => marks.flatMap((mark) => (mark.type === "text" ? [mark.text] : []));
    let drawn = {turns: null, scene: null};
    const sceneAt = (t) => {
        const turns = turnsAt(trace, t);
        if (drawn.turns && sameTurns(turns, drawn.turns)) return drawn.scene;
        const how = {folded: new Set(), measure: textMeasure(), palette: LIGHT, view: {width: 720, height: 560}};
        const draft = draftScene(wholeGraph(trace, turns), how);
        drawn = {turns, scene: new Scene(draft, layout(draft.input), LIGHT)};
        return drawn.scene;
    };
    const pictureAt = (t) => {
        const scene = sceneAt(t);
        const moment = new Moment(trace, t);
        const shown = scene.items.map((_, i) => i).filter((i) => scene.items[i].from <= t);
        const over = overlay(scene, moment, progressAt(STEP_MS), {from: t, still: true});
        return {
            texts: [...shown.flatMap((i) => texts(scene.itemMarks(i, moment))), ...over.flatMap(({marks}) =>
                texts(marks))],
            names: new Set(shown.map((i) => trace.tensors.get(scene.items[i].tensor ?? "")?.name)),
        };
    };
    const numbersAt = (t, picture) => {
        const known = new Set([...picture.texts, doc.stdout].join(" ").match(/−?\\d+(\\.\\d+)?(e[−-]?\\d+)?/g));
        const add = (ref) => {
            const value = book.value(ref);
            const numbers = (value && flatten(value)) ?? [];
            known.add(String(numbers.filter((x) => x !== 0).length));
            for (const x of numbers) {
                known.add(formatNumber(x, value.dtype));
                known.add(formatNumber(Math.abs(x), value.dtype));
            }
        };
        for (const [, {value, grad}] of stateAt(trace, t).tensors) [value, grad].forEach(add);
        for (const event of doc.events.slice(0, t)) {
            if (event.kind === "backward") event.gradients.forEach(add);
            if (event.kind === "accumulate") [event.before, event.incoming, event.after].forEach(add);
            if (event.kind === "hook") [...event.before, ...event.after].forEach(add);
            if (event.kind === "hook") known.add(String(event.registered));
            if (event.kind === "write") known.add(String(event.version));
        }
        return known;
    };
    const english = new Set(["a", "gradients", "one"]);
    const named = new Set(doc.tensors.flatMap(({name}) => (name ? [name] : [])));
    const wrong = [];
    const told = [];
    times.forEach((t, here) => {
        const which = openAt(all, here, -1);
        if (which < 0) return;
        const caption = tour.captions[which];
        const {say, stop} = all[which];
        const bad = (why) => wrong.push(`${here} ${say}: ${why}`);
        told.push(say);
        const [begun, now] = [times[stop], t].map((time) => placeAt(book, times, time).stretch);
        if (!caption.until && begun !== now) bad("it belongs to another stretch");
        if (filled(caption.say, book, t) !== say) bad("it is no longer so");
        const picture = pictureAt(t);
        const words = say.replace(/[\\w.]+Backward\\d/g, (node) => {
            if (!picture.texts.some((each) => each.includes(node))) bad(`${node} is not on the picture`);
            return "";
        });
        if (/AccumulateGrad/.test(words) && !picture.texts.includes("AccumulateGrad")) bad("no AccumulateGrad");
        for (const [, name, grad] of words.matchAll(/(?<![\\w.])([A-Za-z]\\w*)(\\.grad)?/g)) {
            const drawn = picture.names.has(name) || !named.has(name);
            if (!drawn && (grad || !english.has(name))) bad(`${name} is not on the picture`);
        }
        const known = numbersAt(t, picture);
        for (const [number] of words.matchAll(/(?<![\\w.])−?\\d+(\\.\\d+)?(e[−-]?\\d+)?(?!\\w)/g)) {
            if (!known.has(number)) bad(`${number} is not there`);
        }
    });
    return {wrong, told: [...new Set(told)]};
}"""


CHANGE = """async (name) => {
    return (await pageModule("lessons/lessons.js")).LESSONS[name].change;
}"""

NUMBER = re.compile(r"(?<![\w.])\d+\.?\d*(?![\w.])")


def changed_numbers(code: str) -> list[str]:
    """The program with its first, middle or last number raised by one."""
    places = list(NUMBER.finditer(code))
    return [
        f"{code[: m.start()]}{float(m[0]) + 1 if '.' in m[0] else int(m[0]) + 1}{code[m.end() :]}"
        for m in {places[i] for i in (0, len(places) // 2, -1)}
    ]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("name", IDS)
def test_captions_are_true_at_their_steps(visit: Open, name: str) -> None:
    page = visit().page
    code = EXAMPLES[name].code

    def told(program: str) -> Any:
        return page.evaluate(TOLD, [json.dumps(engine.run(code=program, seed=0).document), {"id": name, "code": code}])

    written = told(code)
    assert written["wrong"] == []
    change = page.evaluate(CHANGE, name)
    assert code.count(change["from"]) == 1
    for program in (code.replace(change["from"], change["to"]), *changed_numbers(code)):
        assert told(program)["wrong"] == [], program
