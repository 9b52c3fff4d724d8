"""Tensors that are pictures: their gradients over them, and what a pixel of an output sees."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.visit import violations

PROGRAM = """import torch
import torch.nn as nn

torch.manual_seed(0)
x = torch.zeros(1, 1, 16, 16, requires_grad=True)
conv = nn.Sequential(nn.Conv2d(1, 2, 3, padding=1), nn.Tanh(), nn.Conv2d(2, 1, 3, padding=1))
out = conv(x)
loss = (out ** 2).mean()
loss.backward()
"""
HUES = """canvas => {
    const {data} = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    const found = [];
    for (let i = 0; i < data.length; i += 4)
        if (Math.max(data[i], data[i + 1], data[i + 2]) - Math.min(data[i], data[i + 1], data[i + 2]) > 12)
            found.push(i / 4);
    return found.map(i => [Math.floor(i / canvas.width), i % canvas.width]);
}"""


def test_a_click_on_a_pixel_shows_what_it_sees(visit: Open) -> None:
    page = visit()
    page.program(PROGRAM)
    page.press("/")
    page.page.keyboard.type("out")
    page.press("Enter")
    pixel = page.page.locator(".pictures.pointed canvas")
    box = pixel.bounding_box()
    assert box
    with page.page.expect_response(lambda response: response.url.endswith("/v1/runs")) as answer:
        pixel.click(position={"x": box["width"] * 7.5 / 16, "y": box["height"] * 4.5 / 16})
    assert "field, = torch.autograd.grad(out[0, 0, 4, 7], x" in json.loads(answer.value.request.post_data)["code"]
    card = page.page.locator(".tensor-card")
    expect(card).to_contain_text("The gradient that reached x.")
    canvas = card.locator(".pictures canvas")
    expect(canvas).to_have_count(1)
    seen = canvas.evaluate(HUES)
    rows, columns = {y for y, _ in seen}, {x for _, x in seen}
    assert (min(rows), max(rows), min(columns), max(columns)) == (2, 6, 5, 9)  # two convolutions of 3 × 3
    assert not violations(page.page)
