# Arrays of tensors, duals outside of levels, versions
import torch


def b9():
    import torch.autograd.forward_ad as fwAD
    try:
        print(fwAD.unpack_dual(torch.ones(2)))
    except Exception as e: print(type(e).__name__, e)

b9()

def b10():
    try: print(torch.ones(2).__array__())
    except Exception as e: print(type(e).__name__, e)

b10()

def b13():
    with torch.inference_mode():
        t = torch.ones(2)
    try:
        torch.autograd.graph.increment_version(t); print('ok')
    except Exception as e: print(type(e).__name__, e)

b13()

def c7():
    import torch.nn.functional as F
    lp = torch.randn(5, 1, 4).log_softmax(2)
    try: print(F.ctc_loss(lp, torch.tensor([[1, 2]]), torch.tensor([5.]), torch.tensor([2.])))
    except Exception as e: print(type(e).__name__, e)
    z = torch.tensor([1+2j]).conj()
    try: print(z.numpy())
    except Exception as e: print(type(e).__name__, e)
    try: print(torch.view_as_complex(torch.ones(2, 3, 2)[:, :, ::1].as_strided((2, 2), (3, 1))))
    except Exception as e: print(type(e).__name__, e)
    try: print(torch.ones(2).long().nanmean())
    except Exception as e: print(type(e).__name__, e)

c7()
