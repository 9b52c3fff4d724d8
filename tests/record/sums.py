"""Record the bits of torch's sums:  python -m tests.record.sums  (needs torch 2.13, on a machine with AVX2)."""

import json
from pathlib import Path

import numpy as np
import torch

SHAPES = [
    *([n] for n in (1, 3, 5, 7, 8, 9, 15, 31, 32, 33, 50, 100, 129, 500, 1000, 5000)),
    [3, 4],
    [5, 7],
    [9, 33],
    [17, 8],
    [40, 100],
    [300, 5],
    [64, 256],
    [2, 9, 33],
    [17, 5, 8],
    [3, 2, 2],
]


def main() -> None:
    torch.set_num_threads(1)
    cases = []
    for shape in SHAPES:
        for axes in [None, *([axis] for axis in range(len(shape))), *([[0, 1], [1, 2]] if len(shape) == 3 else [])]:
            for dtype in ("float32", "float64"):
                size = int(np.prod(shape))
                values = np.random.RandomState(size).randn(size).astype(dtype).reshape(shape)
                tensor = torch.from_numpy(values)
                result = (tensor.sum() if axes is None else tensor.sum(axes)).numpy()
                if result.nbytes <= 400:
                    cases.append({"shape": shape, "axes": axes, "dtype": dtype, "bytes": result.tobytes().hex()})
    path = Path(__file__).parent.parent / "engine" / "data" / "sums.json"
    path.write_text("[\n" + ",\n".join(map(json.dumps, cases)) + "\n]\n")


if __name__ == "__main__":
    main()
