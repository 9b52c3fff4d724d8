"""Pictures that leave the page: figures of a step."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Open
from tests.browser.visit import Visit, violations

pytestmark = pytest.mark.slow

INK = """async (png) => {
    const blob = await (await fetch(`data:image/png;base64,${png}`)).blob();
    const image = await createImageBitmap(blob);
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const {data, width, height} = context.getImageData(0, 0, image.width, image.height);
    const paper = [...data.slice(0, 3)];
    let [left, right, top, bottom] = [width, 0, height, 0];
    for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
            const at = 4 * (y * width + x);
            if (paper.every((value, k) => Math.abs(data[at + k] - value) < 8)) continue;
            left = Math.min(left, x); right = Math.max(right, x); top = Math.min(top, y); bottom = Math.max(bottom, y);
        }
    }
    return {paper, left, top, right: width - 1 - right, bottom: height - 1 - bottom, width, height};
}"""


def exported(page: Visit, entry: str, folder: Path) -> Path:
    """The file of an entry of the menu, under the name that the page gives it."""
    page.page.get_by_role("button", name="Export").click()
    with page.page.expect_download() as download:
        page.page.get_by_role("menuitem", name=entry).click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def ink(visit: Visit, file: Path) -> dict[str, Any]:
    """Where something is drawn in a picture: how far from each side, in pixels, and what it is drawn on."""
    address = visit.page.url
    visit.page.goto("about:blank")  # the page's policy lets no data be fetched
    found: dict[str, Any] = visit.page.evaluate(INK, base64.b64encode(file.read_bytes()).decode())
    visit.page.goto(address)
    return found


def test_a_picture_says_which_step_of_what_it_shows(visit: Open, tmp_path: Path) -> None:
    page = visit("/l/seed0_mm_jvp")
    page.press("ArrowRight")
    step, of, band = re.findall(r"step (\d+) of (\d+) · (backward #\d)", page.title)[0]
    file = exported(page, "SVG picture", tmp_path)
    assert file.name == f"backlight-seed0_mm_jvp-{band.replace(' #', '-')}-step-{step}.svg"
    svg = file.read_text("utf-8")
    assert f">{band}, step {step} of {of}</text>" in svg
    assert f"<title>{page.page.locator('.lesson h2').inner_text()}</title>" in svg
    described = svg.partition("<desc>")[2].partition("</desc>")[0]
    said = re.findall(r"[A-Za-z]{3,}", page.page.locator("#story .say").first.inner_text())
    assert len(said) > 5
    assert [word for word in said if word not in described] == []  # numbers are cells there
    line = page.page.locator(".cm-now").inner_text()
    assert f">{line.strip()}</text>" in svg


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_is_cropped_to_what_it_shows(visit: Open, tmp_path: Path, scheme: str) -> None:
    page = visit(scheme=scheme)
    expect(page.page.locator(".stage-shelf .item.card")).to_have_count(3)
    paper = page.page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paper')").strip()
    found = ink(page, exported(page, "PNG picture", tmp_path))
    assert "#" + bytes(found["paper"]).hex() == paper
    margins = [found[side] for side in ("left", "right", "top", "bottom")]
    assert max(margins) < 90, margins
    assert min(margins) > 20, margins
    assert abs(found["left"] - found["right"]) < 16


FILM = """async (webm) => {
    const video = document.createElement("video");
    video.muted = true;
    video.src = URL.createObjectURL(await (await fetch(`data:video/webm;base64,${webm}`)).blob());
    await new Promise((go, stop) => { video.onloadeddata = go; video.onerror = () => stop(video.error); });
    const {duration, videoWidth: width, videoHeight: height} = video;
    const context = new OffscreenCanvas(width, height).getContext("2d", {willReadFrequently: true});
    const seen = new Set();
    const cells = () => {  // of blue, side by side in the lower half
        const {data} = context.getImageData(0, 0, width, height);
        let most = 0;
        for (let y = Math.floor(height / 2); y < height * 0.85; y += 3) {
            let [runs, run, gap] = [0, 0, 0];
            for (let x = 0; x < width; x++) {
                const at = 4 * (y * width + x);
                const blue = data[at + 2] > 150 && data[at] < 90 && data[at + 1] < 160;
                gap = blue ? 0 : gap + 1;
                run = blue ? run + 1 : gap > 40 ? 0 : run;  // the number on it is narrower
                if (blue && run === 50) runs++;
            }
            most = Math.max(most, runs);
        }
        return most;
    };
    const filled = [];
    for (let at = 0.05; at < duration; at += 0.4) {
        const shown = new Promise((go) => video.requestVideoFrameCallback(go));
        video.currentTime = Math.min(at, duration - 0.1);
        await Promise.race([shown, new Promise((go) => setTimeout(go, 1000))]);
        context.drawImage(video, 0, 0);
        const small = new OffscreenCanvas(60, 90).getContext("2d");
        small.drawImage(video, 0, 0, 60, 90);
        seen.add([...small.getImageData(0, 0, 60, 90).data].map((value) => value >> 4).join());
        filled.push(cells());
    }
    return {duration, seekable: video.seekable.end(0), seen: seen.size, filled};
}"""


def test_a_pass_is_recorded_as_a_video(visit: Open, tmp_path: Path) -> None:
    page = visit()
    page.page.locator("select[aria-label*=peed]").select_option("4")
    page.press("ArrowRight")
    at = page.title
    steps = int(re.findall(r"of (\d+) · backward", at)[0])
    file = exported(page, "Video", tmp_path)
    assert re.fullmatch(r"backlight-\w+-backward-1\.webm", file.name)
    expect(page.page.get_by_role("dialog")).to_have_count(0)
    assert page.title == at
    page.page.goto("about:blank")
    film = page.page.evaluate(FILM, base64.b64encode(file.read_bytes()).decode())
    assert film["seekable"] == film["duration"] > steps * 0.3
    assert film["seen"] >= steps
    assert film["filled"][0] == 0, "no leaf has a .grad when the pass begins"
    assert film["filled"][-1] == 3, "each has one when it ends"


def test_a_recording_can_be_cancelled(visit: Open) -> None:
    page = visit()
    page.page.get_by_role("button", name="Export").click()
    page.page.get_by_role("menuitem", name="Video").click()
    dialog = page.page.get_by_role("dialog", name="Recording the pass")
    expect(dialog.get_by_role("progressbar")).to_be_visible()
    assert violations(page.page) == []
    dialog.get_by_role("button", name="Cancel").click()
    expect(page.page.locator("dialog .film")).to_have_count(0)
    step = page.at()
    page.press("ArrowRight")
    expect(page.page.locator("[role=slider].track")).to_have_attribute("aria-valuenow", str(step + 1))


def test_where_no_video_can_be_made_the_menu_says_why(visit: Open) -> None:
    page = visit(None)
    page.page.add_init_script("delete window.VideoEncoder")
    page.go()
    page.page.get_by_role("button", name="Export").click()
    entry = page.page.get_by_role("menuitem", name="Video")
    expect(entry).to_have_attribute("aria-disabled", "true")
    expect(entry).to_contain_text("this browser cannot encode video")
