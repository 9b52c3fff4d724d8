# The many ways to print a number
import torch

loss = torch.tensor(0.123456789)
w = torch.tensor([1.5, -2.25], requires_grad=True)
print(loss, loss.item(), float(loss))
print("%.3f|%8.2e|%s|%r|%5d%%" % (loss, loss.item(), loss, "a", 42))
print("{:.3f} {:>10.4f} {!r} {name}".format(loss.item(), loss.item(), w, name="w"))
print(f"{loss:.2f} {loss.item():.1%} {w[0]:+.3f} {w} {1_000_000:,} {255:#x} {7:03d} {'mid':^9}|{'r':>4}|{3.14159:{8}.{3}}")
print(f"{loss=} {1 + 1 = } {w.shape} {list(w.shape)} {w.dtype}")
print("loss:", loss, end=" <- ")
print("grad:", w.grad, sep="")
print(*[round(v, 1) for v in w.tolist()], sep=", ")
print("-" * 20 + "\n" + "epoch".ljust(8) + "loss".rjust(8), "a\tb", r"raw\n")
print(str(w), repr(loss), f"{torch.tensor(True)} {torch.tensor(3)} {torch.tensor([1, 2])}")
print("yes" if loss < 1 else "no", bool(loss), not loss, loss > 0.1 and loss < 0.2)
