# ruff: noqa: E501 - programs are easier to read on one line
"""Nothing of Python itself is in a program's reach: classic sandbox escapes, and a crawl over every attribute."""

from __future__ import annotations

import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine
import engine.torch as torch
from engine.core.state import State
from engine.limits import Limits, Meter
from engine.program import execute
from engine.program import session as sessions
from engine.program.attributes import read
from engine.program.builtins import BUILTINS, ITERATORS
from engine.program.exceptions import ExceptionValue
from engine.program.kinds import OTHER, kind_of
from engine.program.methods import CLOSED
from engine.program.run import execute as run_program
from engine.program.stdlib import _OURS, find
from engine.program.values import Module, Silent, TypeOf
from tests.attack.reach import host_values

REFUSED = {
    "NotImplementedError",
    "AttributeError",
    "TypeError",
    "NameError",
    "ModuleNotFoundError",
    "ImportError",
    "UnsupportedSyntax",
    "KeyError",
}

ESCAPES = [
    "().__class__.__bases__[0].__subclasses__()",
    "().__class__.__base__.__subclasses__()",
    "object.__subclasses__()",
    "type.__subclasses__(object)",
    "[].__class__.__mro__[-1].__subclasses__()",
    "''.__class__.__mro__[1].__getattribute__('', '__class__')",
    "(lambda: 0).__globals__",
    "(lambda: 0).__code__.co_consts",
    "(lambda: 0).__code__.co_code",
    "(lambda: 0).__code__.replace(co_name='f')",
    "(lambda: 0).__code__._function",
    "type((lambda: 0).__code__)(print)",
    "(lambda f: lambda: f)(0).__closure__[0]._frame",
    "setattr((lambda f: lambda: f)(0).__closure__[0], 'cell_contents', 1)",
    "(lambda: 0).__builtins__",
    "(lambda: 0).__reduce__()",
    "print.__self__",
    "print.__reduce__()",
    "len.__module__.__class__.__base__.__subclasses__()",
    "[].append.__self__.__reduce_ex__(2)",
    "getattr(print, '__self__')",
    "getattr((lambda: 0), '__glo' + 'bals__')",
    "(x for x in []).gi_frame.f_globals",
    "(x for x in []).gi_code",
    "def g(): yield\ng().gi_frame",
    "try:\n    1/0\nexcept ZeroDivisionError as e:\n    print(e.__traceback__.tb_frame)",
    "try:\n    1/0\nexcept Exception as e:\n    e.__traceback__.frames",
    "try:\n    [].x\nexcept AttributeError as e:\n    e.obj.append",
    "try:\n    import torch\n    torch.foo\nexcept AttributeError as e:\n    e.obj.tensor",
    "'{0.__class__}'.format(1).foo",
    "'{0.__globals__}'.format(lambda: 0)",
    "'{0.gi_frame}'.format(x for x in [])",
    "'{x.__init__.__globals__}'.format_map({'x': ValueError()})",
    "class A:\n    def f(self): pass\n'{0.f.__func__.__globals__}'.format(A())",
    "str.format('{0.__subclasses__}', object)",
    "f'{().__class__.__base__.__subclasses__()}'",
    "type('X', (), {'__reduce__': print})",
    "type('X', (), {'__program__': print})",
    "type('X', (), {'__mro_entries__': print})",
    "type('X', (len.__class__,), {})",
    "type('X', ((i for i in ()).__class__,), {})",
    "type('X', (), {'__slots__': ['__dict__']})",
    "type('X', (), {1: 2})",
    "class M(type): pass\nimport torch\nclass N(torch.nn.Linear, metaclass=M): pass\nN.train(torch.nn.Linear)",
    "class M(type): pass\nclass A(dict, metaclass=M): pass\nA.get({}, 0, 0, 0)",
    "class M(type): pass\nclass A(metaclass=M): pass\nA.mro.__self__",
    "class M(type): pass\nM.mro(1)",
    "class M(type): pass\nM.__call__(list, [1])",
    "class M(type):\n    __eq__ = lambda a, b: True",
    "class M(type):\n    __hash__ = lambda a: 0",
    "class M(type):\n    __prepare__ = dict",
    "class M(type):\n    mro = lambda c: [c]",
    "class M(type):\n    __setattr__ = print",
    "class M(type):\n    __name__ = property(len)",
    "class M(type):\n    __instancecheck__ = isinstance",
    "class M(type):\n    __getattribute__ = getattr",
    "class M(type):\n    __doc__ = property(len)",
    "class M(type):\n    f = lambda c: super(M, c).__dict__\nclass A(metaclass=M): pass\nA.f()",
    "class M(type):\n    f = lambda c: super(M, c).__mro__\nclass A(metaclass=M): pass\nA.f()",
    "class M(type):\n    f = lambda c: super(M, c).__subclasses__()\nclass A(metaclass=M): pass\nA.f()",
    "class M(type):\n    f = lambda c: super(M, c).mro()\nclass A(metaclass=M): pass\nA.f()",
    "class M(type):\n    f = lambda c: super(M, c).__bases__\nclass A(metaclass=M): pass\nA.f()",
    "class M(type):\n    f = lambda c: super(M, c).__getattribute__('__dict__')\nclass A(metaclass=M): pass\nA.f()",
    "class M(type):\n    f = lambda c: super(M, c).__setattr__('__program__', 1)\nclass A(metaclass=M): pass\nA.f()",
    "class M(type): pass\nM.__eq__ = lambda a, b: True",
    "class M(type): pass\nM.mro = lambda c: [c]",
    "class A: pass\nclass B(A):\n    @classmethod\n    def f(c): return super().__dict__\nB.f()",
    "class M(type):\n    def f(c): return super().__dict__\nclass A(metaclass=M): pass\nA.f()",
    "from torch import nn\nclass M(nn.Module):\n    def f(s): return super().__dict__\nM().f()['_modules'] = 3",
    "class E:\n    def __eq__(a, b): return True\nclass M(E, type): pass",
    "class M(type): pass\ntype.__new__(type, 'x', (), {})",
    "class M(type): pass\nM.__new__(type, 'x', (), {})",
    "class M(type): pass\nM.__mro__[1].__subclasses__(M)",
    "class M(type): pass\nM.__setattr__(int, 'x', 3)",
    "class M(type):\n    def __new__(m, *a): return super().__dict__\nclass A(metaclass=M): pass",
    "class A:\n    def __getattribute__(self, n): pass",
    "class A:\n    __array_interface__ = {'data': (0, False), 'shape': (1,), 'typestr': '<f8', 'version': 3}",
    "class A:\n    def __array__(self): pass",
    "class A:\n    def __array_struct__(self): pass",
    "class A:\n    def __array_ufunc__(self, *a): pass",
    "class A: pass\nA.__array_ufunc__ = len",
    "import torch\nclass A:\n    __class__ = torch.Tensor",
    "import torch\nclass A:\n    @property\n    def __class__(self): return torch.Tensor",
    "class A:\n    __dict__ = {}",
    "class A:\n    __mro__ = ()",
    "class A:\n    __module__ = 5",
    "class A:\n    __torch_function__ = 1",
    "class A:\n    def __buffer__(self, flags): pass",
    "class A:\n    def __reduce__(self): return (print, ('x',))",
    "class A:\n    def __instancecheck__(self, x): return True",
    "class A: pass\na = A()\na.__array_interface__ = {}",
    "class A: pass\nsetattr(A(), '__array_' + 'interface__', {})",
    "class A: pass\nA().__dict__['__array_interface__'] = {}",
    "class A: pass\nA().__dict__.update({'__array_interface__': {}})",
    "class A: pass\nvars(A()).setdefault('__class__', int)",
    "class A: pass\nA.__array_interface__ = {}",
    "class A: pass\nobject.__setattr__(A(), '__array_interface__', {})",
    "class A: pass\nA().__class__ = int",
    "class A: pass\nA.__bases__ = (dict,)",
    "class A:\n    __slots__ = ('__array_interface__',)",
    "class A(str): pass",
    "import os\nos.system('true')",
    "import os\nos.environ['PATH'][0]",
    "import subprocess\nsubprocess.x",
    "import socket\nsocket.x",
    "import ctypes\nctypes.x",
    "import builtins\nbuiltins.x",
    "import importlib\nimportlib.x",
    "import inspect\ninspect.x",
    "import pickle\npickle.x",
    "import threading\nthreading.x",
    "from os import system\nsystem('true')",
    "import sys\nsys.modules['os']",
    "import sys\nsys._getframe()",
    "import sys\nsys.stdout.buffer",
    "import engine\nengine.x",
    "from engine import torch\ntorch.x",
    "import torch\ntorch.__builtins__",
    "import torch\ntorch.np",
    "import torch\ntorch.sys",
    "import torch.os\ntorch.os.x",
    "import torch\ntorch.tensor.__globals__",
    "import torch\ntorch.Tensor.backward.__globals__",
    "import torch\ntorch.ones(2).sum.__func__.__globals__",
    "import torch\ntorch.ones(2)._array",
    "import torch\ngetattr(torch.ones(2), '_a')",
    "import torch\n'{0._array}'.format(torch.ones(2))",
    "import torch\ntorch.ones(2)._array = 5",
    "import torch\nx = torch.ones(2, requires_grad=True)\n(x * 2).grad_fn.args",
    "import torch\nx = torch.ones(2, requires_grad=True)\n(x * 2).grad_fn.saved",
    "import torch\nx = torch.ones(2, requires_grad=True)\n(x * 2).grad_fn.op",
    "import torch\nx = torch.ones(2, requires_grad=True)\n(x * 2).grad_fn.apply.__globals__",
    "import torch\nx = torch.ones(2, requires_grad=True)\n(x * 2).grad_fn.args = ()",
    "import torch\ntorch.float32.np",
    "import torch\ntorch.Tensor.add = 1",
    "import torch\ntorch.add = 1",
    "import torch\nsetattr(torch.nn.Linear, 'forward', None)",
    "import torch\ndel torch.Tensor.sum",
    "import torch\ntorch.nn.Module.__call__.__globals__",
    "import torch\nclass N(torch.nn.Module):\n    def __getattribute__(self, n): return 1",
    "import torch\nclass N(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self._parameters = {}\nN()",
    "import torch\ntorch.nn.Module().__dict__['_parameters']",
    "import torch\ntorch.compile(torch.nn.MultiheadAttention(4, 2))._qkv_same_embed_dim",
    "import torch\ntorch.compile(torch.nn.Linear(1, 1)).owns('x')",
    "import torch\nc = torch.compile(torch.nn.Linear(1, 1))\nc._orig_mod = c",
    "import torch\nc = torch.compile(torch.nn.Linear(1, 1))\nc.__class__ = int",
    "import torch\ntorch.load('x')",
    "import numpy as np\nnp.load('x')",
    "import numpy as np\nnp.zeros(2).ctypes",
    "import numpy as np\nnp.zeros(2).tofile('x')",
    "import numpy as np\nnp.zeros(2).__array_interface__",
    "import numpy as np\nnp.zeros(2)._array",
    "import numpy as np\nnp.zeros(2).base",
    "import numpy as np\nnp.linalg.linalg",
    "import numpy as np\nnp.lib.format",
    "import numpy as np\nnp.lib.stride_tricks.DummyArray",
    "import numpy as np\nnp.lib.npyio",
    "import numpy as np\nnp.lib.stride_tricks.as_strided(np.zeros(4)[:2], (3,), (8,))",
    "import numpy as np\nnp.lib.stride_tricks.as_strided(np.zeros(4)[1:], (2,), (-8,))",
    "import numpy as np\nnp.frombuffer(b'ab').flags.__setitem__('WRITEABLE', True)",
    "import numpy as np\nnp.zeros(2).flags._of",
    "import numpy as np\nnp.zeros(2, np.uint8).view(bool)",
    "import numpy as np\nnp.ones(2, bool).view(np.uint8)[0] = 2",
    "import numpy as np\nnp.add.native",
    "import numpy as np\nnp.random.default_rng().state",
    "import numpy as np\nnp.polynomial.Polynomial([1])._poly",
    "import numpy as np\nnp.array([b'a'])",
    "import numpy as np\nnp.array(['a'], dtype='V8')",
    "import numpy as np\nnp.array(['a' * 40]) + 'b' * 40",
    "import numpy as np\nnp.zeros(1, 'U1').view(np.uint32)[0] = 0xFFFFFFFF",
    "import numpy as np\nnp.zeros(1, 'U65')",
    "import numpy as np\nnp.zeros(1, '>U4')",
    "import numpy as np\nnp.array([print])",
    "import numpy as np\nnp.zeros(2, dtype=object)",
    "import numpy as np\nnp.zeros(2, dtype='O')",
    "import numpy as np\nnp.dtype(object)",
    "import random\nrandom._inst",
    "import random\nrandom.Random(1)._generator",
    "import random\nrandom.SystemRandom()",
    "import functools\nfunctools.partial(print).__reduce__()",
    "import functools\nfunctools.partial(print).target",
    "import collections\ncollections._sys",
    "import collections\ncollections.namedtuple('A', 'x').__new__.__globals__",
    "import collections\ncollections.namedtuple('A', '__class__')",
    "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int = 1\nA.__init__.__globals__",
    "import contextlib\ncontextlib.sys",
    "import warnings\nwarnings.sys",
    "import copy\ncopy.copyreg",
    "import copy\ncopy.deepcopy(open)\nopen('/etc/passwd')",
    "open('/etc/passwd').read()",
    "open('/etc/x', 'w')",
    "eval('1')",
    "exec('x = 1')",
    "compile('1', '', 'eval')",
    "__import__('os')",
    "__builtins__",
    "__loader__",
    "__spec__",
    "globals()['__builtins__']",
    "locals()['__builtins__']",
    "vars(print)",
    "memoryview(b'')",
    "bytearray(5)",
    "breakpoint.__self__",
    "super().__init__",
    "class A: pass\nsuper(A, A()).__reduce_ex__(2)",
    "class A:\n    def f(self): return super().__getattribute__('__class__')\nA().f()",
    "class A:\n    def f(self): return super().__subclasshook__\nA().f()",
    "async def f(): pass",
    "async def f():\n    await g()",
    "import torch\ntorch.ones(1).register_hook(lambda g: g.__class__.__base__.__subclasses__())\n"
    "torch.ones(1, requires_grad=True).register_hook.__self__.__class__.__subclasses__()",
    "import torch\ntorch.Tensor.grad.fget",
    "staticmethod(print).__func__",
    "class A:\n    @property\n    def x(self): return 1\nA.x.fget.__globals__",
    "int.__dict__",
    "dict.__init_subclass__.__self__",
    "(5).__class__.__dict__",
    "int.from_bytes.__self__.__subclasses__()",
    "slice(1).__reduce__()",
    "iter([]).__reduce__()",
    "range(3).__reduce__()",
    "zip([1]).__reduce__()",
    "NotImplemented.__reduce__()",
    "Exception().__reduce__()",
    "Exception.__subclasses__()",
    "Exception().__init__.__globals__",
    "Exception().add_note.__func__",
    "Exception().__setstate__({'__class__': int})",
    "class E(Exception): pass\nE().__trail__",
    "try:\n    {}['x']\nexcept KeyError as e:\n    e.__trail__",
    "import typing\ntyping.sys.modules['os'].system('true')",
    "import typing\ntyping.get_type_hints.__globals__",
    "class A:\n    def __getattr__(self, n): return {'data': (0, False)}\nA().__array_interface__.foo",
]  # fmt: skip


@pytest.mark.parametrize("program", ESCAPES)
def test_the_way_out_is_closed(program: str) -> None:
    outcome = execute(program, seed=0)
    if outcome.error is None:
        assert program.startswith(("import typing", "import torch\ntorch.ones(1).register_hook")), "it ran"
        return
    assert outcome.error.type in REFUSED | {
        "PermissionError",
        "FileNotFoundError",
        "RuntimeError",
        "ValueError",
        "IndexError",
    }
    assert outcome.error.line is not None


def test_the_dict_of_a_module_is_a_copy_of_what_can_be_read_of_it() -> None:
    outcome = execute(
        """
import torch, numpy, math, sys, torch.nn.functional as F
for module in torch, torch.nn, torch.optim, F, numpy, math, sys:
    members = module.__dict__
    print(type(members).__name__, [name for name in members if members[name] is not getattr(module, name)])
    print([name for name in members if name.startswith("__") and name != "__version__"])
    members["ones"] = None
print(torch.ones(1), vars(torch)["ones"] is torch.ones)
""",
        seed=0,
    )
    assert outcome.error is None
    *lines, last = outcome.stdout.splitlines()
    assert lines == ["dict []", "[]"] * 7
    assert last == "tensor([1.]) True"


FORBIDDEN = (
    State, Meter, types.ModuleType, types.FrameType, types.CodeType, types.TracebackType, types.CellType, types.GetSetDescriptorType,
    types.MappingProxyType, np.ndarray, np.generic, np.dtype, np.random.RandomState, BaseException, type(np.add),
)  # fmt: skip
ALWAYS = (
    "__class__ __base__ __bases__ __mro__ __subclasses__ __globals__ __code__ __closure__ __self__ __func__ __dict__"
    " __module__ __reduce__ __reduce_ex__ __getattribute__ __builtins__ __loader__ __spec__ __init__ __new__ __call__"
    " __wrapped__ __traceback__ __array_interface__ gi_frame gi_code f_globals f_back tb_frame fget fset func_globals"
).split()


def crawl(start: list[tuple[str, Any]], depth: int) -> list[str]:
    """Read every attribute of every value reachable in `depth` steps; paths to what should not be reachable."""
    found = []
    seen: set[int] = set()
    keep = []
    todo = [(path, value, 0) for path, value in start]
    while todo:
        path, value, level = todo.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        keep.append(value)
        if isinstance(value, FORBIDDEN) or (isinstance(value, type) and issubclass(value, BaseException)):
            found.append(f"{path}: {type(value).__name__}")
            continue
        if type(value) is types.BuiltinFunctionType or value is type:
            found.append(f"{path}: {value!r}")
            continue
        if isinstance(value, list | tuple) and level < depth:
            todo += [(f"{path}[{i}]", item, level + 1) for i, item in enumerate(value[:20])]
        if isinstance(value, dict) and level < depth:
            todo += [(f"{path}[{key!r}]", item, level + 1) for key, item in list(value.items())[:20]]
        if level >= depth or isinstance(value, Silent):
            continue
        names = set(value.names()) if isinstance(value, Module) else set(dir(value))
        for name in names | set(ALWAYS):
            try:
                member = read(value, name)
            except BaseException:
                continue
            todo.append((f"{path}.{name}", member, level + 1))
    return found


@pytest.fixture
def session() -> Any:
    active = sessions.begin(Limits(fuel=1 << 40), None, 0)
    active.closed |= CLOSED | ITERATORS | {TypeOf}
    yield active
    sessions.end(active)


def test_no_builtin_or_module_leads_to_python_itself(session: Any) -> None:
    start = [(name, value) for name, value in BUILTINS.items()]
    start += [(name, find(name)) for name in _OURS]
    assert crawl(start, 2) == []


def test_nothing_of_the_engine_leads_to_python_itself(session: Any) -> None:
    assert crawl([("torch", find("torch"))], 2) == []


def test_no_value_leads_to_python_itself(session: Any) -> None:
    program = """
import torch, numpy as np, collections, random
class Plain:
    def __init__(self): self.x = 1
    def method(self): return 1
    @property
    def p(self): return 2
class Error(ValueError): pass
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = torch.nn.Linear(2, 1)
    def forward(self, x): return self.fc(x)
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        ctx.note = 'n'
        return x * x
    @staticmethod
    def backward(ctx, g):
        return g * 2 * ctx.saved_tensors[0]
def generator(): yield 1
try:
    [].missing
except AttributeError as error:
    kept = error
try:
    torch.zeros(2) + torch.zeros(3)
except RuntimeError as error:
    kept_engine = error
plain, net = Plain(), Net()
x = torch.ones(1, 2, requires_grad=True)
y = net(x)
z = Square.apply(y)
node, leaf, handle = z.grad_fn, y.grad_fn.next_functions, x.register_hook(lambda g: g)
sgd = torch.optim.SGD(net.parameters(), lr=0.1)
parameters, state = net.parameters(), net.state_dict()
array = np.ones(3)
scalar = array[0]
lists = [generator(), (i for i in []), iter([1]), zip([1]), map(str, [1]), plain.method, len, 'a'.join, {}.items()]
counter, named = collections.Counter('a'), collections.namedtuple('P', 'x y')(1, 2)
size, dtype, device = x.shape, x.dtype, x.device
"""
    outcome = run_program(program, seed=0)
    assert outcome.error is None, outcome.error
    active = sessions.begin(Limits(fuel=1 << 40), None, 0)
    active.closed |= CLOSED | ITERATORS | {TypeOf}
    assert crawl(list(outcome.globals.items()), 2) == []


def test_types_that_nobody_vouches_for_have_no_attributes(session: Any) -> None:
    assert kind_of(types.SimpleNamespace) == OTHER
    assert kind_of(np.ndarray) == OTHER
    for value in (np.zeros(2), types.SimpleNamespace(a=1), np.float64(1), Exception(), (lambda: 0).__code__):
        for name in dir(value):
            with pytest.raises(AttributeError):
                read(value, name)


@pytest.mark.parametrize(
    "program",
    [
        "x = type | type",
        "x = (int | type).__args__",
        "from typing import Union, get_args\nx = [get_args(type | None), Union[int | type, str].__args__]",
        "from functools import singledispatch\n@singledispatch\ndef f(v): pass\nf.register(type | int, print)\n"
        "x = list(f.registry)",
        "import numpy as np, matplotlib.pyplot as plt\nx = list(plt.subplot_mosaic(np.array([[1, 2], [3, 3]]))[1])",
    ],
)
def test_what_comes_out_of_the_host_is_the_programs_own(program: str) -> None:
    outcome = run_program(program, seed=0)
    assert outcome.error is None, outcome.error
    assert list(host_values(outcome.globals)) == []


def test_no_text_shows_the_classes_or_addresses_of_the_host() -> None:
    program = """\
import enum, torch
from sklearn.base import clone
from torch import nn
from torchvision import transforms
class Color(enum.Enum): RED = 1
texts = [repr(nn.MaxPool2d(object())), str(nn.Softmax(iter([]))), f"{transforms.RandomHorizontalFlip(property())}"]
for call in (torch.autocast, clone):
    try: call(Color)
    except Exception as error: texts.append(str(error))
own = object()
texts.append(repr(own) == f"<object object at {hex(id(own))}>")
print([text for text in texts if text is not True and ("0x7f" in text[:60] or "engine" in text)], texts[-1])
"""
    assert run_program(program, seed=0).stdout == "[] True\n"


def test_exceptions_of_the_program_are_not_exceptions_of_the_host() -> None:
    assert not issubclass(ExceptionValue, BaseException)
    assert torch is not None


def test_a_run_cannot_change_the_next_one() -> None:
    for change in (
        "import torch\ntorch.default_generator.manual_seed = 5",
        "import torch\ntorch.float32.x = 5",
        "import torch\ntorch.nn.Linear.x = 5",
        "import math\nmath.pi = 3",
        "import os\nos.environ['a'] = 1",
        "import sys\nsys.argv.append(1)",
        "import torch\ntorch.nn.Linear(1, 1).__class__.x = 5",
        "len.x = 5",
        "import collections\ncollections.Counter.x = 1",
    ):
        execute(change, seed=0)
    outcome = execute(
        "import math, os, sys, torch\nprint(math.pi > 3.1, os.environ, sys.argv, hasattr(torch.nn.Linear, 'x'))", seed=0
    )
    assert outcome.stdout == "True {} ['program.py'] False\n"


def test_distributions_are_as_they_were_in_the_next_run() -> None:
    head = "import torch.distributions as D\nfrom torch.distributions import constraints\n"
    for change in (
        "D.register_kl(D.Normal, D.Bernoulli)(lambda p, q: 5)",
        "D.biject_to.register(constraints.real, lambda c: 5)",
        "D.Normal.arg_constraints.clear()",
        "try:\n    constraints.positive.lower_bound = 5\nexcept AttributeError: pass",
        "D.identity_transform.parts.append(D.ExpTransform())",
        "D.Distribution.set_default_validate_args(False)",
    ):
        run = engine.run(code=head + change, seed=0)
        assert run.document["error"] is None
    code = """
try:
    D.kl_divergence(D.Normal(0.0, 1.0), D.Bernoulli(0.5))
except NotImplementedError:
    print("no formula")
print(D.biject_to(constraints.real), D.Normal.arg_constraints, D.identity_transform.parts)
try:
    D.Normal(0.0, -1.0)
except ValueError:
    print("refused")
"""
    assert engine.run(code=head + code, seed=0).document["stdout"] == (
        "no formula\nComposeTransform(\n    \n) {'loc': Real(), 'scale': GreaterThan(lower_bound=0.0)} []\nrefused\n"
    )


def test_what_a_program_saves_is_gone_when_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert execute("import torch\ntorch.save([1], 'x')\nprint(torch.load('x'))", seed=0).stdout == "[1]\n"
    assert not list(tmp_path.iterdir())
    outcome = execute("import torch\ntorch.load('x')", seed=0)
    assert outcome.error is not None and outcome.error.type == "FileNotFoundError"


def test_what_is_saved_is_a_copy_that_shares_nothing() -> None:
    program = "a = [1]\na.append(a)\nimport torch\ntorch.save(a, 'x')"
    outcome = execute(program, seed=0)
    assert outcome.error is not None and outcome.error.type == "RecursionError"


def test_what_numpy_made_stays_wrapped_inside_of_what_the_engine_returns() -> None:
    program = (
        "import numpy as np\nimport copy\nfrom torch.utils import _pytree\n"
        "a = np.ones(2)\nflat, spec = _pytree.tree_flatten({'a': (a, np.float64(1.0))})\n"
        "print(type(flat[0]) is type(a), type(flat[1]) is type(np.float64(1.0)))\n"
        "try:\n    copy.copy(np)\nexcept TypeError as e:\n    print(e)"
    )
    assert execute(program, seed=0).stdout == "True True\ncannot pickle 'module' object\n"


def test_a_warning_about_an_object_shows_no_address() -> None:
    program = "import warnings\nwarnings.warn(enumerate([]))\nimport enum\nprint(enum.auto())"
    outcome = execute(program, seed=0)
    assert [warned.message for warned in outcome.warnings] == ["<enumerate object at 0x7f00>"]
    assert outcome.stdout.startswith("<enum.auto object at 0x")


@pytest.mark.parametrize("module", ["matplotlib.pyplot", "matplotlib.colors", "matplotlib.gridspec", "matplotlib.figure"])
def test_no_class_of_matplotlib_is_handed_out(module: str) -> None:
    outcome = execute(f"import {module} as m\ngot = [getattr(m, n) for n in dir(m) if hasattr(m, n)]\nprint(len(got))")
    assert outcome.error is None
    assert list(host_values(outcome.globals)) == []


PRIVATE = """
import argparse, collections, io, pathlib, random, re, unittest
import numpy as np
import matplotlib.pyplot as plt
import torchvision.transforms as T
from sklearn.linear_model import LinearRegression
from sklearn.preprocessing import StandardScaler
figure, axes = plt.subplots()
class Derived(np.poly1d):
    def seen(self):
        return self.__dict__
objects = [
    np.poly1d([1, 2]), Derived([1, 2]), np.finfo(np.float32), np.r_, np.mgrid, random.Random(1), io.StringIO("a"),
    argparse.ArgumentParser(), unittest.TestCase(), re.compile("a"), re.match("a", "a"), pathlib.Path("a"), figure, axes,
    axes.plot([1, 2])[0], T.Compose([]), collections.ChainMap({}), np.random.RandomState(0),
    StandardScaler().fit([[1.0], [2.0]]), LinearRegression().fit([[1.0], [2.0]], [1.0, 2.0]),
]
for value in objects:
    for name in dir(value):
        if name[0] == "_" and name[1] != "_":
            print(type(value).__name__, "lists", name)
    for name in getattr(value, "__dict__", ()):
        if name[0] == "_":
            print(type(value).__name__, "shows", name)
print(objects[1].seen())
for change in (lambda d: d.update(_poly=1), lambda d: d.setdefault("_poly", 1), lambda d: d.__setitem__("_poly", 1)):
    try:
        change(objects[0].__dict__)
    except AttributeError as error:
        print(error)
print(objects[0])
"""


def test_what_our_classes_keep_for_themselves_is_not_shown_in_a_dict() -> None:
    outcome = execute(PRIVATE, seed=0)
    assert outcome.error is None, outcome.error
    refusal = "attribute '_poly' of 'poly1d' objects is not writable here\n"
    assert outcome.stdout == "{}\n" + 3 * refusal + " \n1 x + 2\n"


REPLACED = """
import copy, pickle
import numpy as np
import torch
class Itself(dict):
    def __init__(self, **names):
        super().__init__(**names)
        self.__dict__ = self
called = []
hooks = "__array__ __array_interface__ __array_struct__ __deepcopy__ __copy__ __reduce_ex__ __class__ __torch_function__"
itself = Itself(**{name: lambda *args, **kwargs: called.append(name) for name in hooks.split()})
class Plain: pass
plain = Plain()
plain.__dict__ = dict(itself)
for use in (np.array, torch.as_tensor, copy.copy, copy.deepcopy, pickle.dumps, repr, str, hash, len, bool):
    for value in (itself, plain):
        try:
            use(value)
        except (TypeError, ValueError, RuntimeError):
            pass
class Kept:
    def __init__(self): self.__state__ = (dict(itself), dict(itself))
    def __getstate__(self): return dict(itself)
class Restored(Kept):
    def __setstate__(self, state): self.__dict__.update(state)
class Slots:
    __slots__ = "a"
    def __getstate__(self): return None, {"__class__": Plain}
class Odd(dict):
    def keys(self): return ["__array_interface__"]
    def __getitem__(self, key): return dict(itself)
class Strange(Kept):
    def __getstate__(self): return Odd(a=1)
for cls in (Kept, Restored, Slots, Strange):
    setattr(cls, "__state__ ", ({"__array_interface__": {}}, {}))
    for use in (copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))):
        try:
            np.array(use(cls()))
            print("copied", cls)
        except (AttributeError, TypeError):
            pass
class Wrong(ValueError): pass
wrong = Wrong("kept")
for target in (wrong, torch.nn.Linear(1, 1), Plain, torch.zeros(1)):
    try:
        target.__dict__ = {}
    except (AttributeError, TypeError):
        print("refused")
print(called, type(itself), type(plain), wrong)
"""


def test_no_dict_in_place_of_attributes_is_looked_at_by_the_host() -> None:
    outcome = execute(REPLACED, seed=0)
    assert outcome.error is None, outcome.error
    kinds = "<class '__main__.Itself'> <class '__main__.Plain'>"
    assert outcome.stdout == 4 * "refused\n" + f"[] {kinds} kept\n"
