# Patterns of bytes, annotations of the module, frames of tracebacks, states of generators.
import re
p = re.compile(rb"(?P<k>\w+)=(\d+)", re.I)
m = p.search(b"xx a=12;b=3"); print(m, m.group("k"), m.groups(), m.span(), m[2], m.groupdict(), p.pattern, p.flags, p, m.string)
print(p.findall(b"a=1 b=22"), p.sub(rb"\2=\1", b"a=1"), p.sub(lambda m: m[0].upper(), b"q=1"), re.split(rb",\s*", b"a, b,c"), re.findall(rb"(x)?y", b"xyy"), re.escape(b"a.b"), re.match(rb"\xff+", b"\xff\xff").group())
for f in (lambda: re.match(b"a", "a"), lambda: re.sub(rb"a", "x", b"a"), lambda: re.match("a", b"a"), lambda: re.compile(3)):
    try: print(f())
    except TypeError as e: print(e)
x: int = 3
y: "str"
for i in range(2): z: float = i
print(__annotations__)
import traceback, sys, inspect
def a(): b()
def b(): raise ValueError("deep")
try: a()
except ValueError as e:
    frames = traceback.extract_tb(e.__traceback__)
    print(frames, frames[-1].name, [f.lineno for f in frames], len(frames), "".join(frames.format()))
    file, line, name, text = frames[0]; print(line, name, repr(text))
    print(traceback.extract_tb(sys.exc_info()[2], limit=1)[0].lineno)
def g():
    yield inspect.getgeneratorstate(it)
    yield 2
it = g(); print(inspect.getgeneratorstate(it), next(it), inspect.getgeneratorstate(it), it.gi_running); list(it); print(inspect.getgeneratorstate(it) == inspect.GEN_CLOSED)
