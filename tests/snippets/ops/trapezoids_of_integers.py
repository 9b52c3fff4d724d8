"""Trapezoids of integers: what is added wraps around before it is halved."""

import torch
for dt in (torch.uint8, torch.int8, torch.int16, torch.int64, torch.bool):
    u = torch.tensor([100, 100, 59, 1], dtype=dt) if dt != torch.bool else torch.tensor([True, True, False])
    for f in (torch.trapz, torch.trapezoid, lambda v: torch.trapz(v, dx=2), lambda v: torch.trapezoid(v, v), torch.cumulative_trapezoid):
        try: print(dt, f(u))
        except Exception as e: print(dt, type(e).__name__, str(e)[:90])
u = torch.tensor([[100, 5, 59, 1, 127], [3, 120, 7, 9, 120]], dtype=torch.int8)
for v in (u, u.to(torch.uint8) * 2, u.short(), u.int(), u.long(), u.half(), u.bfloat16(), u.float(), u.double(), u.cfloat()):
    for f in (torch.trapz, lambda v: torch.trapz(v, dim=0), lambda v: torch.trapz(v, dx=2), lambda v: torch.trapezoid(v, dx=.5), lambda v: torch.trapezoid(v, v), torch.cumulative_trapezoid, lambda v: torch.cumulative_trapezoid(v, dx=3), lambda v: torch.cumulative_trapezoid(v, v)):
        try: r = f(v); print(v.dtype, r.dtype, r)
        except Exception as e: print(v.dtype, type(e).__name__, str(e)[:90])
