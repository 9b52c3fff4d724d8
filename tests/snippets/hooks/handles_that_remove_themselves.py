# Handles: remove twice, context, ids, removing inside the hook, hooks on a view, after detach, weak closures
import torch
x = torch.ones(2, requires_grad=True); h = x.register_hook(lambda g: g * 2); print(type(h).__name__, h.id >= 0); h.remove(); h.remove(); (x * 1).sum().backward(); print(x.grad); x.grad = None
holder = {}
def once(g): holder["h"].remove(); print("once"); return g * 10
holder["h"] = x.register_hook(once)
for _ in range(2): (x * 1).sum().backward()
print(x.grad); x.grad = None; y = x * 2; y.register_hook(lambda g: print("y", g)); v = y[:1]; v.register_hook(lambda g: print("v", g)); v.sum().backward(retain_graph=True); y.detach_() if False else None; y.mul_(3); y.register_hook(lambda g: print("y2", g)); y.sum().backward(); print(x.grad)
calls = []; z = (x * 1); z.register_hook(lambda g: calls.append(1)); z.sum().backward(); w = z.detach(); print(calls, w._backward_hooks)
p = torch.nn.Parameter(torch.ones(1)); hs = [p.register_hook(lambda g, i=i: g + i) for i in range(3)]; (p * 1).backward(); print(p.grad); hs[1].remove(); p.grad = None; (p * 1).backward(); print(p.grad, len(p._backward_hooks)); p._backward_hooks.clear() if hasattr(p._backward_hooks, "clear") else None; p.grad = None; (p * 1).backward(); print(p.grad)
with torch.no_grad():
    try: (p * 1).register_hook(print)
    except RuntimeError as e: print(e)
