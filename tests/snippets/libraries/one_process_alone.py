# What torch answers to a program that asks for other processes, and threads with gradients
import functorch
import threading
import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from functorch import grad, vmap

print(dist.is_available(), dist.is_initialized(), torch.distributed.is_initialized(), mp.get_sharing_strategy())
rank = dist.get_rank() if dist.is_initialized() else 0
try:
    dist.get_world_size()
except ValueError as error:
    print(error)
print(grad(torch.sin)(torch.tensor(0.0)), vmap(grad(lambda x: x**2))(torch.arange(3.0)), functorch.jacrev(torch.sin)(torch.zeros(2)))
mp.spawn(print, args=(1, 2), nprocs=torch.cuda.device_count() if torch.cuda.is_available() else 0)
x = torch.ones(2, requires_grad=True)


def train():
    ((x + 3) * (x + 4) * 0.5).sum().backward()


threads = []
for _ in range(3):
    thread = threading.Thread(target=train, args=())
    thread.start()
    threads.append(thread)
for thread in threads:
    thread.join()
print(x.grad)
