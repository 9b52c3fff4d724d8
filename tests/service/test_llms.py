"""`/llms.txt` is true of the service that serves it."""

from __future__ import annotations

import json
import re
import shlex

import httpx


def test_what_it_says_to_call_is_there_and_what_it_links_to_answers(client: httpx.Client) -> None:
    answer = client.get("/llms.txt").raise_for_status()
    assert answer.headers["content-type"].startswith("text/plain")
    text = answer.text
    assert text.startswith("# Backlight\n\n> ")
    assert len(text) < 6000
    base = str(client.base_url).rstrip("/")
    links = re.findall(r"\]\((\S+)\)", text)
    assert f"{base}/openapi.json" in links and f"{base}/docs" in links
    for link in links:
        assert client.get(link.removeprefix(base)).status_code == 200, link
    paths = client.get("/openapi.json").json()["paths"]
    calls = re.findall(r"^- `(GET|POST) (\S+)`", text, re.M)
    assert len(calls) == 3
    for method, path in calls:
        assert method.lower() in paths[path]


def test_its_example_runs_and_has_the_fields_it_names(client: httpx.Client) -> None:
    text = client.get("/llms.txt").text
    (command,) = re.findall(r"^    (curl .*)$", text, re.M)
    words = shlex.split(command)
    assert words[1] == f"{str(client.base_url).rstrip('/')}/v1/runs"
    document = client.post("/v1/runs", json=json.loads(words[-1])).raise_for_status().json()
    assert document["status"] == "ok"
    fields = re.findall(r"^- `(\w+)`:", text, re.M)
    assert len(fields) >= 6
    assert set(fields) - set(document) <= {"findings"}  # which is left out where there is nothing


def test_its_limits_are_those_that_hold(client: httpx.Client) -> None:
    text, limits = client.get("/llms.txt").text, client.get("/v1/limits").json()
    assert f"- fuel: {limits['engine']['fuel']['value']:,} steps" in text
    assert f"- programs at once: {limits['service']['programs_at_once']['value']:g} programs" in text
