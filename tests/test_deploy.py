"""The ways to run many replicas are valid, and give a process no more than it needs."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from packaging.requirements import Requirement

from app.admission import Admission
from app.config import Settings, variable
from app.main import rules
from app.metrics import Metrics
from app.store import MemoryStore

PROJECT = Path(__file__).resolve().parents[1]
KUBERNETES = PROJECT / "deploy" / "kubernetes"
OBJECTS: list[dict[str, Any]] = [
    document
    for path in sorted(KUBERNETES.glob("*.yaml"))
    if path.name != "kustomization.yaml"
    for document in yaml.safe_load_all(path.read_text("utf-8"))
]
DEPLOYMENTS = [each for each in OBJECTS if each["kind"] == "Deployment"]
COMPOSE: dict[str, Any] = yaml.safe_load((PROJECT / "compose.yaml").read_text("utf-8"))
KNOWN = {variable(name) for name in Settings.model_fields}


@pytest.mark.parametrize("found", OBJECTS, ids=lambda each: f"{each['kind']}/{each['metadata']['name']}")
def test_a_manifest_is_what_kubernetes_takes(found: dict[str, Any]) -> None:
    kubernetes_validate.validate(found, "1.31", strict=True)


def test_all_manifests_are_applied() -> None:
    listed = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text("utf-8"))["resources"]
    assert sorted(listed) == sorted(path.name for path in KUBERNETES.glob("*.yaml") if path.stem != "kustomization")


@pytest.mark.parametrize("found", DEPLOYMENTS, ids=lambda each: each["metadata"]["name"])
def test_a_pod_has_no_privileges(found: dict[str, Any]) -> None:
    pod = found["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["seccompProfile"]
    assert pod["automountServiceAccountToken"] is False
    for container in pod["containers"]:
        allowed = container["securityContext"]
        assert allowed["readOnlyRootFilesystem"] and not allowed["allowPrivilegeEscalation"]
        assert allowed["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["limits"]["memory"]


def test_pods_reach_nothing_but_what_they_share() -> None:
    policies = {each["metadata"]["name"]: each["spec"] for each in OBJECTS if each["kind"] == "NetworkPolicy"}
    assert set(policies) == {each["metadata"]["name"] for each in DEPLOYMENTS}
    for policy in policies.values():
        assert set(policy["policyTypes"]) == {"Ingress", "Egress"}
    ports = {rule["port"] for egress in policies["backlight"]["egress"] for rule in egress["ports"]}
    assert ports == {6379, 53}
    assert "egress" not in policies["valkey"]


def test_counts_are_for_pods_of_the_cluster() -> None:
    policies = [each for each in OBJECTS if each["kind"] == "NetworkPolicy"]
    (policy,) = (each for each in policies if each["metadata"]["name"] == "backlight")
    reached = {rule["port"]: rules.get("from") for rules in policy["spec"]["ingress"] for rule in rules["ports"]}
    assert reached == {"http": None, "metrics": [{"namespaceSelector": {}}]}


def test_the_autoscaler_alone_says_how_many_there_are() -> None:
    scaled = {each["spec"]["scaleTargetRef"]["name"] for each in OBJECTS if each["kind"] == "HorizontalPodAutoscaler"}
    assert scaled and not {each["metadata"]["name"] for each in DEPLOYMENTS if "replicas" in each["spec"]} & scaled


def seconds_to_end(environment: dict[str, str]) -> tuple[float, float, float]:
    """How long a replica drains and then lets requests end, and what the longest of them takes."""
    settings = Settings(**{name.removeprefix("BACKLIGHT_").lower(): value for name, value in environment.items()})
    return settings.drain_seconds, settings.shutdown_seconds, settings.queue_seconds + settings.wall_seconds


def test_requests_that_have_begun_are_answered_before_a_replica_is_killed() -> None:
    (backlight,) = (each for each in DEPLOYMENTS if each["metadata"]["name"] == "backlight")
    pod = backlight["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    drain, rest, longest = seconds_to_end({each["name"]: each["value"] for each in container["env"]})
    assert longest <= rest and drain + rest < pod["terminationGracePeriodSeconds"]
    probe = container["readinessProbe"]
    assert probe["failureThreshold"] * (probe["periodSeconds"] + probe["timeoutSeconds"]) <= drain
    service = COMPOSE["services"]["backlight"]
    drain, rest, longest = seconds_to_end(service["environment"])
    assert longest <= rest and drain + rest < int(service["stop_grace_period"].rstrip("s"))


def test_selectors_find_their_pods() -> None:
    pods = {each["metadata"]["name"]: each["spec"]["template"]["metadata"]["labels"] for each in DEPLOYMENTS}
    for each in OBJECTS:
        selector = each.get("spec", {}).get("selector", {})
        wanted = selector.get("matchLabels", selector)
        if each["kind"] in ("Service", "Deployment", "PodDisruptionBudget"):
            assert wanted == pods[each["metadata"]["name"]]


def test_settings_exist() -> None:
    (backlight,) = (each for each in DEPLOYMENTS if each["metadata"]["name"] == "backlight")
    names = {each["name"] for each in backlight["spec"]["template"]["spec"]["containers"][0]["env"]}
    assert names <= KNOWN and set(COMPOSE["services"]["backlight"]["environment"]) <= KNOWN


def test_composed_services_have_no_privileges_and_only_the_balancer_is_outside() -> None:
    for name, service in COMPOSE["services"].items():
        assert service["read_only"] and service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert ("ports" in service) == (name == "balancer"), name
        for volume in service.get("volumes", ()):
            assert (PROJECT / volume.split(":")[0]).exists()
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_who_starts_first_is_there_and_is_asked_whether_it_is_well() -> None:
    services = COMPOSE["services"]
    docker = (PROJECT / "Dockerfile").read_text("utf-8")
    for service in services.values():
        for other, how in service.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"}
            assert "healthcheck" in services[other] or re.search("^HEALTHCHECK", docker, re.M)


BOARD: dict[str, Any] = json.loads((PROJECT / "deploy" / "grafana" / "backlight.json").read_text("utf-8"))


def test_the_dashboard_asks_for_counts_that_exist() -> None:
    admission = Admission(rules(Settings()))
    metrics = Metrics(admission, MemoryStore(1))
    metrics.answered("/v1/runs", "POST", 200, 0.1)
    metrics.worked("run", 0.1)
    metrics.problems.labels("busy").inc()
    kept = set(re.findall(r"^([a-z_]+)[{ ]", metrics.text().decode(), re.MULTILINE))
    queries = [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]
    asked = {name for query in queries for name in re.findall(r"\b(?:backlight|process)_\w+", query)}
    assert len(queries) >= 9 and asked <= kept, asked - kept
    labels = {name for query in queries for name in re.findall(r"by \((\w+)\)", query)}
    assert labels <= {"route", "kind", "type", "le"}


def locked(name: str) -> dict[str, str]:
    """Each line of a lock file without its hashes, by the name of what it locks; every one has hashes."""
    entries = re.split(r"\n(?=[a-z])", (PROJECT / name).read_text("utf-8").strip())
    assert all("--hash=sha256:" in entry for entry in entries)
    return {entry.splitlines()[0].rstrip(" \\"): re.split("[=<>]", entry)[0] for entry in entries}


def test_what_is_needed_is_locked() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    service, everything = locked("requirements.lock"), locked("requirements-dev.lock")
    assert "cyclonedx-bom" in locked("requirements-sbom.lock").values()
    assert service.keys() <= everything.keys()
    for needed, there in (
        ([*project["dependencies"], *extras["traces"]], service),
        ([*extras["test"], *extras["dev"]], everything),
    ):
        names = {re.split("[<>=;]", line)[0].strip() for line in needed}
        assert names <= set(there.values()), names - set(there.values())


def test_the_image_installs_nothing_that_is_not_locked() -> None:
    installed = re.findall(r"pip install ([^&\n\\]*)", (PROJECT / "Dockerfile").read_text("utf-8"))
    for words in map(str.split, installed):
        assert words[:2] == ["--require-hashes", "-r"] and len(words) == 3, words
        locked(words[2])
    assert installed


def test_what_runs_here_is_what_is_locked() -> None:
    """The versions that the tests run with are those of the image."""
    for entry, name in locked("requirements.lock").items():
        wanted = Requirement(entry)
        if wanted.marker is None or wanted.marker.evaluate():
            assert metadata.version(name) in wanted.specifier, entry
