# Words for attributes that are not there
import torch


def d1():
    for name, r in dict(mode=torch.ones(2, 2).mode(0), max=torch.ones(2, 2).max(0), sort=torch.ones(2).sort(), qr=torch.linalg.qr(torch.eye(2)), dt=torch.float32, svd=torch.svd(torch.eye(2)), topk=torch.ones(3).topk(1)).items():
        try: print(r.foo)
        except Exception as e: print(name, type(e).__name__, e)
        print(type(r).__name__, type(r).__module__, type(r).__qualname__)

d1()
