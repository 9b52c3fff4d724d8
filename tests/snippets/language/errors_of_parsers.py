# Where parsers of JSON and of patterns failed; values that enumerations count on from
import json
import re
import warnings
from enum import Enum, auto

warnings.simplefilter("ignore")  # of values that cannot be sorted

for text in ("{a: 1}", "[1, 2", "", '{"a": 1,}', "nul", '{"a": 1\n "b": 2}', "[1] 2"):
    try:
        json.loads(text)
    except json.JSONDecodeError as error:
        print(error, "|", error.msg, error.pos, error.lineno, error.colno, error.doc == text, isinstance(error, ValueError))
for pattern in ("(a", "a)", "[a", "*a", "(?P<n>a)(?P<n>b)", "a{2,1}"):
    try:
        re.compile(pattern)
    except re.error as error:
        print(error, "|", error.msg, error.pattern, error.pos, error.lineno, error.colno)


class Mixed(Enum):
    A = 1
    B = "text"
    C = auto()
    D = 7
    E = auto()


class Named(Enum):
    def _generate_next_value_(name, start, count, last_values):
        return f"{name.lower()} {start} {count} {last_values}"

    LOW = auto()
    HIGH = auto()


print([member.value for member in Mixed], [member.value for member in Named])
try:
    (lambda: super().size)()
except RuntimeError as error:
    print(error)
for wrong in (lambda: Named(), lambda: Named("nothing"), lambda: Named["NOTHING"], lambda: Named.NOTHING):
    try:
        wrong()
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        print(type(error).__name__, error)
