"""What the modules around a program do where CPython's answers cannot be recorded."""

from __future__ import annotations

import pytest
from engine.program.run import Outcome, execute


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


def test_pickle_reads_nothing_that_it_has_not_written() -> None:
    outcome = execute("import pickle\npickle.loads(b'cos\\nsystem\\n.')")
    assert outcome.error is not None and outcome.error.type == "UnpicklingError"


def test_a_thread_that_fails_is_told_of_and_the_program_goes_on() -> None:
    outcome = execute("import threading\nt = threading.Thread(target=lambda: 1 / 0)\nt.start()\nprint('on')")
    assert outcome.stdout == "on\n" and "ZeroDivisionError" in notices(outcome)[0]


def test_files_are_gone_when_the_run_is_over() -> None:
    assert said("open('a', 'w').write('x')\nimport os\nprint(os.listdir())") == "['a']\n"
    assert said("import os\nprint(os.listdir())") == "[]\n"


@pytest.mark.parametrize("path", ["/etc/passwd", "../../etc/passwd", "/proc/self/environ", "engine/__init__.py"])
def test_no_file_of_the_machine_is_there(path: str) -> None:
    program = (
        "import os, glob\nfrom pathlib import Path\n"
        f"print(os.path.exists({path!r}), Path({path!r}).exists(), glob.glob('/etc/*'), os.listdir('/'))\n"
        f"open({path!r})"
    )
    outcome = execute(program)
    assert outcome.stdout == "False False [] ['home', 'tmp']\n"
    assert outcome.error is not None and outcome.error.type == "FileNotFoundError"
    assert outcome.error.hint is not None and "write themselves" in outcome.error.hint


def test_a_saved_module_is_found_by_its_path() -> None:
    program = (
        "import torch, os\nfrom pathlib import Path\nos.makedirs('ckpt', exist_ok=True)\np = Path('ckpt') / 'm.pt'\n"
        "m = torch.nn.Linear(1, 1)\ntorch.save(m.state_dict(), p)\n"
        "print(p.exists(), p in list(p.parent.glob('*.pt')))\n"
        "with open('ckpt/m.pt', 'rb') as f: print(list(torch.load(f)))\nopen('ckpt/m.pt').read()"
    )
    outcome = execute(program)
    assert outcome.stdout == "True True\n['weight', 'bias']\n"
    assert outcome.error is not None and outcome.error.type == "OSError"


@pytest.mark.parametrize(
    ("loader", "shape", "classes"),
    [
        ("load_iris", (150, 4), 3),
        ("load_digits", (1797, 64), 10),
        ("load_breast_cancer", (569, 30), 2),
        ("load_wine", (178, 13), 3),
        ("load_diabetes", (442, 10), 0),
        ("fetch_california_housing", (20640, 8), 0),
    ],
)
def test_a_data_set_of_scikit_learn_is_measured_or_a_stand_in_that_says_so(
    loader: str, shape: tuple[int, int], classes: int
) -> None:
    program = (
        f"from sklearn.datasets import {loader}\nd = {loader}()\nX, y = {loader}(return_X_y=True)\n"
        "print(d.data.shape, d['target'].shape, len(d.feature_names), (X == d.data).all(), len(set(y.tolist())))"
    )
    outcome = execute(program)
    counted = classes or int(outcome.stdout.split()[-1])
    assert outcome.stdout == f"{shape} ({shape[0]},) {shape[1]} True {counted}\n"
    assert [warned.line for warned in outcome.warnings] == ([] if classes else [2])
    assert all("random stand-in" in notice for notice in notices(outcome))


KEYS = {  # as scikit-learn 1.9 has them
    "iris": "data target frame target_names DESCR feature_names filename data_module",
    "breast_cancer": "data target frame target_names DESCR feature_names filename data_module",
    "wine": "data target frame target_names DESCR feature_names",
    "digits": "data target frame feature_names target_names images DESCR",
    "diabetes": "data target frame DESCR feature_names data_filename target_filename data_module",
}


@pytest.mark.parametrize("name", KEYS)
def test_a_data_set_has_the_keys_of_the_real_one_in_its_order(name: str) -> None:
    program = f"""from sklearn import datasets
found = datasets.load_{name}()
print(*found)
print(list(found) == list(found.keys()) == [key for key, value in found.items()], len(found) == len(found.values()))
print(found.get("nothing", 3), found.get("frame"))"""
    outcome = execute(program)
    assert outcome.error is None
    assert outcome.stdout == f"{KEYS[name]}\nTrue True\n3 None\n"


def test_random_state_is_for_the_run_alone() -> None:
    program = "import sklearn.datasets as d\nprint(d.make_moons(4, noise=0.1)[0].sum())"
    assert execute(program, seed=1).stdout == execute(program, seed=1).stdout != execute(program, seed=2).stdout


@pytest.mark.parametrize(
    "call",
    [
        "make_moons(10**9)", "make_blobs(10**9)", "make_blobs(10, 10**9)", "make_regression(10**5, 10**5)",
        "make_classification(10**9)", "make_s_curve(10**9)", "make_swiss_roll(10**9)", "make_friedman1(10**5, 10**5)",
        "make_gaussian_quantiles(n_features=10**4)", "make_classification(100, 10**4, n_informative=9000)",
    ],
)  # fmt: skip
def test_samples_are_paid_for_before_they_are_made(call: str) -> None:
    outcome = execute(f"from sklearn import datasets\ndatasets.{call}")
    assert outcome.error is not None
    assert outcome.error.limit in ("fuel", "tensor_elements", "total_bytes"), outcome.error


@pytest.mark.parametrize(
    ("name", "shape", "classes"),
    [
        ("MNIST", (1, 28, 28), 10), ("FashionMNIST", (1, 28, 28), 10), ("KMNIST", (1, 28, 28), 10),
        ("CIFAR10", (3, 32, 32), 10), ("CIFAR100", (3, 32, 32), 100),
    ],
)  # fmt: skip
def test_a_data_set_of_torchvision_is_a_stand_in_that_says_so(
    name: str, shape: tuple[int, int, int], classes: int
) -> None:
    program = (
        "from torchvision import datasets, transforms as T\nfrom torch.utils.data import DataLoader\n"
        f"d = datasets.{name}('data', train=False, download=True, transform=T.ToTensor())\n"
        "x, y = next(iter(DataLoader(d, batch_size=2)))\n"
        "print(tuple(x.shape[1:]), x.dtype, 0 <= x.min() <= x.max() <= 1, len(d.classes), y.dtype, len(d))"
    )
    outcome = execute(program, seed=1)
    assert outcome.stdout == f"{shape} torch.float32 tensor(True) {classes} torch.int64 64\n"
    assert [(warned.line, f"stand-in for {name}:" in warned.message) for warned in outcome.warnings] == [(3, True)]
    assert outcome.stdout == execute(program, seed=2).stdout


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
print(os.listdir("images"), w.grad_fn, save_image([w[0], w[1]], "c.png"))
for place in ("nowhere/a.png", "images/a.txt"):
    try:
        save_image(w, place)
    except (OSError, ValueError) as error:
        print(type(error).__name__, error)
"""
    outcome = execute(program, seed=1)
    assert outcome.error is None, outcome.error
    assert outcome.stdout.splitlines() == [
        "['a.png', 'b.jpg'] None None",
        "FileNotFoundError [Errno 2] No such file or directory: 'nowhere/a.png'",
        "ValueError unknown file extension: .txt",
    ]


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
    assert said(program) == "<PIL.Image.Image image mode=RGB size=32x32> (32, 32, 3) uint8 L\n"


@pytest.mark.parametrize(
    "program",
    [
        "from torchvision import transforms as T\nimport torch\nT.Resize(10**5)(torch.ones(1, 2, 2))",
        "from torchvision import transforms as T\nimport torch\nT.Pad(10**5)(torch.ones(1, 2, 2))",
        "from torchvision import transforms as T\nimport torch\nT.GaussianBlur(10**7 + 1)(torch.ones(1, 2, 2))",
        "from torchvision import transforms as T\nimport torch\nx = T.ToPILImage()(torch.rand(3, 500, 500))\n"
        "while True: x = T.functional.hflip(x)",
        "from torchvision import transforms as T\nimport torch\nx = T.ToPILImage()(torch.rand(3, 500, 500))\n"
        "while True: x = T.functional.adjust_hue(x, 0.1)",
        "from torchvision import datasets\nd = datasets.FakeData(3, (3, 10**5, 10**5))[0]",
        "from einops import repeat\nimport torch\nrepeat(torch.ones(3), 'a -> (a b)', b=10**9)[:] + 1",
    ],
)
def test_images_are_paid_for_before_they_are_made(program: str) -> None:
    outcome = execute(program)
    assert outcome.error is not None and outcome.error.limit in ("tensor_elements", "total_bytes", "fuel")


def test_reading_a_private_name_of_a_stand_in_gives_nothing() -> None:
    for value in ("Path('a')._pure", "StandardScaler()._fitted", "re.compile('a')._program", "MNIST('a')._pixels"):
        outcome = execute(
            "import re\nfrom pathlib import Path\nfrom torchvision.datasets import MNIST\n"
            f"from sklearn.preprocessing import StandardScaler\nprint(type({value}))"
        )
        assert outcome.error is not None and outcome.error.type == "AttributeError", value


def test_unittest_runs_every_case_of_the_program_in_the_order_of_names() -> None:
    cases = "import unittest\n" + "".join(
        f"class {name}(unittest.TestCase):\n    def test_b(self): print('{name} b')\n    def test_a(self): {body}\n"
        for name, body in (("Two", "self.assertEqual(1, 1)"), ("One", "self.assertEqual(1, 2)"))
    )
    outcome = execute(cases + "unittest.main(argv=[''], exit=False)\nprint('after')\nunittest.main()\nprint('never')")
    assert outcome.stdout == "One b\nTwo b\nafter\nOne b\nTwo b\n"
    assert outcome.error is not None and (outcome.error.type, outcome.error.message) == ("SystemExit", "True")
    assert [w.message for w in outcome.warnings] == ["One.test_a failed: 1 != 2"]
    assert execute("import unittest\nunittest.main()\n").stdout == ""


def test_suites_of_unittest_that_hold_themselves_end() -> None:
    outcome = execute("import unittest\ns = unittest.TestSuite()\ns.addTest(s)\ns.addTest(s)\ns.countTestCases()")
    assert outcome.error is not None and outcome.error.type in ("RecursionError", "LimitExceeded")
    outcome = execute("import unittest\ns = unittest.TestSuite()\ns.addTest(s)\nunittest.TextTestRunner().run(s)")
    assert outcome.error is not None and outcome.error.type in ("RecursionError", "LimitExceeded")


def test_inspect_tells_of_our_functions_what_pytorchs_take_and_nothing_of_how_they_are_made() -> None:
    shown = said("""
import inspect, torch
from torch import nn, optim, autograd
plain = (int, float, bool, str, tuple, type(None), type(...), torch.dtype)
count = 0
for module in (torch, nn, nn.functional, optim, autograd, torch.utils.data):
    for name in dir(module):
        try:
            parameters = inspect.signature(getattr(module, name)).parameters.values()
        except (TypeError, ValueError):
            continue
        count += 1
        for p in parameters:
            if p.default is not p.empty and not isinstance(p.default, plain) or p.annotation is not p.empty:
                print(module, name, p, type(p.default))
print(count > 300)
""")
    assert shown.splitlines()[-1] == "True"
    assert all("= ..." in line or "=..." in line for line in shown.splitlines()[:-1]), shown


@pytest.mark.parametrize(
    "change",
    ["inspect.Parameter.KEYWORD_ONLY.name = 'x'", "inspect.Parameter.empty = 3", "inspect.Signature.parameters = 3"],
)
def test_what_inspect_shares_between_runs_is_not_changed(change: str) -> None:
    outcome = execute(f"import inspect\n{change}")
    assert outcome.error is not None and outcome.error.type in ("AttributeError", "TypeError")


def test_a_signature_of_endless_parameters_ends() -> None:
    outcome = execute("import inspect, itertools\ninspect.Signature(itertools.count())")
    assert outcome.error is not None and outcome.error.type == "LimitExceeded"


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


def test_modules_of_optimizers_are_only_imported() -> None:
    program = "import torch\nfrom torch.optim.adam import Adam\nprint(Adam is torch.optim.Adam, "
    assert said(program + "'sgd' in dir(torch.optim))") == "True False\n"
    outcome = execute("import torch\ntorch.optim.adam([])")
    assert outcome.error is not None
    assert outcome.error.message == "module 'torch.optim' has no attribute 'adam'"


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


def test_a_command_of_the_shell_is_refused_and_says_so() -> None:
    error = execute("import os\nos.system('cls')", seed=0).error
    assert error is not None
    assert (error.type, error.line) == ("NotImplementedError", 2)
    assert "leave the line out" in error.message
