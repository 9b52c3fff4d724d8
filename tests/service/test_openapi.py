"""The API describes itself completely. (That every status seen is described is checked by the `fake` client.)"""

from __future__ import annotations

from typing import Any

import httpx

from app.problems import MEDIA_TYPE


def references(value: Any) -> set[str]:
    if isinstance(value, dict):
        found = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
        return found.union(*(references(item) for item in value.values()))
    if isinstance(value, list):
        return set().union(*(references(item) for item in value))
    return set()


def test_every_reference_leads_somewhere(description: dict[str, Any]) -> None:
    for reference in references(description):
        target = description
        for step in reference.removeprefix("#/").split("/"):
            target = target[step]


def test_every_operation_is_named_summarised_and_lists_its_problems(description: dict[str, Any]) -> None:
    names = []
    for path, methods in description["paths"].items():
        for operation in methods.values():
            names.append(operation["operationId"])
            assert operation["summary"] and operation["description"] and operation["tags"], path
            for status, response in operation["responses"].items():
                assert response["description"]
                if int(status) >= 400:
                    assert list(response["content"]) == [MEDIA_TYPE]
                    assert response["content"][MEDIA_TYPE]["schema"] == {"$ref": "#/components/schemas/Problem"}
    assert len(set(names)) == len(names) == 13


def test_the_examples_in_the_description_run(fake: httpx.Client, description: dict[str, Any]) -> None:
    body = description["paths"]["/v1/runs"]["post"]["requestBody"]["content"]["application/json"]
    for example in body["examples"].values():
        assert fake.post("/v1/runs", json=example["value"]).status_code == 200


def test_the_reference_page_lists_every_operation(fake: httpx.Client, description: dict[str, Any]) -> None:
    page = fake.get("/docs").text
    for path, methods in description["paths"].items():
        assert f"<code>{path}</code>" in page
        for operation in methods.values():
            assert operation["summary"] in page


def test_the_description_asks_for_exactly_one_of_code_and_graph(description: dict[str, Any]) -> None:
    code, graph = description["components"]["schemas"]["RunRequest"]["oneOf"]
    assert code["required"] == ["code"] and code["properties"]["graph"] == {"type": "null"}
    assert graph["required"] == ["graph"] and graph["properties"]["code"] == {"type": "null"}


def test_whatever_may_need_a_worker_tells_about_the_budget(fake: httpx.Client, description: dict[str, Any]) -> None:
    run = fake.post("/v1/runs", json={"code": "x"})
    location = run.headers["content-location"]
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            told = "RateLimit" in operation["responses"].get("200", {}).get("headers", {})
            assert told == ("over-budget" in operation["responses"].get("429", {}).get("description", ""))
            if method == "get":
                answer = fake.get(path.replace("/v1/runs/{run}", location).replace("{value}", "v0"))
                assert ("ratelimit" in answer.headers) == ("ratelimit-policy" in answer.headers) == told, path
