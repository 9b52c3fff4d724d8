# Dicts whose gradients are stored by =
import math
def leaf(v):
    return {"value": v, "grad": 0.0, "back": None}
def mul(a, b):
    out = {"value": a["value"] * b["value"], "grad": 0.0}
    def back():
        a["grad"] = out["grad"] * b["value"]
        b["grad"] = out["grad"] * a["value"]
    out["back"], out["of"] = back, [a, b]
    return out
def add(a, b):
    out = {"value": a["value"] + b["value"], "grad": 0.0}
    def back():
        a["grad"] = out["grad"]
        b["grad"] = out["grad"]
    out["back"], out["of"] = back, [a, b]
    return out
def sin(a):
    out = {"value": math.sin(a["value"]), "grad": 0.0}
    def back():
        a["grad"] = out["grad"] * math.cos(a["value"])  # finds x
    out["back"], out["of"] = back, [a]
    return out
x = leaf(0.5)
y = leaf(4.2)
z = add(mul(x, y), sin(x))
z["grad"] = 1.0
z["back"]()
for n in z["of"]:
    n["back"]()
print(x["grad"], y["grad"])
