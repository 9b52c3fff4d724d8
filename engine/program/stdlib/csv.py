"""`csv`: rows of texts, from the lines of anything and into anything that has `write`."""

from __future__ import annotations

import csv
import io
from typing import Any

from engine.limits import meter
from engine.program.attributes import read
from engine.program.calls import call
from engine.program.charges import grow, made, written
from engine.program.exceptions import EXCEPTIONS, host_exception
from engine.program.operators import items, iterable_value
from engine.program.text import represent, to_text
from engine.program.values import Builtin

ERROR: Any = type("Error", (EXCEPTIONS["Exception"],), {"__module__": "_csv"})
_OPTIONS = frozenset(
    "delimiter quotechar quoting lineterminator skipinitialspace doublequote escapechar strict".split()
)


def _options(dialect: Any, options: dict[str, Any]) -> dict[str, Any]:
    """What the module's own reader and writer are given. Raises TypeError or csv.Error in their words."""
    if dialect not in csv.list_dialects():
        raise host_exception(ERROR("unknown dialect"))
    for name, value in options.items():
        if name not in _OPTIONS:
            raise TypeError(f"'{name}' is an invalid keyword argument for this function")
        if type(value) not in (str, int, bool, type(None)):
            raise TypeError(f'"{name}" must be a string, not {type(value).__name__}')
    return {"dialect": dialect, **options}


class Reader:
    """`csv.reader`, which takes all lines when it is made."""

    __module__ = "_csv"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, iterable: Any, dialect: Any = "excel", /, **options: Any) -> None:
        given = _options(dialect, options)
        lines = list(items(iterable))
        written(sum([len(line) for line in lines if type(line) is str]))
        self._rows = csv.reader(lines, **given)
        self.line_num = 0

    def __iter__(self) -> Reader:
        return self

    def __next__(self) -> list[str]:
        meter.charge(1)
        try:
            row = next(self._rows)
        except csv.Error as error:
            raise host_exception(ERROR(str(error))) from None
        made(len(row))
        self.line_num = self._rows.line_num
        return row


Reader.__name__ = Reader.__qualname__ = "reader"


class Writer:
    """`csv.writer`."""

    __module__ = "_csv"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, csvfile: Any, dialect: Any = "excel", /, **options: Any) -> None:
        try:
            self._write = read(csvfile, "write")
        except AttributeError:
            raise TypeError('argument 1 must have a "write" method') from None
        self._given = _options(dialect, options)
        self._line(())

    def _line(self, cells: Any) -> str:
        buffer = io.StringIO()
        try:
            csv.writer(buffer, **self._given).writerow(cells)
        except csv.Error as error:
            raise host_exception(ERROR(str(error))) from None
        return buffer.getvalue()

    def writerow(self, row: Any) -> Any:
        """What `write` of the file gave."""
        if not iterable_value(row):
            raise host_exception(ERROR(f"iterable expected, not {type(row).__name__}"))
        kept = (str, int, float, bool, type(None))
        cells = [cell if type(cell) in kept else to_text(cell) for cell in items(row)]
        grow(len(cells))
        written(sum([len(cell) for cell in cells if type(cell) is str]))
        return call(self._write, (self._line(cells),), None)

    def writerows(self, rows: Any) -> None:
        for row in items(rows):
            self.writerow(row)


Writer.__name__ = Writer.__qualname__ = "writer"


class DictReader:
    """`csv.DictReader`."""

    __module__ = "csv"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(
        self, f: Any, fieldnames: Any = None, restkey: Any = None, restval: Any = None, dialect: Any = "excel",
        **options: Any,
    ) -> None:  # fmt: skip
        self.reader = Reader(f, dialect, **options)
        self.restkey, self.restval = restkey, restval
        self.fieldnames = next(self.reader, None) if fieldnames is None else list(items(fieldnames))
        self.line_num = self.reader.line_num

    def __iter__(self) -> DictReader:
        return self

    def __next__(self) -> dict[Any, Any]:
        row = next(self.reader)
        while not row:
            row = next(self.reader)
        self.line_num = self.reader.line_num
        names: list[Any] = self.fieldnames or []
        found = dict(zip(names, row, strict=False))
        if len(row) > len(names):
            found[self.restkey] = row[len(names) :]
        for name in names[len(row) :]:
            found[name] = self.restval
        return found


class DictWriter:
    """`csv.DictWriter`."""

    __module__ = "csv"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(
        self, f: Any, fieldnames: Any, restval: Any = "", extrasaction: Any = "raise", dialect: Any = "excel",
        **options: Any,
    ) -> None:  # fmt: skip
        if extrasaction not in ("raise", "ignore"):
            raise ValueError(f"extrasaction ({to_text(extrasaction)}) must be 'raise' or 'ignore'")
        self.writer = Writer(f, dialect, **options)
        self.fieldnames = list(items(fieldnames))
        self.restval, self.extrasaction = restval, extrasaction

    def writeheader(self) -> Any:
        return self.writer.writerow(self.fieldnames)

    def writerow(self, rowdict: Any) -> Any:
        meter.charge(len(rowdict) * len(self.fieldnames) >> 6)
        other = [key for key in rowdict if key not in self.fieldnames] if self.extrasaction == "raise" else []
        if other:
            raise ValueError("dict contains fields not in fieldnames: " + ", ".join(map(represent, other)))
        return self.writer.writerow([rowdict.get(name, self.restval) for name in self.fieldnames])

    def writerows(self, rowdicts: Any) -> None:
        for row in items(rowdicts):
            self.writerow(row)


MODULES: dict[str, dict[str, Any]] = {
    "csv": {
        "reader": Builtin("reader", Reader), "writer": Builtin("writer", Writer), "DictReader": DictReader,
        "DictWriter": DictWriter, "Error": ERROR,
        "list_dialects": Builtin("list_dialects", csv.list_dialects),
        **{name: getattr(csv, name) for name in ("QUOTE_ALL", "QUOTE_MINIMAL", "QUOTE_NONE", "QUOTE_NONNUMERIC")},
    }
}  # fmt: skip
