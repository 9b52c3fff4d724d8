# What torch.distributed says to a program that nobody has launched
import os

import torch
import torch.distributed as dist


def attempt(run):
    try:
        run()
    except (AssertionError, ValueError) as error:
        print(type(error).__name__, error)


attempt(lambda: dist.init_process_group("gloo"))
attempt(lambda: dist.init_process_group("gloo", rank=0, world_size=1))
os.environ["RANK"] = "0"
attempt(lambda: dist.init_process_group(backend="gloo", init_method="env://"))
os.environ["WORLD_SIZE"] = "1"
attempt(lambda: dist.init_process_group("gloo"))
os.environ["MASTER_ADDR"] = "localhost"
attempt(lambda: dist.init_process_group("gloo"))
print(dist.is_initialized())
attempt(dist.destroy_process_group)
w = torch.ones(2, requires_grad=True)
(w * 3).sum().backward()
print(w.grad)
