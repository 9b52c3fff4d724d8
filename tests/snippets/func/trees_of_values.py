# Trees of values taken apart and put together: torch.utils._pytree
import torch
import torch.utils._pytree as pytree
from torch.utils._pytree import tree_map, tree_flatten, tree_unflatten, tree_map_only, tree_leaves, tree_any, tree_all, tree_structure, TreeSpec, register_pytree_node
from collections import OrderedDict, namedtuple, defaultdict, deque
P = namedtuple('P', 'x y')
t = {'a': [1, (2, 3)], 'b': P(4, None), 'c': OrderedDict(z=5)}
l, s = tree_flatten(t); print(l); print(s); print(s.num_leaves, s.num_nodes, s.num_children)
print(tree_unflatten([i * 2 if i else i for i in l], s))
print(tree_map(lambda v: v, t) == t)
print(tree_map_only(int, lambda v: v + 1, t))
print(tree_map_only((int, type(None)), lambda v: str(v), t))
print(tree_map_only(torch.Tensor, lambda v: v + 1, [torch.ones(1), 2]))
print(tree_map_only(lambda v: v == 3, lambda v: v + 1, t))
print(tree_leaves(t), tree_structure([1, 2]), tree_any(lambda v: v == 2, t), tree_all(lambda v: v == 2, t))
print(tree_flatten([1, [2]], is_leaf=lambda v: isinstance(v, list) and len(v) == 1))
print(pytree.tree_map(lambda a, b: a + b, [1, 2], [3, 4]))
for f in (lambda: tree_unflatten([1], s), lambda: tree_map(lambda a, b: a, [1, 2], [1]), lambda: tree_map(lambda a, b: a, [1, 2], (1, 2))):
    try: print(f())
    except Exception as e: print(type(e).__name__, e)
class Pt:
    def __init__(s, x, y): s.x, s.y = x, y
register_pytree_node(Pt, lambda p: ([p.x, p.y], None), lambda c, ctx: Pt(*c))
l, s = tree_flatten([Pt(1, 2), 3]); print(l, s)
p = tree_unflatten([7, 8, 9], s); print(p[0].x, p[0].y, p[1])
print(tree_map(lambda v: v * 10, Pt(1, Pt(2, 3))).y.x)
print(pytree.tree_flatten_with_path({'a': [1, 2]}))
print([(pytree.keystr(k), v) for k, v in pytree.tree_leaves_with_path({'a': [1, {'b': 2}]})])
print(pytree.tree_map_with_path(lambda k, v: (pytree.keystr(k), v), {'a': [1, 2]}))
pytree.tree_map_(lambda v: print(v), [1, 2])
pytree.tree_map_only_(int, print, [1, 'a'])
print(tree_flatten(defaultdict(list, {'a': 1})), tree_flatten(deque([1, 2])))
print(tree_structure([1, 2]) == tree_structure([3, 4]), tree_structure([1]) == tree_structure((1,)), tree_structure(1), tree_structure(None))
print(tree_structure(3).is_leaf())
print(pytree.tree_is_leaf([1]), pytree.tree_is_leaf(1))
try: register_pytree_node(list, lambda p: (p, None), lambda c, ctx: c)
except Exception as e: print(type(e).__name__, e)
