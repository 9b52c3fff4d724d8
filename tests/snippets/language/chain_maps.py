# ChainMap and what collections has besides
from collections import ChainMap
base = {"lr": 0.1, "wd": 0.0}
run = ChainMap({"lr": 1.0}, base)
print(run["lr"], run["wd"], len(run), list(run), dict(run), "wd" in run, run.get("x"), run.get("x", 3))
run["wd"] = 5
print(base, run.maps, run.parents["wd"], run)
child = run.new_child({"lr": 9})
print(child["lr"], child.parents["lr"], sorted(child.items()), list(child.values()), {**child})
del run["lr"]
print(run["lr"])
for f in (lambda: run["nope"], lambda: run.__delitem__("lr")):
    try:
        f()
    except KeyError as e:
        print(type(e).__name__, e)
print(ChainMap().maps)
