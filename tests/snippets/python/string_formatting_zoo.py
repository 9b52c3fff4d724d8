# Formatting numbers, shapes, tables and tensors
import torch
x = torch.tensor([[1.5, -2.25], [3.0, 4.125]], requires_grad=True)
loss = (x ** 2).mean()
loss.backward()
v = loss.item()
print(f"{v:.3f}|{v:10.2f}|{v:<10.2f}|{v:^10.2f}|{v:+.1e}|{v:010.3f}|{v:g}|{v:%}|{v:,.2f}")
print(f"{loss:.3f}", f"{loss.item()=:.2f}", f"{x.shape=}", f"{tuple(x.shape)!s:>10}", f"{x.grad.norm():.4f}")
print(f"{'name':<10}|{'shape':^12}|{'sum':>8}")
print("-" * 32)
for name, t in {"x": x, "grad": x.grad, "loss": loss}.items():
    print(f"{name:<10}|{str(list(t.shape)):^12}|{t.sum().item():>8.3f}")
print("{0:.2f} {1} {0:.4f} {name!r}".format(v, x.size(), name="abc"))
print("%d items, %5.2f%%, %s, %r, %-5s|, %05d, %x, %e" % (3, 99.5, "str", "rep", "l", 42, 255, v))
print("{:,} {:_} {:b} {:o} {:X} {:#x} {:08.3f}".format(1234567, 1234567, 10, 8, 255, 255, 3.14159))
width, prec = 12, 4
print(f"{v:{width}.{prec}f}|{v:>{width}}|{'x' * 3:*^{width}}")
print("a\tb\\n", r"raw\n", 'it''s', "multi"
      " line")
print("""triple
quoted""")
print(f"{x}", f"{x!r:.20}", str(x)[:12])
print(f"{x.grad[0]} {x[0][1]:.2f} {x.mean():6.3f} {x.max().item():g}")
print("epoch: {:>3d} | loss: {:.4e} | lr: {:.1e}".format(7, v, 1e-3))
print(", ".join(f"{g:.2f}" for g in x.grad.flatten()), [f"{g:.1f}" for g in x.grad.view(-1).tolist()])
print(f"{True} {None} {1+2j} {[1, 2.0]} { {'a': 1} } {{literal}}")
print("abc".upper().center(9, "."), "a,b,,c".split(","), " x ".strip() + "|", "k=v".partition("="), "x".zfill(3))
print(f"{1e10} {1e16} {1e-5} {0.1 + 0.2} {1/3} {100.0} {1e22} {float('nan')} {-float('inf')}")
print(f"{3:5}|{3:<5}|{3:^5}|{'s':5}|{'s':>5}|{2.0:5}|{True:5}|{None!s:>6}")
print(str(1.0), repr(1.0), str(torch.tensor(1.0)), repr(torch.tensor(1)), torch.tensor(2.5).item())
print(*x.shape, sep="x", end="!\n")
print("loss", loss, "item", v, "grad_fn", loss.grad_fn is not None, flush=True)
print("{:.2f}".format(loss), "{:>10}".format(loss.item()), "{}".format(loss))
try:
    print("{:>10}".format(x))
except TypeError as e:
    print(e)
try:
    print("%d" % "a")
except TypeError as e:
    print(e)
try:
    print("{:d}".format(2.5))
except ValueError as e:
    print(e)
try:
    print("{} {}".format(1))
except IndexError as e:
    print(e)
