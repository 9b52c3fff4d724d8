# What scaled_dot_product_attention refuses: masks of other types and shapes, heads that do not divide, probabilities
import torch
import torch.nn.functional as F

torch.manual_seed(0)
q, k, v = torch.randn(2, 4, 3, 5), torch.randn(2, 4, 6, 5), torch.randn(2, 4, 6, 5)
allowed = torch.ones(3, 6)


def attempt(*args, **kwargs):
    try:
        print(F.scaled_dot_product_attention(*args, **kwargs).sum())
    except (IndexError, RuntimeError, TypeError) as error:
        print(type(error).__name__, error)


for dtype in (torch.int64, torch.int32, torch.uint8, torch.float16, torch.bfloat16, torch.float64, torch.complex64):
    attempt(q, k, v, attn_mask=allowed.to(dtype))
    attempt(q[0, 0], k[0, 0], v[0, 0], attn_mask=allowed.to(dtype))
attempt(q.double(), k.double(), v.double(), attn_mask=allowed)
attempt(q.double(), k.double(), v.double(), attn_mask=allowed.double())
attempt(q, k, v, attn_mask=allowed > 0)
attempt(q, k, v, attn_mask=allowed[0])
attempt(q, k, v, attn_mask=allowed[0, 0])
attempt(q[0], k[0], v[0], attn_mask=allowed[0])
attempt(q, k[:, :2], v[:, :2], enable_gqa=True)
attempt(q, k[:, :3], v[:, :3], enable_gqa=True)
attempt(q, k[:, :3], v[:, :2], enable_gqa=True)
attempt(q[0, 0], k[0, 0], v[0, 0], enable_gqa=True)
attempt(q, k, v, dropout_p=2.0)
attempt(q, k, v, dropout_p=-0.1)
attempt(q, k, v, dropout_p=1.0)
attempt(q.long(), k.long(), v.long())
attempt(q[0, 0].long(), k[0, 0].long(), v[0, 0].long())
attempt(q, k, v, is_causal=1)
