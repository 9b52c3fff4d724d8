# What load_state_dict says to tensors that cannot be copied, hooks that return and states of nobody; pads that take too much
import torch
from torch import nn

torch.manual_seed(0)


def attempt(function):
    try:
        print(function())
    except (AssertionError, RuntimeError) as error:
        print(type(error).__name__, error)


whole = {"weight": torch.ones(2, 2), "bias": torch.ones(2).int()}
attempt(lambda: nn.Linear(2, 2).load_state_dict(whole))
attempt(lambda: nn.Linear(2, 2).load_state_dict(whole, assign=True))

wide = nn.Linear(2, 2)
wide.weight = nn.Parameter(torch.ones(2, 1).expand(2, 2))
attempt(lambda: wide.load_state_dict({"weight": torch.ones(2, 2), "bias": torch.zeros(2), "extra": torch.ones(1)}))

hooked = nn.Linear(2, 2)
hooked.register_load_state_dict_post_hook(lambda module, keys: keys)
attempt(lambda: hooked.load_state_dict(hooked.state_dict()))


class Remembering(nn.Linear):
    def get_extra_state(self):
        return {"steps": 3}


attempt(lambda: Remembering(1, 1).load_state_dict(Remembering(1, 1).state_dict()))

line, image = torch.arange(5.0).view(1, 1, 5), torch.arange(12.0).view(1, 1, 3, 4)
attempt(lambda: nn.ReplicationPad1d(-3)(line))
attempt(lambda: nn.ReflectionPad1d((-3, -2))(line))
attempt(lambda: nn.ReplicationPad2d((-3, -2, -2, -2))(image))
attempt(lambda: nn.ReplicationPad2d((0, 0, -2, -2))(image))
attempt(lambda: nn.ReplicationPad2d((-2, -2, 0, 0))(image))
attempt(lambda: nn.ReplicationPad1d((-2, 1))(line))
