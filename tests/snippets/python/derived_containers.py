# Classes derived from Python's containers and numbers: their texts, comparisons, copies, and what super() does.
class L(list): pass
class D(dict): pass
class T(tuple): pass
class S(set): pass
print(L([1,L([2])]), str(L()), f"{L([1])}", T((1,)), T((1,2)), D(a=L([1])), S([1]))
class L2(list):
    def __repr__(self): return "L2"
print(L2([1]), [L2()], L([L2()]))
l=L([1]); l.append(l); print(l)
class N(list):
    def __len__(self): return 7
    def __iter__(self): return iter([5])
print(N([1,2]), N([1])==N([1]), N([1])+N([2]), N([1])*2)
from collections import OrderedDict, Counter, defaultdict, deque
class O(OrderedDict): pass
class C(Counter): pass
class DD(defaultdict): pass
class Q(deque): pass
print(O(a=1), C('aab'), DD(int,{1:2}), Q([1,2],3), DD(list))
d=DD(int); d['x']+=1; print(d)
print(L([1])+[2], [2]+L([1]), L([1,2,3])[1:], 2*L([1]))
class I(int): pass
print(I(3)*I(4), I('12'), I(3)**2)
l=L([1]); l+=range(3); print(l, type(l).__name__)
class Mem(list):
    def __getitem__(self,i): return super().__getitem__(i)
    def __contains__(self,x): return super().__contains__(x)
    def __eq__(self,o): return super().__eq__(o)
m=Mem([1,2,3]); print(m[1], m[0:2], 2 in m, m==[1,2,3], list.__contains__([1],1))
from typing import NamedTuple
class P(NamedTuple):
    x: int
    y: int = 2
print(P(1), P(1)==P(1,2), hash(P(1))==hash((1,2)), P(1)<(1,3), P(1)+(3,), {P(1):1}[(1,2)], sorted([P(2),P(1)]))
print({1:2}.keys()==D({1:3}).keys(), len(set([T((1,2)),(1,2)])))
class J(int):
    def __mul__(self, o): return J(super().__mul__(o))
    def __pow__(self, o): return super().__pow__(o)
    def __neg__(self): return super().__neg__()
    def __eq__(self, o): return super().__eq__(o)
    def __hash__(self): return super().__hash__()
print(J(3)*4*5, J(2)**5, -J(3), J(3)==3, J(3)=='a', {J(3):1}[3])
class Vec(list):
    def __mul__(self, n): return Vec(super().__mul__(n))
    def __add__(self, o): return Vec(super().__add__(o))
    def __setitem__(self,i,v): super().__setitem__(i,v)
    def __delitem__(self,i): super().__delitem__(i)
v=Vec([1,2])*2+[3]; v[0]=9; v[1:3]=[7]; del v[0]; print(v, type(v).__name__)
class DefD(dict):
    def __getitem__(self,k): return super().__getitem__(k) if k in self else 0
    def __setitem__(self,k,v): super().__setitem__(k,v*2)
d=DefD(); d['a']=1; print(d['a'],d['b'],d)
print(slice(1,None), repr(slice(1,slice(2))), slice(1)==slice(1), [slice(1,2)])
try: print(1 in slice(1))
except TypeError as e: print(e)
d={1:2,'a':[3]}
print(d.items()=={1:2,'a':[3]}.items(), (1,2) in d.items(), 2 in d.values(), [3] in d.values(), 1 in d.keys(), d.keys()|{5}=={1,'a',5}, d.keys()&{1}, {1:0}.items()|{2:3}.items()==0, d.values()==d.values())
import enum
class E(enum.Enum):
    A=1
    B=2
    C=1
print(E(1), E.C is E.A, list(E), 2 in [m.value for m in E], round(12345,-2), round(1.5))
from collections import ChainMap
c=ChainMap({1:2},{3:4}); print(c[3], 1 in c, len(c), list(c), dict(c))
print(max([3,1],key=lambda x:-x), max((i%3,i) for i in range(5)), sorted(['bb','a'],key=len), min('abc'), max([1],default=3), max(iter([]),default=4))
s=set(range(2000))
for i in range(1990): s.discard(i)
print(sorted(s), next(iter(sorted(s))))
d=dict.fromkeys(range(3000))
for i in range(2990): d.pop(i)
print(list(d))
d=dict.fromkeys(range(3000))
for i in range(2990): del d[i]
d[5]=1
print(list(d), d)
print('aXb'.strip('ab'), 'é'.encode('utf-8'), b'ab'.decode(), str(b'ab','ascii'), 'ab'.startswith(('x','a')), b'ab'.endswith((b'b',)), bytes('é','latin-1'), 'ü'.encode('punycode'))
