"""What the README tells people to do can be done."""

from __future__ import annotations

import json
import re

import httpx

import engine
from app.config import PROJECT

README = (PROJECT / "README.md").read_text("utf-8")
PAGES = [path for path in (PROJECT / "docs").glob("*.md") if path.name != "history.md"]
DOCUMENTS = [PROJECT / "README.md", PROJECT / "SECURITY.md", *PAGES]


def test_every_address_is_known_to_the_service(fake: httpx.Client) -> None:
    text = "".join(document.read_text("utf-8") for document in DOCUMENTS)
    paths = fake.get("/openapi.json").json()["paths"]
    known = {re.sub(r"\{\w+\}", "{}", path) for path in paths} | {"/docs", "/openapi.json"}
    for address in re.findall(r"(?<![\w.])(?:GET |POST )?(/v1/[\w{}$/.]+|/healthz|/readyz|/docs|/openapi\.json)", text):
        plain = re.sub(r"\{\w+\}|\$\w+|/v\d+$", "{}", address.rstrip("."))
        assert plain in known, address


def test_the_curl_examples_run(fake: httpx.Client) -> None:
    bodies = re.findall(r"-d '(.*?)'(?:$| \\)", README, re.MULTILINE | re.DOTALL)
    assert len(bodies) == 3
    for body in bodies:
        assert fake.post("/v1/runs", json=json.loads(body)).status_code == 200
        assert engine.run(**json.loads(body)).document["error"] is None, body


def test_the_graph_in_the_description_of_documents_runs() -> None:
    text = (PROJECT / "docs" / "trace.md").read_text("utf-8")
    (graph,) = re.findall(r"```json\n(\{\"graph\".*?)```", text, re.DOTALL)
    assert engine.run(**json.loads(graph)).document["error"] is None
