"""What programs find behind the locks of a worker: no file, no network, Python's own library, and others'."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

import httpx
import pytest

GRADIENT = "import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\n(x * x).sum().backward()\nprint(x.grad)\n"


def run(client: httpx.Client, code: str) -> dict[str, Any]:
    answer = client.post("/v1/runs", json={"code": code})
    assert answer.status_code == 200, answer.text
    document: dict[str, Any] = answer.json()
    return document


def test_files_lie_in_memory_and_others_are_not_there(client: httpx.Client) -> None:
    document = run(client, "open('a.txt', 'w').write('kept')\nimport os\nprint(os.listdir(), open('a.txt').read())\n")
    assert document["stdout"] == "['a.txt'] kept\n"
    document = run(client, "print(open('/etc/passwd').read())\n")
    assert document["error"]["type"] == "FileNotFoundError" and document["error"]["line"] == 1


@pytest.mark.parametrize(
    "code",
    [
        "import os\nos.fork()\n",
        "import socket\nsocket.socket()\n",
        "import subprocess\nsubprocess.run(['true'])\n",
        "import ctypes\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "if libc.open(b'/etc/passwd', 0) < 0:\n    raise PermissionError(ctypes.get_errno(), 'refused')\n",
    ],
)
def test_the_system_refuses_what_python_would_do(client: httpx.Client, code: str) -> None:
    assert run(client, code)["error"]["type"] == "PermissionError"


def test_the_machine_is_the_same_for_everybody_and_not_this_one(client: httpx.Client) -> None:
    code = (
        "import os, platform, resource, socket, sys, threading, time, uuid\nimport numpy as np\n"
        "print(dict(os.environ), os.cpu_count(), os.uname(), platform.platform(), platform.processor())\n"
        "print(socket.gethostname(), sys.executable, uuid.getnode(), threading.current_thread())\n"
        "print(os.getloadavg(), os.times(), resource.getrusage(resource.RUSAGE_SELF), time.clock_gettime(0))\n"
        "print(os.getrandom(8), np.empty(9), np.empty_like(np.ones(9)), sys._getframe())\n"
    )
    told = [run(client, f"{code}# {number}\n")["stdout"].replace(" ", "") for number in range(2)]
    assert told[0].partition("b'")[0] == told[1].partition("b'")[0] != ""
    for secret in (os.uname().nodename, os.uname().release, sys.executable):
        assert secret not in told[0]
    assert "[0.0.0.0.0.0.0.0.0.]" in told[0] and "0x7f" not in told[0]


@pytest.mark.parametrize(
    ("call", "said"),
    [("os.system('true')", 127 << 8), ("subprocess.call('true')", "no"), ("os.popen('true').read()", "no")],
)
def test_programs_start_no_other(client: httpx.Client, call: str, said: object) -> None:
    code = f"import os, subprocess\ntry:\n    print({call})\nexcept PermissionError:\n    print('no')\n"
    document = run(client, code)
    assert document["stdout"] == f"{said}\n"


@pytest.mark.parametrize("code", ["import ctypes\nctypes.string_at(0)\n", "import os\nos._exit(0)\n"])
def test_a_program_that_ends_its_process_is_told_so_and_the_next_one_runs(client: httpx.Client, code: str) -> None:
    answer = client.post("/v1/runs", json={"code": code})
    assert answer.status_code == 422 and answer.json()["type"].endswith("run-crashed")
    assert run(client, GRADIENT)["status"] == "ok"


def test_late_imports_come_from_memory(client: httpx.Client) -> None:
    names = "argparse csv dataclasses decimal difflib fractions html json queue sqlite3 statistics tempfile uuid zlib"
    document = run(client, "".join(f"import {name}\n" for name in names.split()) + "print(uuid.uuid4())\n")
    assert document["error"] is None
    again = run(client, document["source"]["code"] + "# again\n")
    assert len(document["stdout"]) == len(again["stdout"]) == 37


def test_memory_that_is_not_there_is_an_error_with_its_line(client: httpx.Client) -> None:
    document = run(client, "held = []\nwhile True:\n    held.append(bytearray(1 << 20))\n")
    assert (document["error"]["type"], document["error"]["line"]) == ("MemoryError", 3)


def test_libraries_take_nothing_of_a_programs_memory(client: httpx.Client) -> None:
    held = "import torch\nheld = [torch.zeros(1_000_000) for _ in range(60)]\nprint(len(held))\n"
    for more in ("", "import sklearn, seaborn, torchvision\n"):
        assert run(client, held + more)["stdout"] == "60\n"


DEEP = {
    "def g(): yield from g()\nlist(g())\n": 1,
    "def f(x): return sorted([1, 2], key=f)\nf(1)\n": 1,
    "class A:\n    def __getattr__(self, name): return getattr(self, name + 'x')\nA().x\n": 2,
    "import torch\nm = torch.nn.Sequential()\nm.add_module('m', m)\nm(torch.ones(2))\n": 4,
}


@pytest.mark.parametrize("code", DEEP, ids=range(len(DEEP)))
def test_what_calls_itself_without_end_has_its_line(client: httpx.Client, code: str) -> None:
    error = run(client, code)["error"]
    assert (error["type"], error["line"]) == ("RecursionError", DEEP[code])


class Deep:
    """An object that calls itself, as modules do, which early versions of CPython 3.12 allow some hundred times."""

    def __call__(self, left: int) -> int:
        return self(left - 1) + 1 if left else 0


def calls_of_objects(wanted: int) -> int:
    """How many calls of objects may be under way at once in this Python, up to so many."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 2 * wanted)
    try:
        while wanted > 1:
            with contextlib.suppress(RecursionError):
                return Deep()(wanted)
            wanted = wanted * 3 // 4
        return wanted
    finally:
        sys.setrecursionlimit(limit)


def test_modules_may_call_each_other_as_deeply_as_functions(client: httpx.Client) -> None:
    depth = calls_of_objects(2700) // 3  # each call of a module is one of an object, of a method, and of forward()
    code = (
        "import torch\nclass M(torch.nn.Module):\n    def forward(self, x, left):\n"
        f"        return self(x, left - 1) if left else x\nprint(M()(torch.ones(1), {depth}))\n"
    )
    assert run(client, code)["stdout"] == "tensor([1.])\n"


LIBRARIES = {
    "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()\nprint(len(plt.gca().lines))\n": "0\n",
    "import pandas as pd, io\nprint(pd.read_csv(io.StringIO('a,b\\n1,2'))['b'].sum())\n": "2\n",
    "from sklearn.datasets import load_iris\nfrom sklearn.linear_model import LogisticRegression\n"
    "print(LogisticRegression().fit(*load_iris(return_X_y=True)).coef_.shape)\n": "(3, 4)\n",
    "import seaborn as sns\nprint(sns.load_dataset('tips').shape)\n": "(244, 7)\n",
    "import scipy.optimize\nprint(scipy.optimize.minimize(lambda x: (x * x).sum(), [1.0]).success)\n": "True\n",
    "import scipy.stats\nprint(scipy.stats.norm.cdf(0))\n": "0.5\n",
    "import torchvision, torch\nmodel = torchvision.models.resnet18().eval()\n"
    "print(model(torch.zeros(1, 3, 32, 32)).shape)\n": "torch.Size([1, 1000])\n",
    "from PIL import Image\nprint(Image.new('RGB', (2, 3)).size)\n": "(2, 3)\n",
    "import torch\nfrom einops import rearrange\nfrom tqdm import tqdm\n"
    "for x in tqdm([torch.ones(2, 3)]):\n    print(rearrange(x, 'a b -> b a').shape)\n": "torch.Size([3, 2])\n",
}


@pytest.mark.parametrize("code", LIBRARIES, ids=lambda code: code.split()[1])
def test_real_libraries_are_imported(client: httpx.Client, code: str) -> None:
    document = run(client, code)
    assert document["error"] is None and document["stdout"] == LIBRARIES[code]


def test_packages_have_versions_and_the_services_own_are_not_seen(client: httpx.Client) -> None:
    code = """\
import torch, numpy, sklearn
from importlib.metadata import PackageNotFoundError, distributions, version
here = {"torch": torch, "numpy": numpy, "scikit_learn": sklearn}
print([name for name, module in here.items() if version(name) != module.__version__])
print({"torch", "matplotlib"} <= {found.metadata["Name"] for found in distributions()})
try: version("fastapi")
except PackageNotFoundError as error: print(error)
"""
    document = run(client, code)
    assert document["stdout"] == "[]\nTrue\nNo package metadata was found for fastapi\n", document["error"]


def test_a_tensor_that_fits_into_memory_is_told_of_and_one_that_does_not_has_its_line(client: httpx.Client) -> None:
    document = run(client, "import torch\nx = torch.zeros(20_000_000)\nprint(x.shape)\n")
    assert document["stdout"] == "torch.Size([20000000])\n"
    error = run(client, "import torch\nx = torch.zeros(10**8)\n")["error"]
    assert (error["type"], error["line"]) == ("LimitExceeded", 2)


def test_loops_and_modules_need_no_socket_and_no_file(client: httpx.Client) -> None:
    document = run(
        client,
        "import asyncio\nasync def main():\n    await asyncio.sleep(5)\n    return 'slept'\n"
        "with open('helper.py', 'w') as file:\n    file.write('def help(): return __name__')\n"
        "import helper\nprint(asyncio.run(main()), helper.help())\n",
    )
    assert document["stdout"] == "slept helper\n", document["error"]
