# Which dtypes a function's out= may have, and which functions take none, each function in its own words
import warnings

import torch

f = torch.tensor([1.0, 2.0, 3.0])
m = torch.arange(9.0).view(3, 3)
t = torch.tensor([2, 0, 1])


def attempt(function, *args, out, **options):
    try:
        function(*args, out=out, **options)
        print(function.__name__, out)
    except (RuntimeError, TypeError) as error:
        print(function.__name__, "|", str(error).splitlines()[0])


def double(*shape):
    return torch.zeros(*shape, dtype=torch.double)


def whole(*shape):
    return torch.zeros(*shape, dtype=torch.long)


for function in (torch.sqrt, torch.abs, torch.signbit, torch.softmax, torch.cumsum, torch.prod, torch.amax, torch.all):
    dims = (0,) if function.__name__ in ("softmax", "cumsum", "prod", "amax", "all") else ()
    attempt(function, f, *dims, out=double(0))
    attempt(function, f, *dims, out=whole(0))
for function in (torch.mm, torch.inner, torch.linalg.vecdot, torch.cat, torch.dot):
    args = ([f, f],) if function is torch.cat else (f, f) if function is torch.dot else (m, m)
    attempt(function, *args, out=double(0))
    attempt(function, *args, out=whole(0))
for function in (torch.topk, torch.kthvalue, torch.max, torch.sort, torch.mode):
    args = () if function in (torch.sort, torch.mode) else (1,) if function is not torch.max else (0,)
    attempt(function, f, *args, out=(torch.zeros(0), torch.zeros(0)))
attempt(torch.searchsorted, f, f, out=torch.zeros(3))
attempt(torch.gather, f, 0, t, out=double(3))
attempt(torch.index_select, f, 0, t, out=double(3))
attempt(torch.where, f > 1, f, f, out=double(3))
attempt(torch.ones, 3, out=whole(0))
attempt(torch.relu, f, out=f)
attempt(torch.max, f, 0, out=f)
attempt(torch.sigmoid, f, out=double(0))

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    torch.exp(f, out=torch.zeros(2))
    torch.mm(m, m, out=torch.zeros(1))
    torch.ones(3, out=torch.zeros(2))
for warning in caught:
    print(str(warning.message)[:120])
