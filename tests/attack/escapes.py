# ruff: noqa: E501 - programs are easier to read on one line
"""Generated ways out of the interpreter: whatever a program does, it holds only what programs may hold.

An attempt is one program: a value, a forbidden name, and a way to get at it, or at what calling things yields. It may
do what it likes; afterwards none of its variables may hold anything of the host's (`reach`), and nothing it printed or
raised may show the host: its paths, its addresses, or the canary that lies in this module and in the environment.
"""

from __future__ import annotations

import os
import random
import re
import secrets
import textwrap
from collections.abc import Callable, Iterator
from functools import cache

from engine.limits import Limits
from engine.program import execute
from engine.program.run import Outcome
from tests.attack.bounded import TooLongError, bounded
from tests.attack.reach import HOST_TEXT, host_values
from tests.attack.report import Result, timed

ATTEMPTS = 40_000
CANARY = f"canary{secrets.token_hex(8)}"
LIMITS = Limits(fuel=100_000)
CPU_SECONDS = 5.0

IMPORTS = """\
import torch, math, random, copy, collections, itertools, functools, operator, typing, types, abc, dataclasses, warnings
import numpy as np, os, sys, gc, string, textwrap, pprint, contextlib, tqdm, statistics, datetime, io, tempfile, heapq
import bisect, traceback, timeit, json, argparse, enum, time, numbers, weakref, collections.abc
import scipy.special, scipy.stats, torchvision, sklearn.pipeline, sklearn.impute, torch.utils._pytree as pytree
import torch.nn as nn, torch.nn.functional as F, matplotlib.pyplot as plt
got = []
"""
DEFINITIONS = """\
class Plain:
    tag = 1
    def __init__(self): self.x = 1
    def method(self): return 1
    @property
    def prop(self): return 2
    @classmethod
    def made(cls): return cls()
    @staticmethod
    def still(): return 1

class Mixed(dict): pass

class Error(ValueError): pass

class Meta(type):
    def __call__(cls, *args): return super().__call__()
    def __getattr__(cls, name): return name

class Made(metaclass=Meta): pass

class Row(collections.abc.Sequence):
    def __len__(self): return 1
    def __getitem__(self, i): return [1][i]

class Asked(torch.Tensor):
    @classmethod
    def __torch_function__(cls, func, types, args=(), kwargs=None):
        got.append(func)
        return super().__torch_function__(func, types, args, kwargs)

class Mode(torch.overrides.TorchFunctionMode):
    def __torch_function__(self, func, types, args=(), kwargs=None):
        got.append(func)
        return func(*args, **(kwargs or {}))

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 1)
    def forward(self, x): return self.fc(x)

class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x
    @staticmethod
    def backward(ctx, g): return g * 2 * ctx.saved_tensors[0]

class Color(enum.Enum):
    RED = 1

@dataclasses.dataclass
class Record:
    x: int = 1

Point = collections.namedtuple('Point', 'x y')

def function(a, b=2, *rest, c=3, **more): return a

def generator(): yield 1

def closure():
    hidden = [1]
    return lambda: hidden

def caught(f):
    try: f()
    except Exception as e: return e

@torch.library.custom_op('own::op', mutates_args=())
def custom(x: torch.Tensor) -> torch.Tensor: return x.clone()

plain = Plain()

group = ExceptionGroup('x', [Error('x'), TypeError()])

net = Net()

mixed = Mixed(a=1)

x = torch.ones(1, 2, requires_grad=True)

y = net(x)

z = Square.apply(y)
""".split("\n\n")
DEFINED = [(re.search(r"^(?:def |class |)(\w+)(?=[(:]| =)", text, re.MULTILINE)[1], text) for text in DEFINITIONS]
"""What programs are about: (name, definition), in an order in which they can be made."""

VALUES = """\
() | [] | {} | set() | frozenset() | '' | b'' | 1 | 1.5 | 1j | True | None | ... | NotImplemented | range(3) | slice(1) | object() | object | type | int | str | dict | list | tuple | float
bytes | property | Exception | ValueError | BaseException | print | len | getattr | type(print) | type(type) | super | open | eval | (lambda: 0) | function | generator | generator() | (i for i in []) | closure() | iter([]) | zip([1]) | map(str, [1]) | enumerate([]) | reversed([])
{}.items() | {}.keys() | iter({}) | 'a'.join | [].append | {}.get | (1).bit_length | type(function) | type(generator()) | type([].append) | type(plain.method) | type(iter([])) | type(None) | type(...) | Plain | plain | plain.method | Plain.method | Plain.made | Plain.prop | Plain.still | Plain.__dict__
Mixed | mixed | mixed.get | Error | Error('x') | Net | net | net.forward | net.fc | net.fc.weight | Net.forward | Square | Square.apply | Square.forward | Color | Color.RED | Record | Record() | Record.__init__ | Point | Point(1, 2) | Point._fields | Point.__new__
x | y | z | x.shape | x.dtype | x.device | x.layout | y.grad_fn | z.grad_fn | y.grad_fn.next_functions | y.grad_fn.next_functions[0][0] | x.sum | x.register_hook(lambda g: g) | x.grad | x.data | x.detach().numpy() | x.untyped_storage() | x.storage() | y.grad_fn.metadata
torch | torch.nn | nn.functional | nn.init | nn.utils | torch.optim | torch.autograd | torch.linalg | torch.func | torch.utils | torch.utils.data | torch.distributions | torch.backends | torch.cuda | torch.random | torch.special | torch.fft | torch.version | torch.testing | torch.jit | torch.optim.lr_scheduler
torch.Tensor | torch.tensor | torch.add | torch.Tensor.add | torch.nn.Module | nn.Linear | nn.Module.__call__ | torch.Generator() | torch.default_generator | torch.Size | torch.Size([1]) | torch.finfo(torch.float32) | torch.no_grad | torch.no_grad() | torch.enable_grad() | torch.autograd.grad | torch.autograd.graph | torch.func.grad(lambda v: v)
torch.optim.SGD(net.parameters(), lr=0.1) | torch.optim.Adam | torch.optim.SGD.step | net.parameters() | net.state_dict() | net.named_modules() | net._parameters | net._modules | nn.Sequential(nn.ReLU()) | nn.ModuleList() | nn.ParameterDict() | torch.utils.data.DataLoader([1, 2]) | torch.utils.data.TensorDataset(x) | torch.distributions.Normal(0.0, 1.0) | torch.distributions.constraints.real
np | np.ndarray | np.ones(2) | np.float64(1.0) | np.float32 | np.ones(2).dtype | np.dtype('float32') | np.random | np.linalg | np.add | np.random.rand | np.errstate | np.errstate() | np.random.RandomState(0) | np.random.default_rng(0) | np.s_ | np.newaxis
math | math.sin | random | random.random | random.Random(1) | copy | copy.deepcopy | collections | collections.Counter() | collections.OrderedDict() | collections.defaultdict(list) | collections.deque() | collections.ChainMap({}) | itertools | itertools.chain | itertools.chain([]) | itertools.count() | itertools.tee([])
functools | functools.partial(print) | functools.partial | functools.reduce | functools.lru_cache(lambda: 0) | functools.singledispatch(function) | functools.wraps(function) | functools.cached_property | operator | operator.add | operator.attrgetter('real') | operator.itemgetter(0) | operator.methodcaller('x') | typing | typing.Any | typing.List[int] | typing.Optional | typing.NamedTuple | typing.Generic | types | types.SimpleNamespace(a=1) | types.FunctionType | types.MethodType | abc | abc.ABC
dataclasses | dataclasses.field() | dataclasses.fields(Record) | dataclasses.fields(Record)[0] | warnings | warnings.catch_warnings() | os | os.environ | os.path | os.path.join | sys | sys.stdout | sys.stderr | sys.modules | sys.argv | sys.version_info | sys.exc_info() | gc | string | string.Template('x') | string.Formatter() | textwrap | pprint | contextlib | contextlib.ExitStack() | contextlib.contextmanager(generator) | contextlib.contextmanager(generator)() | contextlib.nullcontext()
tqdm | tqdm.tqdm([1]) | Meta | Made | Made() | Meta.__call__ | Made.mro | Row | Row() | Asked | Asked([1.0]) | Mode() | custom | group | group.exceptions | function.__code__ | closure().__code__ | closure().__closure__ | closure().__closure__[0] | function.__get__(plain) | ExceptionGroup
weakref.ref(plain) | weakref.WeakSet([plain]) | weakref.WeakKeyDictionary() | weakref.proxy | collections.abc.Mapping | collections.abc.KeysView({}) | x.to_sparse() | x.to_sparse().indices() | pytree.tree_flatten([1])[1] | torch.frombuffer(b'ab', dtype=torch.uint8) | torch.jit.script(function) | torch.overrides
scipy.special | scipy.special.expit | scipy.special.yn | scipy.stats.norm | scipy.stats.norm(0, 1) | sklearn.pipeline.make_pipeline(sklearn.impute.SimpleImputer()) | torchvision.transforms.RandAugment() | torchvision.models | plt.rcParams | plt.rcParams.copy() | type(plt.rcParams)
datetime | datetime.datetime.now() | io | io.StringIO() | io.BytesIO() | tempfile | tempfile.TemporaryFile | heapq | bisect | traceback | timeit | json | json.JSONEncoder | json.dumps | argparse | argparse.ArgumentParser() | argparse.Namespace(a=1) | enum | enum.Enum | enum.auto() | time | time.time | numbers | plt | plt.figure() | statistics
caught(lambda: 1/0) | caught(lambda: [].x) | caught(lambda: torch.foo) | caught(lambda: x + 'a') | caught(lambda: torch.zeros(2) + torch.zeros(3)) | caught(lambda: {}['x']) | caught(lambda: len(1)) | caught(lambda: next(iter([]))) | caught(lambda: torch.linalg.inv(torch.zeros(2, 2))) | caught(lambda: open('/etc/passwd')) | caught(lambda: '\\ud800'.encode())
"""
EXPRESSIONS = [value.strip() for line in VALUES.splitlines() for value in line.split(" | ")]

NAMES = """
__class__ __base__ __bases__ __mro__ mro __subclasses__ __globals__ __code__ __closure__ __self__ __func__ __dict__ __module__ __reduce__ __reduce_ex__
__getattribute__ __getattr__ __setattr__ __builtins__ __loader__ __spec__ __init__ __new__ __call__ __wrapped__ __traceback__ __context__ __cause__ __array_interface__ __array_struct__ __array__
__array_ufunc__ __array_function__ __buffer__ __get__ __set__ __delete__ __set_name__ __init_subclass__ __subclasshook__ __subclasscheck__ __instancecheck__ __class_getitem__ __prepare__ __weakref__
__slots__ __sizeof__ __dir__ __doc__ __name__ __qualname__ __annotations__ __defaults__ __kwdefaults__ __type_params__ __objclass__ __text_signature__ __signature__ __getstate__ __setstate__ __getnewargs__
__getnewargs_ex__ __copy__ __deepcopy__ __del__ __enter__ __exit__ __iter__ __next__ __format__ __str__ __repr__ __hash__ __eq__ __import__ __file__ __path__ __package__ __cached__ __torch_function__ __program__ __invisible__ __trail__ __flags__ __basicsize__ __dictoffset__ __abstractmethods__ __orig_bases__ __parameters__ __origin__ __args__
gi_frame gi_code gi_yieldfrom gi_running cr_frame ag_frame f_globals f_locals f_back f_builtins f_code tb_frame tb_next tb_lasti func_globals func_code im_func im_self fget fset fdel
obj with_traceback args name _a _rg _fn _nr _grad _acc _vc _view _hooks _instance _globals _code closure code session attributes defaults inner owner instance function running find names target func keywords
np dtype data ctypes base flat tofile dump dumps loads elements state_bytes restore hidden available sys os io types inspect modules _getframe environ buffer stdout stderr raw fileno name detach _sys _os _io __stdout__ stdin
_register_hook_dict _backward_hooks _forward_hooks _parameters _modules _buffers _version _base saved op apply saved_tensors _saved_self _raw_saved_self metadata next_functions variable node fn state limits meter observer budget fuel write read calling hardware trees matrices reset storage untyped_storage share_memory_ register_parameter
""".split()

# A value, a name and a way from one to the other. {v} is the value, {n} the name, {q} the name as an expression that
# yields it at run time, {w} another value, {m} another name.
READS = """\
got.append(({v}).{n})
got.append(getattr({v}, {q}))
got.append(getattr({v}, {q}, None))
got.append(hasattr({v}, {q}) and getattr({v}, {q}))
got.append(type({v}).{n})
got.append(getattr(type({v}), {q}))
got.append(({v}).__class__.{n})
got.append(({v}).{n}.{m})
got.append(({v}).{n}().{m})
got.append(({v}).{n}({w}))
got.append(({v}).{n}({w}, {q}))
got.append(({v}).{n}[0])
got.append(list(({v}).{n}))
got.append(dict(({v}).{n}))
got.append([k for k in ({v}).{n}])
got.append(vars({v}))
got.append(vars({v})[{q}])
got.append([getattr({v}, n) for n in dir({v}) if hasattr({v}, n)])
got.append([getattr(({v}).{n}, n) for n in dir(({v}).{n}) if hasattr(({v}).{n}, n)])
print('{{0.{n}}}'.format({v}))
print('{{0.{n}.{m}}}'.format({v}))
print('{{x.{n}!r}}'.format(x={v}))
print('{{x.{n}[{m}]}}'.format_map({{'x': {v}}}))
print(f'{{({v}).{n}}}')
print(f'{{({v}).{n}!r:>{{10}}}}')
print(f'{{({v})=}}')
print(str.format('{{0.{n}}}', {v}))
print(format({v}, {q}))
print('%({n})s' % {v})
print('%s %r' % ({v}, ({v}).{n}))
print(repr({v}), str({v}), ascii({v}))
got.append(operator.attrgetter({q})({v}))
got.append(operator.attrgetter({q} + '.{m}')({v}))
got.append(operator.methodcaller({q})({v}))
got.append(operator.itemgetter({q})({v}))
got.append(functools.reduce(getattr, [{q}, '{m}'], {v}))
got.append(list(map(getattr, [{v}], [{q}])))
got.append(functools.partial(getattr, {v})({q}))
got.append((lambda **k: k)(**({v}).{n}))
got.append([*({v}).{n}])
got.append((a := {v}, [b := a.{n} for _ in [1]], b))
got.append(sorted([{v}], key=lambda v: v.{n}))
got.append(max([{v}], key=operator.attrgetter({q})))
got.append(object.__getattribute__({v}, {q}))
got.append(super(type({v}), {v}).{n})
got.append(super(Plain, plain).{n})
got.append(super(Net, net).{n})
got.append(type.__getattribute__({v}, {q}))
got.append(type({v}).__getattribute__({v}, {q}))
got.append(copy.copy({v}).{n})
got.append(copy.deepcopy({v}))
got.append(copy.deepcopy({v}, {{0: {w}}}))
got.append(string.Formatter().get_field('0.{n}', [{v}], {{}}))
print(string.Formatter().vformat('{{0.{n}}}', [{v}], {{}}))
print(string.Template('$x').substitute(x={v}))
got.append(json.loads('{{"a": 1}}', object_hook=lambda d: {v}))
got.append(json.dumps({{}}, default=lambda d: d.{n}, cls={v}))
got.append(next(iter({v})).{n})
got.append(({v}).{n}.__get__({w}))
got.append(({v}).{n}.__call__.__self__)
got.append(isinstance({v}, ({w}).{n}))
got.append(issubclass({v}, {w}))
got.append(torch.utils._pytree.tree_flatten(({v}, {w})))
got.append(torch.utils._pytree.tree_map(lambda v: v.{n}, [{v}]))
got.append(typing.get_type_hints({v}))
got.append(dataclasses.asdict({v}))
got.append(dataclasses.replace({v}, **{{{q}: 1}}))
got.append(types.MethodType({v}, {w}).{n})
got.append(abc.update_abstractmethods({v}))
got.append(np.array([{v}]))
got.append(np.asarray({v}).{n})
got.append(np.ones(2).{n}({v}))
got.append(torch.tensor({v}))
got.append(torch.as_tensor({v}).{n})
got.append(x.{n}({v}))
got.append(getattr(x, {q})({v}))
got.append(z.grad_fn.{n})
got.append(z.grad_fn.{n}({v}))
got.append(net.{n}({v}))
got.append(next(iter(({v}).{n}.values())))
got.append(hash({v}) and ({v}).{n})
got.append({v}({w}))
got.append({v}())
got.append({v}({w}, {q}))
got.append({v}({w})({w}))
got.append(({v})[{w}])
got.append(({v})[{q}])
got.append(({v})[{w}].{n})
got.append(({v}) | ({w}))
got.append(({v}) + ({w}))
got.append(({v}) == ({w}))
got.append(({v}) % ({w}))
got.append(({v}) @ ({w}))
got.append(-({v}))
got.append(divmod({v}, {w}))
got.append(iter({v}))
got.append(sum([[{v}]], []))
got.append(({v}).{n} is ({w}).{n})
"""

WRITES = """\
({v}).{n} = {w}
({v}).{n} += {w}
setattr({v}, {q}, {w})
del ({v}).{n}
delattr({v}, {q})
object.__setattr__({v}, {q}, {w})
type.__setattr__({v}, {q}, {w})
vars({v})[{q}] = {w}
vars({v}).update({{{q}: {w}}})
({v}).__dict__ |= {{{q}: {w}}}
({v}).__dict__.setdefault({q}, {w})
({v})[{q}] = {w}
for ({v}).{n} in [{w}]: pass
with contextlib.nullcontext({w}) as ({v}).{n}: pass
({v}).{n}, ({v}).{m} = {w}, {w}
[0 for ({v}).{n} in [{w}]]
({v}).{n}: int = {w}
Plain.{n} = {w}; got.append(Plain()); print(Plain(), Plain)
plain.{n} = {w}; got.append(plain); print(plain, plain.{n})
Net.{n} = {w}; got.append(Net()(x))
net.{n} = {w}; got.append(net(x)); print(net)
x.{n} = {w}; got.append(x * 2); print(x)
Error.{n} = {w}; got.append(caught(lambda: (_ for _ in ()).throw(Error('a'))))
function.{n} = {w}; got.append(function(1)); print(function)
Color.{n} = {w}; got.append(Color.RED); print(Color.RED)
Record.{n} = {w}; got.append(Record()); print(Record())
Square.{n} = {w}; got.append(Square.apply(x)); print(Square)
"""

SHAPES = """\
match {v}:\\n    case object({n}=a): got.append(a)
match {v}:\\n    case Plain({n}=a): got.append(a)
match {v}:\\n    case {{'{n}': a, **rest}}: got.append((a, rest))
match {v}:\\n    case [a, *rest]: got.append((a, rest))
class A:\\n    __match_args__ = ('{n}',)\\n    {n} = {w}\\nmatch A():\\n    case A(a): got.append(a)
class A:\\n    {n} = {w}\\ngot.append((A, A(), A().{n}, A.{n}))\\nprint(A(), A)
class A:\\n    def {n}(self, *args, **kwargs):\\n        got.append((self, args, kwargs))\\n        return {w}\\na = A()\\ngot.append(a)\\nprint(a, a == 1, hash(a))\\nfor b in a: got.append(b)
class A:\\n    def {n}(self, *args, **kwargs):\\n        got.append((self, args, kwargs))\\n        return {w}\\nwith A() as a: got.append(a)
class A:\\n    def {n}(self, *args, **kwargs):\\n        got.append((self, args, kwargs))\\n        return {w}\\nclass B:\\n    a = A()\\ngot.append((B.a, B().a))\\nB().a = 1
class A:\\n    def {n}(self, *args, **kwargs):\\n        got.append((self, args, kwargs))\\n        return {w}\\ngot.append((copy.copy(A()), copy.deepcopy(A()), x * A(), torch.tensor(A()), np.array(A()), A()[0]))
class A(Plain):\\n    def __getattr__(self, name):\\n        got.append(name)\\n        return {w}\\na = A()\\ngot.append((a.{n}, copy.deepcopy(a), {v}(a)))
class A(Plain):\\n    def __getattr__(self, name): return {w}\\ngot.append(x + A())
class A({v}):\\n    pass\\ngot.append((A, A.{n}))
class A({v}):\\n    def __init__(self): super().__init__()\\na = A()\\ngot.append((a, a.{n}))
class A(Plain, {v}):\\n    pass\\ngot.append((A, A().{n}))
class A(metaclass={v}):\\n    pass\\ngot.append(A)
class A(Plain, {n}={w}):\\n    pass\\ngot.append(A)
class A:\\n    def __init_subclass__(cls, **k): got.append((cls, k, cls.{n}))\\nclass B(A, x={w}): pass
class A:\\n    def __set_name__(self, owner, name): got.append((owner, name, owner.{n}))\\nclass B:\\n    a = A()
class A:\\n    def __class_getitem__(cls, k): return (cls, k, cls.{n})\\ngot.append(A[{v}])
class A:\\n    def __get__(self, instance, owner): return (instance, owner, owner.{n})\\nclass B:\\n    a = A()\\ngot.append((B.a, B().a))
class A:\\n    def __new__(cls, *a): return {v}\\ngot.append((A(), A().{n}))
class A:\\n    def f(self): return __class__.{n}\\ngot.append(A().f())
class A:\\n    def f(self): return super().{n}\\ngot.append(A().f())
class A(nn.Module):\\n    def f(self): return super().{n}\\ngot.append(A().f())
class A(dict):\\n    def __missing__(self, k): return {v}\\nprint('{{a.{n}}}'.format_map(A()))\\nprint('%(a)s' % A())
class A(str): pass\\nprint('{{0.{n}}}'.format(A('x')))
class A:\\n    __slots__ = ('{n}',)\\na = A()\\na.{n} = {w}\\ngot.append((A.{n}, a))
class A:\\n    __annotations__ = {{'{n}': {v}}}\\ngot.append(typing.get_type_hints(A))
class A:\\n    a: '{v}.{n}' = 1\\ngot.append(typing.get_type_hints(A))
class A(Exception):\\n    def {n}(self, *args): return {w}\\ntry: raise A(1) from {v}\\nexcept A as e: got.append((e, e.{m})); print(e)
try: raise {v}\\nexcept Exception as e: got.append((e, e.args, e.{n}))
try: ({v}).{n}\\nexcept Exception as e: got.append((e.args, e.{m}, e.__context__, getattr(e, 'obj', None), getattr(e, 'name', None)))
try: {v}({w})\\nexcept Exception as e: got.append((e.args, e.{n}, e.__context__)); traceback.print_exc(); print(traceback.format_exc())
try:\\n    try: 1/0\\n    finally: {v}.{n}\\nexcept Exception as e: got.append((e.__context__, e.{n}))
def f(a=({v}), *, b=({w})): return a.{n}\\ngot.append((f, f(), f.{n}, f.__defaults__, f.__annotations__))
def f(a: {v}) -> {w}: pass\\ngot.append((f.__annotations__, typing.get_type_hints(f)))
def f():\\n    a = {v}\\n    def g(): return a.{n}\\n    return g\\ngot.append((f()(), f().{m}))
def f():\\n    got.append((yield {v}))\\ng = f()\\nnext(g)\\ng.send(g.{n})
def f():\\n    try: yield {v}\\n    finally: got.append(g.{n})\\ng = f()\\nnext(g)\\ng.throw(ValueError({w}))
def f(): yield from {v}\\ngot.append([a.{n} for a in f()])
@{v}\\ndef f(*a): return a\\ngot.append((f, f.{n}))
@{v}\\nclass A: pass\\ngot.append((A, A.{n}))
@functools.wraps({v})\\ndef f(): return 1\\ngot.append((f, f.{n}, f.__wrapped__))
@functools.lru_cache\\ndef f(a): return a\\ngot.append((f({v}), f.{n}, f.cache_info()))
@contextlib.contextmanager\\ndef f(): yield {v}\\nwith f() as a: got.append(a.{n})\\ngot.append(f().{n})
@property\\ndef f(self): return 1\\ngot.append(f.{n})
@dataclasses.dataclass\\nclass A:\\n    {n}: object = 1\\ngot.append((A, A(), A.{m})); print(A())
@dataclasses.dataclass\\nclass A:\\n    a: '{v}' = dataclasses.field(default_factory={w})\\ngot.append((A(), dataclasses.fields(A)[0].{n}))
got.append(collections.namedtuple('A', '{n} b'))
got.append(collections.namedtuple('A', ['{n}', 'a=__import__("os")'])(1, 2))
got.append(collections.namedtuple('{n}', 'a', defaults=({v},), module='{m}')())
got.append(dataclasses.make_dataclass('A', [('{n}', object)])(1))
got.append(enum.Enum('A', {{'{n}': 1}})); print(enum.Enum('A', '{n} b'))
got.append(types.new_class('A', ({v},), {{}}, lambda ns: got.append(ns)))
got.append(type('A', ({v},), {{'{n}': {w}}}))
got.append(functools.partial({v}, {w}).{n}); got.append(functools.partial({v}, {w})())
got.append(functools.singledispatch(function).{n}); functools.singledispatch(function).register({v})(print)
got.append(list(itertools.starmap({v}, [({w},)]))); got.append(list(filter({v}, [{w}]))); got.append(list(map({v}, [{w}])))
got.append(sorted([{w}, {w}], key={v})); got.append(functools.reduce({v}, [{w}, {w}]))
got.append(itertools.tee({v})); got.append(list(itertools.accumulate([{w}], {v})))
x.register_hook({v}); (x * 2).sum().backward(); got.append(x.grad)
x.register_hook(lambda g: got.append((g, g.{n}))); (x * 2).sum().backward()
y.grad_fn.register_hook(lambda *a: got.append((a, y.grad_fn.{n}))); y.sum().backward()
net.register_forward_hook(lambda *a: got.append((a, a[0].{n}))); net(x)
net.register_buffer('{n}', x.data); got.append((net.state_dict(), net.{m}))
net.register_module('{n}', nn.ReLU()); got.append((net, net.{m})); print(net)
net.add_module('{n}', nn.ReLU()); net.load_state_dict({{'{n}': x}}, strict=False); got.append(net.{m})
class G(torch.autograd.Function):\\n    @staticmethod\\n    def forward(ctx, a):\\n        got.append((ctx.{n}, dir(ctx)))\\n        ctx.{n} = {w}\\n        return a * 2\\n    @staticmethod\\n    def backward(ctx, g):\\n        got.append(ctx.{m})\\n        return g\\nG.apply(x).sum().backward()
class G(torch.autograd.Function):\\n    @staticmethod\\n    def forward(ctx, a):\\n        ctx.a = {v}\\n        return a * 2\\n    @staticmethod\\n    def backward(ctx, g): return {w}\\nG.apply(x).sum().backward(); got.append(x.grad)
class T(torch.Tensor):\\n    def {n}(self, *args, **kwargs): return {w}\\nt = x.as_subclass(T)\\ngot.append((t, t * 2, t.{m})); print(t)
class T(torch.Tensor):\\n    @classmethod\\n    def __torch_function__(cls, func, types, args=(), kwargs=None):\\n        got.append((func, types, args, func.{n}))\\n        return super().__torch_function__(func, types, args, kwargs or {{}})\\ngot.append(x.as_subclass(T) + 1)
class M(torch.overrides.TorchFunctionMode):\\n    def __torch_function__(self, func, types, args=(), kwargs=None):\\n        got.append((func, types, args, self.{n}, func.{m}))\\n        return func(*args, **(kwargs or {{}}))\\nwith M(): got.append((x + 1, x.{m}, net(x), torch.relu({v})))
class C:\\n    @classmethod\\n    def __torch_function__(cls, func, types, args=(), kwargs=None): return {w}\\ngot.append((torch.add(C(), {v}), torch.overrides.resolve_name({v}), torch.overrides.handle_torch_function({v}, (C(),), {w})))
class N(nn.Module):\\n    def {n}(self, *args, **kwargs): return {w}\\nn = N()\\ngot.append((n, n.{m}, n.parameters(), n.state_dict())); print(n)
class N(nn.Module):\\n    def forward(self, *args): return {v}\\ngot.append(N()({w}))
class O(torch.optim.Optimizer):\\n    def step(self, closure=None): got.append((self.state, self.param_groups, self.{n}))\\nO(net.parameters(), {{'{m}': {v}}}).step()
class D(torch.utils.data.Dataset):\\n    def __len__(self): return 2\\n    def __getitem__(self, i): return {v}\\nfor b in torch.utils.data.DataLoader(D(), collate_fn=lambda b: got.append(b)): got.append(b)
with torch.autograd.graph.saved_tensors_hooks(lambda t: {v}, lambda s: got.append(s.{n}) or x): (x * x).sum().backward()
torch.save({v}, 'f'); got.append(torch.load('f')); got.append(torch.load('f', pickle_module={w}))
with open('f', 'w') as f: got.append((f, f.{n})); f.write('a')
with io.StringIO() as f, contextlib.redirect_stdout(f): print({v}); got.append((f.{n}, f.getvalue()))
from {i} import {n}\\ngot.append({n})
from {i} import *\\ngot.append(globals())
import {i}.{n} as a\\ngot.append(a)
import {n}\\ngot.append({n})
import {i}\\ngot.append(({i}.{n}, {i}.__dict__))
# coding: {e}\\ngot.append('{n}'.encode('{e}')); got.append(b'{n}'.decode('{e}'))
got.append(bytes('{n}', '{e}')); got.append(str(b'{n}', '{e}', 'replace'))
got.append(({v}).{u})
got.append({u})
got.append(__builtins__); got.append({n})
global {n}; got.append(globals()['{n}']); got.append(locals())
print({v}, end={w}, file={w}); print(sep={q}, *[{v}])
assert False, {v}
raise {v} from {w}
del {v}
lambda {n}: {n}; got.append((lambda {n}=({v}): {n})())
warnings.warn({v}); warnings.warn('{n}', {w}); warnings.showwarning = {v}; warnings.warn('a')
p = argparse.ArgumentParser(prog='{n}'); p.add_argument('--a', type={v}, action={w}, default='{m}'); got.append(p.parse_args(['--a', '{n}'])); print(p.format_help())
got.append(eval('{v}')); exec('got.append(1)'); compile('1', 'a', 'eval')
pprint.pprint({v}); got.append(pprint.pformat({v})); print(textwrap.dedent({v}))
got.append(torch.einsum('{n}', x)); got.append(torch.func.vmap({v})(x)); got.append(torch.func.functional_call({v}, {{'{n}': x}}, (x,)))
got.append(torch.autograd.functional.jacobian({v}, x)); got.append(torch.func.grad({v})(x))
got.append(torch.utils.checkpoint.checkpoint({v}, {w}, use_reentrant=False))
got.append(heapq.merge([{v}], [{w}], key=lambda v: v.{n})); got.append(bisect.bisect([{v}], {w}))
got.append(timeit.timeit({v}, number=1)); got.append(timeit.timeit('{n}', setup='import os', number=1))
got.append(random.choice([{v}]).{n}); got.append(random.setstate({v})); got.append(random.getstate())
got.append(statistics.mean([{v}])); got.append(datetime.datetime({w}).{n})
"""

MODULES = "torch math random copy collections collections.abc itertools functools operator typing types abc dataclasses warnings numpy numpy.random os os.path sys gc string contextlib io tempfile traceback json argparse enum time builtins importlib inspect pickle marshal ctypes subprocess socket threading multiprocessing asyncio codecs ast dis code platform pathlib shutil signal site weakref copyreg engine engine.core.state app torch.nn torch.optim torch.autograd torch.utils torch.utils._pytree torch._C torch.nn.calling torch.hardware torch.program numpy.core numpy.lib numpy.ctypeslib logging pdb matplotlib tqdm.std __main__ _io _thread".split()
CODECS = "utf-8 utf-16 utf-7 latin-1 ascii idna punycode rot13 hex base64 zlib bz2 uu quopri unicode_escape raw_unicode_escape undefined mbcs cp037 utf_8_sig big5 string-escape ../../x".split()
ALIKE = str.maketrans("abcdefgilmnoprstuvx", "ａｂｃｄｅｆｇｉｌｍｎｏｐｒｓｔｕｖｘ")
"""Letters that Python reads as the plain ones (it normalises identifiers)."""


def lines(block: str) -> list[str]:
    return [line.replace("\\n", "\n") for line in block.splitlines()]


FORMS = lines(READS) + lines(WRITES) + lines(SHAPES)


def quoted(draw: random.Random, name: str) -> str:
    """An expression that yields `name` at run time, so that no reader of the source sees it."""
    cut = draw.randrange(1, len(name)) if len(name) > 1 else 1
    return draw.choice(
        [
            repr(name),
            f"{name[:cut]!r} + {name[cut:]!r}",
            f"{name[::-1]!r}[::-1]",
            f"bytes({list(name.encode())}).decode()",
            f"''.join(map(chr, {[ord(letter) for letter in name]}))",
            f"'%s' % {name!r}",
            f"{name.upper()!r}.lower()",
            f"'{{}}'.format({name!r})",
        ]
    )


def complete(text: str) -> str:
    """A program with the definitions that it needs, and those that these need."""
    needed: list[str] = []
    for name, definition in reversed(DEFINED):
        if re.search(rf"\b{name}\b", "\n".join([*needed, text])):
            needed.insert(0, definition.rstrip() + "\n")
    return "".join([IMPORTS, *needed, text])


@cache
def members(value: str) -> list[str]:
    """The names that a program is shown for a value."""
    outcome = execute(complete(f"got += dir({value})"), seed=0, limits=LIMITS)
    return [name for name in outcome.globals.get("got", []) if isinstance(name, str)]


def step(draw: random.Random, form: str) -> str:
    """A form about values and names drawn: every third name is one that the value shows."""
    value = draw.choice(EXPRESSIONS)
    name = draw.choice((draw.randrange(3) == 0 and members(value)) or NAMES)
    return form.format(
        v=value,
        w=draw.choice(EXPRESSIONS),
        n=name,
        m=draw.choice(NAMES),
        q=quoted(draw, name),
        u="".join(letter.translate(ALIKE) if draw.random() < 0.5 else letter for letter in name),
        i=draw.choice(MODULES),
        e=draw.choice(CODECS),
    )


def program(draw: random.Random, form: str) -> str:
    """A program of this form; every third one does something else before, whether that works or not."""
    text = step(draw, form)
    if draw.randrange(3) == 0:
        before = textwrap.indent(step(draw, draw.choice(FORMS)), "    ")
        text = f"try:\n{before}\nexcept Exception as error:\n    got.append(error)\n{text}"
    return complete(text)


def programs(count: int) -> Iterator[str]:
    """Every form in turn, each time about something else; the same programs in every campaign."""
    for number in range(count):
        yield program(random.Random(number), FORMS[number % len(FORMS)])


def found(outcome: Outcome) -> Iterator[str]:
    """What of the host an ended program holds or has shown."""
    if outcome.error is not None and outcome.error.type == TooLongError.__name__:
        yield f"it ran for more than {CPU_SECONDS:g} CPU seconds"
    yield from host_values(outcome.globals)
    said = [outcome.stdout, *(warning.message for warning in outcome.warnings)]
    if outcome.error is not None:
        said.append(outcome.error.message)
    for text in said:
        if CANARY in text:
            yield "the canary was shown"
        if shown := HOST_TEXT.search(text):
            yield f"it shows {text[max(0, shown.start() - 40) : shown.end() + 40]!r}"


def attempt(source: str) -> tuple[bool, list[str]]:
    """Whether the program ran to its end, and what was found."""
    with bounded(CPU_SECONDS):
        outcome = execute(source, seed=0, limits=LIMITS)
    return outcome.error is None, list(found(outcome))


def attack(size: float, make: Callable[[int], Iterator[str]] = programs) -> Result:
    """Run the programs and judge what each of them got."""
    result = Result("escapes", "a program reaches nothing of Python or of the host")
    ran = 0
    os.environ["BACKLIGHT_CANARY"] = CANARY
    with timed(result):
        for source in make(max(1, int(ATTEMPTS * size))):
            try:
                ended, reached = attempt(source)
            except Exception as error:
                ended, reached = False, [f"execute raised {error!r}"]
            ran += ended
            attempted = source.removeprefix(IMPORTS)
            result.expect(not reached, lambda: f"{attempted}\n    {'; '.join(reached[:3])}")  # noqa: B023 - called at once
    del os.environ["BACKLIGHT_CANARY"]
    result.figures = {"forms": len(FORMS), "ran to the end": f"{ran:,}"}
    return result
