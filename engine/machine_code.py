"""Functions of machine code, called where Python hashes: they find a number, or ask a function of Python for it.

What ctypes makes for such calls drops errors, and some errors come from nothing but a full stack. These pass errors on,
make room for some frames first, and cost what a look into a dict does. They call functions of Python's C API alone.
Each text is a function: its bytes in hexadecimal digits, with names of addresses in braces, then what they say.
"""

from __future__ import annotations

import ctypes
import mmap
import platform
import re
import sys
from typing import Literal, NamedTuple

EXECUTABLE = 1 | 4
"""PROT_READ | PROT_EXEC"""


class Texts(NamedTuple):
    """The functions for one architecture: each takes an object and returns its hash, or -1 with an error set.

    `asked` gives the number that `function` gives for what it is handed; it may take 128 frames beyond the limit of
    recursion. `looked_up` gives the number that the dict `numbers` has for the address of an object, and what `missing`
    gives for the address where it has none, or cannot compare on a full stack. `number` is for floats and complex
    numbers: `nan` answers for NaN, and `plain` for others; `second` is where the other part is, or the same again.
    """

    asked: str
    looked_up: str
    number: str
    of_float: str
    of_complex: str
    order: Literal["little", "big"]
    """`little`, where the digits of an instruction are one number; `big`, where they are bytes in turn."""


X86_64 = Texts(
    asked="""
53                                                      push   rbx
4154                                                    push   r12
4883ec08                                                sub    rsp, 8
4889fb                                                  mov    rbx, rdi
48b8 {Py_GetRecursionLimit}                             mov    rax, ...
ffd0                                                    call   rax
4189c4                                                  mov    r12d, eax
89c7                                                    mov    edi, eax
b9ffffff7f                                              mov    ecx, 0x7fffffff
81c780000000                                            add    edi, 128
0f40f9                                                  cmovo  edi, ecx
48b8 {Py_SetRecursionLimit}                             mov    rax, ...
ffd0                                                    call   rax
48bf {function}                                         mov    rdi, ...
4889de                                                  mov    rsi, rbx
48b8 {PyObject_CallOneArg}                              mov    rax, ...
ffd0                                                    call   rax
4889c3                                                  mov    rbx, rax
4489e7                                                  mov    edi, r12d
48b8 {Py_SetRecursionLimit}                             mov    rax, ...
ffd0                                                    call   rax
4883c8ff                                                or     rax, -1
4885db                                                  test   rbx, rbx
7424                                                    jz     done
4889df                                                  mov    rdi, rbx
48b8 {PyLong_AsSsize_t}                                 mov    rax, ...
ffd0                                                    call   rax
4989c4                                                  mov    r12, rax
4889df                                                  mov    rdi, rbx
48b8 {Py_DecRef}                                        mov    rax, ...
ffd0                                                    call   rax
4c89e0                                                  mov    rax, r12
4883c408                                          done: add    rsp, 8
415c                                                    pop    r12
5b                                                      pop    rbx
c3                                                      ret
""",
    looked_up="""
53                                                      push   rbx
4154                                                    push   r12
4883ec08                                                sub    rsp, 8
48b8 {PyLong_FromVoidPtr}                               mov    rax, ...
ffd0                                                    call   rax
4889c3                                                  mov    rbx, rax
4883c8ff                                                or     rax, -1
4885db                                                  test   rbx, rbx
745f                                                    jz     done
48bf {numbers}                                          mov    rdi, ...
4889de                                                  mov    rsi, rbx
48b8 {PyDict_GetItemWithError}                          mov    rax, ...
ffd0                                                    call   rax
4885c0                                                  test   rax, rax
7411                                                    jz     unknown
4889c7                                                  mov    rdi, rax
48b8 {PyLong_AsSsize_t}                                 mov    rax, ...
ffd0                                                    call   rax
eb1b                                                    jmp    found
48b8 {PyErr_Clear}                             unknown: mov    rax, ...
ffd0                                                    call   rax
4889df                                                  mov    rdi, rbx
48b8 {missing}                                          mov    rax, ...
ffd0                                                    call   rax
4989c4                                           found: mov    r12, rax
4889df                                                  mov    rdi, rbx
48b8 {Py_DecRef}                                        mov    rax, ...
ffd0                                                    call   rax
4c89e0                                                  mov    rax, r12
4883c408                                          done: add    rsp, 8
415c                                                    pop    r12
5b                                                      pop    rbx
c3                                                      ret
""",
    number="""
f20f104710                                              movsd  xmm0, [rdi + 16]
660f2e47{second}                                        ucomisd xmm0, [rdi + ...]
7a0c                                                    jp     odd
48b8 {plain}                                            mov    rax, ...
ffe0                                                    jmp    rax
48b8 {nan}                                         odd: mov    rax, ...
ffe0                                                    jmp    rax
""",
    of_float="10",
    of_complex="18",
    order="big",
)

ARM64 = Texts(
    asked="""
a9be7bfd                                                stp    x29, x30, [sp, -32]!
a90153f3                                                stp    x19, x20, [sp, 16]
aa0003f3                                                mov    x19, x0
58000050 14000003 {Py_GetRecursionLimit}                ldr    x16, ...
d63f0200                                                blr    x16
2a0003f4                                                mov    w20, w0
12b00001                                                mov    w1, 0x7fffffff
31020000                                                adds   w0, w0, 128
1a806020                                                csel   w0, w1, w0, vs
58000050 14000003 {Py_SetRecursionLimit}                ldr    x16, ...
d63f0200                                                blr    x16
58000040 14000003 {function}                            ldr    x0, ...
aa1303e1                                                mov    x1, x19
58000050 14000003 {PyObject_CallOneArg}                 ldr    x16, ...
d63f0200                                                blr    x16
aa0003f3                                                mov    x19, x0
2a1403e0                                                mov    w0, w20
58000050 14000003 {Py_SetRecursionLimit}                ldr    x16, ...
d63f0200                                                blr    x16
92800014                                                mov    x20, -1
b40001d3                                                cbz    x19, done
aa1303e0                                                mov    x0, x19
58000050 14000003 {PyLong_AsSsize_t}                    ldr    x16, ...
d63f0200                                                blr    x16
aa0003f4                                                mov    x20, x0
aa1303e0                                                mov    x0, x19
58000050 14000003 {Py_DecRef}                           ldr    x16, ...
d63f0200                                                blr    x16
aa1403e0                                          done: mov    x0, x20
a94153f3                                                ldp    x19, x20, [sp, 16]
a8c27bfd                                                ldp    x29, x30, [sp], 32
d65f03c0                                                ret
""",
    looked_up="""
a9be7bfd                                                stp    x29, x30, [sp, -32]!
a90153f3                                                stp    x19, x20, [sp, 16]
58000050 14000003 {PyLong_FromVoidPtr}                  ldr    x16, ...
d63f0200                                                blr    x16
aa0003f3                                                mov    x19, x0
92800014                                                mov    x20, -1
b4000493                                                cbz    x19, done
58000040 14000003 {numbers}                             ldr    x0, ...
aa1303e1                                                mov    x1, x19
58000050 14000003 {PyDict_GetItemWithError}             ldr    x16, ...
d63f0200                                                blr    x16
b40000e0                                                cbz    x0, unknown
58000050 14000003 {PyLong_AsSsize_t}                    ldr    x16, ...
d63f0200                                                blr    x16
1400000c                                                b      found
58000050 14000003 {PyErr_Clear}                unknown: ldr    x16, ...
d63f0200                                                blr    x16
aa1303e0                                                mov    x0, x19
58000050 14000003 {missing}                             ldr    x16, ...
d63f0200                                                blr    x16
aa0003f4                                         found: mov    x20, x0
aa1303e0                                                mov    x0, x19
58000050 14000003 {Py_DecRef}                           ldr    x16, ...
d63f0200                                                blr    x16
aa1403e0                                          done: mov    x0, x20
a94153f3                                                ldp    x19, x20, [sp, 16]
a8c27bfd                                                ldp    x29, x30, [sp], 32
d65f03c0                                                ret
""",
    number="""
fd400800                                                ldr    d0, [x0, 16]
{second}                                                ldr    d1, [x0, 24]
1e612000                                                fcmp   d0, d1
540000c6                                                b.vs   odd
58000050 14000003 {plain}                               ldr    x16, ...
d61f0200                                                br     x16
58000050 14000003 {nan}                            odd: ldr    x16, ...
d61f0200                                                br     x16
""",
    of_float="fd400801",
    of_complex="fd400c01",
    order="little",
)

TEXTS = {"x86_64": X86_64, "aarch64": ARM64}
"""By `platform.machine()`; the calls are those of Linux."""
CODE = 46
"""Columns of a text before its words."""
PART = re.compile(r"\{(\w+)\}|([0-9a-f]{2,})\b")


class Functions:
    """Functions for one process. Raises OSError where the system makes no code executable."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._memory = mmap.mmap(-1, mmap.PAGESIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._address = ctypes.addressof(ctypes.c_char.from_buffer(self._memory))
        self._kept: list[object] = []

    def asked(self, function: object) -> int:
        return self._add(self.texts.asked, function=self._keep(function))

    def looked_up(self, numbers: dict[int, int], missing: object) -> int:
        return self._add(self.texts.looked_up, numbers=self._keep(numbers), missing=self.asked(missing))

    def of_float(self, plain: int, nan: int) -> int:
        return self._add(self.texts.number.replace("{second}", self.texts.of_float), plain=plain, nan=nan)

    def of_complex(self, plain: int, nan: int) -> int:
        return self._add(self.texts.number.replace("{second}", self.texts.of_complex), plain=plain, nan=nan)

    def seal(self) -> None:
        """From now on they can be called, and not changed."""
        if ctypes.CDLL(None, use_errno=True).mprotect(ctypes.c_void_p(self._address), mmap.PAGESIZE, EXECUTABLE):
            raise OSError(ctypes.get_errno(), "memory cannot be made executable")

    def _keep(self, value: object) -> int:
        self._kept.append(value)
        return id(value)

    def _add(self, text: str, **addresses: int) -> int:
        """The address of a function with this text, whose names are of these addresses or of functions of C."""
        address = self._address + self._memory.tell()
        for line in text.split("\n"):
            for name, digits in PART.findall(line[:CODE]):
                if name:
                    where = addresses[name] if name in addresses else _address_of(name)
                    self._memory.write(where.to_bytes(8, "little"))
                else:
                    self._memory.write(int(digits, 16).to_bytes(len(digits) // 2, self.texts.order))
        return address


def _address_of(name: str) -> int:
    """Of a function of Python's C API."""
    return ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0


def functions() -> Functions | None:
    """None where there is no text for this machine, or no memory for it."""
    texts = TEXTS.get(platform.machine()) if sys.platform == "linux" and sys.maxsize > 1 << 32 else None
    try:
        return Functions(texts) if texts else None
    except OSError:
        return None
