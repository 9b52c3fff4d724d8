# The kernels of attention are switched off and on by torch.backends.cuda, on the CPU as well
import torch
import torch.nn.functional as F
from torch.backends.cuda import enable_flash_sdp, flash_sdp_enabled
torch.manual_seed(0)
q = torch.randn(1, 1, 3, 4, requires_grad=True)
print(torch.backends.cuda.flash_sdp_enabled(), torch.backends.cuda.math_sdp_enabled(), torch.backends.cuda.mem_efficient_sdp_enabled(), torch.backends.cuda.cudnn_sdp_enabled())
print(F.scaled_dot_product_attention(q, q, q).grad_fn.name())
torch.backends.cuda.enable_flash_sdp(False); torch.backends.cuda.enable_mem_efficient_sdp(False)
print(flash_sdp_enabled(), torch.backends.cuda.mem_efficient_sdp_enabled(), F.scaled_dot_product_attention(q, q, q).grad_fn.name())
torch.backends.cuda.enable_math_sdp(False)
try: F.scaled_dot_product_attention(q, q, q)
except RuntimeError as e: print(e)
torch.backends.cuda.enable_math_sdp(True); enable_flash_sdp(True)
with torch.backends.cuda.sdp_kernel(enable_flash=False, enable_math=True, enable_mem_efficient=False):
    print(F.scaled_dot_product_attention(q, q, q).grad_fn.name(), torch.backends.cuda.flash_sdp_enabled())
print(F.scaled_dot_product_attention(q, q, q).grad_fn.name(), torch.backends.cuda.is_flash_attention_available())
torch.backends.cuda.matmul.allow_tf32 = True; torch.backends.cudnn.allow_tf32 = True; print(torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction)
