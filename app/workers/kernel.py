"""Linux' two ways for a process to give up what it may ask of the kernel: Landlock and seccomp, through libc alone.

What can be prepared is prepared once, by the process that workers are forked from; `restrict_self` and
`Filter.install` are all that is left for a worker. Both last until the process ends
and cover everything it might start.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import os
import platform
import struct
import sys
from collections.abc import Iterable
from typing import Any

PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
LANDLOCK_CREATE_RULESET = 444
LANDLOCK_ADD_RULE = 445
LANDLOCK_RESTRICT_SELF = 446
LANDLOCK_RULE_PATH_BENEATH = 1
LANDLOCK_CREATE_RULESET_VERSION = 1

# What Landlock may take away, by the ABI version that brought it (include/uapi/linux/landlock.h).
FILE_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
TCP_BIND_AND_CONNECT = {4: 0b11}
SIGNALS_AND_ABSTRACT_SOCKETS = {6: 0b11}
READ_FILE, READ_FOLDER = 1 << 2, 1 << 3

# What a process that computes, and talks over the socket it was given, asks of the kernel: the number of a system call
# on x86-64 and on arm64, None where it has another instead (from asm/unistd_64.h and asm-generic/unistd.h).
ALLOWED = {
    "read": (0, 63),
    "write": (1, 64),
    "close": (3, 57),
    "fstat": (5, 80),
    "poll": (7, None),
    "lseek": (8, 62),
    "mmap": (9, 222),
    "mprotect": (10, 226),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_yield": (24, 124),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "nanosleep": (35, 101),
    "setitimer": (38, 103),
    "getpid": (39, 172),
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "sendmsg": (46, 211),
    "recvmsg": (47, 212),
    "exit": (60, 93),
    "getrusage": (98, 165),
    "sysinfo": (99, 179),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "futex": (202, 98),
    "sched_getaffinity": (204, 123),
    "restart_syscall": (219, 128),
    "clock_gettime": (228, 113),
    "clock_nanosleep": (230, 115),
    "exit_group": (231, 94),
    "set_robust_list": (273, 99),
    "getrandom": (318, 278),
    "rseq": (334, 293),
    "ppoll": (None, 73),
}
# What importing a module takes besides; harmless where Landlock decides which files can be opened.
ALLOWED_WITH_LANDLOCK = {
    "stat": (4, None),
    "lstat": (6, None),
    "ioctl": (16, 29),
    "pread64": (17, 67),
    "fcntl": (72, 25),
    "readlink": (89, None),
    "getdents64": (217, 61),
    "openat": (257, 56),
    "newfstatat": (262, 79),
    "readlinkat": (None, 78),
}
# Allowed on the process itself only: its first argument must be 0.
ALLOWED_ON_SELF = {"prlimit64": (302, 261)}

# By `platform.machine()`: the column of its numbers above, and its name in seccomp (linux/audit.h).
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
X32_BIT = 0x40000000
LOAD_WORD, JUMP_EQUAL, JUMP_GREATER_EQUAL, RETURN = 0x20, 0x15, 0x35, 0x06
KILL_PROCESS, ALLOW, REFUSE = 0x80000000, 0x7FFF0000, 0x00050000 | 1  # refuse: EPERM
OFFSET_NUMBER, OFFSET_ARCH, OFFSET_FIRST_ARGUMENT = 0, 4, 16

Instruction = tuple[int, int, int, int]


def give_up_privileges() -> bool:
    """From now on nothing this process, or one forked from it, executes can gain privileges; the rest needs that."""
    return sys.platform == "linux" and process_control(PR_SET_NO_NEW_PRIVS, 1)


def process_control(option: int, argument: Any, value: Any = 0) -> bool:
    """prctl(2); whether it took effect."""
    return bool(_libc().prctl(option, argument, value, 0, 0) == 0)


def landlock_rules(readable: Iterable[str]) -> int | None:
    """A Landlock ruleset, to be taken with `restrict_self`: no file can be opened, no TCP port used, nobody outside
    signalled. The folders in `readable` are the exception: what lies below them can be read.

    Returns its file descriptor, which is left open; None where the kernel has no Landlock.
    """
    if sys.platform != "linux":
        return None
    libc = _libc()
    version = libc.syscall(LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_CREATE_RULESET_VERSION)
    if version < 1:
        return None
    handled = [
        sum(bits for since, bits in rights.items() if since <= version)
        for rights in (FILE_RIGHTS, TCP_BIND_AND_CONNECT, SIGNALS_AND_ABSTRACT_SOCKETS)
    ]
    attributes = struct.pack("QQQ", *handled)[: 24 if version >= 6 else 16 if version >= 4 else 8]
    ruleset: int = libc.syscall(LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0)
    if ruleset < 0:
        return None
    for folder in readable:
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_PATH)
            rule = struct.pack("=Qi", READ_FILE | READ_FOLDER, descriptor)
            libc.syscall(LANDLOCK_ADD_RULE, ruleset, LANDLOCK_RULE_PATH_BENEATH, rule, 0)
            os.close(descriptor)
    return ruleset


def restrict_self(ruleset: int) -> bool:
    """Put this process behind a Landlock ruleset."""
    return bool(_libc().syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0)


class Filter:
    """A seccomp filter, ready to be installed: it refuses (EPERM) every other system call than `ALLOWED`.

    With `may_import`, files may be opened as well, so that Landlock is what stands in front of them.
    """

    def __init__(self, may_import: bool) -> None:
        rules = syscall_filter(platform.machine(), may_import) if platform.machine() in ARCHITECTURES else []
        code = b"".join(struct.pack("HBBI", *instruction) for instruction in rules)
        self._code = ctypes.create_string_buffer(code, len(code))
        self._program = _Program(len(code) // 8, ctypes.addressof(self._code))
        self._address = ctypes.byref(self._program)

    def install(self) -> bool:
        """Put this process behind the filter; on x86-64 and arm64."""
        if sys.platform != "linux" or not self._program.length:
            return False
        return process_control(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, self._address)


def syscall_filter(machine: str, may_import: bool) -> list[Instruction]:
    """The filter of one of `ARCHITECTURES` in BPF: (code, jump if true, jump if false, operand)."""
    column, architecture = ARCHITECTURES[machine]
    calls = ALLOWED | ALLOWED_WITH_LANDLOCK if may_import else ALLOWED
    rules: list[Instruction] = [
        (LOAD_WORD, 0, 0, OFFSET_ARCH),
        (JUMP_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL_PROCESS),
        (LOAD_WORD, 0, 0, OFFSET_NUMBER),
        (JUMP_GREATER_EQUAL, 0, 1, X32_BIT),  # x86-64's calls with short pointers; no other has numbers that high
        (RETURN, 0, 0, KILL_PROCESS),
    ]
    for numbers in calls.values():
        if (number := numbers[column]) is not None:
            rules += [(JUMP_EQUAL, 0, 1, number), (RETURN, 0, 0, ALLOW)]
    for numbers in ALLOWED_ON_SELF.values():
        rules += [
            (JUMP_EQUAL, 0, 4, numbers[column]),
            (LOAD_WORD, 0, 0, OFFSET_FIRST_ARGUMENT),
            (JUMP_EQUAL, 0, 1, 0),
            (RETURN, 0, 0, ALLOW),
            (RETURN, 0, 0, REFUSE),
        ]
    return [*rules, (RETURN, 0, 0, REFUSE)]


class _Program(ctypes.Structure):
    """struct sock_fprog"""

    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


@functools.cache
def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)
