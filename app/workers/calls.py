"""The system calls that a locked worker may make, and what every other one is answered: the rows of the filter.

A worker computes, and talks over the one socket it was given. It opens no file, so that paths tell it nothing; all code
it could import is in memory before (`app.workers.library`). A call that stands nowhere here is refused with EPERM.

Numbers are x86-64's and arm64's, None where one has no such call (asm/unistd_64.h, asm-generic/unistd.h).
"""

from __future__ import annotations

from typing import NamedTuple

Numbers = tuple[int | None, int | None]

REPLY = 3
"""The descriptor of the socket to the service."""


class Condition(NamedTuple):
    """What one argument must be: one of `values`, or made of `bits` alone. All its 64 bits are compared."""

    argument: int
    values: tuple[int, ...] = ()
    bits: int | None = None

    def holds(self, argument: int) -> bool:
        """Whether an argument fits, in Python: what the filter decides in the kernel."""
        return argument in self.values if self.bits is None else not argument & ~self.bits


FREE: dict[str, Numbers] = {
    "close": (3, 57),
    "fstat": (5, 80),
    "poll": (7, None),
    "ppoll": (271, 73),
    "munmap": (11, 215),
    "brk": (12, 214),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "sched_yield": (24, 124),
    "nanosleep": (35, 101),
    "getitimer": (36, 102),
    "setitimer": (38, 103),
    "getpid": (39, 172),
    "exit": (60, 93),
    "getrusage": (98, 165),
    "sigaltstack": (131, 132),
    "gettid": (186, 178),
    "restart_syscall": (219, 128),
    "exit_group": (231, 94),
    "getrandom": (318, 278),
}

ON_REPLY = Condition(0, (REPLY,))
NO_POINTER = (0,)
READ_AND_WRITE = 0b11  # not PROT_EXEC: code is what was loaded before
PRIVATE_MEMORY = (0x22, 0x32, 0x4022, 0x4032, 0x20022)  # MAP_PRIVATE | MAP_ANONYMOUS; FIXED, NORESERVE, STACK
STAY_OR_MOVE = (0, 1)  # MREMAP_MAYMOVE
HINTS = (0, 1, 2, 3, 4, 8, 14, 15, 16)  # MADV_NORMAL to DONTNEED, FREE, (NO)HUGEPAGE, DONTDUMP
PRIVATE_FUTEX = (128, 129, 131, 132, 133, 137, 138, 393)  # wait and wake, also by bits and by the clock, and requeue
PLAIN, WITHOUT_SIGNAL = 0, 0x4000  # MSG_NOSIGNAL
DESCRIPTOR_FLAGS = (1, 2, 3, 1030)  # F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC
CLOCKS = tuple(range(12))  # the machine's and this process's own; numbers of other processes' are above
TIMES = (0, 1)  # CLOCK_REALTIME, CLOCK_MONOTONIC
THIS_PROCESS = (0,)

BY_ARGUMENT: dict[str, tuple[Numbers, tuple[Condition, ...]]] = {
    "read": ((0, 63), (ON_REPLY,)),
    "write": ((1, 64), (ON_REPLY,)),
    "sendto": ((44, 206), (ON_REPLY, Condition(3, (PLAIN, WITHOUT_SIGNAL)), Condition(4, NO_POINTER))),
    "recvfrom": ((45, 207), (ON_REPLY, Condition(3, (PLAIN,)), Condition(4, NO_POINTER))),
    "mmap": ((9, 222), (Condition(2, bits=READ_AND_WRITE), Condition(3, PRIVATE_MEMORY))),
    "mprotect": ((10, 226), (Condition(2, bits=READ_AND_WRITE),)),
    "mremap": ((25, 216), (Condition(3, STAY_OR_MOVE),)),
    "madvise": ((28, 233), (Condition(2, HINTS),)),
    "futex": ((202, 98), (Condition(1, PRIVATE_FUTEX),)),
    "fcntl": ((72, 25), (Condition(1, DESCRIPTOR_FLAGS),)),
    "clock_gettime": ((228, 113), (Condition(0, CLOCKS),)),
    "clock_getres": ((229, 114), (Condition(0, CLOCKS),)),
    "clock_nanosleep": ((230, 115), (Condition(0, TIMES),)),
    "sched_getaffinity": ((204, 123), (Condition(0, THIS_PROCESS),)),
    "prlimit64": ((302, 261), (Condition(0, THIS_PROCESS), Condition(2, NO_POINTER))),  # looks, sets nothing
}

NO_TERMINAL: dict[str, Numbers] = {"ioctl": (16, 29)}
"""Answered ENOTTY whatever is asked, which is what Python expects of a file that is no terminal."""

DEADLY: dict[str, Numbers] = {
    "ptrace": (101, 117),
    "syslog": (103, 116),
    "modify_ldt": (154, None),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "acct": (163, 89),
    "mount": (165, 40),
    "umount2": (166, 39),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "iopl": (172, None),
    "ioperm": (173, None),
    "create_module": (174, None),
    "init_module": (175, 105),
    "delete_module": (176, 106),
    "quotactl": (179, 60),
    "lookup_dcookie": (212, 18),
    "kexec_load": (246, 104),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "migrate_pages": (256, 238),
    "unshare": (272, 97),
    "move_pages": (279, 239),
    "perf_event_open": (298, 241),
    "fanotify_init": (300, 262),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "setns": (308, 268),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "kcmp": (312, 272),
    "finit_module": (313, 273),
    "kexec_file_load": (320, 294),
    "bpf": (321, 280),
    "userfaultfd": (323, 282),
    "pidfd_send_signal": (424, 424),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "pidfd_open": (434, 434),
    "pidfd_getfd": (438, 438),
    "process_madvise": (440, 440),
    "mount_setattr": (442, 442),
    "quotactl_fd": (443, 443),
    "memfd_secret": (447, 447),
    "process_mrelease": (448, 448),
    "open_tree_attr": (467, 467),
}
"""What no program of ours ever calls: who does has taken the process over, and it ends there."""
