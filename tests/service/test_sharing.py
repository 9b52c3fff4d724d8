"""What makes a fork cheap does so, and ends."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys

import pytest

from app.workers import jobs

FULL_OF_GAPS = """
import random
from app.workers import sharing

chance = random.Random(1)
junk = [(chance.random(), bytes(chance.randrange(500)), object()) for _ in range(50_000)]
for _ in range(40_000):
    junk[chance.randrange(len(junk))] = None
sharing.close_gaps()
assert {len(row) for row in sharing._kept} == {2 * sharing.PAGE // size for size in range(16, sharing.SMALL + 1, 16)}
print(len(sharing._kept) * 2 * sharing.PAGE)
"""


def test_gaps_are_closed_in_bounded_memory_however_the_heap_looks() -> None:
    filled = subprocess.run([sys.executable, "-c", FULL_OF_GAPS], check=True, capture_output=True, timeout=60).stdout
    assert int(filled) < 32 << 20


FORKS = """
import os
from app.workers import sharing

receiving, sending = os.pipe()
pid = sharing.fork()
if pid == 0:
    os.write(sending, b"%d %d" % (os.getpid(), os.getppid()))
    os._exit(7)
os.close(sending)
with open(receiving, "rb") as pipe:
    assert pipe.read() == b"%d %d" % (pid, os.getpid())
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
"""
MAY_NOT = """
import contextlib, os, resource
from app.workers import sharing

with contextlib.suppress(PermissionError):
    os.setresuid(65534, 65534, 65534)  # root may fork as often as it likes
resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
try:
    if sharing.fork() == 0:
        os._exit(0)
except BlockingIOError:
    raise SystemExit(5)
"""


@pytest.mark.parametrize(("program", "status"), [(FORKS, 0), (MAY_NOT, 5)], ids=["of its own", "refused"])
def test_a_fork_is_a_process_of_its_own_or_raises(program: str, status: int) -> None:
    """Tried apart: threads of the tests would not be there in a process forked from here."""
    assert subprocess.run([sys.executable, "-c", program], timeout=60).returncode == status


IMMORTAL = """
import gc, sys, types
from app.workers import sharing

class Node:
    def __init__(self):
        self.text = "".join(["te", "xt"])

old = Node()
made = sharing.make_immortal()
assert (made > 10_000) == (sys.version_info >= (3, 12)) == (sharing.immortal_mark() is not None), made

def counted(value):
    before = sys.getrefcount(value)
    more = [value] * 10
    return sys.getrefcount(value) - before

code = Node.__init__.__code__
for value in (old, old.text, Node, Node.__init__, code, code.co_consts, list, list.append):
    assert counted(value) == (0 if made else 10), value
later = Node()
assert counted(later) == 10, "what comes later is counted as ever, and freed"
assert sharing.make_immortal() < max(1, made / 10), "what is immortal is not looked through again"
assert counted(later) == counted(old)
old.text = None
del old, Node
assert gc.collect() >= 0
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells where memory is")
def test_what_exists_is_not_counted_where_python_has_immortal_objects() -> None:
    ended = subprocess.run([sys.executable, "-c", IMMORTAL], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")


WRITTEN = """
import mmap, os, resource
from app.workers import sharing

pages = 4096
memory = mmap.mmap(-1, pages * sharing.PAGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
memory.write(b"x" * len(memory))
chosen = [3, *range(10, pages, 10)]

def write():
    for page in chosen:
        memory[page * sharing.PAGE] = 1

written = sharing.written_by(write)
assert all(size % sharing.PAGE == 0 for _, size in written)
assert sum(size for _, size in written) < pages * sharing.PAGE / 4, "what is only read is shared"
assert memory[3 * sharing.PAGE] == ord("x"), "the work was done elsewhere"
pid = sharing.fork()
if pid == 0:
    sharing.copy_now(written)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    write()
    faults = resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
    os._exit(faults > len(chosen) / 4)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
assert sharing.written_by(lambda: 1 / 0) == [], "work that fails tells nothing"
"""
SMALL_RUN = """
import os
from functools import partial
from resource import RUSAGE_SELF, getrusage  # the machine's, whatever programs find in its place
from engine.hashes import leave_addresses
leave_addresses()
from app.workers import jobs, sharing

jobs.describe()
for _ in range(5):
    jobs.warm()
jobs.prepare()
made = sharing.make_immortal()
written = sharing.written_by(partial(jobs.warm, last=True))
pages = sum(size for _, size in written) // sharing.PAGE
assert 0 < pages < (2000 if made else 4000), pages
receiving, sending = os.pipe()
if sharing.fork() == 0:
    sharing.copy_now(written)
    faults = lambda: getrusage(RUSAGE_SELF).ru_minflt
    before = faults()
    jobs.warm(last=True)
    os.write(sending, b"%d" % (faults() - before))
    os._exit(0)
print(os.read(receiving, 100).decode())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which pages are shared")
def test_what_work_writes_to_is_found_and_copied() -> None:
    subprocess.run([sys.executable, "-c", WRITTEN], check=True, timeout=60)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which pages are shared")
def test_a_small_run_finds_its_memory_copied() -> None:
    """It writes to two thousand pages of its process, half of that where objects are immortal, and takes four megabytes
    at most besides."""
    took = subprocess.run([sys.executable, "-c", SMALL_RUN], check=True, capture_output=True, timeout=120).stdout
    assert int(took) < 600


def test_the_program_that_warms_a_worker_up_runs_to_its_last_line() -> None:
    request = {"request": json.dumps({"code": jobs.WARM_UP}).encode()}
    answer = jobs.run(jobs.WARM_FIELDS, request)
    document = json.loads(gzip.decompress(answer.parts["document"]))
    assert document["error"]["message"].startswith("Trying to backward through the graph a second time")
    assert document["error"]["line"] == jobs.WARM_UP.count("\n")
    assert document["limits"]["truncated"] is None
