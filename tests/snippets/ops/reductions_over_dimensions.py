# sum, mean, var, norm, logsumexp, prod over dims with keepdim and their gradient shapes
import torch
x = torch.arange(1., 25.).reshape(2, 3, 4).div(10).requires_grad_()
for f in ("sum", "mean", "var", "std", "amax", "logsumexp", "norm", "prod", "nansum", "median", "max", "cumsum", "softmax", "argmax", "all", "min", "mode", "nanmean", "quantile", "count_nonzero", "cumprod"):
    for d in (0, -1, (0, 2)):
        for k in (False, True):
            x.grad = None
            try:
                r = getattr(x, f)(*((.5, d) if f == "quantile" else (2, d) if f == "norm" else (d,)), **({} if f in ("cumsum", "softmax", "cumprod", "count_nonzero") else {"keepdim": k})); r = r if isinstance(r, torch.Tensor) else r[0]
                if r.requires_grad: r.sum().backward()
                print(f, d, k, tuple(r.shape), r.grad_fn and r.grad_fn.name(), None if x.grad is None else f"{x.grad.sum().item():.4f}")
            except Exception as e: print(f, d, k, type(e).__name__, str(e).split("\n")[0][:110])
