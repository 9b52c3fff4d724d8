# Grad modes inside each other and inside inference mode, where nothing is recorded
import torch

x = torch.ones(2, requires_grad=True)


def modes():
    return torch.is_grad_enabled(), torch.is_inference_mode_enabled(), (x * 2).requires_grad


with torch.inference_mode():
    print(modes())
    with torch.enable_grad():
        print(modes(), (x * 2).grad_fn, (x * 2).is_inference())
        v = x.view(2)
        print(v.requires_grad, v.grad_fn, v.is_inference(), v._is_view(), x[0].requires_grad)
        w = torch.ones(2, requires_grad=True)
        print(w.is_leaf, (w * 2).grad_fn)
        with torch.no_grad():
            print(modes())
        print(modes())
    with torch.inference_mode(False):
        print(modes(), (x * 2).is_inference())
        (x * 3).sum().backward()
        with torch.no_grad():
            print(modes())
            with torch.inference_mode(False):
                print(modes())
    with torch.set_grad_enabled(True):
        print(modes())
    print(modes())
with torch.no_grad():
    with torch.inference_mode(False):
        print(modes())
    with torch.inference_mode():
        print(modes())
    print(modes())
print(modes(), x.grad)


@torch.inference_mode(False)
def decorated():
    return modes()


with torch.no_grad():
    print(decorated())
with torch.inference_mode():
    print(decorated())
torch.set_grad_enabled(False)
with torch.inference_mode(False):
    print(modes())
print(modes())
torch.set_grad_enabled(True)
