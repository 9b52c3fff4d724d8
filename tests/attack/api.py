"""Requests generated from the OpenAPI description: what fits it and what does not, and every answer as described.

Schemathesis makes the requests and holds the answers against the description (status, media type, headers, schema).
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import hypothesis
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from requests.adapters import HTTPAdapter
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.attack.report import Result, timed
from tests.attack.service import Service, new_program, service, sources

EXAMPLES = 250
SESSION = 25
"""Requests from one address, then comes another client."""
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    negative_data_rejection,
]


class Address(HTTPAdapter):
    """Connections from one loopback address."""

    def __init__(self, source: str) -> None:
        self.source = source
        super().__init__()

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options, source_address=(self.source, 0))


class Clients:
    """A session for every request, each of a new client now and then."""

    def __init__(self) -> None:
        self.sources = sources()
        self.asked = itertools.count()
        self.session = requests.Session()

    def next(self) -> requests.Session:
        if next(self.asked) % SESSION == 0:
            self.session.close()
            self.session = requests.Session()
            self.session.mount("http://", Address(next(self.sources)))
        return self.session


def attack(size: float) -> Result:
    """Every operation with requests that fit and that do not."""
    result = Result("api", "no 500, and every answer is as the OpenAPI description says")
    statuses: Counter[str] = Counter()
    with timed(result), service() as target:
        document = target.ask("GET", "/openapi.json").content
        result.figures["operations"] = sum(len(methods) for methods in document["paths"].values())
        runs = kept_runs(target)
        described = schemathesis.openapi.from_dict(document)
        clients = Clients()
        for found in described.get_all_operations():
            operation = found.ok()
            for cases in strategies(operation, runs):
                generate(result, statuses, target, cases, clients, max(3, int(EXAMPLES * size)))
        result.expect("Traceback" not in target.log.read_text(), f"the log: {target.log.read_text()[-2000:]}")
    result.figures |= dict(sorted(statuses.items()))
    return result


def kept_runs(target: Service) -> list[dict[str, str]]:
    """Path parameters of runs that are there, and of a value in each."""
    answers = [target.run(new_program()), target.run("import torch\na = torch.zeros(50, 50)"), target.run("x")]
    return [{"run": answer.content["id"], "value": "v0"} for answer in answers]


def strategies(operation: Any, runs: list[dict[str, str]]) -> Iterator[Any]:
    """Requests to one operation: what fits its description, what does not, and what asks for a run that is there."""
    yield operation.as_strategy(generation_mode=GenerationMode.POSITIVE)
    yield operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
    for known in runs:
        chosen = {name: value for name, value in known.items() if f"{{{name}}}" in operation.path}
        if chosen:
            yield operation.as_strategy(generation_mode=GenerationMode.POSITIVE, path_parameters=chosen)


def generate(result: Result, statuses: Counter[str], target: Service, cases: Any, clients: Clients, count: int) -> None:
    """Up to `count` requests; the same ones in every campaign."""

    @settings(
        max_examples=count,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=cases)
    def ask(case: Any) -> None:
        response = case.call(base_url=target.address, session=clients.next(), timeout=30)
        statuses[f"{response.status_code // 100}xx"] += 1
        result.expect(*judged(case, response))

    try:
        ask()
    except hypothesis.errors.Unsatisfiable:
        pass  # nothing there is that does not fit: the operation takes no input


def judged(case: Any, response: Any) -> tuple[bool, str]:
    """Whether the answer is as described, and what is not. A service that is busy says so with 503, as described."""
    chosen = CHECKS[1:] if response.status_code == 503 else CHECKS
    try:
        case.validate_response(response, checks=chosen)
    except FailureGroup as group:
        said = "; ".join(f"{failure.title}: {failure.message}"[:300] for failure in group.exceptions)
        request = response.request
        return False, f"{request.method} {request.url[:200]} {request.body!r:.300}\n    {response.status_code} {said}"
    return True, ""
