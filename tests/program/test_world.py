"""What Python finds when it runs a program here, where that is not Python's own."""

from __future__ import annotations

import asyncio
import warnings
from typing import Any

import pytest

from engine import running
from engine.core.state import State, state
from engine.limits import Limits
from engine.program import runner
from engine.trace import Recorder
from tests.forked import called


def document(code: str, limits: Limits | None = None) -> dict[str, Any]:
    return running.run(code=code, seed=0, limits=limits).document


def test_numpy_warns_of_the_programs_arithmetic_and_not_of_the_engines() -> None:
    told = document(
        "import numpy as np, torch\n"
        "t = torch.tensor([0.0, -1.0], requires_grad=True)\n"
        "(torch.log(t) / 0).sum().backward()\n"
        "t.detach().numpy() / 0\n"
        "np.log(t.detach().numpy())\n"
    )
    found = [(each["category"], each["message"], each["line"]) for each in told["warnings"]]
    assert found == [
        ("RuntimeWarning", "divide by zero encountered in divide", 4),
        ("RuntimeWarning", "invalid value encountered in divide", 4),
        ("RuntimeWarning", "divide by zero encountered in log", 5),
        ("RuntimeWarning", "invalid value encountered in log", 5),
    ]


def test_numpy_raises_for_the_programs_arithmetic_alone() -> None:
    told = document(
        "import numpy as np, torch\n"
        "np.seterr(all='raise')\n"
        "print(torch.tensor([1.0]) / 0, torch.exp(torch.tensor([-200.0, 200.0])).tolist())\n"
        "np.array([1.0]) / 0\n"
    )
    assert told["stdout"] == "tensor([inf]) [0.0, inf]\n"
    assert (told["error"]["type"], told["error"]["line"]) == ("FloatingPointError", 4)
    assert document("import numpy as np\nprint(np.geterr()['divide'])\n")["stdout"] == "warn\n"


def test_a_wait_that_nobody_ends_ends_the_program() -> None:
    for waits in ("threading.Event().wait()", "queue.Queue().get()", "lock.acquire()"):
        told = document(f"import threading, queue\nlock = threading.Lock()\nlock.acquire()\n{waits}\n")
        assert (told["error"]["type"], told["error"]["line"]) == ("RuntimeError", 4)
        assert "another thread" in told["error"]["message"]
    told = document(
        "import queue, threading\nq = queue.Queue()\nt = threading.Thread(target=lambda: print(q.get()))\n"
        "t.start()\nq.put(1)\nt.join()\n"
    )
    assert told["error"]["line"] == 3, "no other result is given out"
    told = document(
        "import asyncio\nasync def main():\n    await asyncio.get_running_loop().create_future()\nasyncio.run(main())\n"
    )
    assert told["error"]["type"] == "RuntimeError"


def test_threads_begin_in_the_grad_mode_of_a_new_thread() -> None:
    told = document(
        "import threading, torch\nfrom concurrent.futures import ThreadPoolExecutor\n"
        "with torch.no_grad():\n"
        "    t = threading.Thread(target=lambda: print(torch.is_grad_enabled()))\n    t.start()\n"
        "    print(ThreadPoolExecutor().submit(torch.is_grad_enabled).result(), torch.is_grad_enabled())\n"
    )
    assert told["stdout"] == "True\nTrue False\n"


def test_time_moves_on_by_what_is_slept_and_timers_keep_to_it() -> None:
    told = document(
        "import threading, time\n"
        "began = time.time()\n"
        "threading.Timer(2, print, ['second']).start()\n"
        "threading.Timer(1, print, ['first']).start()\n"
        "late = threading.Timer(3, print, ['never'])\nlate.start()\n"
        "threading.Timer(9, print, ['last']).start()\n"
        "print('waits')\ntime.sleep(2.5)\nlate.cancel()\nprint('waited', round(time.time() - began, 1))\n"
    )
    assert told["stdout"] == "waits\nfirst\nsecond\nwaited 2.5\nlast\n"


def test_what_a_name_held_ends_with_it_and_its_tensors_keep_their_names() -> None:
    told = document(
        "import torch\n"
        "class Model:\n    def __init__(self):\n        self.w = torch.ones(2, requires_grad=True)\n"
        "    def __del__(self):\n        print('gone')\n"
        "def loss():\n    model = Model()\n    return (model.w * 2).sum()\n"
        "loss().backward()\nprint('after')\n"
    )
    assert told["stdout"] == "gone\nafter\n"
    assert "model.w" in {tensor["name"] for tensor in told["tensors"]}


@pytest.mark.parametrize("limits", [Limits(), Limits(events=200)], ids=["recorded", "only followed"])
def test_values_are_those_before_numpy_wrote_to_them(limits: Limits) -> None:
    told = document(
        "import torch\nx = torch.ones(3)\nfor i in range(300):\n    y = x + 1\n"
        "a = torch.zeros(2)\nn = a.numpy()\nb = a + 1\nn[0] = 7\nc = a + 2\nn[0] = 8\nd = a.view(2)\nn[1] = 9\n",
        limits,
    )
    assert told["limits"]["truncated"] == (None if limits.events > 200 else "events")
    values = {tensor["name"]: told["values"].get(tensor["value"], tensor["value"]) for tensor in told["tensors"]}
    found = [values[name]["data"] for name in "abcd"]
    assert found == [[0.0, 0.0], [1.0, 1.0], [9.0, 2.0], [8.0, 0.0]]


def test_a_traceback_has_the_frames_that_were_written() -> None:
    """A lambda stands in it once, and what runs the program nowhere."""
    told = document(
        "import traceback\nfails = lambda n: 1 / n\ndef inside(n):\n    return (lambda: fails(n))()\n"
        "try:\n    inside(0)\nexcept ZeroDivisionError:\n    traceback.print_exc(file=__import__('sys').stdout)\n"
        "show = lambda: ''.join(traceback.format_stack())\nprint(show())\n"
    )["stdout"]
    lines = [line.strip() for line in told.splitlines() if line.startswith("  File")]
    failed = [(6, "<module>"), (4, "inside"), (4, "<lambda>"), (2, "<lambda>")]
    shown = [(10, "<module>"), (9, "<lambda>")]
    assert lines == [f'File "<program>", line {line}, in {name}' for line, name in failed + shown]


def test_a_run_leaves_nothing_that_is_told_of_arrays() -> None:
    before = state.exposed
    runner.execute("import torch\ntorch.ones(2).numpy()\n", recorder=Recorder(Limits()), seed=0)
    assert state.exposed is before and type(state) is State


def with_a_deprecated_policy(code: str) -> tuple[int, str, list[Any], Any]:
    """How often Python warned of policies of loops; and what a program printed then, was warned of and ended with."""
    set_policy = asyncio.set_event_loop_policy
    said = []

    def deprecated(policy: Any) -> None:
        said.append(policy)
        warnings.warn("'asyncio.set_event_loop_policy' is deprecated", DeprecationWarning, stacklevel=2)
        set_policy(policy)

    asyncio.set_event_loop_policy = deprecated
    told = document(code)
    return len(said), told["stdout"], told["warnings"], told["error"]


def test_what_later_pythons_say_of_our_loops_is_no_warning_of_a_program() -> None:
    code = "import asyncio\nasync def f(): return 3\nprint(asyncio.run(f()))"
    said, *told = called("tests.program.test_world", "with_a_deprecated_policy", code)
    assert said
    assert told == ["3\n", [], None]


def test_threads_and_limits_are_those_of_the_one_machine() -> None:
    told = document(
        "import _thread, resource, sys, threading\n"
        "def numbers():\n"
        "    print(_thread.get_ident(), _thread.get_native_id(), threading.get_ident(), *sys._current_frames())\n"
        "numbers()\n"
        "thread = threading.Thread(target=numbers)\n"
        "thread.start()\n"
        "print(sys._current_frames()[threading.get_ident()].f_code.co_name)\n"
        "print(resource.getrlimit(resource.RLIMIT_AS), resource.getrlimit(resource.RLIMIT_CPU))\n"
    )
    assert told["stdout"] == "4711 4711 4711 4711\n1 1 1 1\n<module>\n(-1, -1) (-1, -1)\n"
