"""`unittest`: cases, their assertions and a runner, whose report is a notice for each case that failed."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from engine.limits import meter
from engine.program import session as sessions
from engine.program.admission import value_of
from engine.program.attributes import read
from engine.program.calls import call
from engine.program.charges import grow
from engine.program.exceptions import EXCEPTIONS, ExceptionValue, host_exception
from engine.program.handling import matches
from engine.program.operators import COMPARE, items
from engine.program.stdlib.re import MODULES as RE_MODULES
from engine.program.text import represent, to_text
from engine.program.values import Builtin, HostMethod, nested

SKIPPED: Any = type("SkipTest", (EXCEPTIONS["Exception"],), {"__module__": "unittest.case"})
_CASES = "unittest", "cases"


def _failed(message: str, msg: Any) -> AssertionError:
    return AssertionError(message if msg is None else f"{message} : {to_text(msg)}")


def _comparison(kind: type[ast.cmpop], words: str) -> Callable[..., None]:
    def check(self: Any, first: Any, second: Any, msg: Any = None) -> None:
        if not COMPARE[kind](first, second):
            raise _failed(words.format(represent(first), represent(second)), msg)

    return check


def _assert_true(self: Any, expr: Any, msg: Any = None) -> None:
    if not expr:
        raise _failed(f"{represent(expr)} is not true", msg)


def _assert_false(self: Any, expr: Any, msg: Any = None) -> None:
    if expr:
        raise _failed(f"{represent(expr)} is not false", msg)


def _assert_is_none(self: Any, obj: Any, msg: Any = None) -> None:
    if obj is not None:
        raise _failed(f"{represent(obj)} is not None", msg)


def _assert_is_not_none(self: Any, obj: Any, msg: Any = None) -> None:
    if obj is None:
        raise _failed("unexpectedly None", msg)


def _assert_is_instance(self: Any, obj: Any, cls: Any, msg: Any = None) -> None:
    if not isinstance(obj, cls):
        raise _failed(f"{represent(obj)} is not an instance of {represent(cls)}", msg)


def _assert_not_is_instance(self: Any, obj: Any, cls: Any, msg: Any = None) -> None:
    if isinstance(obj, cls):
        raise _failed(f"{represent(obj)} is an instance of {represent(cls)}", msg)


def _almost(wanted: bool) -> Callable[..., None]:
    def check(self: Any, first: Any, second: Any, places: Any = None, msg: Any = None, delta: Any = None) -> None:
        if places is not None and delta is not None:
            raise TypeError("specify delta or places not both")
        same = bool(COMPARE[ast.Eq](first, second))
        difference: Any = None if same else abs(first - second)
        within = f"{represent(delta)} delta" if delta is not None else f"{7 if places is None else places} places"
        if not same:
            places = 7 if places is None else places
            same = bool(difference <= delta if delta is not None else round(difference, places) == 0)
        if same is not wanted:
            sign = "!=" if wanted else "=="
            apart = f" ({represent(difference)} difference)" if wanted else ""
            raise _failed(f"{represent(first)} {sign} {represent(second)} within {within}{apart}", msg)

    return check


class Raises:
    """What `assertRaises` gives: a context in which an exception must be raised."""

    __module__ = "unittest.case"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, expected: Any, pattern: Any, msg: Any, by: Any = None) -> None:
        self._expected, self._pattern, self._msg, self._by = expected, pattern, msg, by
        self.exception: Any = None

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: Any, exception: Any, trace: Any) -> bool:
        if exception is None:
            kinds = self._expected if isinstance(self._expected, tuple) else (self._expected,)
            by = "" if self._by is None else f" by {getattr(self._by, '__name__', None) or represent(self._by)}"
            raise _failed(f"{' or '.join(each.__name__ for each in kinds)} not raised{by}", self._msg)
        value = exception if isinstance(exception, ExceptionValue) else value_of(exception)
        if not matches(value, self._expected):
            return False
        self.exception = value
        if self._pattern is not None:
            if call(RE_MODULES["re"]["search"], (self._pattern, to_text(value)), None) is None:
                raise _failed(f'"{to_text(self._pattern)}" does not match "{to_text(value)}"', self._msg)
        return True


def raising(expected: Any, pattern: Any, msg: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A context in which an exception must be raised, or None after the call that had to raise it."""
    if not args:
        return Raises(expected, pattern, msg)
    with Raises(expected, pattern, msg, args[0]):
        call(args[0], args[1:], kwargs or None)
    return None


def _assert_raises(self: Any, expected_exception: Any, *args: Any, msg: Any = None, **kwargs: Any) -> Any:
    return raising(expected_exception, None, msg, args, kwargs)


def _assert_raises_regex(
    self: Any, expected_exception: Any, expected_regex: Any, *args: Any, msg: Any = None, **kwargs: Any
) -> Any:
    return raising(expected_exception, expected_regex, msg, args, kwargs)


class SubTest:
    """`with self.subTest(…):`"""

    __module__ = "unittest.case"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __enter__(self) -> None:
        return None

    def __exit__(self, *exception: object) -> None:
        return None


class TestCase:
    """`unittest.TestCase`."""

    __module__ = "unittest.case"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    failureException = EXCEPTIONS["AssertionError"]
    longMessage, maxDiff = True, 640

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        known: list[Any] = sessions.active.settings.setdefault(_CASES, [])
        known.append(cls)

    def __init__(self, methodName: str = "runTest") -> None:  # noqa: N803 - unittest's names
        self._method = methodName

    def _nothing(self) -> None:
        return None

    setUp = tearDown = _nothing  # noqa: N815

    @classmethod
    def setUpClass(cls) -> None:  # noqa: N802
        return None

    @classmethod
    def tearDownClass(cls) -> None:  # noqa: N802
        return None

    def id(self) -> str:
        return f"__main__.{type(self).__qualname__}.{self._method}"

    def subTest(self, msg: Any = None, **params: Any) -> SubTest:  # noqa: N802
        return SubTest()

    def skipTest(self, reason: Any) -> None:  # noqa: N802
        raise host_exception(SKIPPED(reason))

    def fail(self, msg: Any = None) -> None:
        raise AssertionError(*(() if msg is None else (to_text(msg),)))

    assertTrue, assertFalse = _assert_true, _assert_false  # noqa: N815
    assertIsNone, assertIsNotNone = _assert_is_none, _assert_is_not_none  # noqa: N815
    assertIsInstance, assertNotIsInstance = _assert_is_instance, _assert_not_is_instance  # noqa: N815
    assertAlmostEqual, assertNotAlmostEqual = _almost(True), _almost(False)  # noqa: N815
    assertRaises, assertRaisesRegex = _assert_raises, _assert_raises_regex  # noqa: N815
    assertEqual = assertListEqual = assertTupleEqual = _comparison(ast.Eq, "{} != {}")  # noqa: N815
    assertDictEqual = assertSetEqual = assertSequenceEqual = assertEqual  # noqa: N815
    assertNotEqual = _comparison(ast.NotEq, "{} == {}")  # noqa: N815
    assertIs, assertIsNot = _comparison(ast.Is, "{} is not {}"), _comparison(ast.IsNot, "unexpectedly identical: {}")  # noqa: N815
    assertIn, assertNotIn = _comparison(ast.In, "{} not found in {}"), _comparison(ast.NotIn, "{} unexpectedly found in {}")  # noqa: N815, E501
    assertLess, assertLessEqual = (  # noqa: N815
        _comparison(ast.Lt, "{} not less than {}"), _comparison(ast.LtE, "{} not less than or equal to {}"),
    )  # fmt: skip
    assertGreater, assertGreaterEqual = (  # noqa: N815
        _comparison(ast.Gt, "{} not greater than {}"), _comparison(ast.GtE, "{} not greater than or equal to {}"),
    )  # fmt: skip


class TestResult:
    """What a run of cases came to."""

    __module__ = "unittest.runner"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self) -> None:
        self.testsRun = 0  # noqa: N815
        self.failures: list[Any] = []
        self.errors: list[Any] = []
        self.skipped: list[Any] = []

    def wasSuccessful(self) -> bool:  # noqa: N802
        return not self.failures and not self.errors

    def __repr__(self) -> str:
        shown = f"run={self.testsRun} errors={len(self.errors)} failures={len(self.failures)}"
        return f"<unittest.runner.TextTestResult {shown}>"


TestResult.__name__ = TestResult.__qualname__ = "TextTestResult"


class Suite:
    """Cases in the order in which they run."""

    __module__ = "unittest.suite"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, tests: Any = ()) -> None:
        self._tests = list(items(tests))

    def addTest(self, test: Any) -> None:  # noqa: N802
        grow(1)
        self._tests.append(test)

    def addTests(self, tests: Any) -> None:  # noqa: N802
        for test in items(tests):
            self.addTest(test)

    def countTestCases(self) -> int:  # noqa: N802
        meter.charge(1 + len(self._tests))
        with nested():
            return sum(test.countTestCases() if isinstance(test, Suite) else 1 for test in self._tests)

    def run(self, result: Any) -> Any:
        before: Any = None
        for test in self._tests:
            if isinstance(test, Suite):
                meter.charge(1)
                with nested():
                    test.run(result)
                continue
            kind = type(test)
            if kind is not before:
                _leave(before)
                call(read(kind, "setUpClass"), (), None)
                before = kind
            _run(test, result)
        _leave(before)
        return result


Suite.__name__ = Suite.__qualname__ = "TestSuite"


def _leave(kind: Any) -> None:
    if kind is not None:
        call(read(kind, "tearDownClass"), (), None)


def _run(test: Any, result: TestResult) -> None:
    meter.charge(8)
    result.testsRun += 1
    method = next((base.__dict__[test._method] for base in type(test).__mro__ if test._method in base.__dict__), None)
    if isinstance(method, Skipping):
        result.skipped.append((test, method.reason))
        return
    if _step(test, "setUp", result):
        _step(test, test._method, result)
        _step(test, "tearDown", result)


def _step(test: Any, name: str, result: TestResult) -> bool:
    """Whether a method of a case went well; what it raised is in the result."""
    try:
        call(read(test, name), (), None)
    except Exception as raised:
        value = value_of(raised)
        if isinstance(value, EXCEPTIONS["SystemExit"] | EXCEPTIONS["KeyboardInterrupt"]):
            raise
        kinds = ((SKIPPED, result.skipped), (EXCEPTIONS["AssertionError"], result.failures))
        found = next((these for kind, these in kinds if isinstance(value, kind)), result.errors)
        found.append((test, to_text(value)))
        return False
    return True


def _names_of(case: Any) -> list[str]:
    names = {name for base in case.__mro__ if base is not object for name in base.__dict__}
    meter.charge(len(names))
    return sorted(name for name in names if name.startswith("test"))


def _of_case(case: Any) -> Suite:
    return Suite([call(case, (name,), None) for name in _names_of(case)])


def _all_cases(*ignored: Any, **options: Any) -> Suite:
    cases: list[Any] = sessions.active.settings.get(_CASES, [])
    return Suite([_of_case(case) for case in sorted(cases, key=lambda case: str(case.__name__))])


class TestLoader:
    """`unittest.TestLoader`."""

    __module__ = "unittest.loader"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()
    loadTestsFromModule = staticmethod(_all_cases)  # noqa: N815
    loadTestsFromTestCase = staticmethod(_of_case)  # noqa: N815

    def getTestCaseNames(self, case: Any) -> list[str]:  # noqa: N802
        return _names_of(case)


class Runner:
    """`unittest.TextTestRunner`."""

    __module__ = "unittest.runner"
    __program__ = True
    __invisible__ = False
    __abstract__ = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        pass

    def run(self, test: Any) -> TestResult:
        result: TestResult = (test if isinstance(test, Suite) else Suite([test])).run(TestResult())
        for case, words in (*result.failures, *result.errors):
            sessions.active.notice(f"{type(case).__name__}.{case._method} failed: {words}")
        return result


Runner.__name__ = Runner.__qualname__ = "TextTestRunner"


def _main(*args: Any, exit: Any = True, **options: Any) -> None:  # noqa: A002
    result = Runner().run(_all_cases())
    if exit:
        raise host_exception(EXCEPTIONS["SystemExit"](not result.wasSuccessful()))


class Skipping(HostMethod):
    """What stands in the place of a case that is skipped."""

    __slots__ = ("reason",)

    def __init__(self, reason: Any) -> None:
        super().__init__("skipped", self._skip)
        self.reason = reason

    def _skip(self, *args: Any, **kwargs: Any) -> None:
        raise host_exception(SKIPPED(self.reason))


def _skip_if(condition: Any, reason: Any = "") -> Builtin:
    return HostMethod("decorator", (lambda test: Skipping(reason)) if condition else lambda test: test)


MODULES: dict[str, dict[str, Any]] = {
    "unittest": {
        "TestCase": TestCase, "TestSuite": Suite, "TestLoader": TestLoader, "TextTestRunner": Runner,
        "TestResult": TestResult, "SkipTest": SKIPPED, "main": Builtin("main", _main),
        "skip": Builtin("skip", lambda reason="": _skip_if(True, reason)), "skipIf": Builtin("skipIf", _skip_if),
        "skipUnless": Builtin("skipUnless", lambda condition, reason="": _skip_if(not condition, reason)),
        "defaultTestLoader": TestLoader(),
    }
}  # fmt: skip
