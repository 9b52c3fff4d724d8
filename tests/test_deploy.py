"""The ways to run many replicas are valid, and give a process no more than it needs."""

from __future__ import annotations

import ipaddress
import json
import os
import re
import subprocess
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml
from packaging.requirements import Requirement

import app
import engine
from app.admission import Admission
from app.config import MEGABYTE, Settings, variable
from app.main import rules
from app.metrics import Metrics
from app.slots import slots
from app.store import MemoryStore

PROJECT = Path(__file__).resolve().parents[1]
KUBERNETES = PROJECT / "deploy" / "kubernetes"
OBJECTS: list[dict[str, Any]] = [
    document
    for path in sorted(KUBERNETES.glob("*.yaml"))
    if path.name != "kustomization.yaml"
    for document in yaml.safe_load_all(path.read_text("utf-8"))
]
COMPONENTS = sorted(KUBERNETES.glob("*/kustomization.yaml"))
DEPLOYMENTS = [each for each in OBJECTS if each["kind"] == "Deployment"]
COMPOSE: dict[str, Any] = yaml.safe_load((PROJECT / "compose.yaml").read_text("utf-8"))
BACKLIGHT: dict[str, Any] = next(
    each["spec"]["template"]["spec"] for each in DEPLOYMENTS if each["metadata"]["name"] == "backlight"
)
KNOWN = {variable(name) for name in Settings.model_fields}


def containers(pod: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Everything that runs in a pod, by name."""
    return {each["name"]: each for each in [*pod.get("initContainers", []), *pod["containers"]]}


def environment(container: dict[str, Any]) -> dict[str, str]:
    return {each["name"]: each["value"] for each in container["env"]}


def settings_of(variables: dict[str, str]) -> Settings:
    return Settings(**{name.removeprefix("BACKLIGHT_").lower(): value for name, value in variables.items()})


def size(text: str) -> int:
    """Bytes, from how Kubernetes or compose writes them."""
    number, unit = re.fullmatch(r"(\d+)([A-Za-z]*)", text).groups()  # type: ignore[union-attr]
    return int(number) << {"g": 30, "gi": 30, "m": 20, "mi": 20}[unit.lower()]


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
    for container in containers(pod).values():
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


def test_replicas_are_reached_by_the_ingress_and_their_counts_by_what_collects_them() -> None:
    policies = [each for each in OBJECTS if each["kind"] == "NetworkPolicy"]
    (policy,) = (each for each in policies if each["metadata"]["name"] == "backlight")
    reached = {rule["port"]: rules["from"] for rules in policy["spec"]["ingress"] for rule in rules["ports"]}
    assert set(reached) == {"http", "metrics"}
    for port, ((selector,), namespace) in {
        "http": (reached["http"], "ingress-nginx"),
        "metrics": (reached["metrics"], "monitoring"),
    }.items():
        labels = selector["namespaceSelector"]["matchLabels"]
        assert labels == {"kubernetes.io/metadata.name": namespace}, port


def test_only_named_proxies_are_believed() -> None:
    """No network in which other things live, too: their clients could be whoever they like."""
    assert environment(containers(BACKLIGHT)["backlight"])["BACKLIGHT_TRUSTED_PROXIES"] == ""
    services, inside = COMPOSE["services"], COMPOSE["networks"]["inside"]["ipam"]["config"][0]
    balancer = services["balancer"]["networks"]["inside"]["ipv4_address"]
    assert services["backlight"]["environment"]["BACKLIGHT_TRUSTED_PROXIES"] == balancer
    address = ipaddress.ip_address(balancer)
    assert address in ipaddress.ip_network(inside["subnet"])
    assert address not in ipaddress.ip_network(inside["ip_range"]), "which replicas get theirs from"


def test_the_balancer_drops_what_clients_say_of_their_way() -> None:
    nginx = (PROJECT / "deploy" / "nginx.conf").read_text("utf-8")
    said = dict(re.findall(r"proxy_set_header (\S+) (\S+);", nginx))
    assert said["X-Forwarded-For"] == "$remote_addr" and said["X-Forwarded-Proto"] == "$scheme"
    for header in ("Forwarded", "X-Forwarded-Host", "X-Forwarded-Port", "X-Forwarded-Prefix", "X-Real-IP"):
        assert said[header] == '""', header


def test_the_autoscaler_alone_says_how_many_there_are() -> None:
    scaled = {each["spec"]["scaleTargetRef"]["name"] for each in OBJECTS if each["kind"] == "HorizontalPodAutoscaler"}
    assert scaled and not {each["metadata"]["name"] for each in DEPLOYMENTS if "replicas" in each["spec"]} & scaled


def seconds_to_end(variables: dict[str, str]) -> tuple[float, float, float]:
    """How long a replica drains and then lets requests end, and what the longest of them takes."""
    settings = settings_of(variables)
    return settings.drain_seconds, settings.shutdown_seconds, settings.queue_seconds + settings.wall_seconds


def test_requests_that_have_begun_are_answered_before_a_replica_is_killed() -> None:
    (backlight,) = (each for each in DEPLOYMENTS if each["metadata"]["name"] == "backlight")
    pod = backlight["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    drain, rest, longest = seconds_to_end(environment(container))
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
    for container in containers(BACKLIGHT).values():
        assert set(environment(container)) <= KNOWN
    for service in ("backlight", "workers"):
        assert set(COMPOSE["services"][service]["environment"]) <= KNOWN


def test_composed_services_have_no_privileges_and_only_the_balancer_is_outside() -> None:
    for name, service in COMPOSE["services"].items():
        assert service["read_only"] and service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert ("ports" in service) == (name == "balancer"), name
        for volume in service.get("volumes", ()):
            source = volume.split(":")[0]
            assert source in COMPOSE["volumes"] or (PROJECT / source).exists()
    assert COMPOSE["networks"]["inside"]["internal"] is True


def test_programs_run_in_a_container_that_has_a_socket_and_nothing_else() -> None:
    workers = COMPOSE["services"]["workers"]
    assert workers["network_mode"] == "none" and "networks" not in workers
    assert workers["volumes"] == ["workers:/run/backlight"] and workers["tmpfs"] == ["/tmp:size=16m"]
    assert "size=1m" in COMPOSE["volumes"]["workers"]["driver_opts"]["o"]
    assert COMPOSE["services"]["backlight"]["volumes"] == ["workers:/run/backlight:ro"]
    sidecar = containers(BACKLIGHT)["workers"]
    assert sidecar["restartPolicy"] == "Always", "it outlives the service, which then still answers"
    assert [mount["name"] for mount in sidecar["volumeMounts"]] == ["workers"]
    assert {"name": "workers", "mountPath": "/run/backlight", "readOnly": True} in containers(BACKLIGHT)["backlight"][
        "volumeMounts"
    ]
    sockets = set()
    for variables in (workers["environment"], environment(sidecar)):
        assert set(variables) <= {"BACKLIGHT_WORKERS_SOCKET", *SAME}, "no secret, and no store"
        sockets.add(variables["BACKLIGHT_WORKERS_SOCKET"])
    assert sockets == {"/run/backlight/workers.sock"}
    assert "install -d -o 10001 -m 700 /run/backlight" in (PROJECT / "Dockerfile").read_text("utf-8")


SAME = ("BACKLIGHT_MEMORY_MB", "BACKLIGHT_CPU_SECONDS")
"""What the host of workers and the service that counts on it must agree on."""


def test_what_programs_take_fits_in_the_container_they_run_in() -> None:
    """Whoever counts slots from that container asks for all of them, in each of the replicas that share it."""
    services = COMPOSE["services"]
    limits = services["workers"]["deploy"]["resources"]["limits"]
    replicas = services["backlight"]["deploy"]["replicas"]
    sidecar = containers(BACKLIGHT)["workers"]
    for host, service, bound, count in (
        (services["workers"]["environment"], services["backlight"]["environment"], limits, replicas),
        (environment(sidecar), environment(containers(BACKLIGHT)["backlight"]), sidecar["resources"]["limits"], 1),
    ):
        assert {name: host.get(name) for name in SAME} == {name: service.get(name) for name in SAME}
        settings = settings_of(service)
        counted = slots(int(bound["cpu" if "cpu" in bound else "cpus"]), size(bound["memory"]), settings)
        beside = 384 * MEGABYTE
        assert count * counted.together * settings.memory_mb * MEGABYTE + beside <= size(bound["memory"])


def test_who_shares_the_container_of_programs_says_how_many_it_runs() -> None:
    """It cannot be counted there how many replicas there are."""
    asked = COMPOSE["services"]["backlight"]["environment"]
    assert {"BACKLIGHT_WORKERS", "BACKLIGHT_RESERVE"} <= set(asked)


DIGEST = re.compile(r"[a-z0-9./-]+:[a-z0-9.-]+@sha256:[0-9a-f]{64}")
OURS = "backlight"


def images() -> dict[str, list[str]]:
    """Every image that is named somewhere, by the place."""
    named = {name: [each["image"]] for name, each in COMPOSE["services"].items()}
    named["base"] = [COMPOSE["services"]["backlight"]["build"]["args"]["BASE"]]
    for each in DEPLOYMENTS:
        pod = each["spec"]["template"]["spec"]
        named[f"Deployment/{each['metadata']['name']}"] = [one["image"] for one in containers(pod).values()]
    return named


def test_images_of_others_are_named_by_their_digest_and_the_same_everywhere() -> None:
    found: dict[str, set[str]] = {}
    for place, references in images().items():
        for reference in references:
            if reference != OURS:
                assert DIGEST.fullmatch(reference), f"{place}: {reference}"
                found.setdefault(reference.partition(":")[0], set()).add(reference)
    assert set(found) == {"nginx", "python", "valkey/valkey"}
    assert all(len(references) == 1 for references in found.values()), found


def test_the_image_is_built_on_the_base_that_is_named() -> None:
    """Without the digest by `docker build .`, and with it by `make docker` and compose."""
    base = COMPOSE["services"]["backlight"]["build"]["args"]["BASE"]
    assert f"ARG BASE={base.partition('@')[0]}\n" in (PROJECT / "Dockerfile").read_text("utf-8")
    command = ["make", "-n", "docker"]
    told = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True, timeout=60).stdout
    assert f"--build-arg BASE={base} " in told


def test_the_image_of_ours_has_a_version() -> None:
    (ours,) = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text("utf-8"))["images"]
    assert ours["newTag"] == app.__version__ == engine.__version__


def test_the_changelog_tells_of_the_version() -> None:
    dated = re.findall(r"^## \[(\S+)\] - \d{4}-\d\d-\d\d$", (PROJECT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert dated[0] == engine.__version__


@pytest.mark.parametrize("path", COMPONENTS, ids=lambda path: path.parent.name)
def test_a_component_changes_what_is_there(path: Path) -> None:
    """Its patches name containers that exist, and what comes of them is what Kubernetes takes."""
    component = yaml.safe_load(path.read_text("utf-8"))
    assert component["kind"] == "Component" and component["patches"]
    for patch in component["patches"]:
        change = yaml.safe_load(patch["patch"])
        named = {"kind": change["kind"], "name": change["metadata"]["name"]}
        assert patch["target"] == named
        (target,) = (each for each in OBJECTS if (each["kind"], each["metadata"]["name"]) == tuple(named.values()))
        kubernetes_validate.validate(merged(target, change), "1.31", strict=True)


def merged(one: Any, other: Any) -> Any:
    """A strategic merge: what has names is merged by them. New names are variables; containers have to exist."""
    if isinstance(one, dict):
        both = {**one, **other}
        return {key: merged(one[key], other[key]) if key in one and key in other else both[key] for key in both}
    if isinstance(one, list):
        changes = {each["name"]: each for each in other}
        kept = [merged(each, changes.pop(each["name"], each)) for each in one]
        assert all(each.keys() == {"name", "value"} for each in changes.values()), changes
        return [*kept, *changes.values()]
    return other


def test_who_starts_first_is_there_and_is_asked_whether_it_is_well() -> None:
    services = COMPOSE["services"]
    docker = (PROJECT / "Dockerfile").read_text("utf-8")
    for service in services.values():
        for other, how in service.get("depends_on", {}).items():
            assert how == {"condition": "service_healthy"}
            assert "healthcheck" in services[other] or re.search("^HEALTHCHECK", docker, re.M)


BOARD: dict[str, Any] = json.loads((PROJECT / "deploy" / "grafana" / "backlight.json").read_text("utf-8"))


def test_the_dashboard_asks_for_counts_that_exist() -> None:
    settings = Settings()
    admission = Admission(rules(settings, slots(1, None, settings), 1))
    metrics = Metrics(admission, MemoryStore(1))
    metrics.answered("/v1/runs", "POST", 200, 0.1)
    metrics.worked("run")
    metrics.used("run", 0.1, 1 << 20)
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
    service, libraries, everything = (locked(f"requirements{part}.lock") for part in ("", "-libraries", "-dev"))
    assert "cyclonedx-bom" in locked("requirements-sbom.lock").values()
    assert "pip-audit" in locked("requirements-audit.lock").values()
    assert service.keys() <= libraries.keys() <= everything.keys()
    assert "torchvision" in libraries.values() and "torch" not in everything.values()
    for needed, there in (
        ([*project["dependencies"], *extras["traces"]], service),
        (extras["libraries"], libraries),
        ([*extras["test"], *extras["dev"]], everything),
    ):
        names = {re.split("[<>=;]", line)[0].strip() for line in needed}
        assert names <= set(there.values()), names - set(there.values())


STAGES = {
    name or "the default": text
    for name, text in re.findall(
        r"^FROM \S+(?: AS (\S+))?\n(.*?)(?=^FROM |\Z)", (PROJECT / "Dockerfile").read_text("utf-8"), re.M | re.S
    )
}


def test_the_image_installs_nothing_that_is_not_locked() -> None:
    locks = {}
    for stage, text in STAGES.items():
        for words in map(str.split, re.findall(r"pip install ([^&\n\\]*)", text)):
            assert words[:3] == ["--no-deps", "--require-hashes", "-r"] and len(words) == 4, words
            locked(words[3])
            locks.setdefault(stage, []).append(words[3])
    assert locks == {
        "packages": ["requirements-sbom.lock", "requirements.lock"],
        "all-packages": ["requirements-libraries.lock"],
    }


def test_the_image_has_the_libraries_and_slim_has_none() -> None:
    """Whoever names no target gets the last one, and so do compose and the manifests."""
    assert [*STAGES][-2:] == ["slim", "the default"]
    assert "target" not in COMPOSE["services"]["backlight"]["build"]
    docker = (PROJECT / "Dockerfile").read_text("utf-8")
    for stage, packages in (("slim", "slim-packages"), ("the default", "all-packages")):
        assert f"COPY --from={packages} /venv /venv\n" in STAGES[stage]
        assert f"FROM packages AS {packages}\n" in docker and "tools/prune /venv" in STAGES[packages]
        assert " binutils\n" in STAGES["packages"], "without them nothing is stripped"
        assert "jobs.describe()" in STAGES[stage], "it is tried with what is left"
    told = (PROJECT / "deploy" / "README.md").read_text("utf-8")
    sizes = [int(number) for number in re.findall(r"\b(\d+) MB\b", told)]
    assert len(sizes) == 2 and sizes[0] <= 600 and sizes[1] <= 300


def test_docker_is_given_what_the_image_copies() -> None:
    given = {
        line[1:] for line in (PROJECT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")
    } - {"tools"}
    copied = {
        source
        for text in STAGES.values()
        for line in re.findall(r"^COPY (?!--from)(.*) \S+$", text, re.M)
        for source in line.split()
    }
    assert copied == given and all((PROJECT / source).exists() for source in given)


def test_what_no_program_asks_for_is_taken_out_of_the_image(tmp_path: Path) -> None:
    kept = (
        "lib/python3.12/site-packages/numpy/testing/__init__.py",
        "lib/python3.12/site-packages/numpy/__pycache__/version.cpython-312.pyc",
        "lib/python3.12/site-packages/numpy/random/mtrand.cpython-312-x86_64-linux-gnu.so",
        "lib/python3.12/site-packages/numpy.libs/libopenblas.so",
        "lib/python3.12/site-packages/numpy-2.5.5.dist-info/licenses/LICENSE.txt",
        "lib/python3.12/site-packages/pipeline.py",
        "lib/python3.12/site-packages/sklearn/datasets/data/iris.csv",
        "lib/python3.12/site-packages/torchvision/extension.py",
        "bin/python",
    )
    gone = (
        "lib/python3.12/site-packages/numpy/__init__.pyi",
        "lib/python3.12/site-packages/numpy/_core/include/numpy/ndarrayobject.h",
        "lib/python3.12/site-packages/numpy/random/_common.pxd",
        "lib/python3.12/site-packages/numpy/random/lib/libnpyrandom.a",
        "lib/python3.12/site-packages/numpy/tests/test_lists.py",
        "lib/python3.12/site-packages/pip/__init__.py",
        "lib/python3.12/site-packages/pip-26.1.dist-info/METADATA",
        "lib/python3.12/site-packages/sklearn/tree/_tree.pyx",
        "lib/python3.12/site-packages/sklearn/utils/_seq_dataset.pyx.tp",
        "lib/python3.12/site-packages/torchvision.libs/libnvjpeg.so.13",
        "lib/python3.12/site-packages/torchvision/_C.so",
        "bin/pip3",
    )
    for name in (*kept, *gone):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    # What each of binutils is asked is written down by a script in its place, for machines without them.
    binutils = tmp_path / "binutils"
    binutils.mkdir()
    (binutils / "readelf").write_text('#!/bin/sh\ncase "$3" in *mtrand*) echo "[28] .debug_info PROGBITS" ;; esac\n')
    (binutils / "strip").write_text(f'#!/bin/sh\necho "$@" >> {binutils}/stripped\n')
    for script in binutils.iterdir():
        script.chmod(0o755)
    path = {"PATH": f"{binutils}:{os.environ['PATH']}"}
    subprocess.run([PROJECT / "tools" / "prune", tmp_path], check=True, timeout=60, env={**os.environ, **path})
    stripped = (binutils / "stripped").read_text().split()
    assert stripped == ["--strip-debug", "./numpy/random/mtrand.cpython-312-x86_64-linux-gnu.so"]
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert left - {f"binutils/{name}" for name in ("readelf", "strip", "stripped")} == set(kept)


def test_what_runs_here_is_what_is_locked() -> None:
    """The versions that the tests run with are those of the image."""
    for entry, name in locked("requirements-libraries.lock").items():
        wanted = Requirement(entry)
        if wanted.marker is None or wanted.marker.evaluate():
            assert metadata.version(name) in wanted.specifier, entry


BASE = re.compile(r"python:(\d+\.\d+)[.\w-]*(?:@sha256:[0-9a-f]{64})?")


def minor_of_image() -> str:
    found = BASE.fullmatch(COMPOSE["services"]["backlight"]["build"]["args"]["BASE"])
    assert found
    return found[1]


def test_image_and_tests_have_one_minor_version_of_python(tmp_path: Path) -> None:
    """`tools/find-python`, which continuous integration asks, finds one off the PATH, and no other version."""
    minor = minor_of_image()
    default = re.search(r"^ARG BASE=(.*)$", (PROJECT / "Dockerfile").read_text("utf-8"), re.MULTILINE)
    assert default and BASE.fullmatch(default[1])[1] == minor  # type: ignore[index]
    assert "python=$(tools/find-python)" in (PROJECT / ".ci" / "run").read_text("utf-8")
    for number, status in ((1, 1), (2, 0)):
        python = tmp_path / "versions" / f"{minor}.{number}" / "bin" / f"python{minor}"
        python.parent.mkdir(parents=True)
        python.write_text(f"#!/bin/sh\nexit {status}\n", "utf-8")
        python.chmod(0o755)
    nowhere = {"PATH": "/usr/bin:/bin", "PYENV_ROOT": str(tmp_path), "XDG_DATA_HOME": str(tmp_path)}
    found = subprocess.run(
        ["sh", PROJECT / "tools" / "find-python"], env=nowhere, capture_output=True, text=True, timeout=60, check=True
    ).stdout.strip()
    assert found in (str(python), f"/usr/bin/python{minor}", f"/bin/python{minor}")


@pytest.mark.parametrize("lock", ["requirements.lock", "requirements-libraries.lock", "requirements-dev.lock"])
def test_a_lock_has_one_version_of_each_package_for_every_python(lock: str) -> None:
    text = (PROJECT / lock).read_text("utf-8")
    rows = [Requirement(row.rstrip(" \\")) for row in text.splitlines() if re.match(r"[A-Za-z0-9]", row)]
    newest = int(minor_of_image().partition(".")[2])
    here = {"sys_platform": "linux", "platform_system": "Linux", "platform_machine": "x86_64", "extra": ""}
    for minor in sorted({11, newest, newest + 1, 14}):
        python = {"python_version": f"3.{minor}", "python_full_version": f"3.{minor}.4", **here}
        names = [row.name for row in rows if row.marker is None or row.marker.evaluate(python)]
        assert len(names) == len(set(names)), minor
        assert {"fastapi", "numpy", "pydantic", "jinja2", "uvicorn"} <= set(names), minor
