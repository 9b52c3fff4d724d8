# Classes of one's own as nodes of trees, in torch.func as well; functions of all kinds on their leaves
import torch, numpy as np
from torch.utils._pytree import tree_map, tree_map_only, register_pytree_node, tree_flatten, tree_unflatten
import torch.utils._pytree as pt
from dataclasses import dataclass
from collections import namedtuple, OrderedDict
@dataclass
class State:
    w: torch.Tensor
    b: torch.Tensor
    name: str
register_pytree_node(State, lambda s: ([s.w, s.b], s.name), lambda c, ctx: State(*c, ctx))
def f(s, x): return (s.w * x + s.b).sum()
s = State(torch.ones(2), torch.zeros(2), 'lin')
g = torch.func.grad(f)(s, torch.tensor([2., 3.]))
print(g)
print(torch.func.vmap(lambda s: s.w * 2 + s.b)(s))
print(tree_map(torch.zeros_like, {'a': torch.ones(2), 'b': [torch.ones(1)]}))
print(tree_map(torch.from_numpy, [np.ones(2), np.zeros(1)]))
print(tree_map(lambda a: a.shape, [np.ones(2), np.zeros((1, 3))]))
print(tree_map(str, [1, (2.5, None)]), tree_map(type, [1, 'a']))
print(tree_map_only(torch.Tensor, lambda t: t.tolist(), {'x': torch.ones(2), 'y': 3}))
torch.manual_seed(0)
m = torch.nn.Linear(2, 1)
p = dict(m.named_parameters())
print(tree_map(lambda q: tuple(q.shape), p), tree_map(torch.Tensor.detach, OrderedDict(p)).keys())
print(tree_flatten(torch.ones(3, 2).max(0)))
print(tree_flatten(torch.Size([1, 2])))
class D(dict): pass
class L(list): pass
print(tree_flatten([D(a=1), L([1])])[0])
try: torch.func.vmap(lambda d: d['a'])({'a': torch.ones(2), 'b': torch.ones(3)})
except Exception as e: print(type(e).__name__, e)
P = namedtuple('P', 'x y')
print(torch.func.vmap(lambda p: P(p.x + p.y, p.x))(P(torch.ones(2), torch.ones(2))))
print(torch.func.vmap(lambda d: d['a'] + d['b'], in_dims=({'a': 0, 'b': None},))({'a': torch.ones(2), 'b': torch.ones(3)}))
try: print(torch.func.vmap(lambda d: d['a'] + d['b'], in_dims=({'a': 0},))({'a': torch.ones(2), 'b': torch.ones(3)}))
except Exception as e: print(type(e).__name__, e)
try: print(torch.func.grad(lambda d: d.sum())(D(a=1)))
except Exception as e: print(type(e).__name__, e)
o, back = torch.func.vjp(lambda x: {'a': x, 'b': [x]}, torch.ones(2))
try: back({'a': torch.ones(2)})
except Exception as e: print(type(e).__name__, e)
k = pt.tree_leaves_with_path({'a': [1]})[0][0]; print(k, pt.key_get({'a': [1]}, k), [type(i).__name__ for i in k], k[0].key)
try: pt.tree_leaves_with_path(s)
except Exception as e: print(type(e).__name__, e)
try: tree_unflatten([1], 3)
except Exception as e: print(type(e).__name__, e)
try: pt.tree_map(lambda a, b: a, {'a': 1}, {'b': 1})
except Exception as e: print(type(e).__name__, e)
try: pt.tree_map_only(3, lambda a: a, {'a': 1})
except Exception as e: print(type(e).__name__, e)
try: tree_map(lambda a: a.foo, [1])
except Exception as e: print(type(e).__name__, e)
sp = tree_flatten([1, {'a': 2}])[1]
print(sp.type, sp.context, sp.children(), sp.child(1).context, sp.flatten_up_to([[5], {'a': (1, 2)}]), type(sp), hash(sp) == hash(sp))
print(pt.arg_tree_leaves(1, [2], x={'a': 3}))
def tr(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
P2 = namedtuple('P2', 'x y')
tr(lambda: pt.key_get([P(1, {'k': 5})], pt.tree_leaves_with_path([P(1, {'k': 5})])[1][0]))
tr(lambda: tree_map(lambda a, b: a, P(1, 2), P2(1, 2)))
tr(lambda: tree_map(lambda a, b: a, s, State(1, 2, 'other')))
tr(lambda: tree_map(lambda a, b: a + b, {'a': 1, 'b': 2}, OrderedDict(b=1, a=5)))
tr(lambda: tree_map(lambda a, b: a + b, {'a': 1, 'b': 2}, {'a': 1, 'c': 2}))
tr(lambda: tree_map(lambda a, b: a + b, s, [1, 2]))
tr(lambda: tree_flatten(s)[1])
