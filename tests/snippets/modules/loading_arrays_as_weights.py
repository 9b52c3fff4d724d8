# Files that hold arrays of numpy, and what torch.load says to them
import numpy as np
import torch

torch.manual_seed(0)
net = torch.nn.Linear(2, 1)
losses = [0.5, 0.25]
for name, found in (
    ("arrays", {"net": net.state_dict(), "losses": np.array(losses)}),
    ("numbers", {"best": np.float64(0.25), "net": net.state_dict()}),
    ("slices", [slice(1, 2)]),
    ("nets", {"epoch": 1, "net": net}),
):
    torch.save(found, f"{name}.pt")
    try:
        torch.load(f"{name}.pt")
    except Exception as e:
        print(name, type(e).__name__, e)
again = torch.load("arrays.pt", weights_only=False)
print(again["losses"], torch.load("numbers.pt", weights_only=False)["best"])
