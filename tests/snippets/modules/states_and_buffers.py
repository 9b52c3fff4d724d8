# Metadata of states, buffers by an overridden method, hooks of loading
import torch


def b14():
    class M(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.b = torch.nn.Buffer(torch.ones(2))
        def register_buffer(self, name, tensor):
            super().register_buffer(name, tensor)
    m = M(); print(m.state_dict())

b14()

def b16():
    from torch.nn.utils.rnn import pack_sequence
    p = pack_sequence([torch.tensor([1., 2.]), torch.tensor([3.])])
    print(p.long().data.dtype)
    m = torch.nn.Linear(2, 2)
    sd = m.state_dict(); print(sd._metadata)
    m._register_load_state_dict_pre_hook(lambda *a: print('pre', len(a)))
    print(m.load_state_dict(sd))
    print(torch.optim.lr_scheduler.EPOCH_DEPRECATION_WARNING[:30])

b16()

def c8():
    class M(torch.nn.Module):
        def __init__(self):
            super().__init__(); self.w = torch.nn.Parameter(torch.ones(1))
        def get_extra_state(self): return 1
        def set_extra_state(self, s): print('set', s)
    m = M()
    try: print(m.load_state_dict({'w': torch.ones(1)}))
    except Exception as e: print(type(e).__name__, e)
    x = torch.ones(2, requires_grad=True); y = x * 2; y.sum().backward()
    try:
        import warnings
        warnings.simplefilter('ignore')
        torch.nn.utils.clip_grad_value_(y, 1.0); print('ok')
    except Exception as e: print(type(e).__name__, e)

c8()

def d3():
    class M(torch.nn.Module):
        def __init__(self):
            super().__init__(); self.register_buffer('b', torch.ones(1), persistent=False)
    m = M(); m.b = torch.nn.Buffer(torch.zeros(1)); print(list(m.state_dict()))
    lin = torch.nn.Linear(1, 1)
    opt = torch.optim.SGD(lin.parameters(), lr=.1)
    s = torch.optim.lr_scheduler.LambdaLR(opt, [lambda e: .5 ** e])
    import warnings
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter('always')
        s.step()
        for x in w: print(x.category.__name__, str(x.message)[:80])
    print(s.lr_lambdas, s.get_last_lr())
    lin.register_forward_pre_hook(lambda m, i: 1/0)
    lin.register_forward_hook(lambda m, i, o: print('hook', o), always_call=True)
    try: lin(torch.ones(1))
    except Exception as e: print(type(e).__name__, e)
    with torch.autograd.detect_anomaly():
        x = torch.ones(2, requires_grad=True); y = x.exp(); y += 1
        try: y.sum().backward()
        except Exception as e: print(type(e).__name__, str(e)[:120])

d3()
