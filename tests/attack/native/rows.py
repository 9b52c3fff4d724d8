"""System calls by number, with their arguments and what they must be answered: EPERM, ENOTTY, `ok`, or death."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from typing import Any, NamedTuple

from app.workers import calls
from app.workers.kernel import ARCHITECTURES, X32_BIT

KILLED = "killed"


class Row(NamedTuple):
    """One call. An argument that is text is passed as its address."""

    name: str
    number: int
    arguments: tuple[Any, ...]
    answer: str


WITH_PATHS: dict[str, tuple[calls.Numbers, tuple[Any, ...]]] = {
    "open": ((2, None), ("path", 0)),
    "openat": ((257, 56), (-100, "path", 0)),
    "openat2": ((437, 437), (-100, "path", "", 24)),
    "creat": ((85, None), ("path", 0)),
    "stat": ((4, None), ("path", "")),
    "lstat": ((6, None), ("path", "")),
    "newfstatat": ((262, 79), (-100, "path", "", 0)),
    "statx": ((332, 291), (-100, "path", 0, 0x7FF, "")),
    "access": ((21, None), ("path", 0)),
    "faccessat": ((269, 48), (-100, "path", 0)),
    "faccessat2": ((439, 439), (-100, "path", 0, 0)),
    "readlink": ((89, None), ("path", "", 100)),
    "readlinkat": ((267, 78), (-100, "path", "", 100)),
    "statfs": ((137, 43), ("path", "")),
    "truncate": ((76, 45), ("path", 1 << 40)),
    "getxattr": ((191, 8), ("path", "user.x", "", 100)),
    "listxattr": ((194, 11), ("path", "", 100)),
    "utimensat": ((280, 88), (-100, "path", 1, 0)),
    "inotify_add_watch": ((254, 27), (3, "path", 1)),
    "chdir": ((80, 49), ("path",)),
    "execve": ((59, 221), ("path", 1, 1)),
    "execveat": ((322, 281), (-100, "path", 1, 1, 0)),
    "connect a path": ((42, 203), (3, "path", 110)),
    "unlink": ((87, None), ("path",)),
    "unlinkat": ((263, 35), (-100, "path", 0x8000)),
}
PATHS = ("/", "/etc/passwd", "/no/such/file", "/proc/self/environ", "/proc/1/stat", "/dev/shm", ".")

REFUSED: dict[str, tuple[calls.Numbers, tuple[Any, ...]]] = {
    "lseek": ((8, 62), (3, 0, 0)),
    "pread64": ((17, 67), (3, "", 1, 0)),
    "pwrite64": ((18, 68), (3, "", 1, 0)),
    "readv": ((19, 65), (3, "", 0)),
    "writev": ((20, 66), (3, "", 0)),
    "preadv2": ((327, 286), (3, "", 0, 0, 0, 0)),
    "pwritev2": ((328, 287), (3, "", 0, 0, 0, 0)),
    "sendfile": ((40, 71), (3, 3, 0, 1)),
    "splice": ((275, 76), (3, 0, 3, 0, 1, 0)),
    "tee": ((276, 77), (3, 3, 1, 0)),
    "vmsplice": ((278, 75), (3, "", 0, 0)),
    "copy_file_range": ((326, 285), (3, 0, 3, 0, 1, 0)),
    "pipe": ((22, None), ("",)),
    "pipe2": ((293, 59), ("", 0)),
    "dup": ((32, 23), (3,)),
    "dup2": ((33, None), (3, 1)),
    "dup3": ((292, 24), (3, 1, 0)),
    "close_range": ((436, 436), (100, 200, 0)),
    "select": ((23, None), (0, 0, 0, 0, 1)),
    "epoll_create1": ((291, 20), (0,)),
    "eventfd2": ((290, 19), (0, 0)),
    "signalfd4": ((289, 74), (-1, "", 8, 0)),
    "timerfd_create": ((283, 85), (1, 0)),
    "memfd_create": ((319, 279), ("x", 0)),
    "inotify_init1": ((294, 26), (0,)),
    "socket": ((41, 198), (2, 1, 0)),
    "socket of the kernel": ((41, 198), (16, 3, 0)),
    "socketpair": ((53, 199), (1, 1, 0, "")),
    "bind": ((49, 200), (3, "", 16)),
    "listen": ((50, 201), (3, 1)),
    "accept": ((43, 202), (3, 0, 0)),
    "accept4": ((288, 242), (3, 0, 0, 0)),
    "connect": ((42, 203), (3, "", 16)),
    "shutdown": ((48, 210), (100, 2)),
    "getsockname": ((51, 204), (3, "", "")),
    "getpeername": ((52, 205), (3, "", "")),
    "setsockopt": ((54, 208), (3, 1, 15, "", 4)),
    "getsockopt": ((55, 209), (3, 1, 17, "", "")),
    "sendmsg": ((46, 211), (3, "", 0)),
    "recvmsg": ((47, 212), (3, "", 0x40)),
    "sendmmsg": ((307, 269), (3, "", 0, 0)),
    "recvmmsg": ((299, 243), (3, "", 0, 0x40, 0)),
    "clone": ((56, 220), (17, 0, 0, 0, 0)),
    "clone3": ((435, 435), ("", 64)),
    "fork": ((57, None), ()),
    "vfork": ((58, None), ()),
    "kill itself": ((62, 129), (1 << 30, 0)),
    "kill its group": ((62, 129), (0, 0)),
    "kill everybody": ((62, 129), (-1, 0)),
    "kill the first process": ((62, 129), (1, 0)),
    "tkill": ((200, 130), (1, 0)),
    "tgkill": ((234, 131), (1, 1, 0)),
    "rt_sigqueueinfo": ((129, 138), (1, 0, "")),
    "rt_tgsigqueueinfo": ((297, 240), (1, 1, 0, "")),
    "wait4": ((61, 260), (-1, 0, 1, 0)),
    "waitid": ((247, 95), (0, 0, 0, 5, 0)),
    "prctl: dumpable": ((157, 167), (4, 1, 0, 0, 0)),
    "prctl: name": ((157, 167), (15, "x", 0, 0, 0)),
    "prctl: who may trace": ((157, 167), (0x59616D61, -1, 0, 0, 0)),
    "prctl: parent's death": ((157, 167), (1, 0, 0, 0, 0)),
    "arch_prctl": ((158, None), (0x1003, "")),
    "personality: all is code": ((135, 92), (0x400000,)),
    "seccomp": ((317, 277), (0, 0, 0)),
    "landlock_create_ruleset": ((444, 444), (0, 0, 1)),
    "setrlimit": ((160, 164), (9, "")),
    "getpriority": ((140, 141), (0, 1)),
    "setpriority": ((141, 140), (0, 0, -20)),
    "sched_setscheduler": ((144, 119), (0, 1, "")),
    "sched_getscheduler of another": ((145, 120), (1,)),
    "sched_setaffinity": ((203, 122), (0, 8, "")),
    "sched_setattr": ((314, 274), (0, "", 0)),
    "ioprio_set": ((251, 30), (1, 0, 0)),
    "setuid": ((105, 146), (0,)),
    "setgid": ((106, 144), (0,)),
    "setresuid": ((117, 147), (0, 0, 0)),
    "setgroups": ((116, 159), (0, 0)),
    "capset": ((126, 91), ("", "")),
    "setsid": ((112, 157), ()),
    "setpgid": ((109, 154), (0, 0)),
    "getppid": ((110, 173), ()),
    "getpgid": ((121, 155), (1,)),
    "getsid": ((124, 156), (1,)),
    "uname": ((63, 160), ("",)),
    "sysinfo": ((99, 179), ("",)),
    "getcwd": ((79, 17), ("", 100)),
    "sethostname": ((170, 161), ("x", 0)),
    "times": ((100, 153), ("",)),
    "alarm": ((37, None), (1000,)),
    "timer_create": ((222, 107), (0, 0, "")),
    "pause for a signal": ((128, 137), ("", 0, "", 8)),
    "clock_settime": ((227, 112), (0, "")),
    "clock_adjtime": ((305, 266), (0, "")),
    "settimeofday": ((164, 170), (0, 0)),
    "shmget": ((29, 194), (0, 4096, 0o1600)),
    "shmat": ((30, 196), (0, 0, 0)),
    "semget": ((64, 190), (0, 1, 0o1600)),
    "msgget": ((68, 186), (0, 0o1600)),
    "mq_open": ((240, 180), ("x", 0, 0, 0)),
    "remap_file_pages": ((216, 234), (0, 0, 0, 0, 0)),
    "pkey_mprotect": ((329, 288), (0, 4096, 4, -1)),
    "pkey_alloc": ((330, 289), (0, 0)),
    "mincore": ((27, 232), (0, 0, "")),
    "mlock": ((149, 228), (0, 0)),
    "mlockall": ((151, 230), (1,)),
    "msync": ((26, 227), (0, 0, 4)),
    "mbind": ((237, 235), (0, 0, 0, 0, 0, 0)),
    "membarrier": ((324, 283), (0, 0, 0)),
    "mseal": ((462, 462), (0, 0, 0)),
    "getdents64": ((217, 61), (3, "", 100)),
    "fchmod": ((91, 52), (3, 0)),
    "fchown": ((93, 55), (3, 0, 0)),
    "ftruncate": ((77, 46), (3, 0)),
    "fallocate": ((285, 47), (3, 0, 0, 1)),
    "flock": ((73, 32), (3, 2)),
    "fsync": ((74, 82), (3,)),
    "fchdir": ((81, 50), (3,)),
    "fstatfs": ((138, 44), (3, "")),
    "fgetxattr": ((193, 10), (3, "user.x", "", 100)),
    "sync": ((162, 81), ()),
    "umask": ((95, 166), (0o77,)),
    "getuid": ((102, 174), ()),
    "get_robust_list": ((274, 100), (1, "", "")),
    "rseq": ((334, 293), (0, 0, 0, 0)),
    "set_tid_address": ((218, 96), (0,)),
    "io_setup": ((206, 0), (0, "")),
    "futex_waitv": ((449, 449), (0, 0, 0, 0, 0)),
    "a call that is none": ((999, 999), ()),
    "the call before the first": ((-1, -1), ()),
}

HIGH = 1 << 32
BY_ARGUMENT: tuple[tuple[str, tuple[Any, ...], str], ...] = (
    ("read", (0, "", 1), "EPERM"),
    ("read", (-1, "", 1), "EPERM"),
    ("read", (3 | HIGH, "", 1), "EPERM"),
    ("write", (0, "", 1), "EPERM"),
    ("write", (1, "", 1), "EPERM"),
    ("write", (2, "", 1), "EPERM"),
    ("write", (4, "", 1), "EPERM"),
    ("write", (3 | HIGH, "", 1), "EPERM"),
    ("write", (-1, "", 1), "EPERM"),
    ("write", (3, "", 0), "ok"),
    ("sendto", (2, "", 1, 0, 0, 0), "EPERM"),
    ("sendto", (3, "", 1, 0, "", 16), "EPERM"),
    ("sendto", (3, "", 1, 1, 0, 0), "EPERM"),
    ("sendto", (3, "", 1, 0, HIGH, 0), "EPERM"),
    ("sendto", (3 | HIGH, "", 1, 0, 0, 0), "EPERM"),
    ("recvfrom", (4, "", 1, 0, 0, 0), "EPERM"),
    ("recvfrom", (3, "", 1, 0, "", ""), "EPERM"),
    ("recvfrom", (3, "", 1, 0x40, HIGH, 0), "EPERM"),
    ("mmap", (0, 4096, 3, 0x22, -1, 0), "ok"),
    ("mmap", (0, 4096, 1, 0x22, -1, 0), "ok"),
    ("mmap", (0, 4096, 7, 0x22, -1, 0), "EPERM"),
    ("mmap", (0, 4096, 4, 0x22, -1, 0), "EPERM"),
    ("mmap", (0, 4096, 5, 0x22, -1, 0), "EPERM"),
    ("mmap", (0, 4096, 3 | HIGH, 0x22, -1, 0), "EPERM"),
    ("mmap", (0, 4096, 3, 0x21, -1, 0), "EPERM"),
    ("mmap", (0, 4096, 3, 0x23, -1, 0), "EPERM"),
    ("mmap", (0, 4096, 3, 0x1, 3, 0), "EPERM"),
    ("mmap", (0, 4096, 3, 0x3, 3, 0), "EPERM"),
    ("mmap", (0, 4096, 3, 0x2, 3, 0), "EPERM"),
    ("mmap", (0, 4096, 3, 0x22 | HIGH, -1, 0), "EPERM"),
    ("mmap", (0, 2 << 20, 3, 0x40022, -1, 0), "EPERM"),
    ("mmap", (0, 4096, 3, 0x2022, -1, 0), "EPERM"),
    ("mprotect", (0, 0, 1), "ok"),
    ("mprotect", (0, 0, 4), "EPERM"),
    ("mprotect", (0, 0, 7), "EPERM"),
    ("mprotect", (0, 0, 1 << 24), "EPERM"),
    ("mprotect", (0, 0, 1 | HIGH), "EPERM"),
    ("mremap", (0, 0, 4096, 3, 4096), "EPERM"),
    ("mremap", (0, 0, 4096, 5, 4096), "EPERM"),
    ("mremap", (0, 0, 4096, 1 | HIGH), "EPERM"),
    ("madvise", (0, 0, 4), "ok"),
    ("madvise", (0, 0, 9), "EPERM"),
    ("madvise", (0, 0, 10), "EPERM"),
    ("madvise", (0, 0, 12), "EPERM"),
    ("madvise", (0, 0, 18), "EPERM"),
    ("madvise", (0, 0, 25), "EPERM"),
    ("madvise", (0, 0, 100), "EPERM"),
    ("madvise", (0, 0, 101), "EPERM"),
    ("madvise", (0, 0, 4 | HIGH), "EPERM"),
    ("futex", ("", 129, 0), "ok"),
    ("futex", ("", 1, 0), "EPERM"),
    ("futex", ("", 0, 1, 0), "EPERM"),
    ("futex", ("", 134, 0), "EPERM"),
    ("futex", ("", 129 | HIGH, 0), "EPERM"),
    ("fcntl", (3, 1), "ok"),
    ("fcntl", (3, 3), "ok"),
    ("fcntl", (3, 0, 10), "EPERM"),
    ("fcntl", (3, 4, 0o20000), "EPERM"),
    ("fcntl", (3, 4, 0o4000), "EPERM"),
    ("fcntl", (3, 5, ""), "EPERM"),
    ("fcntl", (3, 6, ""), "EPERM"),
    ("fcntl", (3, 8, 1), "EPERM"),
    ("fcntl", (3, 8 | HIGH, 1), "EPERM"),
    ("fcntl", (3, 9), "EPERM"),
    ("fcntl", (3, 10, 9), "EPERM"),
    ("fcntl", (3, 11), "EPERM"),
    ("fcntl", (3, 15, ""), "EPERM"),
    ("fcntl", (3, 16, ""), "EPERM"),
    ("fcntl", (3, 1024, 1), "EPERM"),
    ("fcntl", (3, 1026, 1), "EPERM"),
    ("fcntl", (3, 1031, 1 << 20), "EPERM"),
    ("fcntl", (3, 1033, 1), "EPERM"),
    ("clock_gettime", (1, ""), "ok"),
    ("clock_gettime", (2, ""), "ok"),
    ("clock_gettime", (-6, ""), "EPERM"),
    ("clock_gettime", (~1 << 3 | 2, ""), "EPERM"),
    ("clock_gettime", (0xFFFFFFF2, ""), "EPERM"),
    ("clock_gettime", (1 | HIGH, ""), "EPERM"),
    ("clock_getres", (~1 << 3 | 2, ""), "EPERM"),
    ("clock_nanosleep", (~1 << 3 | 2, 0, "", 0), "EPERM"),
    ("clock_nanosleep", (1, 0, "", 0), "ok"),
    ("sched_getaffinity", (0, 128, ""), "ok"),
    ("sched_getaffinity", (1, 128, ""), "EPERM"),
    ("sched_getaffinity", (HIGH, 128, ""), "EPERM"),
    ("prlimit64", (0, 7, 0, ""), "ok"),
    ("prlimit64", (0, 9, "", 0), "EPERM"),
    ("prlimit64", (0, 9, HIGH, 0), "EPERM"),
    ("prlimit64", (1, 7, 0, ""), "EPERM"),
    ("prlimit64", (HIGH, 7, 0, ""), "EPERM"),
)
FREE: tuple[tuple[str, tuple[Any, ...], str], ...] = (
    ("getpid", (), "ok"),
    ("gettid", (), "ok"),
    ("sched_yield", (), "ok"),
    ("getrandom", ("", 8, 0), "ok"),
    ("getrusage", (0, ""), "ok"),
    ("nanosleep", ("", 0), "ok"),
    ("brk", (0,), "ok"),
    ("fstat", (3, ""), "ok"),
    ("fstat", (0, ""), "EBADF"),
    ("fstat", (2, ""), "EBADF"),
    ("fstat", (31, ""), "EBADF"),
    ("close", (0,), "EBADF"),
    ("close", (31,), "EBADF"),
    ("getitimer", (0, ""), "ok"),
    ("sigaltstack", (0, ""), "ok"),
    ("rt_sigaction", (9, "", 0, 8), "EINVAL"),
)
REQUESTS = (0, 0x5401, 0x5412, 0x5413, 0x541B, 0x5421, 0x5450, 0x5452, 0x8901, 0x8902, 0x8904, 0x8910, 0x8912, 0x8915,
            0x8927, 0x89A0, 0xAE01, 0xC0045878, 1 << 32)  # fmt: skip
"""TCGETS, TIOCSTI, FIONREAD, FIONBIO, FIOCLEX, FIOASYNC, FIOSETOWN, interfaces, bridges, KVM …"""


LAST = 511
"""Higher than the number of any call so far."""
UNFILTERED = {"x86_64": (335, 336)}
"""uretprobe and uprobe, which the kernel keeps from every filter and answers nobody but its own trampolines."""


def rows() -> Iterator[Row]:
    """All calls that this machine has."""
    column, _ = ARCHITECTURES[platform.machine()]
    known = calls.FREE | calls.NO_TERMINAL | {name: numbers for name, (numbers, _) in calls.BY_ARGUMENT.items()}

    def made(name: str, numbers: calls.Numbers, arguments: tuple[Any, ...], answer: str) -> Iterator[Row]:
        if (number := numbers[column]) is not None:
            yield Row(f"{name}{arguments}", number, arguments, answer)

    for name, (numbers, arguments) in WITH_PATHS.items():
        for path in PATHS:
            chosen = tuple(path if argument == "path" else argument for argument in arguments)
            yield from made(name, numbers, chosen, "EPERM")
    for name, (numbers, arguments) in REFUSED.items():
        yield from made(name, numbers, arguments, KILLED if numbers[column] == -1 else "EPERM")
    for name, arguments, answer in (*BY_ARGUMENT, *FREE):
        yield from made(name, known[name], arguments, answer)
    for request in REQUESTS:
        yield from made("ioctl", known["ioctl"], (3, request, ""), "ENOTTY")
    for name, numbers in calls.DEADLY.items():
        yield from made(name, numbers, (0, 0, 0, 0, 0, 0), KILLED)
    allowed = {numbers[column] for numbers in (*known.values(), *calls.DEADLY.values())}
    for number in range(LAST + 1):
        if number not in allowed and number not in UNFILTERED.get(platform.machine(), ()):
            yield Row(f"number {number}", number, (0, 0, 0, 0, 0, 0), "EPERM")
    for number in (0, 39, 520, 257) if platform.machine() == "x86_64" else ():
        yield Row(f"x32's {number}", number | X32_BIT, (), KILLED)
