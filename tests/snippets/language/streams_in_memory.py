# io: texts and bytes in memory are read, written, gone through and closed; objects come back from their bytes
import io
import pickle
import torch
s = io.StringIO("one\ntwo\nthree")
print([line for line in s], s.tell(), s.seek(0), next(s), s.read(2), s.readline(), s.readlines())
s = io.StringIO()
print("x", 1, file=s)
s.writelines(["a\n", "b"])
print(repr(s.getvalue()), s.truncate(3), repr(s.getvalue()), s.readable(), s.writable(), s.seekable(), s.closed)
with io.StringIO("k") as f:
    print(f.read(), f.closed)
print(f.closed, s.seek(0, io.SEEK_END), io.StringIO(None).read() == "")
b = io.BytesIO(b"abc")
print(b.read(1), b.tell(), b.getvalue(), b.getbuffer().nbytes, len(b.getbuffer()), b.write(b"zz"), b.getvalue())
b.seek(5)
print(b.write(b"!"), b.getvalue(), b.seek(0), list(io.BytesIO(b"1\n2")), b.seek(-2, 2), b.read())
buffer = io.BytesIO()
torch.save({"w": torch.ones(2), "n": [1, None]}, buffer)
data = buffer.getvalue()
print(type(data), len(data) > 100, torch.load(io.BytesIO(data)), buffer.tell() == len(data))
buffer = io.BytesIO()
pickle.dump([1, {"a": (2,)}], buffer)
buffer.seek(0)
print(pickle.load(buffer))
for wrong in (
    lambda: f.read(), lambda: f.getvalue(), lambda: io.StringIO(3), lambda: io.StringIO().write(3), lambda: io.BytesIO("a"),
    lambda: io.BytesIO().write("a"), lambda: s.seek(-1), lambda: b.seek(-1), lambda: next(io.StringIO()),
    lambda: pickle.load(io.BytesIO()),
):
    try:
        print(repr(wrong()))
    except (TypeError, ValueError, StopIteration, EOFError) as e:
        print(type(e).__name__, e)
b.close()
try:
    b.read()
except ValueError as e:
    print(e)
