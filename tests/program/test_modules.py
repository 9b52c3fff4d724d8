"""What the modules around a program do where CPython's answers cannot be recorded."""

from __future__ import annotations

import pytest

from engine.program import Outcome, execute


def said(program: str) -> str:
    outcome = execute(program)
    assert outcome.error is None, outcome.error
    return outcome.stdout


def notices(outcome: Outcome) -> list[str]:
    return [warned.message for warned in outcome.warnings if warned.category == "BacklightNotice"]


def test_pickle_brings_back_objects_of_the_program() -> None:
    program = (
        "import pickle, torch\nclass P:\n  def __init__(self, x): self.x = x\n"
        "p = P(torch.ones(2, requires_grad=True))\nq = pickle.loads(pickle.dumps(p))\n"
        "print(type(q) is P, q is p, q.x, q.x is p.x)"
    )
    assert said(program) == "True False tensor([1., 1.], requires_grad=True) False\n"


def test_files_are_gone_when_the_run_is_over() -> None:
    assert said("open('a', 'w').write('x')\nimport os\nprint(os.listdir())") == "['a']\n"
    assert said("import os\nprint(os.listdir())") == "[]\n"


@pytest.mark.parametrize("path", ["/etc/passwd", "../../etc/passwd", "/proc/self/environ", "engine/__init__.py"])
def test_no_file_of_the_machine_is_there(path: str) -> None:
    program = (
        "import os, glob\nfrom pathlib import Path\n"
        f"print(os.path.exists({path!r}), Path({path!r}).exists(), glob.glob('/etc/*'), sorted(os.listdir('/')))\n"
        f"open({path!r})"
    )
    outcome = execute(program)
    assert outcome.stdout == "False False [] ['home', 'tmp']\n"
    assert outcome.error is not None and outcome.error.type == "FileNotFoundError"


def test_a_saved_module_is_found_by_its_path() -> None:
    program = (
        "import torch, os\nfrom pathlib import Path\nos.makedirs('ckpt', exist_ok=True)\np = Path('ckpt') / 'm.pt'\n"
        "m = torch.nn.Linear(1, 1)\ntorch.save(m.state_dict(), p)\n"
        "print(p.exists(), p in list(p.parent.glob('*.pt')))\n"
        "with open('ckpt/m.pt', 'rb') as f: print(list(torch.load(f)))"
    )
    assert said(program) == "True True\n['weight', 'bias']\n"


def test_random_state_is_for_the_run_alone() -> None:
    program = "import sklearn.datasets as d\nprint(d.make_moons(4, noise=0.1)[0].sum())"
    assert execute(program, seed=1).stdout == execute(program, seed=1).stdout != execute(program, seed=2).stdout


def test_batches_that_the_real_data_set_fills_are_full() -> None:
    program = """
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
data = datasets.MNIST("data", transform=transforms.ToTensor())
for size in (100, 64, 90, 1000):  # 60,000 are 600 of 100, but 666 and a part of 90
    print(len(DataLoader(data, batch_size=size)), {len(y) for _, y in DataLoader(data, batch_size=size)})
print([len(y) for _, y in DataLoader(datasets.MNIST("data", train=False, transform=transforms.ToTensor()), 50)])
"""
    outcome = execute(program)
    assert outcome.stdout == "2 {100}\n4 {64}\n3 {90, 76}\n1 {256}\n[50]\n", outcome.stdout


def test_shares_of_the_real_data_set_are_shares_of_its_stand_in() -> None:
    program = """
import torch
from torch.utils.data import DataLoader, Subset, random_split
from torchvision import datasets, transforms
data = datasets.MNIST("data", transform=transforms.ToTensor())
a, b = random_split(data, [50000, 10000])
print(len(a), len(b), len({*a.indices} | {*b.indices}))
a, b = Subset(data, torch.arange(59000)), Subset(data, range(59000, 60000))
print(len(a), len(b), len({*a.indices} & {*b.indices}), [x.shape for x, y in DataLoader(b, batch_size=64)])
print(len(Subset(data, [59999])), len(Subset(data, [3, 1])), len(Subset([1, 2], [1])))
for wrong in (lambda: Subset(data, [60000])[0], lambda: random_split(data, [50000, 10])):
    try:
        wrong()
    except (IndexError, ValueError) as error:
        print(type(error).__name__)
"""
    outcome = execute(program, seed=1)
    assert outcome.error is None, outcome.error
    assert outcome.stdout.splitlines() == [
        "213 43 256", "252 4 0 [torch.Size([4, 1, 28, 28])]", "1 2 1", "IndexError", "ValueError",
    ]  # fmt: skip


def test_images_are_saved_for_the_run() -> None:
    program = """
import os, torch
from torchvision.utils import save_image
os.makedirs("images")
w = torch.rand(6, 1, 4, 4, requires_grad=True)
save_image(w.data, "images/a.png", nrow=3, normalize=True)
save_image(w, "images/b.jpg")
print(sorted(os.listdir("images")), w.grad_fn, save_image([w[0], w[1]], "c.png"))
for place in ("images/a.txt",):
    try:
        save_image(w, place)
    except (OSError, ValueError) as error:
        print(type(error).__name__, error)
"""
    outcome = execute(program, seed=1)
    assert outcome.error is None, outcome.error
    assert outcome.stdout.splitlines() == ["['a.png', 'b.jpg'] None None", "ValueError unknown file extension: .txt"]


def test_a_class_of_the_program_derives_from_a_data_set() -> None:
    program = (
        "from torchvision.datasets import MNIST\nclass Mine(MNIST):\n  def __getitem__(self, i):\n"
        "    image, label = super().__getitem__(i)\n    return label, i\nd = Mine('data')\nprint(d[3][1], len(d), d)"
    )
    assert said(program).startswith("3 256 Dataset Mine\n    Number of datapoints: 256\n")


def test_there_are_no_trained_weights() -> None:
    outcome = execute("from torchvision import models\nm = models.squeezenet1_1(pretrained=True)\nprint(type(m))")
    assert "no trained weights" in notices(outcome)[0]


def test_what_is_scripted_runs_as_it_is_written() -> None:
    program = (
        "import torch\n@torch.jit.script\ndef f(x):\n  return x * torch.tanh(x)\n"
        "net = torch.jit.script(torch.nn.Linear(2, 1))\nx = torch.ones(2, requires_grad=True)\n"
        "f(x).sum().backward()\nprint(x.grad, list(net.state_dict()))"
    )
    assert said(program) == "tensor([1.1816, 1.1816]) ['weight', 'bias']\n"


def test_an_image_is_an_array_to_numpy() -> None:
    program = (
        "import numpy as np\nfrom torchvision.datasets import CIFAR10\nimage, _ = CIFAR10('d')[0]\n"
        "print(image, np.array(image).shape, np.asarray(image).dtype, image.convert('L').mode)"
    )
    assert said(program) == "<PIL.Image.Image image mode=RGB size=32x32 at 0xADDR> (32, 32, 3) uint8 L\n"


def test_boxes_drop_those_that_they_overlap_with() -> None:
    program = (
        "import torch\nfrom torchvision.ops import batched_nms, nms\n"
        "b = torch.tensor([[0., 0, 10, 10], [1, 1, 11, 11], [20, 20, 30, 30], [0, 0, 10, 10], [21, 21, 31, 31]])\n"
        "s = torch.tensor([0.8, 0.9, 0.7, 0.5, 0.95])\n"
        "print(nms(b, s, 0.5), nms(b, s, 0.9), nms(b[:0], s[:0], 1))\n"
        "print(batched_nms(b, s, torch.tensor([0, 1, 0, 0, 0]), 0.5))"
    )
    apart = "tensor([4, 1]) tensor([4, 1, 0, 2]) tensor([], dtype=torch.int64)\ntensor([4, 1, 0])\n"
    assert said(program) == apart


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("Color", "__main__.Color"), ("Color.RED", "__main__.Color"), ("[Plain]", "__main__.Plain"),
        ("Plain()", "__main__.Plain"), ("enum.Enum", "enum.Enum"),
    ],
)  # fmt: skip
def test_what_is_not_loaded_is_named(value: str, name: str) -> None:
    classes = "import enum, io, torch\nclass Color(enum.Enum):\n    RED = 1\nclass Plain: pass\n"
    code = f"{classes}file = io.BytesIO()\ntorch.save({value}, file)\nfile.seek(0)\ntorch.load(file)"
    error = execute(code).error
    assert error is not None and f"Unsupported global: GLOBAL {name} was not" in error.message


def test_a_command_of_the_shell_does_nothing_and_says_so() -> None:
    outcome = execute("import os\nprint(os.system('echo out'))", seed=0)
    assert outcome.stdout == f"{127 << 8}\n"
    assert [(warned.line, "starts no commands" in warned.message) for warned in outcome.warnings] == [(2, True)]


def test_images_are_written_to_files_in_memory_alone() -> None:
    program = "import numpy as np\nfrom PIL import Image\nmade = Image.fromarray(np.zeros((4, 4, 3), np.uint8))\n"
    assert said(program + "made.save('a.jpg')\nprint(Image.open('a.jpg').size)") == "(4, 4)\n"


def test_modules_of_torch_say_their_names_and_not_where_they_lie() -> None:
    program = """
import sys, torch, functorch
for name, module in list(sys.modules.items()):
    if name.partition(".")[0] in ("torch", "functorch"):
        about = repr(module), getattr(module, "__file__", None), module.__spec__, module.__package__, module.__name__
        if "engine" in repr(about) or "'/" in repr(about) or getattr(module, "__path__", None):
            print(name, about)
print(torch, torch.nn.init, torch.backends)
"""
    assert said(program) == (
        "<module 'torch' from 'torch/__init__.py'> <module 'torch.nn.init' from 'torch/nn/init.py'>"
        " <module 'torch.backends'>\n"
    )


@pytest.mark.parametrize("name", ["torch.nn.linear", "torch.hardware", "torch.nn.functional.engine"])
def test_a_module_that_pytorch_has_not_cannot_be_imported(name: str) -> None:
    error = execute(f"import {name}").error
    assert error is not None
    assert error.message.startswith(f"No module named '{name}'"), error.message
