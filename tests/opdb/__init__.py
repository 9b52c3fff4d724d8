"""PyTorch's op database as recorded cases: one JSON-lines file per op under `data/`.

`tests/record/opdb.py` re-records them from torch. `python -m tests.opdb.report` prints how the engine does, per op.
"""
