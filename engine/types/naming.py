"""The name of a class in CPython's own errors: `'torch.dtype' object is not callable`.

PyTorch's classes in C have the module in that name (`tp_name`), and not in `__name__`; a class of Python can have it
nowhere else than there.
"""

from __future__ import annotations

import ctypes

_NAME = 3 * ctypes.sizeof(ctypes.c_void_p)
"""Offset of that name in a class (`tp_name` of CPython's `PyTypeObject`)."""
_kept: list[ctypes.Array[ctypes.c_char]] = []


def call_in_errors(kind: type, name: str) -> None:
    """Give a class this name for errors that Python itself raises."""
    text = ctypes.create_string_buffer(name.encode())
    _kept.append(text)
    ctypes.c_void_p.from_address(id(kind) + _NAME).value = ctypes.addressof(text)
