"""What `import` finds in a program that Python itself runs."""

from __future__ import annotations

import pytest

from engine.libraries import silent
from engine.program import imports
from tests.forked import notices, printed, ran


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("import torch\nimport numpy as np", set()),
        ("import torchvision.transforms as T", {"torchvision", "PIL"}),
        ("from einops import rearrange", {"einops"}),
        ("import os, tqdm", {"tqdm"}),
        ("def f():\n    from sklearn.datasets import make_moons", {"sklearn", "matplotlib"}),
        ("import seaborn", {"seaborn", "pandas", "matplotlib"}),
        ("importlib.import_module('einops')", {"einops"}),
        (">>> import einops", {"einops"}),
        ("print('pandas')", set()),
    ],
)
def test_the_text_tells_which_libraries_a_program_imports(text: str, found: set[str]) -> None:
    assert imports.wanted(text) == found


def test_what_is_installed_has_a_version_and_what_is_not_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(imports.EXTRA, "no_such_library", "no-such-package")
    found = imports.installed()
    assert found.keys() == imports.EXTRA.keys() - {"no_such_library"} and found["PIL"][0].isdigit()
    imports.preload({"no_such_library"})


def test_settings_that_the_program_gave_are_given_back() -> None:
    code = """
import wandb
run = wandb.init(project="p", config={"lr": 0.1})
wandb.config.epochs = 3
wandb.config.update({"size": 8})
with wandb.init() as run:
    run.log({"loss": 1})
print(wandb.config.lr * 2, wandb.config["epochs"], run.config.size, dict(wandb.config))
wandb.log({"loss": 1})
print(bool(run), wandb.finish(), wandb.run)
"""
    assert printed(code) == ["0.2 3 8 {'lr': 0.1, 'epochs': 3, 'size': 8}", "True None None"]
    assert len(notices(code)) == 1


USES = (
    "x + 1|2.0 * x|x - w|w - x * w|w.sum() * x|torch.tensor(x)|torch.tensor([1.0, x])|np.array([x, 1.0])"
    "|np.float64(2) * x|float(x)|int(x)|x[0]|x > 1|x == 1|bool(x)|len(x)|list(x)|f'{x:.2f}'|range(x)|torch.ones(x)"
    "|sum([x])|-x|max(x, 1)"
).split("|")


@pytest.mark.parametrize("library", ["wandb", "livelossplot", "visdom", "plotly"])
@pytest.mark.parametrize("use", USES)
def test_nothing_silent_becomes_a_number_or_a_tensor(library: str, use: str) -> None:
    import numpy as np

    import engine.torch as torch

    value = silent.Dressing(print).module(library).Thing().attribute
    with pytest.raises(TypeError, match=rf"{library}\.Thing\(\)\.attribute has no value here"):
        eval(use, {"torch": torch, "np": np, "x": value, "w": torch.ones(2, requires_grad=True)})


def test_a_setting_that_was_not_given_is_an_error_that_names_it() -> None:
    error = ran("import torch, wandb\nw = torch.ones(2)\nw - wandb.config.lr * w")["error"]
    assert (error["type"], error["line"]) == ("AttributeError", 3)
    assert "wandb.config has no 'lr'" in error["message"]


def test_what_dresses_a_notebook_is_accepted() -> None:
    code = """
from google.colab import drive
import matplotlib_inline.backend_inline
from IPython.display import display, clear_output, HTML
from IPython import get_ipython
from livelossplot import PlotLosses
from tensorboardX import SummaryWriter
drive.mount("/content/drive")
matplotlib_inline.backend_inline.set_matplotlib_formats("svg")
get_ipython().kernel.do_shutdown(True)
PlotLosses().update({"loss": 1})
SummaryWriter().add_scalar("loss", 1, 2)
clear_output(wait=True)
display(3, "four")
print(type(HTML("<b>")).__name__)
"""
    assert printed(code) == ["3", "'four'", "HTML"]
    told = {each.split()[0] for each in notices(code)}
    assert told == {"google.colab", "livelossplot", "tensorboardX", "TensorBoard"}


def test_what_shows_in_a_notebook_is_a_module_of_ipython() -> None:
    code = """
import IPython
from IPython import display
for step in range(2):
    display.clear_output(wait=True)
    display.display(step)
display.set_matplotlib_formats("svg")
IPython.display.display(display is IPython.display)
"""
    assert printed(code) == ["0", "1", "True"]


def test_an_import_that_is_not_used_passes() -> None:
    code = "import no_such_library as n\nfrom no_such_library.part import Thing\nprint(1)"
    assert printed(code) == ["1"]
    assert notices(code) == [
        "no_such_library is not here. The program runs on until it is used. If it is a file of yours, paste what it"
        " defines."
    ]


def test_an_import_of_python_that_lacks_another_one_passes() -> None:
    code = "import sys\nsys.modules['tkinter'] = None\nfrom turtle import forward\nprint(1)"
    assert printed(code) == ["1"]
    assert ran(f"{code}\nforward(3)")["error"]["type"] == "ModuleNotFoundError"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("import no_such_library as n\nn.thing", "No module named 'no_such_library'"),
        ("from no_such_library import Net\nNet()", "No module named 'no_such_library'"),
        ("from no_such_library import Net\nNet + 1", "No module named 'no_such_library'"),
        ("from no_such_library import Net\nclass A(Net): pass", "No module named 'no_such_library'"),
        ("import no_such_library.part\nno_such_library.part.x", "No module named 'no_such_library'"),
    ],
)
def test_using_what_is_not_here_is_the_error_of_its_import(line: str, message: str) -> None:
    error = ran(line)["error"]
    assert (error["message"], error["line"]) == (message, 2)
    assert "If it is a file of yours, paste what it defines" in error["explanation"]


@pytest.mark.parametrize("line", ["from .model import Net", "from . import model", "from ..net.model import *"])
def test_a_program_has_no_package_around_it(line: str) -> None:
    error = ran(f"print(1)\n{line}")["error"]
    assert error["type"] == "ImportError" and error["line"] == 2
    assert error["message"] == "attempted relative import with no known parent package"
    assert "paste what it defines" in error["fix"]


def test_a_program_that_is_ready_for_its_absence_is_told() -> None:
    code = """
try:
    import wandb
except ImportError:
    wandb = None
try:
    from no_such_library import x
    import google.colab
    here = True
except:
    here = False
import importlib.util
print(wandb, here, importlib.util.find_spec("no_such_library"))
"""
    assert printed(code) == ["None False None"]
    assert notices(code) == []


def test_libraries_that_ask_for_others_are_told() -> None:
    code = """
import importlib
try:
    importlib.import_module("wandb")
except ModuleNotFoundError as error:
    print(error)
"""
    assert printed(code) == ["No module named 'wandb'"]


@pytest.mark.parametrize("name", ["set_seed", "seed_everything", "setup_seed"])
def test_a_missing_function_that_seeds_everything_does(name: str) -> None:
    code = f"""
import random, numpy as np, torch
from common_tools import {name}
def drawn():
    return random.random(), np.random.rand(), torch.rand(1).item()
{name}(3)
first = drawn()
{name}(3)
second = drawn()
torch.manual_seed(3)
print(first == second, first[2] == torch.rand(1).item())
"""
    assert printed(code) == ["True True"]
    assert notices(code) == [
        f"common_tools.{name} is not here: a function that seeds random, numpy and torch stands in for it."
    ]


def test_names_that_torch_lacks_are_told_as_python_does() -> None:
    message = ran("from torch.nn import Foo")["error"]["message"]
    assert message == "cannot import name 'Foo' from 'torch.nn' (unknown location)"
    assert ran("import torch.foo")["error"]["message"] == "No module named 'torch.foo'"


def test_a_library_that_is_not_installed_names_the_extra() -> None:
    assert "backlight-service[libraries]" in imports._hint("seaborn")


@pytest.mark.parametrize(
    "line",
    [
        "import urllib.request; urllib.request.urlopen('http://example.com')",
        "import socket; socket.create_connection(('example.com', 80))",
        "import http.client; http.client.HTTPSConnection('example.com').request('GET', '/')",
    ],
)
def test_the_network_is_told_as_missing(line: str) -> None:
    assert "programs have no network here" in ran(line)["error"]["message"]


def test_code_is_opened_of_the_programs_files_alone() -> None:
    assert printed(
        "import io, runpy\nwith open('h.py', 'w') as file:\n    print('x = 3', file=file)\n"
        "print(runpy.run_path('h.py')['x'], io.open_code('h.py').read())\n"
        "try:\n    io.open_code('/etc/passwd')\nexcept FileNotFoundError as error:\n    print(error)\n"
    ) == ["3 b'x = 3\\n'", "[Errno 2] No such file or directory: '/etc/passwd'"]
