# Timing, memory and environment prints that every script has
import torch
import time, os, sys, gc
t0 = time.time(); x = torch.randn(10, 10, requires_grad=True, generator=torch.Generator().manual_seed(0)); (x @ x).sum().backward(); dt = time.time() - t0
print(f"{dt < 100}", sys.version_info >= (3, 8), torch.__version__.split(".")[0] >= "1", torch.cuda.is_available(), os.environ.get("NOPE", "none"), len(sys.argv) >= 0, gc.collect() >= 0)
device = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"; print(device, x.to(device).device, torch.device(device).type, torch.ones(1, device=device))
print(x.element_size() * x.nelement(), sys.getsizeof(0) > 0, torch.get_num_threads() >= 1, time.perf_counter() > 0, __name__)
torch.set_default_device("cpu"); torch.set_float32_matmul_precision("high"); torch.backends.cudnn.benchmark = False; print(torch.get_default_device())
if __name__ == "__main__": print("main")
sys.stdout.write("done\n"); sys.stdout.flush()
os.environ["A"] = "1"; print(os.getenv("A"), os.path.join("a", "b"), os.cpu_count() >= 1)
