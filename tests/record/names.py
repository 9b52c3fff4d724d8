"""Record the public names of torch's namespaces:  python -m tests.record.names  (needs torch 2.13)."""

from pathlib import Path

import torch

SPACES = {
    "torch": torch,
    "torch.Tensor": torch.Tensor,
    "torch.nn": torch.nn,
    "torch.nn.functional": torch.nn.functional,
    "torch.nn.init": torch.nn.init,
    "torch.nn.utils": torch.nn.utils,
    "torch.optim": torch.optim,
    "torch.optim.lr_scheduler": torch.optim.lr_scheduler,
    "torch.autograd": torch.autograd,
    "torch.autograd.functional": torch.autograd.functional,
    "torch.autograd.graph": torch.autograd.graph,
    "torch.linalg": torch.linalg,
    "torch.special": torch.special,
    "torch.sparse": torch.sparse,
    "torch.fft": torch.fft,
    "torch.func": torch.func,
    "torch.distributions": torch.distributions,
    "torch.utils": torch.utils,
    "torch.utils.data": torch.utils.data,
    "torch.cuda": torch.cuda,
}


def main() -> None:
    lines = []
    for space, module in SPACES.items():
        names = sorted(n for n in dir(module) if not n.startswith("_") and n not in ("annotations", "Any", "Callable"))
        lines.append(f"{space}: {' '.join(names)}")
    path = Path(__file__).parent.parent.parent / "engine" / "errors" / "names.txt"
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
