"""A running service touches the machine in few places: its store, its own sockets, its own workers.

What a worker can touch is test_isolation's: nothing.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest

from tests.attack.service import PROJECT, launched, new_program

WITNESS = """\
import json, os, sys
_file = os.open({record!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
_pid = os.getpid()
_writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_events = {
    "socket.connect", "socket.bind", "socket.sendto", "sqlite3.connect", "subprocess.Popen", "os.system", "os.exec",
    "os.posix_spawn", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink", "os.truncate",
    "os.chmod", "os.chown", "shutil.rmtree", "ctypes.dlopen",
}
def _saw(event, arguments):
    if os.getpid() != _pid:  # a worker, which has given up all of its files
        return
    if event == "open" and isinstance(arguments[2], int) and arguments[2] & _writing:
        said = [str(arguments[0])]
    elif event in _events:
        said = [str(argument) for argument in arguments if not hasattr(argument, "fileno")]
    else:
        return
    os.write(_file, (json.dumps([event, *said]) + "\\n").encode())
sys.addaudithook(_saw)
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """What the service and its zygote did with files, sockets and processes while they ran programs and stopped."""
    folder = tmp_path_factory.mktemp("witness")
    record = folder / "record"
    (folder / "sitecustomize.py").write_text(WITNESS.replace("{record!r}", repr(str(record))))
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("PYTHONPATH", str(folder))
        environment.setenv("PYTHONDONTWRITEBYTECODE", "1")
        with launched(folder, {}) as target:
            run = target.run(new_program()).content["id"]
            target.run("import torch\ntorch.save(torch.ones(2), 'x')\nopen('y', 'w').write('z')\nopen('/etc/passwd')")
            for path in ("/", "/docs", "/openapi.json", "/v1/ops", "/v1/examples", f"/v1/runs/{run}/graph.dot"):
                assert target.ask("GET", path).status == 200
            target.process.terminate()
            assert target.process.wait(20) == 0
    return [json.loads(line) for line in record.read_text().splitlines()]


def of(seen: list[list[str]], *events: str) -> list[list[Any]]:
    return [arguments for event, *arguments in seen if event in events]


def test_files_are_written_in_the_temporary_directory_alone(seen: list[list[str]]) -> None:
    own = Path("/proc/self/oom_score_adj")  # by its real name, which has the number of the process
    allowed = (Path(tempfile.gettempdir()).resolve(), Path("/dev/null"))
    changes = ("open", "os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.truncate", "os.chmod", "sqlite3.connect")
    written = [Path(arguments[0]).resolve() for arguments in of(seen, *changes) if arguments[0] != ":memory:"]
    assert any(path.name == "runs.sqlite3" for path in written)
    strays = [path for path in written if not any(path.is_relative_to(place) for place in allowed)]
    assert [path for path in strays if (path.parts[1], path.name) != (own.parts[1], own.name)] == []
    assert of(seen, "os.link", "os.symlink", "os.chown", "shutil.rmtree") == []


def test_nothing_is_connected_to_and_loopback_alone_is_bound(seen: list[list[str]]) -> None:
    assert of(seen, "socket.connect", "socket.sendto") == []
    bound = of(seen, "socket.bind")
    assert bound and all("127.0.0.1" in arguments[0] for arguments in bound)


def test_no_process_is_started_but_the_one_workers_are_forked_from(seen: list[list[str]]) -> None:
    started = of(seen, "subprocess.Popen")
    assert started and all("app.workers.zygote" in str(arguments) for arguments in started)
    assert of(seen, "os.system", "os.exec", "os.posix_spawn") == []


def test_the_working_directory_stays_as_it_was(seen: list[list[str]]) -> None:
    assert not (PROJECT / "x").exists() and not (PROJECT / "y").exists()
