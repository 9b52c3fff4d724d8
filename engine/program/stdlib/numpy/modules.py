"""`numpy` as programs import it, with the modules in it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np

from engine.program.absent import TOLD
from engine.program.arrays import SCALARS, Array, DType, Scalar, to_dtype, true_or_false
from engine.program.calls import CONSTRUCTORS
from engine.program.exceptions import as_host, class_of
from engine.program.stdlib.numpy.calling import function_named, weighing
from engine.program.stdlib.numpy.errstate import ERRSTATE
from engine.program.stdlib.numpy.files import FILES
from engine.program.stdlib.numpy.functions import ELEMENTWISE, PRODUCTS, REDUCTIONS
from engine.program.stdlib.numpy.grids import GRIDS
from engine.program.stdlib.numpy.iter import Iterated
from engine.program.stdlib.numpy.making import MAKING, construct_array
from engine.program.stdlib.numpy.objects import is_scalar
from engine.program.stdlib.numpy.placing import LIB, PLACING, STRIDE_TRICKS
from engine.program.stdlib.numpy.poly import POLYNOMIALS
from engine.program.stdlib.numpy.polynomial import POLYNOMIAL, ROOMS
from engine.program.stdlib.numpy.printing import PRINTING
from engine.program.stdlib.numpy.products import PRODUCING, multi_dot
from engine.program.stdlib.numpy.random import RANDOM
from engine.program.stdlib.numpy.testing import TESTING
from engine.program.stdlib.numpy.texts import CHAR, STRINGS
from engine.program.stdlib.numpy.types import TYPES
from engine.program.stdlib.numpy.ufuncs import UFunc
from engine.program.stdlib.numpy.vectorize import Vectorize
from engine.program.values import Builtin, Module

LINALG: dict[str, Any] = {
    name.partition(".")[2]: function_named(name) for name in REDUCTIONS if name.startswith("linalg.")
}
LINALG["multi_dot"] = Builtin("multi_dot", multi_dot)
LINALG["LinAlgError"] = class_of(np.linalg.LinAlgError)
EXCEPTIONS: dict[str, Any] = {
    name: class_of(getattr(np.exceptions, name))
    for name in (
        "AxisError ComplexWarning DTypePromotionError ModuleDeprecationWarning RankWarning TooHardError"
        " VisibleDeprecationWarning"
    ).split()
}
EXCEPTIONS["AxisError"].__str__ = lambda self: str(as_host(self))
FFT: dict[str, Any] = {
    name.partition(".")[2]: function_named(name) for name in REDUCTIONS if name.startswith("fft.")
}
NUMPY: dict[str, Any] = {
    **{name: function_named(name) for name in (*ELEMENTWISE, *PRODUCTS)},
    **{name: function_named(name) for name in REDUCTIONS if "." not in name},
    **SCALARS,
    "bool_": SCALARS["bool"], "int_": SCALARS["int64"], "double": SCALARS["float64"],
    "single": SCALARS["float32"], "ndarray": Array, "generic": Scalar, "dtype": DType,
    "ufunc": UFunc,
    "repeat": function_named("repeat"), "bitwise_count": function_named("bitwise_count"),
    "isscalar": Builtin("isscalar", is_scalar), "vectorize": Vectorize, "nditer": Iterated,
    **MAKING, **PRODUCING, **ERRSTATE, **FILES, **GRIDS, **PLACING, **PRINTING, **POLYNOMIALS, **TYPES,
    "True_": true_or_false(True), "False_": true_or_false(False),
    "short": SCALARS["int16"], "ushort": SCALARS["uint16"], "uintc": SCALARS["uint32"],
    **dict.fromkeys(("uint", "uintp", "ulong", "ulonglong"), SCALARS["uint64"]), "little_endian": True,
    "intp": SCALARS["int64"], "byte": SCALARS["int8"], "ubyte": SCALARS["uint8"],
    "half": SCALARS["float16"], "intc": SCALARS["int32"], "long": SCALARS["int64"], "longlong": SCALARS["int64"],
    "csingle": SCALARS["complex64"], "cdouble": SCALARS["complex128"],
    "fft": Module.of("numpy.fft", FFT), "testing": Module.of("numpy.testing", TESTING),
    "pi": np.pi, "e": np.e, "inf": np.inf, "nan": np.nan, "newaxis": None, "euler_gamma": np.euler_gamma,
    "polynomial": Module.of("numpy.polynomial", POLYNOMIAL), "strings": Module.of("numpy.strings", STRINGS),
    "char": Module.of("numpy.char", CHAR),
    "exceptions": Module.of("numpy.exceptions", EXCEPTIONS),
    "random": Module.of("numpy.random", RANDOM), "linalg": Module.of("numpy.linalg", LINALG),
    "__version__": np.__version__,
}  # fmt: skip
for _contents in (NUMPY, RANDOM, LINALG, FFT, TESTING):
    for _name, _value in _contents.items():
        if isinstance(_value, Builtin) and not isinstance(_value, UFunc):
            _value.function = weighing(_value.function)


def _removed() -> dict[tuple[str, str], str]:
    """What numpy says about names that it had once."""
    found = {}
    for name in {**getattr(np, "__expired_attributes__", {}), **getattr(np, "__former_attrs__", {})}:
        with suppress(Exception), catch_warnings():
            simplefilter("ignore")
            try:
                getattr(np, name)
            except AttributeError as error:
                found["numpy", name] = str(error)
    return found


TOLD.update(_removed())
MODULES: dict[str, dict[str, Any]] = {
    "numpy.polynomial": POLYNOMIAL, **{f"numpy.polynomial.{room}": contents for room, contents in ROOMS.items()},
    "numpy.exceptions": EXCEPTIONS, "numpy.lib": LIB, "numpy.lib.stride_tricks": STRIDE_TRICKS,
    "numpy.strings": STRINGS, "numpy.char": CHAR,
    "numpy": NUMPY, "numpy.random": RANDOM, "numpy.linalg": LINALG, "numpy.fft": FFT, "numpy.testing": TESTING,
}  # fmt: skip


def _construct_dtype(value: Any) -> DType:
    return DType(to_dtype(value))


CONSTRUCTORS[Array] = construct_array
CONSTRUCTORS[DType] = _construct_dtype
for _cls in SCALARS.values():
    CONSTRUCTORS[_cls] = _cls
