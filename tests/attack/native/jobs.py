"""What a worker of the attack does: it makes the system calls that it is told, through ctypes, as stolen code would.

The job is called `ops` so that its reply is one of a known kind.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from app.workers.calls import FREE
from app.workers.encoding import compress, encode
from app.workers.kernel import ARCHITECTURES
from app.workers.wire import Frame

LIBRARIES: tuple[str, ...] = ()
WORD = (1 << 64) - 1
GETRANDOM = FREE["getrandom"][ARCHITECTURES[platform.machine()][0]] or 0
CLOAK = 0x5A
"""What is looked for comes with its bytes changed, so that it is found nowhere for being asked for."""

libc: Any = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
memory: list[tuple[int, int]] = []
"""Where this process has memory of its own: read before it is locked, as a worker cannot."""
code: list[int] = []
"""And where it has memory that can be run: first addresses."""
callback = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 7)
"""What ctypes has made code of."""


def describe() -> dict[str, Any]:
    for line in Path("/proc/self/maps").read_text().splitlines():
        addresses, permissions, *_ = line.split()
        if permissions.startswith("rw"):
            start, _, end = addresses.partition("-")
            memory.append((int(start, 16), int(end, 16)))
        if "x" in permissions and not line.endswith("[vsyscall]"):
            code.append(int(addresses.partition("-")[0], 16))
    found([0])
    return {"engine": "none", "source": "none", "numpy": np.__version__, "limits": {}}


def prepare() -> None:
    """Nothing: a job finds the process as it is."""


def leave() -> None:
    """Nothing was prepared."""


def warm() -> None:
    handle("ops", {"calls": []}, {})


def handle(kind: str, fields: Mapping[str, Any], parts: Mapping[str, bytes], *answer: Any) -> Frame:
    if "trick" in fields:
        answer: Any = TRICKS[fields["trick"]](fields)
    else:
        answer = [call(number, arguments) for number, arguments in fields["calls"]]
    return Frame({}, {"body": compress(encode(answer))})


def call(number: int, arguments: list[Any]) -> str:
    """How a call ends: `ok`, or the name of its error. Text as an argument is the address of it."""
    texts = {value: ctypes.create_string_buffer(value.encode(), 4096) for value in arguments if isinstance(value, str)}
    kept = [texts.get(value, value) for value in arguments]
    words = [ctypes.addressof(value) if isinstance(value, ctypes.Array) else value & WORD for value in kept]
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *map(ctypes.c_ulong, words))
    return "ok" if result != -1 else errno.errorcode.get(ctypes.get_errno(), "?")


def open_files(fields: Mapping[str, Any]) -> list[int]:
    """The descriptors that are open."""
    return [number for number in range(256) if call_of(libc.fcntl, number, 1) != -1]


def written_elsewhere(fields: Mapping[str, Any]) -> list[str]:
    """What comes of writing to copies of the reply's descriptor."""
    copies = [libc.fcntl(3, 1030, lowest) for lowest in (0, 1, 2, 4, 20)]
    ways = (libc.write, libc.send)
    return [str(way(copy, b"x", 1, 0)) for copy in copies for way in ways]


def variables(fields: Mapping[str, Any]) -> list[str]:
    """The names of the environment, as Python and as the C library have it."""
    block = ctypes.POINTER(ctypes.c_char_p).in_dll(libc, "environ")
    names, index = set(os.environ), 0
    while (entry := block[index]) is not None:
        names.add(entry.partition(b"=")[0].decode())
        index += 1
    return sorted(names)


def seen(fields: Mapping[str, Any]) -> int:
    """How often cloaked text lies in the memory of this process."""
    return found(fields["cloaked"])


def found(cloaked: list[int]) -> int:
    count = 0
    for start, end in memory:
        for piece in range(start, end, 1 << 20):
            size = min(end + 64, piece + (1 << 20) + 64) - piece if piece + (1 << 20) < end else end - piece
            view = np.frombuffer((ctypes.c_ubyte * size).from_address(piece), np.uint8)
            places = np.flatnonzero(view[: size - len(cloaked) + 1] == cloaked[0] ^ CLOAK)
            for offset, byte in enumerate(cloaked[1:], 1):
                places = places[view[places + offset] == byte ^ CLOAK]
            count += len(places)
    return count


def executed(fields: Mapping[str, Any]) -> list[str]:
    """What comes of making memory executable that can be written to, in every way there is."""
    page = os.sysconf("SC_PAGE_SIZE")
    libc.mmap.restype = ctypes.c_void_p
    address = libc.mmap(None, page, 3, 0x22, -1, 0)
    code = ctypes.cast(libc.getpid, ctypes.c_void_p).value or 0
    return [
        "ok" if call_of(libc.mprotect, ctypes.c_void_p(address), page, 7) == 0 else "refused",
        "ok" if call_of(libc.mprotect, ctypes.c_void_p(address), page, 4) == 0 else "refused",
        "ok" if call_of(libc.mprotect, ctypes.c_void_p(code & -page), page, 7) == 0 else "refused",
        "ok" if libc.mmap(None, page, 7, 0x22, -1, 0) not in (None, WORD) else "refused",
    ]


def rewritten(fields: Mapping[str, Any]) -> list[str]:
    """What comes of writing to code that is there, and of having ctypes make some: the kernel writes random bytes."""
    places = [*code, ctypes.cast(callback, ctypes.c_void_p).value or 0]
    written = [call_of(libc.syscall, *map(ctypes.c_long, (GETRANDOM, place, 1, 0))) for place in places]
    return [*("refused" if each == -1 else "ok" for each in written), attempted(lambda: ctypes.CFUNCTYPE(None)(int))]


def python(fields: Mapping[str, Any]) -> list[str]:
    """What comes of Python's own ways out."""
    ways: list[Callable[[], Any]] = [
        threading.Thread(target=print).start,
        os.fork,
        lambda: os.execv("/bin/true", ["true"]),
        lambda: os.listdir("/proc"),
        lambda: open("/proc/self/environ"),
        lambda: os.stat("/"),
        lambda: os.pipe(),
        lambda: os.dup2(3, 1),
        lambda: ctypes.CDLL("libm.so.6.not.loaded"),
        lambda: os.kill(os.getpid(), 0),
        lambda: os.sched_setaffinity(0, {0}),
        lambda: os.getcwd(),
    ]
    return [attempted(way) for way in ways]


def attempted(way: Callable[[], Any]) -> str:
    try:
        way()
    except (OSError, RuntimeError, MemoryError):
        return "refused"
    return "ok"


def call_of(function: Any, *arguments: Any) -> int:
    return int(function(*arguments))


def asynchronous(fields: Mapping[str, Any]) -> list[str]:
    """What comes of having the kernel signal somebody when the reply is read."""
    owner = struct.pack("ii", 1, int(fields["pid"]))
    return [
        str(call_of(libc.fcntl, 3, 8, int(fields["pid"]))),  # F_SETOWN
        str(call_of(libc.fcntl, 3, 15, ctypes.create_string_buffer(owner))),  # F_SETOWN_EX
        str(call_of(libc.fcntl, 3, 10, 9)),  # F_SETSIG, SIGKILL
        str(call_of(libc.fcntl, 3, 4, 0o20000)),  # F_SETFL, O_ASYNC
        str(call_of(libc.ioctl, 3, 0x5452, ctypes.create_string_buffer(struct.pack("i", 1)))),  # FIOASYNC
        str(call_of(libc.ioctl, 3, 0x8901, ctypes.create_string_buffer(owner))),  # FIOSETOWN
    ]


TRICKS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    function.__name__: function
    for function in (open_files, written_elsewhere, variables, seen, executed, rewritten, python, asynchronous)
}
