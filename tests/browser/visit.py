"""One reader's visit to the page, and what axe-core says of it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Frame, Page

# As the clipboard does it: Chromium gives text inserted by other means style attributes, against the page's policy.
PASTE = """code => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", code);
    const event = new ClipboardEvent("paste", {clipboardData, bubbles: true, cancelable: true});
    document.querySelector(".cm-content").dispatchEvent(event);
}"""
MODULES = """window.pageModule = (name) => {
    const {name: trace} = performance.getEntriesByType("resource").find(({name}) => name.endsWith("/js/trace.js"));
    return import(new URL(name, trace));
};
window.shownScene = async (doc) => {
    const [{show, stage}, {SvgPainter}] = await Promise.all(["page/page.js", "paint/svg.js"].map(pageModule));
    const shown = window.lastShown ??= {};
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
    return shown.scene && shown;
};"""
"""Scripts of tests ask for one of the page's modules by its place in `static/js`: the page's own, and not another; and
they show a document, of which they get the scene that is drawn last, and its painter."""
RESTED = """(what) => new Promise((rested) => {
    const look = (before, times) => {
        const now = JSON.stringify([...document.querySelectorAll(what)].map((e) => e.getBoundingClientRect()));
        if (times > 20) rested();
        else requestAnimationFrame(() => look(now, now === before ? times + 1 : 0));
    };
    look("", 0);
})"""
AXE = Path(__file__).parent / "vendor" / "axe.min.js"


class Visit:
    """One page and everything it complained about."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.document: dict[str, Any] = {}
        self.listeners: dict[Any, Callable[[Any], None]] = {
            "console": self._console,
            "pageerror": lambda error: self.complaints.append(f"exception: {error.stack or error}"),
            "request": lambda request: self.requests.append(request.url),
            "response": self._response,
        }
        for event, listener in self.listeners.items():
            page.on(event, listener)

    def _console(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.type}: {message.text}")

    def _response(self, response: Any) -> None:
        if response.request.method == "POST" and response.url.endswith("/v1/runs") and response.ok:
            try:
                self.document = json.loads(response.body())
            except Error:
                pass  # the page cancelled the request

    def go(self, path: str = "/") -> Visit:
        self.page.goto(self.url + path)
        self.page.wait_for_selector("#story .say")
        self.page.wait_for_selector(".cm-editor")
        return self

    def leave(self) -> None:
        """Leave the tab as it was, for another visit."""
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)
        self.page.unroute_all()
        self.forget()

    def forget(self) -> None:
        """Leave the page, which knows nothing of this reader afterwards."""
        self.page.goto(self.url + "/healthz")  # of the same site, so in the same process
        self.page.wait_for_function("() => { localStorage.clear(); sessionStorage.clear(); return true; }")
        self.page.mouse.move(0, 0)

    def program(self, code: str) -> dict[str, Any]:
        """Replace the program as a reader would, and wait for its document."""
        page = self.page
        with page.expect_response(lambda response: ran(response, code)) as answer:
            self.paste(code)
            page.keyboard.press("ControlOrMeta+Enter")
        self.document = json.loads(answer.value.body())
        page.wait_for_selector("#editor:not(.stale)")
        page.locator("#graph").focus()
        return self.document

    def paste(self, code: str) -> None:
        """Put a program in place of the one in the editor."""
        self.page.locator(".cm-content").click()
        self.press("ControlOrMeta+a")
        self.page.evaluate(PASTE, code)

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)

    def open_details(self) -> None:
        """Open the column beside the picture."""
        self.page.locator("#details[aria-expanded=false]").click()
        self.page.wait_for_selector("#ledger > *")

    def open_engine_details(self) -> None:
        """Unfold what the engine holds: next functions, saved tensors, arrivals, the tensor's card, the ready queue."""
        if self.page.locator("#ledger").is_hidden():
            self.open_details()
        self.page.locator("#ledger details.engine:not([open]) > summary").click()

    def open_tape(self) -> None:
        """Unfold the recorded operations."""
        self.page.locator(".tape-fold:not([open]) > summary").click()

    def example(self, name: str) -> None:
        """Choose an example in the gallery, by its id."""
        self.page.locator("#examples").click()
        self.page.locator(f".gallery-card[data-example={name}]").click()

    @property
    def title(self) -> str:
        """`Step 3 of 5 · backward #1`"""
        return self.page.locator("#story-step").inner_text().lower()

    @property
    def story(self) -> str:
        return " ".join(self.page.locator("#story .say").all_inner_texts())

    def at(self) -> int:
        """Index of the stop the page stands at."""
        return int(self.page.locator("[role=slider].track").get_attribute("aria-valuenow") or 0)

    def last(self) -> int:
        return int(self.page.locator("[role=slider].track").get_attribute("aria-valuemax") or 0)


def ran(response: Any, code: str) -> bool:
    """Is this the answer to that program, and not to one that was there before?"""
    request = response.request
    return bool(
        request.method == "POST"
        and response.url.endswith("/v1/runs")
        and json.loads(request.post_data or "{}").get("code") == code
    )


def rest(page: Page | Frame, what: str = "html") -> None:
    """Wait until what a selector finds has stood where it is for twenty painted frames."""
    page.evaluate(RESTED, what)


def violations(page: Page) -> list[str]:
    """What axe-core finds wrong with the page as it stands."""
    page.evaluate(AXE.read_text("utf-8"))
    report = page.evaluate("async () => (await axe.run(document, {resultTypes: ['violations']})).violations")
    return [f"{v['id']}: {v['help']}\n    " + "\n    ".join(n["html"][:200] for n in v["nodes"][:4]) for v in report]
