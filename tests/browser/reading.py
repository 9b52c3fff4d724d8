"""How fast one would have to read while a run plays, by a clock that only the player's own waiting moves."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

# New are the words of a sentence that do not stand together in one before it: so many at least, however the page tells
# sentences apart that are alike.
FASTEST = r"""async ([document, id]) => {
    const base = performance.getEntriesByType("resource").find(({name}) => name.endsWith("/js/main.js")).name;
    const load = (path) => import(new URL(path, base));
    const { indexTrace, stops } = await load("trace.js");
    const { Book } = await load("ui/book.js");
    const { asText, narrate } = await load("ledger/sentence.js");
    const { createPlayer } = await load("timeline/player.js");
    const { createReading } = await load("timeline/reading.js");
    const { openAt } = await load("lessons/tour.js");
    const { lessonOf } = await load("lessons/lessons.js");
    const { tour } = lessonOf({ id, code: document.source.code });
    const book = new Book(indexTrace(document));
    const times = stops(book.trace);
    const captions = tour?.statements(book, times) ?? [];
    let clock = 0;
    const shown = [];
    const player = createPlayer({
        show: async (t) => void shown.push({ t, at: clock }),
        stopped: () => shown.push({ at: clock }),
        speed: () => 1,
        wait: async (ms) => void (clock += ms),
        now: () => clock,
    });
    await player.play(book.trace, 0, { ms: createReading(book, times, tour).ms });
    const wordsIn = (text) => text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word));
    const isNew = (other) => (word) => /\p{L}/u.test(word) && !other.includes(word);
    const earlier = [];
    let caption = openAt(captions, 0, -1);
    let fastest = 0;
    shown.slice(0, -2).forEach(({ t, at }, i) => {
        const stop = times.indexOf(t);
        const words = wordsIn(asText(narrate(book, times[stop - 1] ?? 0, t)[0] ?? []));
        const fresh = Math.min(words.length, ...earlier.map((other) => words.filter(isNew(other)).length));
        earlier.push(words);
        const open = openAt(captions, stop, -1);
        const said = open === caption ? 0 : wordsIn(captions[open]?.say ?? "").length;
        caption = open;
        fastest = Math.max(fastest, (fresh + said) / ((shown[i + 1].at - at + 2) / 60000));
    });
    return fastest;
}"""


def words_a_minute(page: Page, document: dict[str, Any], example: str) -> float:
    """The most that a step of the example asks for, of the words that are new at it."""
    found: float = page.evaluate(FASTEST, [document, example])
    return found
