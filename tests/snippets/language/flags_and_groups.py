# re: flags that show their names, the group that was closed last; what pickle cannot find again
import copy
import pickle
import re
print(re.I, re.IGNORECASE | re.M, re.X.name, re.S.value, re.NOFLAG, re.RegexFlag, re.I & re.M, int(re.I), bool(re.I & re.M))
print(re.compile("a", re.I | re.S), re.compile("a").flags, re.findall("^b", "a\nB", re.M | re.I), isinstance(re.I, int))
tokens = re.compile(r"(?P<number>\d+)|(?P<name>[a-z]+)|(?P<op>[+*])|\s+")
print([(m.lastgroup, m.group(), m.lastindex) for m in tokens.finditer("x1 + 23*ab")])
for pattern in ("(a)(b)", "((a)(b))", "(a)|(b)", "(a)(b)?", "ab", "(a(b))", "(a)(b*)"):
    m = re.match(pattern, "ab")
    print(pattern, m.lastindex, m.regs, m.lastgroup)
print(issubclass(pickle.PicklingError, pickle.PickleError), copy.Error)
def make(): return lambda: 1
for wrong in (lambda: pickle.dumps(lambda x: x), lambda: pickle.dumps([1, make()]), lambda: re.compile("(")):
    try:
        print(wrong())
    except (pickle.PicklingError, AttributeError, re.error) as e:
        print(type(e).__name__, str(e).split("<function")[0], getattr(e, "pos", None), getattr(e, "msg", None))
