# Keys of ParameterDict, and what load_state_dict returns
import torch
import torch.nn as nn

held = nn.ParameterDict({"w": torch.ones(2)})
for attempt in (
    lambda: held[0],
    lambda: held.__setitem__(1, torch.ones(1)),
    lambda: nn.ParameterDict({1: torch.ones(1)}),
    lambda: held["b"],
):
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__, error)
result = nn.Linear(2, 1).load_state_dict({"weight": torch.ones(1, 2), "c": torch.ones(1)}, strict=False)
print(type(result).__name__, result, result.missing_keys, result[1])
try:
    torch.relu(result)
except TypeError as error:
    print(error)
