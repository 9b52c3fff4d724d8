# An inference tensor that is detached, or its .data, counts writes and takes them; its views and copies as before
import torch

with torch.inference_mode():
    scores = torch.tensor([1.0, 2.0, 3.0])
free = scores.detach()
free.mul_(2)
print(scores, free.is_inference(), free._version)
print(scores.data.is_inference(), scores.data.add_(1))
for name, t in (("view", scores.view(3)), ("row", free[:1]), ("copy", scores.clone()), ("product", free * 1)):
    try:
        t.add_(1)
        print(name, t.is_inference(), t)
    except RuntimeError as e:
        print(name, t.is_inference(), e)
for f in (lambda: free.__setitem__(0, 9.0), lambda: free.requires_grad_(), lambda: free * torch.ones(3, requires_grad=True)):
    try:
        print(f())
    except RuntimeError as e:
        print(e)
