"""What a program reaches through a dot and finds in a value of one of Python's types: tables by exact type.

They are empty here and filled by the files that know a type: `methods`, `arrays`, `namespace`, `stdlib`. What is in
none of them does not exist for a program.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Method = Callable[..., Any]

METHODS: dict[type, dict[str, Method]] = {}
"""Type → name → method."""

ATTRIBUTES: dict[type, dict[str, Callable[[Any], Any]]] = {}
"""Type → name → what gives the attribute."""

CLASS_METHODS: dict[tuple[type, str], Method] = {}
"""Type and name → what the type itself offers: `dict.fromkeys`."""

CLASS_VALUES: dict[tuple[type, str], Any] = {}
"""Type and name → a value that the type has: `datetime.max`."""

READERS: dict[type, Callable[[Any, str], Any]] = {}
"""Type → what reads any attribute of its values."""

WRITERS: dict[type, Callable[[Any, str, Any], None]] = {}
"""Type → what sets an attribute of its values, where programs may set any."""

LISTED: dict[type, list[str]] = {}
"""Type with a reader → what `dir` lists of its values."""

FROM_HOST: dict[type, Callable[[Any], Any]] = {}
"""Type → what a function of the program gets for a value of it when host code calls the function."""

DISPLAYS: dict[type, Callable[[Any], None]] = {}
"""Type → what a notebook does with a value of it beside writing its text."""

NATIVES: dict[Callable[..., Any], Callable[..., Any]] = {}
"""Function of ours → the function of Python's that it stands for, whose words a wrong call gets (`arity`)."""
