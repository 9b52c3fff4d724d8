# ruff: noqa: E501 - calls are easier to read on one line
"""The calls of `tests.attack.bombs`: everything that a program can reach, with large arguments of every kind.

Arguments of torch functions follow PyTorch's own signatures (`engine.signatures`); the rest is called with
combinations of the `VALUES`. Many calls only raise; what raises is measured, too.
"""

from __future__ import annotations

import itertools
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

VALUES: dict[str, str] = {
    # texts and numbers
    "big": "big = (1 << 16000) - 1", "odd": "odd = (1 << 15999) + 12345",
    "text": "text = 'ab' * 250_000", "line": "line = 'a' * 500_000 + 'b'", "words": "words = 'ab c\\n' * 100_000",
    "digits": "digits = '9' * 4000", "wide": "wide = '\\U0001f600' * 200_000", "data": "data = b'ab' * 250_000",
    # what stands for an integer
    "size": "size = np.int64(3_000_000)", "count": "count = torch.tensor(3_000_000)",
    "whole": "class Whole:\n    def __index__(self): return 3_000_000\nwhole = Whole()",
    # containers
    "many": "many = list(range(100_000))", "down": "down = list(range(100_000, 0, -1))",
    "names": "names = ['n' + str(i) for i in range(5000)] * 20", "floats": "floats = [0.5] * 100_000",
    "pair": "pair = tuple(range(100_000))", "table": "table = dict.fromkeys(range(100_000))",
    "some": "some = set(range(100_000))", "other": "other = set(range(50_000, 150_000))",
    "queue": "from collections import deque\nqueue = deque(range(100_000))",
    "counts": "from collections import Counter\ncounts = Counter(range(50_000))",
    "clash": "clash = [i * (2**61 - 1) for i in range(3000)]",
    "shared": "shared = [0]\nfor _ in range(15): shared = [shared, shared]",
    "vast": "vast = [0]\nfor _ in range(40): vast = [vast, vast]",
    "tree": "tree = 0\nfor _ in range(16): tree = (tree, tree)",
    "deep": "deep = []\nfor _ in range(90): deep = [deep]",
    "rows": "rows = [[1] * 300] * 300", "pairs": "pairs = [(i, i) for i in range(20_000)]",
    "endless": "endless = range(10**15)", "turns": "turns = range(900_000)",
    "scalars": "scalars = list(np.arange(100_000))", "reals": "reals = list(np.random.rand(100_000))",
    "shape": "shape = torch.Size([1] * 100_000)",
    # arrays
    "a1": "a1 = np.ones(1_000_000)", "a2": "a2 = np.ones((1000, 1000)) + np.eye(1000)", "ai": "ai = np.arange(1_000_000)",
    "ac": "ac = np.ones((2000, 1))", "ar": "ar = np.ones((1, 2000))", "an": "an = np.random.rand(300, 300)",
    # tensors
    "x1": "x1 = torch.rand(1_000_000)", "x2": "x2 = torch.rand(1000, 1000)", "x3": "x3 = torch.rand(60, 120, 120)",
    "x4": "x4 = torch.rand(16, 16, 60, 60)", "x5": "x5 = torch.rand(2, 4, 40, 40, 40)", "d2": "d2 = torch.rand(1000, 1000, dtype=torch.double)",
    "s2": "s2 = torch.rand(150, 150) + 150 * torch.eye(150)", "s3": "s3 = torch.rand(2000, 6, 6) + 6 * torch.eye(6)",
    "col": "col = torch.rand(2000, 1)", "row": "row = torch.rand(1, 2000)", "cube1": "cube1 = torch.rand(1500, 1, 1)",
    "cube2": "cube2 = torch.rand(1, 1500, 1)", "cube3": "cube3 = torch.rand(1, 1, 1500)",
    "i1": "i1 = torch.randint(0, 1000, (1_000_000,))", "i2": "i2 = torch.randint(0, 1000, (1000, 1000))",
    "z1": "z1 = torch.zeros(1_000_000, dtype=torch.long)",
    "b1": "b1 = torch.rand(1_000_000) > 0.5", "b2": "b2 = torch.rand(1000, 1000) > 0.5",
    "c1": "c1 = torch.randn(500_000, dtype=torch.cfloat)", "c2": "c2 = torch.randn(700, 700, dtype=torch.cfloat)",
    "n1": "n1 = torch.full((1_000_000,), -20.0)", "h1": "h1 = torch.full((1_000_000,), 1e6)", "e1": "e1 = torch.full((1_000_000,), 1e-3)",
    "k1": "k1 = torch.rand(1000)", "zero": "zero = torch.tensor(0.5, requires_grad=True)",
    "g1": "g1 = torch.rand(500_000, requires_grad=True)", "g2": "g2 = torch.rand(700, 700, requires_grad=True)",
    "g4": "g4 = torch.rand(8, 16, 50, 50, requires_grad=True)", "w4": "w4 = torch.rand(16, 16, 5, 5)", "w3": "w3 = torch.rand(120, 120, 9)",
    "lots": "lots = [torch.rand(4) for _ in range(2000)]", "bulk": "bulk = [torch.rand(500, 500)] * 4", "flat": "flat = [torch.rand(60)] * 8",
    "coo": "coo = torch.sparse_coo_tensor(torch.randint(0, 700, (2, 400_000)), torch.rand(400_000), (700, 700))",
    "whole_coo": "whole_coo = torch.sparse_coo_tensor(torch.randint(0, 700, (2, 400_000)), torch.rand(400_000), (700, 700)).coalesce()",
    "row_coo": "row_coo = torch.sparse_coo_tensor(torch.stack([torch.arange(3000), torch.zeros(3000).long()]), torch.rand(3000), (3000, 3000)).coalesce()",
    "g_coo": "g_coo = torch.sparse_coo_tensor(torch.randint(0, 700, (2, 400_000)), torch.rand(400_000, requires_grad=True), (700, 700))",
    "huge_coo": "huge_coo = torch.sparse_coo_tensor([[5, 10**9 - 1], [7, 3]], [2.0, 3.0], (10**9, 10**9))",
    "view": "view = torch.rand(1).expand(2000, 2000)", "long": "long = torch.zeros(1).expand(10**6)",
    "chain": "chain = torch.tensor(0.5, requires_grad=True)\nfor _ in range(1000): chain = chain * 1.001",
    # models
    "net": "net = nn.Sequential(*[nn.Linear(4, 4) for _ in range(300)])",
    "fat": "fat = nn.Linear(1000, 1000)\nfat(torch.rand(8, 1000)).sum().backward()",
    "thin": "thin = nn.ModuleList([nn.Linear(2, 2) for _ in range(500)])\nsum(m(torch.ones(2)).sum() for m in thin).backward()",
    "inner": "class Inner(nn.Module):\n    def forward(self, *y): return y\ninner = Inner()",
    "squares": "class Squares(nn.Module):\n    def forward(self, y): return [y * y for _ in range(9)]\nsquares = Squares()",
    "loaded": "from torch.utils import data as loaded",
    # what a program defines
    "thing": "class Thing: pass\nthing = Thing()", "gen": "def gen():\n    for i in range(10**15): yield i",
    "fn": "def fn(*a, **k): return a[0] if a else 0",
    "Forever": "class Forever:\n    def __getitem__(self, i): return i\n    def __len__(self): return 10**6",
    "forever": "class Forever:\n    def __getitem__(self, i): return i\n    def __len__(self): return 10**6\nforever = Forever()",
    # what derives from containers, and shares its parts
    "named": "from collections import namedtuple\nP = namedtuple('P', 'a b')\nnamed = 0\nfor _ in range(60): named = P(named, named)",
    "listed": "class L(list): pass\nlisted = 0\nfor _ in range(60): listed = L([listed, listed])",
    "mapped": "class D(dict): pass\nmapped = 0\nfor _ in range(60): mapped = D(a=mapped, b=mapped)",
    "bunched": "from sklearn.utils import Bunch\nbunched = 0\nfor _ in range(60): bunched = Bunch(a=bunched, b=bunched)",
    "record": "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass R:\n    a: object\n    b: object\nrecord = 0\nfor _ in range(60): record = R(record, record)",
    "sliced": "sliced = 0\nfor _ in range(60): sliced = slice(sliced, sliced)",
    "chained": "from collections import ChainMap\nchained = {}\nfor _ in range(60): chained = ChainMap(chained, chained)",
    "kin": "class K(list): pass\nkin = K(range(100_000))", "nested": "class N: pass\nnested = N()\nnested.a = nested",
    "spin": "class Spin:\n    def __iter__(self): return self\n    def __next__(self): return 1.0\nspin = Spin()",
}  # fmt: skip
"""Name → the statements that make it."""

_IMPORTS = {
    "torch": "import torch", "nn": "from torch import nn", "np": "import numpy as np", "F": "import torch.nn.functional as F",
    **{name: f"import {name}" for name in (
        "math cmath random copy collections itertools functools operator json heapq bisect textwrap pprint statistics io"
        " dataclasses enum datetime time timeit contextlib string types typing traceback warnings argparse sys os abc numbers"
        " tempfile tqdm gc re hashlib struct base64 queue uuid secrets binascii fractions decimal"
    ).split()},
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One call, as an expression; `setup` are further statements before it."""

    call: str
    setup: str = ""

    @cached_property
    def made(self) -> str:
        """What comes before the loop: the imports, the arguments, the setup."""
        used = set(re.findall(r"(?<![\w.'])([A-Za-z_]\w*)", self.call + "\n" + self.setup))
        made = [VALUES[name] for name in VALUES if name in used]
        named = set(re.findall(r"(?<![\w.'])([A-Za-z_]\w*)", "\n".join(made))) | used
        lines = [line for name, line in _IMPORTS.items() if name in named]
        if self.setup:
            made.append(self.setup)
        return "\n".join([*lines, *made, "ran = tried = 0"])

    @cached_property
    def program(self) -> str:
        """The call in a loop: an endless one if it succeeds."""
        return "\n".join(
            [self.made, "while ran or tried < 200:", "    tried += 1", "    try:", f"        {self.call}",
             "        if not ran: print('ran')", "        ran = 1", "    except Exception: pass"]
        )  # fmt: skip


def every() -> list[Case]:
    """All cases, each once."""
    made = itertools.chain(
        spoken(), python(), methods(), modules(), numpy(), torch(), tensors(), functional(), layers(), optimizers(),
        distributions(), initialisers(), derived(), batching(), changed(),
    )  # fmt: skip
    return list(dict.fromkeys(made))


# --- written by hand


def spoken() -> Iterator[Case]:
    """Operators, statements and mixtures."""
    for call in _SPOKEN.strip().splitlines():
        code, _, setup = call.partition("  # ")
        yield Case(code.strip(), setup.replace("; ", "\n"))


_SPOKEN = """
3 in type
list(type)
x1.backward(type)
torch.optim.SGD(type, lr=1)
nn.Sequential(type)
torch.stack(type)
torch.cat(nn.Linear)
sum(type)
3 in nn.Linear
3 in forever
3 in spin
list(forever)
torch.tensor(forever)
torch.tensor(spin)
torch.stack(spin)
torch.zeros(spin)
x1[spin]
x1.sum(spin)
x1.view(spin)
x1.permute(spin)
nn.ParameterList(spin)
torch.optim.SGD(spin, lr=1)
torch.utils.data.DataLoader(spin)
np.array(spin)
np.sum(spin)
dict(spin)
set(spin)
[*spin]
a, b = spin
fn(*spin)
fn(*turns)
many + many
many * 5
np.ones(1) in [np.zeros(1)] * 100_000
np.dtype('int8') in [np.dtype('int16')] * 100_000
torch.device('cpu') in [torch.device('cuda')] * 100_000
torch.float64 in [torch.float32] * 100_000
torch.Size([1]) in [torch.Size([2])] * 100_000
torch.ones(1) in [torch.zeros(1)] * 100_000
[torch.zeros(1)] * 100_000 == [torch.zeros(1)] * 100_000
net in [nn.Linear(1, 1)] * 100_000
np.poly1d([1]) in [np.poly1d([2])] * 100_000
sum([np.poly1d([1])] * 100_000)
sum([torch.ones(1)] * 100_000)
sum([np.ones(1)] * 100_000)
max([torch.ones(1)] * 100_000)
sorted([np.float64(1)] * 100_000)
any([np.zeros(1)] * 100_000)
any([torch.zeros(1)] * 100_000)
any([np.float64(0)] * 100_000)
math.fsum([torch.ones(1)] * 100_000)
math.fsum([np.float64(1)] * 100_000)
list(map(float, [torch.ones(1)] * 100_000))
list(map(bool, [np.ones(1)] * 100_000))
list(map(hash, [np.float64(1)] * 100_000))
list(map(len, [torch.ones(1)] * 100_000))
set([torch.float32] * 100_000)
collections.Counter([np.float64(1)] * 100_000)
dict.fromkeys([torch.ones(1)] * 100_000)
datetime.timedelta(1) in [datetime.timedelta(2)] * 100_000
sum([datetime.timedelta(1)] * 100_000, datetime.timedelta())
torch.Size([1, 2]) * size
torch.Size(pair) + torch.Size(pair)
sum([torch.Size([1])] * 20_000, torch.Size())
torch.max(x2, 0) * 10**8
torch.Size([1]).__mul__(10**8)
str(data)
list(map(str, [data] * 100))
np.array([endless] * 9)
np.array([turns] * 1000)
np.array([x1] * 1000)
np.array([queue] * 1000)
np.array([kin] * 1000)
np.array([pair] * 1000)
np.sum([turns] * 1000)
np.stack([turns] * 1000)
str([np.dtype('int8')] * 20_000)
str([re.compile('a')] * 20_000)
str([torch.distributions.Normal(0.0, 1.0)] * 20_000)
str([np.poly1d([1])] * 20_000)
5 in scalars
size in many
size in pair
size in turns
size in queue
scalars.index(-1)
reals.count(5)
scalars == many
scalars == list(scalars)
tuple(scalars) == pair
scalars < many
sorted(reals)
sorted(reals, key=abs)
reals.sort(reverse=True)
max(reals)
min(reals, key=fn)
sum(scalars)
sum(reals, 0.0)
set(scalars)
dict.fromkeys(reals)
hash(tuple(scalars))
{tuple(reals): 1}
np.array(scalars)
np.mean(reals)
np.stack(scalars)
torch.tensor(reals)
torch.tensor([scalars] * 2)
heapq.nlargest(3, reals)
heapq.heapify(list(reals))
bisect.bisect(scalars, 5)
statistics.mean(scalars)
statistics.median(reals)
math.fsum(reals)
math.prod(scalars)
math.dist(reals, reals)
repr(scalars)
str(reals)
f'{scalars}'
copy.copy(scalars)
copy.deepcopy(scalars)
json.dumps([float(x) for x in reals])
list(map(float, reals))
list(map(int, scalars))
list(filter(None, scalars))
any(scalars)
all(reals)
[x + 1 for x in scalars]
[round(x, 2) for x in reals]
[f'{x:.2f}' for x in reals]
[math.sqrt(x) for x in reals]
list(itertools.accumulate(scalars))
functools.reduce(operator.add, scalars)
collections.Counter(scalars)
dict(zip(scalars, reals))
list(enumerate(reals))
list(reversed(scalars))
scalars + many
scalars * 3
scalars[::2]
print(scalars)
'%s' % scalars
fn(*scalars)
scalars.remove(-1)
many.remove(size)
zip(scalars, many)
list(zip(scalars, many))
np.asarray(scalars) + 1
a1 + scalars
x1[:100_000] + torch.tensor(scalars)
np.concatenate([scalars, many])
min(scalars + many)
sorted(scalars + floats)
'a' * size
size * [0]
(0,) * count
b'a' * whole
queue * size
[] * whole
size * np.array('a')
'a'.ljust(size)
'a'.center(whole, 'b')
'a\tb'.expandtabs(count)
bytes(size)
round(1, -size)
math.factorial(count)
math.comb(size, size // 2)
math.perm(whole)
list(itertools.permutations(turns, size))
list(itertools.combinations([1, 2], size))
itertools.tee(many, size)
json.dumps([many], indent=size)
json.dumps([many], indent=text)
np.diff(ai[:9], size)
np.diff(ai[:9], n=10**9)
np.array_split(ai[:9], size)
np.split(ai[:9], 10**9)
np.polyfit(ai[:9], ai[:9], size)
np.repeat(an, size)
torch.combinations(x1[:9], count)
torch.combinations(x1[:1], 10**9)
pickle.loads(made)  # import pickle; made = pickle.dumps(many)
pickle.loads(made)  # import pickle; made = pickle.dumps(clash)
fractions.Fraction('1e999999999')
fractions.Fraction('1e-4000')
sum([fractions.Fraction(1, 2)] * 10_000)
sorted([decimal.Decimal(1)] * 10_000)
int(a)  # a = decimal.Decimal('1e4000')
a.as_integer_ratio()  # a = decimal.Decimal('1e-4000')
a.as_tuple()  # a = decimal.Decimal((0, (9,) * 4000, 0))
a.exp()  # a = decimal.Decimal('1.234567'); decimal.getcontext().prec = 1000
a ** a  # a = decimal.Decimal('1.234567'); decimal.getcontext().prec = 1000
a ** a  # a = decimal.Decimal('9' * 4000)
statistics.variance([big, odd])
statistics.variance([odd >> 8000] * 9)
statistics.mean(made)  # made = [fractions.Fraction(1, 2 ** 60 + i) for i in range(200)]
statistics.stdev([decimal.Decimal('1e2000'), decimal.Decimal('1e-2000')])
plt.errorbar(a1, a1, yerr=a1)  # import matplotlib.pyplot as plt
plt.stem(a1)  # import matplotlib.pyplot as plt
plt.plot(a1)  # import matplotlib.pyplot as plt
plt.legend(names)  # import matplotlib.pyplot as plt
plt.cm.viridis(a1[:1000])  # import matplotlib.pyplot as plt
C.ListedColormap(many)  # import matplotlib.colors as C
C.to_rgba_array(['r'] * 10000)  # import matplotlib.colors as C
ax.set_xticklabels(names)  # import matplotlib.pyplot as plt; ax = plt.gca()
l.get_label()  # import matplotlib.pyplot as plt; plt.plot(np.ones((2, 2000))); l = plt.gca().lines[-1]
keep.append(l.get_xdata())  # import matplotlib.pyplot as plt; l, = plt.plot(a1); keep = []
ax.bar_label(b, fmt='%99999999f')  # import matplotlib.pyplot as plt; ax = plt.gca(); b = ax.bar([1], [1])
S.RobustScaler().fit_transform(X)  # import sklearn.preprocessing as S; X = np.random.rand(3, 3000)
S.normalize(a2, norm=vast)  # import sklearn.preprocessing as S
M.classification_report([0, 1], [0, 1], target_names=[text, text])  # import sklearn.metrics as M
M.confusion_matrix([1], [1], normalize=vast)  # import sklearn.metrics as M
many == down
pair == tuple(many)
table == dict(table)
some | other
some & other
some - other
some ^ other
some <= other
some == other
text + text
text * 2
text == line
text < line
'aab' in text
line[1:] in line
'a' * 499 + 'c' in text
text[::-1]
text[5:]
many[::-1]
many[5:]
many[::2] = many[::2]
del many[0:1]
many[0:1] = [1]
-1 in many
'x' in names
-1.5 in queue
-1 in pair
-1.5 in turns
-1.5 in endless
None in endless
big * odd
big // odd
odd % 7919
big ** 1
1 << 15999
big >> 1
big | odd
big + odd
-big
big == odd
pow(3, big, odd)
pow(big, -1, odd)
f'{big:x}'
f'{odd:,}'
f'{1.5:9999.99f}'
'%9999d' % 5
'%s' % names
'{:9999}'.format(1)
'{0}{0}{0}{0}'.format(text)
f'{names}'
f'{text!r}'
f'{vast}'
str(shared)
repr(deep)
print(shared)
print(text)
print(x1)
print(x4)
print(net)
repr(net)
str(net)
str(lots)
repr(thin.state_dict())
print(fat.state_dict())
torch.set_printoptions(edgeitems=10**6); str(x1)
set(clash)
dict.fromkeys(clash)
{i: 0 for i in clash}
frozenset(clash)
collections.Counter(clash)
{*clash}
dict(zip(clash, clash))
clash[-1] in known  # known = {}; exec_ = [known.setdefault(i) for i in clash]
known.get((2**61 - 1) * 5000)  # known = {i * (2**61 - 1): 0 for i in range(1500)}
known[(2**61 - 1) * 5000]  # known = {i * (2**61 - 1): 0 for i in range(1500)}
known | known  # known = {i * (2**61 - 1): 0 for i in range(1500)}
{**known}  # known = {i * (2**61 - 1): 0 for i in range(1500)}
known.union([])  # known = {i * (2**61 - 1) for i in range(1500)}
[known.add(i) for i in clash]  # known = set()
set([float(i) * 2.0**60 for i in range(20000)])
set([(i, 0) for i in clash])
set([i + 0j for i in clash])
set([str(i) for i in many])
hash(tree)
tree == (tree[0], tree[1])
{tree: 1}
tree in {tree}
vast == [vast[0], vast[1]]
copy.deepcopy(shared)
copy.deepcopy(vast)
copy.deepcopy(many)
copy.deepcopy(net)
copy.deepcopy(fat)
copy.deepcopy(lots)
copy.copy(net)
copy.copy(many)
json.dumps(shared)
json.dumps(names)
json.dumps(text)
json.loads('[' * 90 + ']' * 90)
json.loads(made)  # made = json.dumps(list(range(100_000)))
json.loads(made)  # made = '[' + '9' * 4000 + ']'
isinstance(1, tree)
isinstance(1, (str,) * 100_000)
str(many)
sorted(names)
sorted(many, key=fn)
sorted(shuffled)  # shuffled = many[:]; random.shuffle(shuffled)
sorted(pairs)
sorted([[0] * 100 + [i] for i in range(1000, 0, -1)])
sorted(made)  # made = ['a' * 50_000 + str(i) for i in range(20)] * 40
max(made)  # made = ['a' * 50_000 + str(i) for i in range(20)] * 400
made.index('a' * 50_000)  # made = ['a' * 50_000 + str(i) for i in range(20)] * 400
many.insert(0, 1)
many.pop(0)
many.remove(99_999)
many.index(99_999)
many.count(1)
made == made[:]  # made = [['a' * 500] * 300] * 300
random.shuffle(big_list)  # big_list = list(range(900_000))
random.sample(turns, 900_000)
random.choices(many, k=900_000)
[i for i in turns]
[0 for i in turns if i < 0]
list(gen())
sum(gen())
max(gen())
any(gen())
sum(i for i in turns)
sum(turns)
sum(many)
sum(rows, [])
sum([(1,)] * 3000, ())
sum([big] * 1000)
math.prod([big] * 10)
max(turns)
min(endless)
list(map(str, many))
list(map(fn, many))
list(filter(None, many))
list(zip(many, many))
list(enumerate(many))
list(reversed(many))
all(floats)
any([0] * 100_000)
','.join(names)
','.join('a' for _ in turns)
functools.reduce(operator.add, floats)
functools.reduce(operator.mul, [3] * 10000)
functools.reduce(lambda a, b: a + b, names)
list(itertools.accumulate(many))
list(itertools.accumulate(names[:3000]))
next(itertools.islice(itertools.count(), 10**9, None))
list(itertools.combinations(range(300), 2))
list(itertools.combinations(range(300), 150))
next(itertools.combinations(many, 90_000))
list(itertools.islice(itertools.combinations(many, 90_000), 50))
list(itertools.permutations(range(9)))
list(itertools.product(range(40), repeat=3))
list(itertools.islice(itertools.product([1, 2], repeat=1000), 5000))
itertools.tee(many, 1000)
list(itertools.zip_longest(many, many))
list(itertools.groupby(many))
collections.deque(many, maxlen=5)
queue.rotate(50_000)
queue.insert(50_000, 1)
queue[50_000]
counts.most_common()
counts + counts
counts - counts
counts & counts
counts.update(counts)
heapq.nlargest(50_000, many)
heapq.merge(many, many)
statistics.median(floats)
statistics.stdev(floats)
statistics.mean(many)
statistics.mode(many)
int('9' * 4000)
str(10**4000)
int('f' * 4000, 16)
float('1' * 100_000)
complex('1' * 100_000)
int('1' * 500_000)
float('0.' + '1' * 500_000)
bytes(many)
bytes(1_000_000)
data + data
data.hex()
[torch.tanh(x1) for _ in range(9)]
x1 * x1
x1 * 2
x1.mul_(1.0)
x1.add_(x1)
x1 ** 2.5
x1 @ x1
x2 @ x2
x2 @ k1
x3 @ x3
x1[::2]
x1[i1]
x1[b1]
x2[:, i2[0]]
x2[i2]
x1[i1] = 0.0
x1[b1] = 0.0
x1[:] = 0.0
x1[:] = floats
x2[0]
x1[None, :] * x1[:, None]
x1[:, None] * x1
(x1[:, None] == x1).sum()
inner(a1, many)
inner(ai[0], rows)
inner(ai[0], shared)
inner(ai[0], vast)
inner(ai[0], table)
inner(scalars)
inner(reals, [scalars] * 9)
inner([a1] * 1000)
squares(a1)
squares(a2)
[squares(a1) for _ in range(9)]
nn.Identity()([a1] * 100_000)
nn.Identity()(scalars)
torch.stack(vast) if len(a1) else 0
list(loaded.DataLoader(a1, 1000, collate_fn=list))
list(loaded.DataLoader(scalars, 10_000))
list(loaded.DataLoader(rows, 10))
list(loaded.DataLoader(a2, None))
loaded.default_collate(scalars)
loaded.default_collate([scalars, reals])
loaded.default_collate(rows)
loaded.default_collate([table] * 3)
loaded.default_collate([counts] * 3)
loaded.default_convert(scalars)
loaded.default_convert(rows)
loaded.default_convert(table)
loaded.default_convert(a1)
loaded.Subset(a1, scalars)[[1] * 1000]
loaded.WeightedRandomSampler(a1, 1000)
torch.utils.checkpoint.checkpoint(squares, a1, use_reentrant=False)
map(sum, [scalars] * 1000)
sorted([scalars] * 1000, key=len)
sorted([scalars] * 1000, key=fn)
torch.clamp(x1, ai[0], ai[1])
np.mean(queue)
np.array([queue] * 9)
torch.tensor(queue)
torch.tensor([queue] * 9)
np.nditer(a1)
np.nditer([ac, ar])
list(np.nditer(a1))
list(np.nditer([ac, ar], flags=['multi_index']))
list(np.nditer(a2.T, flags=['external_loop'], order='C'))
np.nditer(a2, flags=['multi_index']).multi_index
np.nditer(a1)[0]
np.nditer(many)
operator.iadd([], many)
operator.ipow(3, 10**9)
operator.imul([1], 10**9)
row * col
row ** col
(row < col).sum()
torch.where(row > col, row, col)
torch.where(cube1 > cube2, cube2, cube3)
torch.addcmul(cube1, cube2, cube3)
torch.lerp(cube1, cube2, cube3)
torch.clamp(cube1, cube2, cube3)
cube1 * cube2 * cube3
torch.stack([cube1.expand(1500, 1500, 1500)])
view.contiguous()
view.clone()
view + 1
view.sum()
torch.zeros(1).expand(10**6, 4).clone()
torch.zeros(1).expand(10**6, 10**6)
list(x1)
for i in x1: pass
[i for i in i2]
x1.tolist()
x2.tolist()
x2.numpy().tolist()
float(x1.sum())
len(x1)
bool((x1 > 0).all())
x1.numpy()
torch.tensor(floats)
torch.tensor(many)
torch.tensor(rows)
torch.tensor(shared)
torch.tensor(vast)
torch.tensor(a2)
torch.from_numpy(a2)
torch.as_tensor(many)
hash(x1)
x1 in lots
(g1 * g1).sum().backward()
g1.tanh().sum().backward()
(g2 @ g2).sum().backward()
g2.softmax(0).sum().backward()
g2.cumsum(0).sum().backward()
g2.sort().values.sum().backward()
g1.topk(10).values.sum().backward()
F.conv2d(g4, w4).sum().backward()
F.max_pool2d(g4, 3, 1).sum().backward()
F.avg_pool2d(g4, 3, 1).sum().backward()
F.interpolate(g4, scale_factor=2).sum().backward()
chain.backward(retain_graph=True)
torch.autograd.grad(chain, zero, retain_graph=True, allow_unused=True)
chain.backward(retain_graph=True, create_graph=True)
torch.autograd.grad(g1.sum(), g1, create_graph=True)
y, = torch.autograd.grad(y, zero, create_graph=True)  # y = zero.tanh()
y, = torch.autograd.grad(y.tanh(), zero, create_graph=True)  # y = zero.tanh()
y, = torch.autograd.grad(y, zero, create_graph=True)  # y = (zero.tanh() * zero.sigmoid()).exp()
torch.autograd.functional.hessian(lambda x: (x.tanh() ** 3).sum(), k1)
torch.autograd.functional.jacobian(lambda x: x * x, k1)
torch.func.vmap(lambda x: x * x)(x1)
torch.func.vmap(lambda x: x * x)(x2)
torch.func.jacrev(lambda x: x * x)(k1)
torch.func.jacfwd(lambda x: x * x)(k1)
torch.func.hessian(lambda x: (x * x).sum())(k1)
torch.autograd.gradcheck(lambda x: x * x, g2.double()[0].detach().requires_grad_())
torch.utils._pytree.tree_flatten(vast)
torch.utils._pytree.tree_flatten(shared)
torch.utils._pytree.tree_map(fn, shared)
torch.utils._pytree.tree_flatten(deep)
torch.func.functional_call(net, {}, torch.ones(4))
[v.register_hook(print) for v in (g1,)]
torch.stack(waiting).sum().backward()  # waiting = [zero * i for i in range(2000)]
sum(waiting).backward()  # waiting = [zero * i for i in range(500)]; [w.retain_grad() for w in waiting]
torch.autograd.grad(waiting, zero, [torch.ones(())] * 500, retain_graph=True)  # waiting = [zero * i for i in range(500)]
o.step()  # o = torch.optim.SGD([{'params': [p]} for p in thin.parameters()], lr=1)
o.zero_grad()  # o = torch.optim.SGD([{'params': [p]} for p in thin.parameters()], lr=1)
s.step()  # o = torch.optim.SGD([{'params': [p]} for p in thin.parameters()], lr=1); s = torch.optim.lr_scheduler.CosineAnnealingLR(o, 10)
F.grid_sample(small, places, align_corners=False)  # small = torch.rand(1, 1, 4, 4); places = torch.zeros(1, 3, 3, 2)
F.fold(F.unfold(small, 2), (4, 4), 2)  # small = torch.rand(1, 1, 4, 4)
next(iter(known))  # known = dict.fromkeys(range(100_000)); [known.pop(i) for i in range(99_999)]
next(iter(known))  # known = set(range(100_000)); [known.discard(i) for i in range(99_999)]
fn(**known)  # known = {str(i): i for i in range(1000)}
vars(thing).copy()  # thing.__dict__.update({str(i): i for i in range(1000)})
getattr(thing, text)
hasattr(torch, text)
text.startswith(('b',) * 100_000)
text.strip('b' * 1000 + 'ab')
'\u4e00'.encode('punycode')
made.encode('punycode')  # made = ''.join(map(chr, range(0x4e00, 0x4e00 + 2000)))
warnings.warn('x')  # [warnings.filterwarnings('ignore', message='a' + str(i)) for i in range(1000)]
warnings.warn('a' * 5000)  # warnings.filterwarnings('ignore', message='(a+)+b')
io.StringIO(words).readlines()
sorted(range(20), key=lambda i: made[i])  # made = [tuple([0.5] * 5000 + [i]) for i in range(20)]
heapq.heapreplace(made, made[0])  # made = [tuple([0.5] * 5000 + [i]) for i in range(20)]
collections.namedtuple('P', made)  # made = ['f' + str(i) for i in range(2000)]
str(1 << 13000)
'%d' % made  # made = 1 << 13000
repr([made] * 100)  # made = 1 << 13000
sorted(names, key=len)
list(map(abs, many))
np.random.RandomState(5)
random.Random(5)
torch.utils.data.default_convert(many)
list(np.ndenumerate(an))
np.polyfit(range(1000), range(1000), 50)
ai ** ai
net(torch.ones(4))
net(torch.ones(20_000, 4))
list(net.parameters())
list(net.named_modules())
list(thin.named_parameters())
net.state_dict()
net.load_state_dict(state)  # state = net.state_dict()
net.train()
net.zero_grad()
net.apply(fn)
net.to(torch.double)
net.requires_grad_(True)
thin.zero_grad(set_to_none=False)
opt.step()  # opt = torch.optim.SGD(thin.parameters(), lr=1e-3)
opt.step()  # opt = torch.optim.Adam(thin.parameters(), lr=1e-3)
opt.step()  # opt = torch.optim.Adam(fat.parameters(), lr=1e-3)
opt.zero_grad()  # opt = torch.optim.SGD(thin.parameters(), lr=1e-3)
opt.state_dict()  # opt = torch.optim.Adam(thin.parameters(), lr=1e-3); opt.step()
opt.load_state_dict(state)  # opt = torch.optim.Adam(thin.parameters(), lr=1e-3); opt.step(); state = opt.state_dict()
repr(opt)  # opt = torch.optim.Adam([{'params': [p]} for p in thin.parameters()], lr=1e-3)
opt.step(lambda: (p * p).sum())  # p = torch.rand(1000, requires_grad=True); (p * p).sum().backward(); opt = torch.optim.LBFGS([p])
torch.nn.utils.clip_grad_norm_(thin.parameters(), 1.0)
torch.nn.utils.parameters_to_vector(thin.parameters())
list(torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x1), batch_size=1000))
list(torch.utils.data.DataLoader(many, batch_size=10, shuffle=True))
list(torch.utils.data.DataLoader(forever, batch_size=10**6))
next(iter(torch.utils.data.DataLoader(forever, batch_size=10**6)))
list(torch.utils.data.RandomSampler(turns))
torch.utils.data.random_split(turns, [0.5, 0.5])
list(torch.utils.data.SubsetRandomSampler(many))
list(torch.utils.data.BatchSampler(turns, 3, False))
torch.utils.data.ConcatDataset([many] * 10000)
torch.utils.data.default_collate(lots)
torch.utils.data.default_collate(many)
torch.nn.utils.rnn.pad_sequence(lots)
torch.nn.utils.rnn.pad_sequence([torch.rand(1)] * 4000 + [torch.rand(4000)])
torch.nn.utils.rnn.pack_sequence(lots)
torch.cat(lots)
torch.stack(lots)
torch.cat(bulk)
torch.block_diag(*bulk)
torch.block_diag(*lots)
torch.cartesian_prod(*flat)
torch.cartesian_prod(k1, k1, k1)
torch.meshgrid(*flat)
torch.combinations(k1, 3)
torch.combinations(k1, 2)
torch.broadcast_tensors(cube1, cube2, cube3)
torch.einsum('i,j->ij', x1, x1)
torch.einsum('i,j,k->ijk', k1, k1, k1)
torch.einsum('i,j,k->', x1, x1, x1)
torch.einsum('ij,jk->ik', x2, x2)
torch.einsum('ij,kl->ijkl', x2, x2)
torch.einsum('ij,jk,kl->il', x2, x2, x2)
torch.outer(x1, x1)
torch.kron(x2, x2)
torch.kron(k1, k1)
torch.ger(x1, x1)
torch.cdist(x2, x2)
torch.cdist(torch.rand(10**5, 1), torch.rand(10**5, 1))
torch.cdist(torch.rand(1000, 1000), torch.rand(1000, 1000), p=1.0)
torch.pdist(x2)
torch.pdist(torch.rand(5000, 2))
torch.vander(x1)
torch.vander(k1, 10**6)
torch.linalg.vander(x1, N=10**4)
torch.multinomial(x1, 10**6)
torch.multinomial(x1, 10**6, replacement=True)
torch.multinomial(x2, 1000)
torch.multinomial(x2, 10**6, replacement=True)
torch.repeat_interleave(i1)
torch.repeat_interleave(x1, 1000)
torch.repeat_interleave(torch.tensor([10**9]))
torch.repeat_interleave(x1, i1)
x1.repeat(1000)
x1.repeat(1000, 1000)
x1.tile(1000)
torch.bincount(i1)
torch.bincount(torch.tensor([10**9]))
torch.bincount(i1, minlength=10**9)
torch.histc(x1, bins=10**9)
torch.histc(x1, bins=10**6)
torch.histogram(x1, bins=10**6)
torch.histogramdd(torch.rand(1000, 5), bins=100)
torch.nn.functional.one_hot(i1)
torch.nn.functional.one_hot(torch.tensor([10**9]))
torch.tril_indices(10**5, 10**5)
torch.triu_indices(3000, 3000)
torch.fft.fft(x1, n=10**9)
torch.fft.fft(torch.rand(999_983))
torch.fft.fft2(x2)
torch.fft.fftn(x3)
torch.fft.rfft(x1)
torch.fft.fftfreq(10**9)
torch.stft(x1, 512, hop_length=1, return_complex=True)
F.interpolate(x4, size=(10**5, 10**5))
F.interpolate(x4, scale_factor=100)
F.interpolate(x4, scale_factor=3, mode='bicubic')
F.interpolate(x4, scale_factor=0.5, mode='bilinear', antialias=True)
F.pad(x1, (10**9, 10**9))
F.pad(x2[None], (500, 500), mode='reflect')
F.unfold(x4, 7, padding=3)
F.fold(torch.rand(1, 25, 3600), (64, 64), 5)
x1.unfold(0, 1000, 1)
x1.unfold(0, 1000, 1).sum()
x1.unfold(0, 500_000, 1).contiguous()
torch.as_strided(x1, (10**6, 10**6), (0, 0)).clone()
F.conv1d(x3, w3)
F.conv2d(x4, w4, padding=2)
F.conv2d(torch.rand(1, 1, 1000, 1000), torch.rand(1, 1, 500, 500))
F.conv2d(x4, torch.rand(16, 1, 30, 30), groups=16)
F.conv2d(x4, torch.rand(160, 1, 30, 30), groups=16)
F.conv3d(x5, torch.rand(8, 4, 9, 9, 9))
F.conv_transpose2d(x4, w4, stride=8)
F.conv_transpose2d(x4, w4)
F.conv_transpose2d(x4, w4, stride=10**6)
F.max_pool2d(x4, 30, 1)
F.max_pool2d(x4, 30, 1, padding=15)
F.avg_pool2d(x4, 30, 1)
F.lp_pool2d(x4, 2, 30, 1)
F.max_pool3d(x5, 9, 1)
F.adaptive_avg_pool2d(x4, 1000)
F.adaptive_avg_pool2d(x4, 50)
F.adaptive_max_pool2d(x4, 50)
F.fractional_max_pool2d(x4, 2, output_size=50)
F.max_unpool2d(*F.max_pool2d(x4, 2, return_indices=True), 2)
F.grid_sample(x4, torch.rand(16, 300, 300, 2))
F.affine_grid(torch.rand(10, 2, 3), (10, 3, 10**4, 10**4))
F.embedding(i1, torch.rand(1000, 1000))
F.embedding(i1, torch.rand(1000, 3))
F.embedding_bag(i2, torch.rand(1000, 30))
F.scaled_dot_product_attention(x3, x3, x3)
F.ctc_loss(torch.rand(500, 50, 20).log_softmax(2), torch.randint(1, 20, (50, 100)), [500] * 50, [100] * 50)
F.cross_entropy(x2, i2[0] % 1000)
F.gumbel_softmax(x2)
F.local_response_norm(x4, 15)
F.bilinear(torch.rand(300, 300), torch.rand(300, 300), torch.rand(300, 300, 300))
F.multi_head_attention_forward
nn.LSTM(100, 100, 3)(torch.rand(300, 10, 100))
nn.GRU(2, 2)(torch.rand(5000, 1, 2))
nn.RNN(2, 2)(torch.rand(5000, 1, 2))
nn.LSTM(2, 2)(torch.rand(1000, 1, 2))[0].sum().backward()
nn.Transformer(16, 2, 6, 6, 16)(torch.rand(10, 1, 16), torch.rand(10, 1, 16))
nn.TransformerEncoderLayer(64, 4)(torch.rand(200, 4, 64))
nn.MultiheadAttention(64, 8)(torch.rand(500, 1, 64), torch.rand(500, 1, 64), torch.rand(500, 1, 64))
nn.Linear(10**5, 10**5)
nn.Linear(2000, 2000)
nn.Embedding(10**9, 10)
nn.Embedding(10**5, 10)
nn.Conv2d(1000, 1000, 100)
nn.Conv2d('%500000000d', 1, 1, groups=3)
nn.Bilinear(1000, 1000, 1000)
nn.LSTM(10**5, 10**5)
nn.LSTM(10, 10, num_layers=10**6)
nn.Transformer(num_encoder_layers=10**6)
nn.BatchNorm1d(10**9)
nn.ModuleList([nn.ReLU()] * 10**5)
nn.Sequential(*[nn.ReLU()] * 1000)(x1)
nn.init.trunc_normal_(x1, mean=0.0, std=1.0, a=30.0, b=31.0)
nn.init.trunc_normal_(x1, mean=100.0, std=1.0, a=0.0, b=1.0)
nn.init.orthogonal_(x2)
nn.init.sparse_(x2, 0.5)
torch.sparse_coo_tensor(torch.zeros(2, 500_000).long(), torch.rand(500_000), (9, 9))
torch.sparse_coo_tensor(torch.zeros(2, 500_000).long(), torch.rand(500_000)).coalesce()
coo.coalesce()
coo + coo
coo + whole_coo
whole_coo + whole_coo
whole_coo * whole_coo
coo * whole_coo
coo * 2
coo ** 2
-coo
coo.abs()
coo.sin()
coo.relu()
coo.t()
coo.clone()
coo.double()
coo.to_dense()
coo.sum()
coo.sum(0)
coo.norm()
coo @ torch.rand(700, 8)
coo @ torch.rand(700, 300)
torch.rand(300, 700) @ coo
coo @ torch.rand(700)
whole_coo @ whole_coo
row_coo @ row_coo.t()
row_coo.t() @ row_coo
torch.sparse.sum(coo, 0)
torch.sparse.sum(coo, (0, 1))
torch.sparse.softmax(coo, 1)
torch.sparse.log_softmax(coo, 0)
torch.rand(700, 700).sparse_mask(coo)
torch.rand(700, 700) + coo
torch.rand(700, 700).add_(coo)
torch.rand(2000, 2000).to_sparse()
torch.rand(2000, 2000).to_sparse(1)
repr(coo)
coo.detach().zero_()
torch.sparse.mm(g_coo, torch.rand(700, 16)).sum().backward()
(g_coo @ torch.rand(700, 16)).sum().backward()
torch.sparse.softmax(g_coo, 1).to_dense().sum().backward()
(g_coo.coalesce() + g_coo).to_dense().sum().backward()
torch.sparse.sum(g_coo, 0).to_dense().sum().backward()
torch.sparse.mm(g_coo.coalesce(), whole_coo).to_dense().sum().backward()
F.embedding(i1, torch.rand(1000, 2, requires_grad=True), sparse=True).sum().backward()
F.embedding_bag(i2, torch.rand(1000, 2, requires_grad=True), sparse=True).sum().backward()
huge_coo + huge_coo
huge_coo * huge_coo
huge_coo.t() @ huge_coo
huge_coo.to_dense()
huge_coo.sum(0)
huge_coo.sum(1, keepdim=True)
torch.sparse.softmax(huge_coo, 1)
huge_coo.zero_()
torch.zeros_like(huge_coo)
torch.ones_like(huge_coo)
F.dropout(huge_coo)
huge_coo @ torch.rand(1000, 2)
repr(huge_coo)
list(huge_coo)
huge_coo.tolist()
huge_coo.numpy()
np.array(huge_coo)
torch.zeros(10**9, 10**9, layout=torch.sparse_coo) + huge_coo
torch.block_diag(huge_coo)
torch.cov(huge_coo)
torch.histogramdd(huge_coo, 2)
torch.cartesian_prod(huge_coo)
huge_coo.sum().backward()
nn.init.dirac_(torch.zeros(100, 100, 3, 3))
torch.nn.utils.parametrizations.spectral_norm(nn.Linear(500, 500), n_power_iterations=10**6)
torch.nn.utils.parametrizations.orthogonal(nn.Linear(500, 500))
torch.nn.utils.prune.l1_unstructured(nn.Linear(1000, 1000), 'weight', 0.5)
torch.distributions.Dirichlet(x1).sample()
torch.distributions.Dirichlet(e1).sample()
torch.distributions.Dirichlet(torch.ones(10**5, 10)).sample()
torch.distributions.Gamma(x1, x1).sample()
torch.distributions.Gamma(h1, x1).sample()
torch.distributions.Beta(x1, x1).sample()
torch.distributions.Poisson(h1).sample()
torch.distributions.Poisson(x1).sample()
torch.distributions.Binomial(10**6, x1).sample()
torch.distributions.Binomial(1000, x1).sample()
torch.distributions.Multinomial(10**6, k1).sample()
torch.distributions.VonMises(x1, e1).sample()
torch.distributions.VonMises(x1, x1).sample()
torch.distributions.StudentT(x1).sample()
torch.distributions.Categorical(x2).sample((100,))
torch.distributions.Categorical(x2).sample((10**6,))
torch.distributions.Normal(x1, x1).sample((100,))
torch.distributions.Normal(x1, x1).sample((1000, 1000))
torch.distributions.Normal(0.0, 1.0).sample((10**9,))
torch.distributions.MultivariateNormal(torch.zeros(500), torch.eye(500))
torch.distributions.LKJCholesky(100).sample((100,))
torch.distributions.Wishart(200.0, torch.eye(100)).sample()
torch.distributions.OneHotCategorical(x2).sample((10,))
torch.distributions.OneHotCategorical(k1).enumerate_support()
torch.distributions.Categorical(x2).enumerate_support()
torch.distributions.Independent(torch.distributions.Normal(x1, x1), 1).log_prob(x1)
torch.poisson(h1)
torch.poisson(x1)
torch.binomial(h1, x1)
torch.bernoulli(x1)
torch.normal(x1, x1)
x1.geometric_(0.5)
x1.cauchy_()
x1.exponential_()
x1.log_normal_()
x1.random_()
torch.randperm(10**6)
torch.randperm(10**9)
torch.rand(10**6)
torch.rand(10**9)
torch.randn(10**6)
torch.randn(2000)
torch.randint(0, 10, (10**6,))
torch._standard_gamma(x1)
torch._sample_dirichlet(x2)
F.dropout(x1)
F.rrelu(x1, training=True)
torch.arange(10**9)
torch.arange(0, 1, 1e-12)
torch.linspace(0, 1, 10**9)
torch.logspace(0, 1, 10**6)
torch.eye(10**6)
torch.eye(2000)
torch.full((10**5, 10**5), 1.0)
torch.zeros(10**6)
torch.zeros((2,) * 100)
torch.empty(10**9)
torch.ones_like(view)
torch.zeros_like(view)
x1.new_zeros(10**9)
torch.hann_window(10**9)
torch.hann_window(10**6)
torch.hamming_window(10**6)
torch.kaiser_window(10**6)
torch.signal.windows.general_cosine(10**6, a=[0.5] * 1000)
torch.signal.windows.general_cosine(1000, a=floats)
torch.linalg.svd(s2)
torch.linalg.svd(s3)
torch.linalg.eig(s2)
torch.linalg.eigh(s2)
torch.linalg.eig(s3)
torch.linalg.inv(s2)
torch.linalg.inv(s3)
torch.linalg.inv(x2)
torch.linalg.qr(s2)
torch.linalg.qr(s3)
torch.linalg.det(s3)
torch.linalg.cholesky(s2 @ s2.T)
torch.linalg.matrix_power(x2, 10**9)
torch.linalg.matrix_power(s2, 10**9)
torch.linalg.matrix_power(torch.eye(2), 10**18)
torch.matrix_power(torch.eye(2), -(10**18))
torch.linalg.matrix_exp(s2)
torch.linalg.multi_dot([x2, x2, x2])
torch.linalg.multi_dot([torch.rand(2, 2)] * 300)
torch.linalg.lstsq(x2, x2)
torch.linalg.pinv(x2)
torch.linalg.pinv(s2)
torch.linalg.norm(x2, 2)
torch.linalg.cond(s2)
torch.linalg.matrix_rank(s2)
torch.linalg.tensorinv(torch.eye(400).reshape(20, 20, 20, 20))
torch.linalg.solve(s3, s3)
torch.linalg.lu(s2)
torch.linalg.householder_product(s2, torch.rand(150))
torch.svd_lowrank(x2)
torch.pca_lowrank(x2)
torch.lobpcg(s2)
torch.trapezoid(x1)
torch.unique(x1)
torch.unique(x2, dim=0)
torch.unique(i1, return_inverse=True, return_counts=True)
torch.unique_consecutive(i1)
torch.sort(x1)
torch.argsort(x1)
torch.topk(x1, 10)
torch.topk(x1, 500_000)
torch.topk(x2, 10)
torch.topk(torch.rand(10**6, 1), 1)
torch.kthvalue(x1, 5)
torch.median(x1)
torch.mode(x1)
torch.mode(x2)
torch.mode(torch.rand(10**6, 1))
torch.quantile(x1, 0.5)
torch.quantile(x1, x1)
torch.nanquantile(x2, 0.5, dim=0)
torch.searchsorted(x1.sort().values, x1)
torch.bucketize(x1, x1.sort().values)
torch.isin(x1, x1)
torch.isin(i1, i1)
torch.cummax(x1, 0)
torch.cummax(x2, 0)
torch.logcumsumexp(x1, 0)
torch.logcumsumexp(x2, 0)
torch.cumprod(x1, 0)
torch.cov(x2)
torch.corrcoef(x2)
torch.tensordot(x2, x2)
torch.tensordot(x2, x2, dims=0)
torch.chain_matmul(x2, x2)
torch.baddbmm(x3, x3, x3)
torch.nn.functional.pdist(x2)
torch.gcd(i1, i1)
torch.lcm(i1, i1)
torch.special.zeta(x1 + 2, x1)
torch.polygamma(3, x1)
torch.lgamma(x1)
torch.digamma(x1)
torch.igamma(x1, x1)
torch.igammac(h1, h1)
torch.erfinv(x1)
torch.special.bessel_j0(x1)
torch.special.chebyshev_polynomial_t(x1, 10**6)
torch.special.hermite_polynomial_h(x1, 10**6)
torch.special.legendre_polynomial_p(x1, torch.full((10**6,), 10**6))
torch.special.laguerre_polynomial_l(x1, 1000)
torch.special.multigammaln(x1 + 10**4, 10**4)
torch.mvlgamma(x1 + 10**6, 10**6)
torch.index_select(x1, 0, z1)
torch.scatter(x1, 0, i1, x1)
x1.scatter_add(0, i1, x1)
x1.index_add(0, i1, x1)
x1.index_put((i1,), x1, accumulate=True)
x1.scatter_reduce(0, i1, x1, 'amax')
x1.index_reduce(0, i1, x1, 'prod')
x1.put_(i1, x1)
small.index_add_(0, z1, x1)  # small = torch.zeros(3)
small.scatter_add_(0, z1, x1)  # small = torch.zeros(3)
small.scatter_(0, z1, x1)  # small = torch.zeros(3)
small.scatter_reduce_(0, z1, x1, 'amax')  # small = torch.zeros(3)
small.index_copy_(0, z1, x1)  # small = torch.zeros(3)
small.index_fill_(0, z1, 2.0)  # small = torch.zeros(3)
small.index_put_((z1,), x1, accumulate=True)  # small = torch.zeros(3)
small.put_(z1, x1)  # small = torch.zeros(3)
small.masked_scatter_(small == 0, x1)  # small = torch.zeros(3)
small.add_(x1)  # small = torch.zeros(1)
small.addcmul_(x1, x1)  # small = torch.zeros(1)
col.add_(row)
x1.take(i1)
x1.masked_select(b1)
x1.masked_scatter(b1, x1)
x1.nonzero()
x1.split(1)
x1.chunk(10**6)
x1.unbind()
x2.unbind()
x1.tensor_split(10**6)
torch.split(x1, [1] * 10**6)
x2.T.contiguous()
x2.t().reshape(-1)
x5.permute(4, 3, 2, 1, 0).contiguous()
x1.flip(0)
x1.roll(1)
x2.rot90()
torch.equal(x1, x1)
torch.allclose(x1, x1)
torch.testing.assert_close(x1, x1)
x1.to(torch.double)
x1.double()
x1.half()
x1.to(torch.cfloat)
x1.bfloat16() * 2
torch.tanh(x1.half())
x1.char()
x1.clone()
x1.detach()
x1.share_memory_
torch.save(x1, io.BytesIO())
torch.save(lots, 'a')
torch.load('a')  # torch.save(lots, 'a')
np.convolve(a1, a1)
np.convolve(a1, a1[:10_000])
np.outer(a1, a1)
np.kron(a2, a2)
ac * ar
ac @ ar
a2 @ a2
a1 * a1
a1 ** 2.5
a1.sum()
a1.tolist()
list(a1)
str(a1)
repr(a2)
a1[ai]
a1[a1 > 0]
5 in a1
np.sort(an)
np.tile(a1, 1000)
np.repeat(a1, 1000)
np.meshgrid(a1, a1)
np.einsum('i,j->ij', a1, a1)
np.einsum('i,j->', a1, a1)
np.einsum('ij,jk->ik', a2, a2)
np.einsum('ij,jk,kl->il', an, an, an)
np.vectorize(fn)(a1)
np.random.rand(10**6)
np.random.randn(10**9)
np.random.choice(a1, 10**6)
np.random.choice(10**9, 5, False)
np.random.permutation(10**6)
np.random.permutation(a1)
np.random.shuffle(many)
np.random.binomial(10**6, 0.5, 10**6)
np.random.poisson(1e6, 10**6)
np.random.gamma(5.0, 1.0, 10**6)
np.random.beta(0.5, 0.5, 10**6)
np.random.default_rng(0).permutation(10**6)
np.random.default_rng(0).choice(10**9, 5, replace=False)
np.linalg.inv(an)
np.linalg.svd(an)
np.linalg.eig(an)
np.linalg.det(a2)
np.linalg.solve(a2, a2)
np.interp(a1, a1, a1)
np.histogram(a1, bins=10**9)
np.polyfit(a1, a1, 10)
np.polyval(a1, a1)
np.percentile(a1, 50)
np.unique(a1)
np.median(a1)
np.pad(a1, 10**9)
np.linspace(0, 1, 10**9)
np.eye(10**6)
np.array(many)
np.array(rows)
np.array(shared)
np.stack([a1] * 100)
np.concatenate([a1] * 100)
np.broadcast_to(a1, (1000, 10**6))
x1 + a1
type('X', (), {})
[object() for _ in turns]
[[] for _ in turns]
[{} for _ in turns]
[{1: 2} for _ in turns]
[set() for _ in turns]
[(lambda: i) for i in turns]
[collections.deque() for _ in turns]
[collections.Counter() for _ in turns]
[[0] * 63 for _ in turns]
['a' * 63 + str(i) for i in turns]
[big + i for i in turns]
[torch.zeros(1) for _ in turns]
[torch.tensor(1.0) for _ in turns]
[nn.Linear(1, 1) for _ in turns]
[nn.ReLU() for _ in turns]
[Exception() for _ in turns]
[np.zeros(1) for _ in turns]
[torch.zeros(63, dtype=torch.cdouble) for _ in turns]
[torch.zeros(255, dtype=torch.cdouble) for _ in turns]
keep.append(list(many))  # keep = []
keep.append(dict(table))  # keep = []
keep.append(set(many))  # keep = []
keep.append(list(range(900_000)))  # keep = []
keep.append(str(len(keep)) + wide)  # keep = []
keep.append([i * 1.5 for i in many])  # keep = []
keep.append(many[:])  # keep = []
keep.append(many + many)  # keep = []
keep.append(list(map(str, many)))  # keep = []
keep.append(text.split('b'))  # keep = []
keep.append(list(text))  # keep = []
keep.append(list(zip(many, many)))  # keep = []
keep.append(list(enumerate(many)))  # keep = []
keep.append([*pairs, *pairs])  # keep = []
keep.append(copy.deepcopy(rows))  # keep = []
keep.append(copy.deepcopy(pairs))  # keep = []
keep.append(words.split())  # keep = []
keep.append(words.splitlines())  # keep = []
keep.append(a1.tolist())  # keep = []
keep.append(x1.tolist())  # keep = []
keep.append(x1.numpy().copy())  # keep = []
keep.append(torch.rand(1000, 100))  # keep = []
keep.append(np.random.rand(1000, 100))  # keep = []
keep.append(np.ones((1000, 100)) * 2)  # keep = []
keep.append(torch.distributions.Normal(k1, k1))  # keep = []
keep.append(json.loads(made))  # keep = []; made = json.dumps([[]] * 100_000)
keep.append(list(itertools.combinations(range(300), 2)))  # keep = []
keep.append(list(itertools.permutations(range(8))))  # keep = []
keep.append(collections.Counter(many))  # keep = []
keep.append(collections.OrderedDict(table))  # keep = []
keep.append(torch.utils.data.TensorDataset(x1))  # keep = []
keep.append(random.sample(many, 90_000))  # keep = []
keep.append(bytes(100_000))  # keep = []
keep.append(text.encode())  # keep = []
keep.append(f'{text}{text}')  # keep = []
keep.append(list(x1[:1000]))  # keep = []
keep.append(x1[:50_000].unbind())  # keep = []
"""


# --- Python


_PYTHON = (
    "big 0 1000 text line words digits data many down names floats pair table some queue counts clash shared vast tree deep"
    " pairs endless turns thing fn Forever forever spin 'a' '' None type x1 net gen() a1 size count whole"
    " shape scalars"
).split()


def _combined(callee: str, first: Iterable[str] = (), most: int = 2) -> Iterator[Case]:
    """Calls with each value, with two equal ones, and with a value and a small companion."""
    given = list(first)
    yield Case(f"{callee}({', '.join(given)})")
    for value in _PYTHON:
        yield Case(f"{callee}({', '.join([*given, value])})")
        if most > 1:
            for other in (value, "2", "'a'", "fn", "'b' * 400"):
                yield Case(f"{callee}({', '.join([*given, value, other])})")
    if most > 1:
        for value in ("many", "text", "big", "shared"):
            yield Case(f"{callee}({', '.join([*given, '2', value])})")
            yield Case(f"{callee}({', '.join([*given, 'fn', value])})")
            yield Case(f"{callee}({', '.join([*given, value, value, value])})")


def derived() -> Iterator[Case]:
    """What Python does to values of classes that derive from its containers."""
    uses = (
        "{0} == {1}", "{0} < {1}", "hash({0})", "{{{0}: 1}}", "{{}}.get({0})", "repr({0})", "str([{0}])", "f'{{{0}}}'", "{0} in [{1}]",
        "{0} in {0}", "{0} + {0}", "{0} * 9", "{0}[:]", "len({0})", "list({0})", "sorted([{0}, {1}])", "max([{0}, {1}])", "max(x for x in [{0}, {1}])",
        "copy.copy({0})", "copy.deepcopy({0})", "json.dumps({0})", "torch.tensor({0})", "torch.utils._pytree.tree_flatten({0})", "[*{0}]", "fn(*{0})",
        "dict({0})", "set({0})", "tuple({0})", "isinstance(1, {0})", "{{0: {0}}}.items() | {{0: {1}}}.items()", "torch.func.vmap(lambda x: x)({0})",
        "sorted([1, 2], key=lambda i: ({0}, i))", "'%s' % ({0},)", "vars({0})", "next(iter({0}))",
    )  # fmt: skip
    for name in "named listed mapped bunched record sliced chained kin".split():
        again = VALUES[name].replace("0\nfor", "(0)\nfor").splitlines()
        for use in uses:
            yield Case(use.format(name, "other_one"), "\n".join([*again, f"other_one = {name}", *VALUES[name].splitlines()[-2:]]))
    for path in (".a", "[0]"):
        yield Case("made.format(nested if '.' in made else shared)", f"made = '{{0' + '{path}' * 50_000 + '}}'")
    yield Case("operator.attrgetter(made)(nested)", "made = '.'.join(['a'] * 50_000)")


_MAPPED = (
    "a * 2", "a", "a.sum()", "a.clone().add_(1)", "a.clone().normal_()", "a + torch.randn(4)", "torch.randperm(3)", "F.dropout(a)",
    "torch.histc(a, 4)", "torch.take(a, torch.tensor([0]))", "a.sort()[0]", "torch.quantile(a, 0.5)", "F.cross_entropy(a, torch.tensor(0))",
    "torch.stack([a] * 100)", "[a] * 500", "str(a) and a", "torch.func.jacrev(lambda b: b * b)(a)", "torch.func.hessian(lambda b: (b ** 3).sum())(a)",
    "torch.func.vmap(lambda b: b.sin())(a)", "torch.func.vmap(lambda b: torch.histc(b[None], 4))(a)", "sum(b for b in a)", "a[0]", "a.outer(a)",
    "torch.einsum('i,j->ij', a, a)", "torch.where(a > 0, a, -a)", "torch.fft.fft(a)", "x1", "view", "a.tolist()", "nn.functional.one_hot(a.long())",
)  # fmt: skip


def batching() -> Iterator[Case]:
    """`vmap` and the transforms over it, in one call and in many."""
    setup = "rows4 = torch.rand(1000, 4)"
    for body in _MAPPED:
        for options in ("", ", randomness='different'", ", randomness='same'", ", chunk_size=1"):
            yield Case(f"torch.func.vmap(lambda a: {body}{options})(rows4)", setup)
        yield Case(f"torch.func.vmap(lambda a: {body})(rows4[:1])", setup)
        yield Case(f"torch.func.jacrev(lambda a: {body})(rows4[0])", setup)
        yield Case(f"torch.func.jacfwd(lambda a: {body})(rows4[0])", setup)
    for call in ("x2", "x3", "lots", "x1, in_dims=0", "view", "long", "k1"):
        yield Case(f"torch.func.vmap(lambda a: a)({call})" if "," not in call else f"torch.func.vmap(lambda a: a)({call.partition(',')[0]})")
    for tower in range(2, 7):
        yield Case("made(zero.detach())", f"made = lambda a: a.tanh()\nfor _ in range({tower}): made = torch.func.grad(made)")


_APART = frozenset("exit quit input open eval exec compile __import__ breakpoint help".split())


def python() -> Iterator[Case]:
    """The built-in functions and types."""
    from engine.program.builtins import BUILTINS

    for name, value in BUILTINS.items():
        if name not in _APART and not name.startswith("_") and name not in ("NotImplemented", "Ellipsis"):
            if isinstance(value, type) and issubclass(value, BaseException):
                continue
            yield from _combined(name)
    for name in ("list", "set", "dict", "tuple", "sum", "max", "any", "sorted", "enumerate", "zip", "iter", "print"):
        yield Case(f"{name}(type)")


def methods() -> Iterator[Case]:
    """The methods of the built-in types."""
    from engine.program.methods import METHODS

    receivers = {
        "str": ["text", "line", "words", "'a{}' * 1000", "wide"], "bytes": ["data"], "int": ["big"], "float": ["1e300"], "list": ["many", "names", "clash", "shared"],
        "tuple": ["pair", "tree"], "dict": ["table"], "OrderedDict": ["collections.OrderedDict(table)"],
        "Counter": ["counts"], "set": ["some"], "frozenset": ["frozenset(some)"], "deque": ["queue"],
        "range": ["endless"],
    }  # fmt: skip
    for kind, table in METHODS.items():
        for receiver in receivers.get(kind.__name__, ()):
            for name in table:
                yield Case(f"{receiver}.{name}()")
                for value in _PYTHON:
                    yield Case(f"{receiver}.{name}({value})")
                for pair in ("'a', 'bb'", "'b', ''", "0, 1", "10**5, 'x'", "text, text", "many, many", "'a' * 400 + 'c', 'b'"):
                    yield Case(f"{receiver}.{name}({pair})")


_LIBRARIES = (
    "math cmath random copy collections itertools functools operator json heapq bisect textwrap pprint statistics io"
    " dataclasses enum datetime timeit contextlib types tqdm time os sys traceback warnings argparse"
)


def modules() -> Iterator[Case]:
    """What can be imported besides torch and numpy."""
    from engine.program.stdlib import find

    for module in _LIBRARIES.split():
        for name in find(module).names():
            if name not in ("exit", "argv", "input"):
                yield from _combined(f"{module}.{name}")
    for name in ("nlargest", "nsmallest"):
        yield Case(f"heapq.{name}(10, many)")


# --- numpy


def numpy() -> Iterator[Case]:
    """The functions of numpy and the methods of its arrays."""
    from engine.program.arrays import METHODS
    from engine.program.stdlib.numpy.modules import LINALG, NUMPY
    from engine.program.stdlib.numpy.random import RANDOM

    names = [*NUMPY, *(f"random.{name}" for name in RANDOM), *(f"linalg.{name}" for name in LINALG)]
    arguments = [
        "a1", "a2", "ai", "an", "many", "10**9", "(10**5, 10**5)", "a1, a1", "a2, a2", "an, an", "ac, ar", "ai, ai", "a1, 5",
        "a2, 1", "a1, 1000", "1000, 1000", "a2 > 0, a2, a2", "ac > 0, ac, ar", "10**6, 5", "[a1] * 10", "an, 10", "a1, 10**9", "a1, (1000, 1000)", "0.5, 10**6",
        "5, 0.5, 10**6", "0, 1, 10**6", "spin", "vast", "a1, ai", "0, 10**9, 1", "a2, a2, a2", "names", "a1.astype('complex128')",
        "size", "an, size", "ai[:9], size", "an, count", "ai[:9], ai[:9], size", "0.5, size",
    ]  # fmt: skip
    for name in names:
        if name not in ("random", "linalg"):
            for given in arguments:
                yield Case(f"np.{name}({given})")
    for name in METHODS:
        for given in ("", "0", "1", "a1", "1000", "ai", "10**9", "size"):
            yield Case(f"a1.{name}({given})")
            yield Case(f"a2.{name}({given})")


# --- torch


_FAMILIES: list[list[str]] = [
    ["x1"], ["x2"], ["x3"], ["x4"], ["s2"], ["s3"], ["i1"], ["i2"], ["b1"], ["c1"], ["c2"], ["x1", "i1"], ["x2", "i2"],
    ["row", "col"], ["cube1", "cube2", "cube3"], ["x4", "w4"], ["x2", "k1"], ["x1", "b1"], ["h1"], ["n1"], ["d2"],
]  # fmt: skip
_SMOOTH = ["g1", "g2", "g4"]
_NUMBERS: list[dict[str, str]] = [
    {"int": "0", "ints": "(1000, 1000)", "scalar": "0.5", "bool": "True"},
    {"int": "1", "ints": "1", "scalar": "2", "bool": "False"},
    {"int": "1000", "ints": "(2, 2)", "scalar": "1e-3", "bool": "True"},
    {"int": "10**9", "ints": "(10**5, 10**5)", "scalar": "10**6", "bool": "True"},
]
_PLACES = {"int64_t": "int", "SymInt": "int", "Scalar": "scalar", "double": "scalar", "bool": "bool"}


def _argument(kind: str, tensors: Iterator[str], numbers: dict[str, str]) -> str | None:
    kind = kind.rstrip("?")
    if kind == "Tensor":
        return next(tensors)
    if kind.startswith("TensorList"):
        return f"[{next(tensors)}] * 3"
    if kind in _PLACES:
        return numbers[_PLACES[kind]]
    if "ArrayRef" in kind:
        return numbers["ints"]
    if kind == "ScalarType":
        return "torch.float64"
    if "string" in kind:
        return "'ij,jk->ik'"
    return None


def _signed(space: str, names: Iterable[str], call: str) -> Iterator[Case]:
    """Calls that fit PyTorch's signatures: `call` has the name and the arguments to fill in."""
    from engine.signatures.native import TABLE

    for name in names:
        for line in TABLE[space].get(name, ()):
            if "|" in line.rpartition(")")[2]:
                continue
            inside = line.partition("(")[2].rpartition(")")[0]
            parts = [part for part in inside.split(", ") if part]
            positional = list(itertools.takewhile(lambda part: part != "*", parts))
            wanted = [part.split(" ")[0] for part in positional if "=" not in part]
            optional = [part.split(" ")[0] for part in positional if "=" in part][:2]
            plain = any(kind.rstrip("?") not in ("Tensor", "TensorList") for kind in wanted + optional)
            takes = any(kind.startswith("Tensor") for kind in wanted + optional)
            for index, family in enumerate([*_FAMILIES, *([g] for g in _SMOOTH)] if takes else [["x1"]]):
                for number, numbers in enumerate(_NUMBERS if plain else _NUMBERS[:1]):
                    if index > 5 and number > 1:
                        continue
                    for kinds in [wanted, wanted + optional] if optional and number < 2 else [wanted]:
                        given = [_argument(kind, tensors, numbers) for tensors in [itertools.cycle(family)] for kind in kinds]
                        if None not in given:
                            made = call.format(name=name, given=", ".join(map(str, given)), first=given[0] if given else "", rest=", ".join(map(str, given[1:])))
                            if family[0] in _SMOOTH:
                                made = f"_sum({made}).backward()"
                                yield Case(made, _SUM)
                            else:
                                yield Case(made)


_SUM = "def _sum(r):\n    return sum(_sum(v) for v in r if v is not None and v.requires_grad) if isinstance(r, (tuple, list)) else r.abs().sum()"


def torch() -> Iterator[Case]:
    """The functions of torch and of its mathematical submodules."""
    from engine.program.stdlib import find
    from engine.signatures.native import TABLE

    names = [name for name in find("torch").names() if name in TABLE["torch"]]
    yield from _signed("torch", names, "torch.{name}({given})")
    for space in ("linalg", "special", "fft"):
        offered = [name for name in find(f"torch.{space}").names() if name in TABLE[space]]
        yield from _signed(space, offered, "torch." + space + ".{name}({given})")
    for name in find("torch").names():
        if name not in TABLE["torch"] and not name.startswith("_"):
            for given in ("x1", "x2", "x1, x1", "x2, x2", "row, col", "10**9", "10**6", "lots", "bulk", "x1, 10**6", "*bulk", "x2, 1", "x4, x4", "vast", "spin"):
                yield Case(f"torch.{name}({given})")


def tensors() -> Iterator[Case]:
    """Tensor's own methods, and those in place."""
    from engine.core.tensor import Tensor
    from engine.program.stdlib import find
    from engine.signatures.native import TABLE

    here = [name for name in dir(Tensor) if not name.startswith("__")]
    theirs = set(find("torch").names())
    own = [name for name in here if name in TABLE["Tensor"] and (name not in theirs or name.endswith("_"))]
    for case in _signed("Tensor", own, "x.{name}({given})"):
        for receiver in ("x1", "x2", "i2"):
            yield Case("x = " + receiver + "; " + case.call, case.setup) if "backward" not in case.call else case
    for name in here:
        if name not in TABLE["Tensor"] and not name.startswith("_"):
            for given in ("", "x1", "0", "10**9", "fn", "spin", "many"):
                yield Case(f"x1.{name}({given})")


def functional() -> Iterator[Case]:
    """`torch.nn.functional`."""
    from engine.program.stdlib import find

    arguments = [
        "x1", "x2", "x3", "x4", "x1, x1", "x2, x2", "x4, x4", "x4, w4", "x3, w3", "x2, i2", "i1, x2", "x4, 2", "x4, 30, 1", "x3, 2", "x3, 50, 1", "x5, 2", "x5, 9, 1",
        "x4, 10**4", "x4, 50", "x4, (10**5, 10**5)", "x2, x2, x2", "x2, i2[0], x2", "row, col", "x2, (1000,)", "x4, 4", "x3, x3, x3", "x2, i2[0]", "x2, x2, k1", "k1, k1, k1",
        "i2, x2", "x2, x2, i2[0]", "x2, k1", "x2, 1000, k1, k1", "x4, x4[0, :, 0, 0], x4[0, :, 0, 0]", "x2, dim=0", "x1, 10**6",
    ]  # fmt: skip
    for name in find("torch.nn.functional").names():
        for given in arguments:
            yield Case(f"F.{name}({given})")
        for given in ("g4", "g2", "g1", "g4, w4", "g4, 3", "g2, g2", "g4, 30, 1", "g2, g2, g2"):
            yield Case(f"_sum(F.{name}({given})).backward()", _SUM)


def layers() -> Iterator[Case]:
    """Every module, made and run."""
    from engine.program.stdlib import find

    for name in find("torch.nn").names():
        if not name[:1].isupper():
            continue
        for made in ("", "2", "16", "16, 16", "16, 16, 5", "60, 60", "1000, 1000", "3, 1", "10**9", "10**4, 10**4", "60, 60, 60", "(1000,)", "4, 16", "0.5", "16, 4", "(500, 500)", "[nn.ReLU()] * 1000"):
            yield Case(f"nn.{name}({made})")
            for given in ("x4", "x2", "x2, x2", "x3", "x4[:, :, :, 0]", "i2"):
                yield Case(f"layer({given})", f"layer = nn.{name}({made})")
            yield Case("_sum(layer(g4)).backward()", f"layer = nn.{name}({made})\n" + _SUM)


def optimizers() -> Iterator[Case]:
    """Every optimizer and scheduler, over few large parameters and many small ones."""
    from engine.program.stdlib import find

    for name in find("torch.optim").names():
        if name[:1].isupper() and name != "Optimizer":
            for model in ("fat", "thin"):
                setup = f"o = torch.optim.{name}({model}.parameters(), lr=1e-3)"
                yield Case("o.step()", setup)
                yield Case("o.step()", f"o = torch.optim.{name}([p for p in {model}.parameters() if p.dim() == 2], lr=1e-3)")
                yield Case("o.step(lambda: 1.0)", setup)
                for call in ("o.zero_grad()", "o.state_dict()", "repr(o)", "o.load_state_dict(o.state_dict())"):
                    yield Case(call, setup)
    for name in find("torch.optim.lr_scheduler").names():
        if name[:1].isupper():
            for given in ("o", "o, 5", "o, fn", "o, 10**9", "o, [1] * 10000, 0.1", "o, many", "o, 0.1, 10**9"):
                yield Case("s.step()", f"o = torch.optim.SGD(thin.parameters(), lr=1e-3)\ns = torch.optim.lr_scheduler.{name}({given})")
                yield Case(f"torch.optim.lr_scheduler.{name}({given})", "o = torch.optim.SGD(thin.parameters(), lr=1e-3)")
    for name in find("torch.nn.utils").names():
        for given in ("fat.parameters()", "thin.parameters()", "fat.parameters(), 1.0", "thin.parameters(), 1.0", "net", "nn.Linear(300, 300)", "fat", "lots", "x1, fat.parameters()"):
            yield Case(f"torch.nn.utils.{name}({given})")
    for name in find("torch.utils.data").names():
        for given in ("many", "x1", "turns", "turns, 10", "forever", "spin", "lots", "x1, x1", "[many] * 100", "many, many", "turns, [0.5, 0.5]", "turns, True, 10**9"):
            yield Case(f"torch.utils.data.{name}({given})")
            yield Case(f"list(torch.utils.data.{name}({given}))")


def distributions() -> Iterator[Case]:
    """Every distribution: sampled, scored, compared."""
    from engine.program.stdlib import find

    for name in find("torch.distributions").names():
        for given in ("x1", "x1, x1", "h1, x1", "x2", "x2, x2", "10**6, x1", "k1, s2", "torch.zeros(150), s2 @ s2.T", "300.0, s2 @ s2.T", "e1", "e1, e1", "h1, e1", "1000, x1", "500, 1.0"):
            setup = f"d = torch.distributions.{name}({given})"
            yield Case(setup)
            for call in ("d.sample()", "d.sample((3,))", "d.sample((10**5, 10**5))", "d.rsample()", "d.log_prob(d.sample())", "d.entropy()", "d.cdf(x1)", "d.icdf(x1)", "d.mean", "d.variance", "d.enumerate_support()", "d.expand((10**6,))", "torch.distributions.kl_divergence(d, d)"):
                yield Case(call, setup)


_CHANGED = (
    "10**9", "-1", "0", "1e308", "float('nan')", "'a' * 100_000", "many", "vast", "(10**9, 10**9)", "x1", "[10**9] * 6", "np.int64(10**9)",
)
"""What a program sets an attribute of an object of the engine to."""
_LAYERS = (
    ("Linear", "3, 4", "torch.rand(2, 3)"), ("Bilinear", "3, 3, 4", "torch.rand(2, 3), torch.rand(2, 3)"),
    ("Conv1d", "3, 4, 3", "torch.rand(2, 3, 8)"), ("Conv2d", "3, 4, 3", "torch.rand(2, 3, 8, 8)"), ("Conv3d", "1, 1, 2", "torch.rand(1, 1, 4, 4, 4)"),
    ("ConvTranspose2d", "3, 4, 3", "torch.rand(2, 3, 8, 8)"), ("MaxPool1d", "2", "torch.rand(2, 3, 8)"), ("MaxPool2d", "2", "torch.rand(2, 3, 8, 8)"),
    ("AvgPool2d", "2", "torch.rand(2, 3, 8, 8)"), ("AdaptiveAvgPool2d", "2", "torch.rand(2, 3, 8, 8)"),
    ("AdaptiveMaxPool2d", "2", "torch.rand(2, 3, 8, 8)"), ("LPPool2d", "2, 2", "torch.rand(2, 3, 8, 8)"),
    ("FractionalMaxPool2d", "2, output_size=3", "torch.rand(2, 3, 8, 8)"), ("BatchNorm1d", "3", "torch.rand(2, 3)"),
    ("BatchNorm2d", "3", "torch.rand(2, 3, 8, 8)"), ("LayerNorm", "3", "torch.rand(2, 3)"), ("GroupNorm", "1, 3", "torch.rand(2, 3, 8)"),
    ("InstanceNorm2d", "3", "torch.rand(2, 3, 8, 8)"), ("LocalResponseNorm", "2", "torch.rand(2, 3, 8, 8)"), ("RMSNorm", "3", "torch.rand(2, 3)"),
    ("Dropout", "", "torch.rand(2, 3)"), ("AlphaDropout", "", "torch.rand(2, 3)"), ("Embedding", "10, 3", "torch.tensor([1, 2])"),
    ("EmbeddingBag", "10, 3", "torch.tensor([[1, 2]])"), ("LSTM", "3, 4", "torch.rand(2, 1, 3)"), ("GRU", "3, 4", "torch.rand(2, 1, 3)"),
    ("RNN", "3, 4", "torch.rand(2, 1, 3)"), ("LSTMCell", "3, 4", "torch.rand(2, 3)"),
    ("MultiheadAttention", "4, 2", "torch.rand(2, 1, 4), torch.rand(2, 1, 4), torch.rand(2, 1, 4)"),
    ("TransformerEncoderLayer", "4, 2, 4", "torch.rand(2, 1, 4)"), ("Transformer", "4, 2, 1, 1, 4", "torch.rand(2, 1, 4), torch.rand(2, 1, 4)"),
    ("Upsample", "scale_factor=2", "torch.rand(2, 3, 8, 8)"), ("PixelShuffle", "2", "torch.rand(2, 4, 8, 8)"),
    ("PixelUnshuffle", "2", "torch.rand(2, 4, 8, 8)"), ("ChannelShuffle", "2", "torch.rand(2, 4, 8, 8)"),
    ("Fold", "(4, 4), 2", "torch.rand(1, 4, 9)"), ("Unfold", "2", "torch.rand(1, 1, 4, 4)"), ("ZeroPad2d", "1", "torch.rand(1, 1, 4, 4)"),
    ("ConstantPad1d", "1, 0.5", "torch.rand(1, 1, 4)"), ("ReflectionPad2d", "1", "torch.rand(1, 1, 4, 4)"),
    ("ReplicationPad2d", "1", "torch.rand(1, 1, 4, 4)"), ("CircularPad2d", "1", "torch.rand(1, 1, 4, 4)"), ("Softmax", "1", "torch.rand(2, 3)"),
    ("Softmin", "1", "torch.rand(2, 3)"), ("LogSoftmax", "1", "torch.rand(2, 3)"), ("ELU", "", "torch.rand(2, 3)"),
    ("LeakyReLU", "", "torch.rand(2, 3)"), ("Hardtanh", "", "torch.rand(2, 3)"), ("Softplus", "", "torch.rand(2, 3)"),
    ("Threshold", "1., 2.", "torch.rand(2, 3)"), ("PReLU", "", "torch.rand(2, 3)"), ("RReLU", "", "torch.rand(2, 3)"),
    ("GLU", "", "torch.rand(2, 4)"), ("GELU", "", "torch.rand(2, 3)"), ("Hardshrink", "", "torch.rand(2, 3)"), ("Flatten", "", "torch.rand(2, 3, 4)"),
    ("Unflatten", "1, (1, 3)", "torch.rand(2, 3)"), ("CosineSimilarity", "", "torch.rand(2, 3), torch.rand(2, 3)"),
    ("PairwiseDistance", "", "torch.rand(2, 3), torch.rand(2, 3)"), ("CrossEntropyLoss", "", "torch.rand(2, 3), torch.tensor([0, 1])"),
    ("NLLLoss", "", "torch.rand(2, 3), torch.tensor([0, 1])"), ("MSELoss", "", "torch.rand(2, 3), torch.rand(2, 3)"),
    ("HuberLoss", "", "torch.rand(2, 3), torch.rand(2, 3)"), ("SmoothL1Loss", "", "torch.rand(2, 3), torch.rand(2, 3)"),
    ("BCELoss", "", "torch.rand(2, 3), torch.rand(2, 3)"), ("BCEWithLogitsLoss", "", "torch.rand(2, 3), torch.rand(2, 3)"),
    ("KLDivLoss", "", "torch.rand(2, 3), torch.rand(2, 3)"),
    ("CTCLoss", "", "torch.rand(5, 1, 3).log_softmax(2), torch.tensor([[1, 2]]), torch.tensor([5]), torch.tensor([2])"),
    ("TripletMarginLoss", "", "torch.rand(2, 3), torch.rand(2, 3), torch.rand(2, 3)"),
    ("MultiMarginLoss", "", "torch.rand(2, 3), torch.tensor([0, 1])"),
    ("AdaptiveLogSoftmaxWithLoss", "4, 10, [2, 5]", "torch.rand(2, 4), torch.tensor([0, 7])"),
    ("GaussianNLLLoss", "", "torch.rand(2, 3), torch.rand(2, 3), torch.rand(2, 3)"), ("PoissonNLLLoss", "", "torch.rand(2, 3), torch.rand(2, 3)"),
    ("Sequential", "nn.Linear(3, 3)", "torch.rand(2, 3)"), ("CrossMapLRN2d", "2", "torch.rand(2, 3, 8, 8)"),
    ("SyncBatchNorm", "3", "torch.rand(2, 3, 8)"),
)
"""Modules that run: name, arguments, and what they are given."""
_SCHEDULERS = {
    "StepLR": "o, 2", "MultiStepLR": "o, [1, 2]", "ExponentialLR": "o, 0.9", "CosineAnnealingLR": "o, 5", "LambdaLR": "o, lambda e: 1.0",
    "MultiplicativeLR": "o, lambda e: 1.0", "LinearLR": "o", "ConstantLR": "o", "PolynomialLR": "o", "CyclicLR": "o, 0.1, 0.2, cycle_momentum=False",
    "OneCycleLR": "o, 0.1, 100", "ReduceLROnPlateau": "o", "CosineAnnealingWarmRestarts": "o, 5",
    "SequentialLR": "o, [torch.optim.lr_scheduler.StepLR(o, 2)], []", "ChainedScheduler": "[torch.optim.lr_scheduler.StepLR(o, 2)]",
}
_DATASETS = {
    "DataLoader": "[1, 2, 3], 2", "BatchSampler": "[1, 2, 3], 2, False", "RandomSampler": "[1, 2, 3], num_samples=2, replacement=True",
    "SequentialSampler": "[1, 2]", "SubsetRandomSampler": "[1, 2]", "WeightedRandomSampler": "[1., 2.], 2", "TensorDataset": "torch.rand(3)",
    "Subset": "[1, 2, 3], [0, 1]", "ConcatDataset": "[[1], [2]]", "StackDataset": "[1], [2]",
}
_DISTRIBUTIONS = {
    "Normal": "0., 1.", "Uniform": "0., 1.", "Categorical": "torch.ones(3)", "Bernoulli": "torch.tensor(.5)", "Binomial": "3, torch.tensor(.5)",
    "Gamma": "torch.tensor(1.), torch.tensor(1.)", "Multinomial": "3, torch.ones(3)", "MultivariateNormal": "torch.zeros(2), torch.eye(2)",
    "Poisson": "torch.tensor(2.)", "Geometric": "torch.tensor(.5)", "NegativeBinomial": "3., torch.tensor(.5)", "LKJCholesky": "3, 1.",
    "OneHotCategorical": "torch.ones(3)", "RelaxedBernoulli": "torch.tensor(1.), torch.tensor(.5)",
}


def changed() -> Iterator[Case]:
    """Objects of the engine one of whose attributes, or options in a group, a program has set to something else."""
    import engine.torch as torch

    def cases(setup: str, *uses: str, within: str = "o") -> Iterator[Case]:
        names: dict[str, object] = {"torch": torch, "nn": torch.nn}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(setup, names)
            made = eval(within, names)
            attributes = made if isinstance(made, dict) else {n: value for n, value in vars(made).items() if n[0] != "_"}
        for name, value in attributes.items():
            if callable(value) or isinstance(value, torch.Tensor | TypeVar) or name in ("training", "params"):
                continue
            place = f"{within}[{name!r}]" if isinstance(made, dict) else f"{within}.{name}"
            for use, other in itertools.product(uses, _CHANGED):
                yield Case(use, f"{setup}\n{place} = {other}")

    for name, made, given in _LAYERS:
        yield from cases(f"o = nn.{name}({made})", f"o({given})", "repr(o)")
    begin = "w = nn.Linear(2, 2)\nw(torch.rand(1, 2)).sum().backward()\no = torch.optim."
    for name in torch.optim.__all__:
        if name[0].isupper() and name not in ("Optimizer", "SparseAdam"):
            setup = f"{begin}{name}({'[w.weight]' if name == 'Muon' else 'w.parameters()'}, lr=0.1)"
            yield from cases(setup, "o.step(lambda: 1.0)")
            yield from cases(setup, "o.step(lambda: 1.0)", within="o.param_groups[0]")
    for name, given in _SCHEDULERS.items():
        setup = f"{begin}SGD(w.parameters(), lr=0.1)\ns = torch.optim.lr_scheduler.{name}({given})"
        yield from cases(setup, "s.step(1.0)" if name == "ReduceLROnPlateau" else "s.step()", within="s")
    for name, given in _DATASETS.items():
        uses = "[r for _, r in zip(range(100), o)]", "len(o)", "o[0]", "list(torch.utils.data.DataLoader(o, 2))"
        yield from cases(f"o = torch.utils.data.{name}({given})", *uses)
    for name, given in _DISTRIBUTIONS.items():
        uses = "o.sample((3,))", "o.log_prob(torch.tensor(1.0))", "o.entropy()"
        yield from cases(f"o = torch.distributions.{name}({given})", *uses)


def initialisers() -> Iterator[Case]:
    """`torch.nn.init` and the windows, `torch.func`, `torch.autograd` and other small spaces."""
    from engine.program.stdlib import find

    for name in find("torch.nn.init").names():
        for given in ("x1", "x2", "x4", "x2, 0.5", "x2, 1000.0", "x2, 0.0, 1.0", "x1, 0.0, 1.0, 30.0, 31.0", "x1, 50.0, 1.0", "torch.zeros(10**6, 1)", "x4, 16"):
            yield Case(f"torch.nn.init.{name}({given})")
    for name in find("torch.signal.windows").names():
        for given in ("10**6", "10**9", "10**6, 5", "1000, floats"):
            yield Case(f"torch.signal.windows.{name}({given})")
    for space in ("func", "autograd", "autograd.functional", "utils._pytree", "testing", "masked", "utils.checkpoint", "nn.utils.rnn", "autograd.graph"):
        for name in find(f"torch.{space}").names():
            for given in ("x1", "fn", "fn, x1", "fn, k1", "lambda x: (x * x).sum(), k1", "lambda x: x * x, k1", "vast", "shared", "lots", "chain", "net", "spin", "type", "g1.sum(), g1", "x2, x2 > 0.5", "x1, x1", "many"):
                yield Case(f"torch.{space}.{name}({given})")
                if given.startswith(("fn", "lambda")):
                    yield Case(f"made({'k1' if ',' not in given else given.rpartition(', ')[2]})", f"made = torch.{space}.{name}({given.partition(', ')[0]})")
