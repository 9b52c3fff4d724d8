# A function that writes its result elsewhere has no forward mode, and says so when it has written.
import torch

with torch.autograd.forward_ad.dual_level():
    dual = torch.autograd.forward_ad.make_dual(torch.ones(2), torch.ones(2))
    plain = torch.zeros(2)
    for function in (lambda: torch.add(plain, plain, out=dual), lambda: torch.sin(dual, out=plain)):
        try:
            function()
        except NotImplementedError as error:
            print(error)
    print(plain)
