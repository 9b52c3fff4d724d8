"""Linux' two ways for a process to give up what it may ask of the kernel: Landlock and seccomp, through libc alone.

What can be prepared is prepared once, by the process that workers are forked from; `restrict_self` and
`Filter.install` are all that is left for a worker. Both last until the process ends
and cover everything it might start.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import platform
import struct
import sys
from collections.abc import Sequence
from typing import Any

from app.workers.calls import BY_ARGUMENT, DEADLY, FREE, NO_TERMINAL, Condition

PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
LANDLOCK_CREATE_RULESET = 444
LANDLOCK_RESTRICT_SELF = 446
LANDLOCK_CREATE_RULESET_VERSION = 1

# What Landlock may take away, by the ABI version that brought it (include/uapi/linux/landlock.h).
FILE_RIGHTS = {1: (1 << 13) - 1, 2: 1 << 13, 3: 1 << 14, 5: 1 << 15}
TCP_BIND_AND_CONNECT = {4: 0b11}
SIGNALS_AND_ABSTRACT_SOCKETS = {6: 0b11}

# By `platform.machine()`: the column of its numbers in `calls`, and its name in seccomp (linux/audit.h).
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
X32_BIT = 0x40000000
LOAD_WORD, JUMP, JUMP_EQUAL, JUMP_GREATER_EQUAL, JUMP_ANY_BIT, RETURN = 0x20, 0x05, 0x15, 0x35, 0x45, 0x06
KILL_PROCESS, ALLOW, ERROR = 0x80000000, 0x7FFF0000, 0x00050000
REFUSE, NOT_A_TERMINAL = ERROR | errno.EPERM, ERROR | errno.ENOTTY
OFFSET_NUMBER, OFFSET_ARCH, OFFSET_ARGUMENTS = 0, 4, 16
ANSWERS = ((FREE, ALLOW), (NO_TERMINAL, NOT_A_TERMINAL), (DEADLY, KILL_PROCESS))

Instruction = tuple[int, int, int, int]


def give_up_privileges() -> bool:
    """From now on nothing this process, or one forked from it, executes can gain privileges; the rest needs that."""
    return sys.platform == "linux" and process_control(PR_SET_NO_NEW_PRIVS, 1)


def process_control(option: int, argument: Any, value: Any = 0) -> bool:
    """prctl(2); whether it took effect."""
    return bool(_libc().prctl(option, argument, value, 0, 0) == 0)


def landlock_version() -> int:
    """The version of Landlock's ABI that this kernel has; 0 where it has none."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_libc().syscall(LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_CREATE_RULESET_VERSION)))


def landlock_rules(version: int) -> int | None:
    """A Landlock ruleset, to be taken with `restrict_self`: no file can be opened, no TCP port used, nobody outside
    signalled, as far as this version of the ABI has it.

    Returns its file descriptor, which is left open; None where the kernel has no Landlock.
    """
    if version < 1:
        return None
    handled = [
        sum(bits for since, bits in rights.items() if since <= version)
        for rights in (FILE_RIGHTS, TCP_BIND_AND_CONNECT, SIGNALS_AND_ABSTRACT_SOCKETS)
    ]
    attributes = struct.pack("QQQ", *handled)[: 24 if version >= 6 else 16 if version >= 4 else 8]
    ruleset: int = _libc().syscall(LANDLOCK_CREATE_RULESET, attributes, len(attributes), 0)
    return ruleset if ruleset >= 0 else None


def restrict_self(ruleset: int) -> bool:
    """Put this process behind a Landlock ruleset."""
    return bool(_libc().syscall(LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0)


class Filter:
    """A seccomp filter of the rows in `app.workers.calls`, ready to be installed."""

    def __init__(self) -> None:
        rules = syscall_filter(platform.machine()) if platform.machine() in ARCHITECTURES else []
        code = b"".join(struct.pack("HBBI", *instruction) for instruction in rules)
        self._code = ctypes.create_string_buffer(code, len(code))
        self._program = _Program(len(code) // 8, ctypes.addressof(self._code))
        self._address = ctypes.byref(self._program)

    def install(self) -> bool:
        """Put this process behind the filter; on x86-64 and arm64."""
        if sys.platform != "linux" or not self._program.length:
            return False
        return process_control(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, self._address)


def syscall_filter(machine: str) -> list[Instruction]:
    """The filter of one of `ARCHITECTURES` in BPF: (code, jump if true, jump if false, operand)."""
    column, architecture = ARCHITECTURES[machine]
    rules: list[Instruction] = [
        (LOAD_WORD, 0, 0, OFFSET_ARCH),
        (JUMP_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, KILL_PROCESS),
        (LOAD_WORD, 0, 0, OFFSET_NUMBER),
        (JUMP_GREATER_EQUAL, 0, 1, X32_BIT),  # x86-64's calls with short pointers; no other has numbers that high
        (RETURN, 0, 0, KILL_PROCESS),
    ]
    rows = {numbers[column]: [(RETURN, 0, 0, answer)] for group, answer in ANSWERS for numbers in group.values()}
    for numbers, conditions in BY_ARGUMENT.values():
        tests = [instruction for condition in conditions for instruction in refused_unless(condition)]
        rows[numbers[column]] = [*tests, (RETURN, 0, 0, ALLOW)]
    here = [(number, answer) for number, answer in rows.items() if number is not None]
    return [*rules, *found(sorted(here))]


def found(rows: Sequence[tuple[int, list[Instruction]]]) -> list[Instruction]:
    """Look for a call among these, sorted by number, and answer as its row does; refuse one that is not there.

    By halves: every process installs the filter, and the kernel then asks it about each call that there is.
    """
    if len(rows) == 1:
        [(number, answer)] = rows
        return [(JUMP_EQUAL, 1, 0, number), (RETURN, 0, 0, REFUSE), *answer]
    middle = len(rows) // 2
    below, above = found(rows[:middle]), found(rows[middle:])
    return [(JUMP_GREATER_EQUAL, 0, 1, rows[middle][0]), (JUMP, 0, 0, len(below)), *below, *above]


def refused_unless(condition: Condition) -> list[Instruction]:
    """Look at both halves of an argument, and go on behind these instructions if it fits."""
    low = OFFSET_ARGUMENTS + 8 * condition.argument  # both architectures are little-endian
    rules: list[Instruction] = [
        (LOAD_WORD, 0, 0, low + 4),
        (JUMP_EQUAL, 1, 0, 0),
        (RETURN, 0, 0, REFUSE),
        (LOAD_WORD, 0, 0, low),
    ]
    if condition.bits is not None:
        rules.append((JUMP_ANY_BIT, 0, 1, ~condition.bits & 0xFFFFFFFF))
    left = len(condition.values)
    rules += [(JUMP_EQUAL, left - index, 0, value) for index, value in enumerate(condition.values)]
    return [*rules, (RETURN, 0, 0, REFUSE)]


class _Program(ctypes.Structure):
    """struct sock_fprog"""

    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


@functools.cache
def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)
