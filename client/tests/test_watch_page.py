"""The page of a training: who may ask for it, what it shows meanwhile, and the file that it becomes."""

from __future__ import annotations

import base64
import http.client
import json
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlsplit

import backlight
import pytest
import torch
from backlight.watching import server
from torch import nn

POLICY = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'\">"


def model_and_optimizer() -> tuple[nn.Module, torch.optim.Optimizer]:
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    return model, torch.optim.SGD(model.parameters(), 0.01)


def iterate(model: nn.Module, optimizer: torch.optim.Optimizer, iterations: int) -> None:
    for _ in range(iterations):
        optimizer.zero_grad()
        loss = model(torch.randn(6, 4)).square().mean()
        loss.backward()
        optimizer.step()


def wait_for(what: Callable[[], Any]) -> None:
    end = time.monotonic() + 60
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> backlight.Watched:
    page = f"<html><head>{POLICY}</head><body>{backlight.export.PLACE}</body></html>"
    monkeypatch.setattr("backlight.export.viewer", lambda: page)
    model, optimizer = model_and_optimizer()
    with backlight.watch(model, optimizer, every=2) as watched:
        iterate(model, optimizer, 5)
    return watched


def ask(
    watched: backlight.Watched, path: str = "", method: str = "GET", body: bytes = b"", **headers: str
) -> tuple[int, dict[str, str], bytes]:
    """An answer; `path` is below the page's, or from the root."""
    assert watched.url is not None
    address = urlsplit(watched.url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    connection.request(method, path if path.startswith("/") else address.path + path, body or None, named)
    answer = connection.getresponse()
    read = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, read


def test_the_page_asks_where_it_came_from_and_nobody_else(watched: backlight.Watched) -> None:
    status, headers, page = ask(watched)
    assert status == 200 and headers["content-type"] == "text/html; charset=utf-8"
    assert b"default-src 'none'; connect-src 'self'; script-src 'self'" in page
    assert b'<script type="application/json" id="training">{}</script>' in page
    assert headers["referrer-policy"] == "no-referrer" and headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff" and headers["cross-origin-resource-policy"] == "same-origin"
    assert not {"server-timing", "access-control-allow-origin"} & set(headers) and "Python" not in headers["server"]
    assert watched.url is not None and re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", watched.url)


def test_it_is_told_what_is_new_and_gets_recordings(watched: backlight.Watched) -> None:
    told = json.loads(ask(watched, "told")[2])
    assert (told["iteration"], told["state"], told["every"]) == (5, "over", 2)
    assert told["known"] == told["kept"] == [0, 2, 4] == [iteration for iteration, _ in told["columns"]]
    after = json.loads(ask(watched, "told?after=2&version=-7")[2])
    assert [iteration for iteration, _ in after["columns"]] == [4] and after["known"] == [0, 2, 4]
    status, headers, packed = ask(watched, "recorded/4")
    assert (status, headers["content-encoding"]) == (200, "gzip")
    assert backlight.watching.log.unpack(packed) == watched.run(4).document
    for missing in (
        "recorded/3",
        "recorded/",
        "recorded/4/",
        "recorded/-1",
        "recorded/%D9%A4",
        "4",
        "favicon.ico",
        "told/",
    ):
        assert ask(watched, missing)[0] == 404, missing


def test_news_are_waited_for_and_a_page_that_knows_them_asks_again(
    watched: backlight.Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "_PATIENCE", 0.3)
    version = json.loads(ask(watched, "told")[2])["version"]
    begun = time.monotonic()
    assert json.loads(ask(watched, f"told?version={version}")[2])["version"] == version
    assert time.monotonic() - begun >= 0.3
    monkeypatch.setattr(server, "_PATIENCE", 60)
    threading.Timer(0.1, watched.control.tell).start()
    assert json.loads(ask(watched, f"told?version={version}")[2])["version"] == version + 1


@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "example.com:80",
        "127.0.0.1.example.com",
        "localhost.example.com",
        "",
        "0.0.0.0",
        "[::1]",
        "127.1",
    ],
)
def test_another_name_of_this_machine_is_refused(watched: backlight.Watched, host: str) -> None:
    assert ask(watched, Host=host)[0] == 403
    assert ask(watched, "pause", "POST", Host=host)[0] == 403


def test_a_tunnel_may_have_another_port(watched: backlight.Watched) -> None:
    assert ask(watched, Host="localhost:9000")[0] == 200
    assert ask(watched, "pause", "POST", Host="localhost:9000", Origin="http://localhost:9000")[0] == 200


def test_other_pages_are_refused(watched: backlight.Watched) -> None:
    for origin in ("http://example.com", "null", "http://127.0.0.1:1", "https://localhost:9000", ""):
        for path, method in (("told", "GET"), ("pause", "POST"), ("", "GET")):
            assert ask(watched, path, method, Host="localhost:9000", Origin=origin)[0] == 403, origin


def test_without_the_address_there_is_nothing(watched: backlight.Watched) -> None:
    assert watched.url is not None
    token = urlsplit(watched.url).path.strip("/")
    for path in ("/", "//", f"/{token[:-1]}/", f"/{token}x/", f"/{token.upper()}/", "/../", "/%2e%2e/", "/%C3%A9/"):
        status, _, body = ask(watched, path)
        assert (status, body) == (404, b"Not Found\n"), path
        assert ask(watched, f"{path}pause", "POST")[0] == 404


def test_only_what_there_is_can_be_asked(watched: backlight.Watched) -> None:
    assert ask(watched, "stop", "POST")[0] == 404
    assert ask(watched, "pause")[0] == 404
    assert ask(watched, "pause", "POST", b"x" * 2000)[0] == 413
    assert ask(watched, "pause", "POST", Transfer_Encoding="chunked", Content_Length="0")[0] == 411
    for method in ("PUT", "DELETE", "OPTIONS", "HEAD"):
        assert ask(watched, "", method)[0] == 501


def test_many_connections_take_no_more_threads(watched: backlight.Watched) -> None:
    assert watched.url is not None
    before = threading.active_count()
    place = ("127.0.0.1", urlsplit(watched.url).port)
    held = [socket.create_connection(place) for _ in range(server._AT_ONCE * 2)]
    wait_for(lambda: threading.active_count() - before >= server._AT_ONCE)
    time.sleep(0.1)
    assert threading.active_count() - before == server._AT_ONCE
    for each in held:
        each.close()
    wait_for(lambda: threading.active_count() <= before)
    assert ask(watched)[0] == 200


def test_it_becomes_a_file(watched: backlight.Watched, tmp_path: Path) -> None:
    watched.save(tmp_path / "run.html")
    page = (tmp_path / "run.html").read_text("utf-8")
    assert "connect-src" not in page and "default-src 'none'" in page
    (held,) = re.findall(r'<script type="application/json" id="training">(.*?)</script>', page)
    training = json.loads(held)
    assert training["told"]["kept"] == [0, 2, 4] and list(training["documents"]) == ["0", "2", "4"]
    watched.run(2).save(tmp_path / "one.json")
    assert json.loads((tmp_path / "one.json").read_text())["limits"]["recorded"]["passes"] == 1
    with pytest.raises(ValueError, match=r"saved as .html; .run\(iteration\).save writes the others"):
        watched.save(tmp_path / "run.json")


def test_it_can_be_saved_without_its_source(watched: backlight.Watched) -> None:
    folder, marked = str(Path(__file__).parent), "def iterate"
    for source in (True, False):
        (held,) = re.findall(r'id="training">(.*?)</script>', watched.html(source=source))
        training = json.loads(held)
        text = json.dumps(training["told"]) + "".join(
            json.dumps(backlight.watching.log.unpack(base64.b64decode(each))) for each in training["documents"].values()
        )
        assert (folder in text, marked in text) == (source, source)
        assert Path(__file__).name in text


def test_notebooks_have_it_in_a_frame(watched: backlight.Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = watched._repr_html_()
    assert f'<iframe style="width:100%;height:720px;border:0" title="Backlight" src="{watched.url}">' in frame
    shown: list[Any] = []
    shell = SimpleNamespace()
    display = SimpleNamespace(display=shown.append)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell, display=display))
    model, optimizer = model_and_optimizer()
    again = backlight.watch(model, optimizer)
    assert shown == [again]
    again.stop()


def test_without_threads_or_sockets_it_is_shown_at_the_end(
    watched: backlight.Watched, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(*_: Any) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", none)
    model, optimizer = model_and_optimizer()
    with backlight.watch(model, optimizer, every=2) as alone:
        iterate(model, optimizer, 3)
    assert capsys.readouterr().out == (
        "backlight: no page can be served here. It is shown when watching ends; .save writes it.\n"
    )
    assert alone.url is None and alone.iterations == [0, 2]
    assert 'sandbox="allow-scripts allow-downloads"' in alone._repr_html_() and "http" not in repr(alone)


BARE = """
import builtins

def refused(*_, **__):
    raise OSError("not in a browser")

def no_thread(*_, **__):
    raise RuntimeError("can't start new thread")

import torch, torch._dynamo  # which makes folders of its own
import _socket, _thread, io, os, pathlib, socket, subprocess, tempfile, threading
reading = builtins.open

def opens(file, mode="r", *rest, **more):
    return reading(file, mode, *rest, **more) if set(mode) <= set("rbt") else refused()

threading.Thread.start = _thread.start_new_thread = threading._start_new_thread = no_thread
socket.socket.__init__ = subprocess.Popen.__init__ = os.fork = os.system = refused
os.mkdir = os.makedirs = tempfile.mkstemp = tempfile.NamedTemporaryFile = refused
builtins.open = io.open = opens

import backlight
model = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
optimizer = torch.optim.SGD(model.parameters(), 0.1)
with backlight.capture() as run:
    model(torch.ones(4, 2)).sum().backward()
assert "run-document" in run.html() and run._repr_html_() and run.document["limits"]["recorded"]["passes"] == 1
assert "run-document" in backlight.show(model(torch.ones(4, 2)).sum()).html()
with backlight.watch(model, optimizer, every=2) as watched:
    for i in range(3):
        optimizer.zero_grad()
        model(torch.ones(4, 2)).sum().backward()
        optimizer.step()
assert watched.iterations == [0, 2] and watched.url is None and 'id="training"' in watched.html()
print("done")
"""


def test_a_browser_s_python_can_do_it(tmp_path: Path) -> None:
    """No threads, subprocesses, sockets, forks or files that are written: what PyTorch in a browser has none of."""
    program = tmp_path / "bare.py"
    program.write_text(BARE)
    run = [sys.executable, "-B", str(program)]
    path = str(Path(backlight.__file__).parents[1])
    done = subprocess.run(run, capture_output=True, text=True, timeout=300, env={"PYTHONPATH": path}, check=False)
    assert done.returncode == 0 and done.stdout.endswith("done\n"), done.stderr
    assert "no page can be served here" in done.stdout


# In a browser


@pytest.fixture
def training() -> Iterator[tuple[backlight.Watched, threading.Event]]:
    """One that goes on until it is told to end, in a thread, as a browser is driven from this one."""
    model, optimizer = model_and_optimizer()
    end, begun = threading.Event(), []

    def run() -> None:
        with backlight.watch(model, optimizer, every=50) as watched:
            begun.append(watched)
            while not end.is_set():
                iterate(model, optimizer, 1)
                time.sleep(0.005)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    wait_for(lambda: begun and len(begun[0].iterations) > 2)
    yield begun[0], end
    end.set()
    thread.join(60)


def test_the_page_grows_pauses_steps_and_goes_back(
    training: tuple[backlight.Watched, threading.Event], browser: Any, tmp_path: Path
) -> None:
    watched, end = training
    page = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(watched.url)
    said, where = page.locator(".live-said"), page.locator(".live-where")
    page.wait_for_selector("#story .say")
    newest = where.inner_text()
    page.locator(".live-where", has_not_text=newest).wait_for()  # the next one came
    page.get_by_role("button", name="Pause", exact=True).first.click()
    page.locator(".live-said", has_text="Paused after").wait_for()
    at = watched.iteration
    assert said.inner_text() == f"Paused after {at:,} iterations"
    page.locator(".live-where", has_text=f"on show: iteration {at - 1:,}").wait_for()
    page.get_by_role("button", name="One more").click()
    page.locator(".live-where", has_text=f"on show: iteration {at:,}").wait_for()
    assert watched.iteration == at + 1
    page.locator(".live .training-plot").focus()
    page.keyboard.press("Home")
    page.locator(".live-where", has_text="on show: iteration 0").wait_for()
    assert page.locator(".live .training-said").inner_text().startswith(f"iteration 0 of 0 … {at:,} · loss ")
    assert page.get_by_role("button", name="Newest").get_attribute("aria-pressed") == "false"
    page.get_by_role("button", name="Go on").click()
    page.locator(".live-said", has_text="Training: iteration").wait_for()
    wait_for(lambda: watched.iteration > at + 60)
    assert where.inner_text() == "on show: iteration 0"  # whoever went back stays there
    end.set()
    page.locator(".live-said", has_text="Over after").wait_for()
    assert page.get_by_role("button", name="Newest").count() == 0
    assert complaints == []
    watched.save(tmp_path / "run.html")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto((tmp_path / "run.html").as_uri())
    page.locator(".live-where", has_text=f"on show: iteration {watched.iterations[-1]:,}").wait_for()
    page.locator(".live .training-plot").focus()
    page.keyboard.press("Home")
    page.locator(".live-where", has_text="on show: iteration 0").wait_for()
    assert complaints == [] and requests == [(tmp_path / "run.html").as_uri()]
    page.close()
