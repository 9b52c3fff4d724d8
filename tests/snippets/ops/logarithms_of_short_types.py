# xlogy, xlog1py and logit of bfloat16 and half: rounded after each step, by vectors and one by one
import torch

torch.manual_seed(0)


def show():
    for dtype in (torch.bfloat16, torch.float16):
        a, b = (torch.rand(70) * 4).to(dtype), (torch.rand(70) * 4 + 0.1).to(dtype)
        results = {
            "xlogy": torch.xlogy(a, b),
            "number · log": torch.xlogy(2.3, b),
            "· log number": torch.xlogy(a, 2.3),
            "xlog1py": torch.special.xlog1py(a, b),
            "number · log1p": torch.special.xlog1py(2.3, b),
            "· log1p number": torch.special.xlog1py(a, 2.3),
            "logit": torch.logit(a / 5),
            "xlogy_": a.clone().xlogy_(b),
            "sigmoid_": a.clone().sigmoid_(),
        }
        for name, result in results.items():
            print(dtype, name, result.double().sum().item(), result.double()[:6].tolist())


show()
