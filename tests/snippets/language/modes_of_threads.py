# Every thread begins with gradients enabled, and sets the mode for itself alone
import threading

import torch

x = torch.ones(2, requires_grad=True)
told = []


def modes():
    return torch.is_grad_enabled(), torch.is_inference_mode_enabled(), (x * 2).requires_grad


def disable():
    torch.set_grad_enabled(False)
    told.append(modes())


for mode in torch.no_grad(), torch.inference_mode():
    with mode:
        for target in (lambda: told.append(modes())), disable:
            thread = threading.Thread(target=target)
            thread.start()
            thread.join()
print(told, modes())
