# json: encoders of the program's own, circles, places of errors
import json
import torch
class Encoder(json.JSONEncoder):
    def default(self, o):
        if isinstance(o, torch.Tensor):
            return o.tolist()
        if isinstance(o, torch.dtype):
            return str(o)
        return super().default(o)
state = {"w": torch.arange(4.0).reshape(2, 2), "dtype": torch.float32, "epoch": 3, "ok": True, None: [1.5, float("inf")]}
print(json.dumps(state, cls=Encoder))
print(json.dumps(state, cls=Encoder, indent=2, sort_keys=False))
print(Encoder(sort_keys=True).encode({"b": 1, "a": torch.ones(2)}), Encoder().default(torch.zeros(1)))
print(json.dumps({(1, 2): 3, "k": [1, {"x": None}]}, skipkeys=True, separators=(",", ":")))
print(json.dumps([1, {2}], default=list), json.JSONDecoder().decode("[1, 2.5, null]"), json.loads(b'{"a": "\xc3\xa9"}'))
ring = [1]
ring.append(ring)
for wrong in (
    lambda: json.dumps(ring), lambda: json.dumps({"a": {"b": ring}}), lambda: json.dumps({1}, cls=Encoder),
    lambda: json.dumps({(1, 2): 3}), lambda: json.loads(None), lambda: json.loads("[1, 2"), lambda: json.loads(""),
    lambda: json.dumps(object, default=lambda o: o), lambda: json.dumps(float("nan"), allow_nan=False),
    lambda: json.dumps(torch.ones(2)), lambda: json.dumps(1, indents=2), lambda: json.loads("{'a': 1}"),
):
    try:
        print(wrong())
    except (TypeError, ValueError) as e:
        print(type(e).__name__, e)
try:
    json.loads('{"a": 1,\n "b" 2}')
except json.JSONDecodeError as e:
    print(e.msg, e.pos, e.lineno, e.colno, repr(e.doc))
