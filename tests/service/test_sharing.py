"""What makes a fork cheap does so, and ends."""

from __future__ import annotations

import contextlib
import gzip
import json
import os
import random
import resource

from app.workers import jobs, sharing


def test_gaps_are_closed_in_bounded_memory_however_the_heap_looks() -> None:
    chance = random.Random(1)
    junk: list[object] = [(chance.random(), bytes(chance.randrange(500)), object()) for _ in range(50_000)]
    for _ in range(40_000):
        junk[chance.randrange(len(junk))] = None
    before = len(sharing._kept)
    sharing.close_gaps()
    filled = sharing._kept[before:]
    del sharing._kept[before:]
    counts = {len(row) for row in filled if isinstance(row, list)}
    assert counts == {2 * sharing.PAGE // size for size in range(16, sharing.SMALL + 1, 16)}
    assert len(filled) * 2 * sharing.PAGE < 32 << 20


def test_a_fork_is_a_process_of_its_own() -> None:
    receiving, sending = os.pipe()
    pid = sharing.fork()
    if pid == 0:
        os.write(sending, b"%d %d" % (os.getpid(), os.getppid()))
        os._exit(7)
    os.close(sending)
    with open(receiving, "rb") as pipe:
        assert pipe.read() == b"%d %d" % (pid, os.getpid())
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7


def test_a_fork_that_the_system_refuses_raises() -> None:
    if os.fork() == 0:
        status = 1
        try:
            with contextlib.suppress(PermissionError):
                os.setresuid(65534, 65534, 65534)  # root may fork as often as it likes
            resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
            if sharing.fork() == 0:
                os._exit(0)
        except BlockingIOError:
            status = 0
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.wait()[1]) == 0


def test_the_program_that_warms_a_worker_up_runs_to_its_last_line() -> None:
    request = {"request": json.dumps({"code": jobs.WARM_UP}).encode()}
    answer = jobs.run(jobs.WARM_FIELDS, request)
    document = json.loads(gzip.decompress(answer.parts["document"]))
    assert document["error"]["message"].startswith("Trying to backward through the graph a second time")
    assert document["error"]["line"] == jobs.WARM_UP.count("\n")
    assert document["limits"]["truncated"] is None
