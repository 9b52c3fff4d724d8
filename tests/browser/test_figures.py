"""What a program draws: below the line that shows it, larger on a click, in words for those who do not see it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Open
from tests.browser.visit import violations

pytestmark = pytest.mark.slow

PROGRAM = """\
import torch
import matplotlib.pyplot as plt
w = torch.tensor(1.0, requires_grad=True)
losses = []
for i in range(4):
    loss = (w * 3 - 1) ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.02 * w.grad
        w.grad.zero_()
    losses.append(loss.item())
plt.plot(losses, "o-", label="training")
plt.title("Loss while training")
plt.xlabel("step")
plt.legend()
plt.show()
print("done")
plt.imshow(torch.eye(3), cmap="gray")
plt.savefig("eye.png")
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1440])
def test_a_figure_appears_at_its_step_and_is_enlarged(visit: Open, scheme: str, width: int) -> None:
    visited = visit(scheme=scheme, width=width, height=844 if width < 500 else 900)
    page = visited.page
    assert not any("/figures/" in url for url in visited.requests), "loaded although nothing is drawn"
    visited.program(PROGRAM)
    visited.press("Home")
    expect(page.locator("figure.figure")).to_have_count(0)
    expect(page.locator(".output-row.later").first).to_contain_text("draws later")
    visited.press("End")
    expect(page.locator("figure.figure svg.figure-picture")).to_have_count(2)
    assert "Line 19 saves a figure as eye.png." in visited.story
    expect(page.locator(".figure-note")).to_have_text("eye.png is not written: this is what it would show.")
    visited.press("ArrowLeft")
    assert "Line 16 shows a figure, “Loss while training”." in visited.story
    picture = page.locator("figure.figure svg.figure-picture")
    expect(picture).to_have_count(1)
    box, room = picture.bounding_box(), page.locator("#output").bounding_box()
    assert box and room and box["x"] >= room["x"] and box["x"] + box["width"] <= room["x"] + room["width"]
    told = page.locator("figure.figure .visually-hidden p").all_text_contents()
    assert told[0].startswith("Loss while training: x is step, from −0.15 to 3.15; y, from ")
    assert violations(page) == []
    page.get_by_role("button", name="Enlarge the figure: Loss while training").press("Enter")
    dialog = page.get_by_role("dialog", name="Figure: Loss while training")
    large = dialog.locator("svg.figure-picture").bounding_box()
    assert large and large["width"] <= width and (width < 500 or large["width"] > 2 * box["width"])
    dialog.locator("summary").click()
    expect(dialog).to_contain_text("Line “training”: 4 points, x from 0 to 3")
    assert violations(page) == []
    sizes = "() => [...document.querySelectorAll('.figure-text')].map(e => parseFloat(getComputedStyle(e).fontSize))"
    assert min(page.evaluate(sizes)) >= 12
    visited.press("Escape")
    expect(dialog).to_have_count(0)
    assert visited.complaints == []


SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="144pt" height="72pt"'
    ' viewBox="0 0 144 72" onload="parent.spoilt = 1"><script>parent.spoilt = 1; document.title = "spoilt"</script>'
    '<style>circle {fill: #1f77b4}</style><image xlink:href="/static/none.png" width="9" height="9"/>'
    '<circle cx="72" cy="36" r="30"/></svg>'
)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_matplotlib_drew_is_an_image_that_runs_nothing(visit: Open, scheme: str) -> None:
    picture = {"svg": SVG, "size": [144, 72], "texts": ["Pie", "a"]}

    def draw(route: Route) -> None:
        answer = route.fetch()
        document = answer.json()
        if document.get("figures"):
            document["figures"][0] |= {"axes": [], "picture": picture}
            document["figures"][1]["axes"][0] |= {"series": [], "picture": picture}
        route.fulfill(response=answer, json=document)

    visited = visit(scheme=scheme)
    page = visited.page
    page.route("**/v1/runs", draw)
    visited.program(PROGRAM)
    visited.press("End")
    image = page.locator("figure.figure img.figure-picture")
    expect(image).to_have_attribute("alt", "A picture that matplotlib drew, with the words Pie, a.")
    assert image.evaluate("async image => { await image.decode(); return image.naturalWidth; }") == 192
    expect(page.locator("figure.figure svg.figure-picture image")).to_have_count(1)
    assert page.evaluate("window.spoilt") is None and page.title() != "spoilt"
    assert not any(url.endswith("/none.png") for url in visited.requests)
    assert violations(page) == []
    page.get_by_role("button", name="Enlarge the figure: Pie").press("Enter")
    expect(page.get_by_role("dialog", name="Figure: Pie").locator("img.figure-picture")).to_be_visible()
    assert visited.complaints == []
