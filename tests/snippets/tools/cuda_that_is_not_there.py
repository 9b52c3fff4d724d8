# What PyTorch's CPU build says of CUDA: types of tensors, devices, streams, memory, and what chooses a device.
import torch


def said(text, what):
    try:
        print(text, "->", what())
    except Exception as error:
        print(text, "->", type(error).__name__, str(error)[:80])


for name in ["init", "current_device", "seed", "initial_seed", "mem_get_info", "ipc_collect", "default_stream"]:
    said(name, lambda: getattr(torch.cuda, name)())
said("device_count", lambda: torch.cuda.device_count())
said("get_arch_list", lambda: torch.cuda.get_arch_list())
said("Stream", lambda: torch.cuda.Stream())
said("Event", lambda: torch.cuda.Event(enable_timing=True))

kind = torch.cuda.FloatTensor if torch.cuda.is_available() else torch.FloatTensor
print(kind, torch.cuda.FloatTensor, torch.cuda.LongTensor.dtype)
x = torch.zeros(2)
print(isinstance(x, (torch.cuda.FloatTensor, torch.FloatTensor)), isinstance(x, torch.cuda.FloatTensor))
said("FloatTensor(2)", lambda: torch.cuda.FloatTensor(2))
said("type", lambda: x.type(torch.cuda.FloatTensor))
said("type by name", lambda: x.type("torch.cuda.LongTensor"))
said("default", lambda: torch.set_default_tensor_type("torch.cuda.FloatTensor"))
said("cuda(0)", lambda: x.cuda(0))
said("cuda('cuda:0')", lambda: x.cuda("cuda:0"))
said("Linear.cuda(0)", lambda: torch.nn.Linear(2, 1).cuda(0))
said("Linear.cuda()", lambda: torch.nn.Linear(2, 1).cuda())

with torch.cuda.device(-1):
    print("on no device")
place = torch.cuda.device(torch.device("cuda", 1))
print(type(place), place.idx, place.prev_idx)
said("with device", lambda: place.__enter__())
said("device('cpu')", lambda: torch.cuda.device("cpu"))
said("device()", lambda: torch.cuda.device())

chosen = (
    "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available()
    else "xpu" if torch.xpu.is_available() else "cpu"
)
print(chosen, torch.xpu.device_count(), torch.mps.device_count(), torch.accelerator.is_available())
said("mps", lambda: torch.mps.synchronize())
said("xpu", lambda: torch.xpu.synchronize())
torch.mps.manual_seed(0)
torch.xpu.manual_seed_all(0)
print(repr(torch.cuda.is_available).split(" at ")[0], repr(torch.cuda.synchronize).split(" at ")[0])
