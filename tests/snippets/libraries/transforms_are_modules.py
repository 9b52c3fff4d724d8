# Transforms are modules; ways to interpolate are named constants; parameters are drawn apart
import torch, torchvision.transforms as T
from torchvision.transforms import functional as TF
from torchvision.transforms import InterpolationMode
print(T.InterpolationMode.BILINEAR, repr(InterpolationMode.NEAREST), InterpolationMode.BICUBIC.value, InterpolationMode.BICUBIC.name)
print(T.Resize(8, interpolation=InterpolationMode.BICUBIC), T.Resize(8, interpolation=3), InterpolationMode('bilinear'))
torch.manual_seed(0)
x = torch.rand(3, 12, 16)
print(isinstance(T.Normalize(0.5,0.5), torch.nn.Module), isinstance(T.ToTensor(), torch.nn.Module))
seq = torch.nn.Sequential(T.CenterCrop(10), T.Normalize((0.485, 0.456, 0.406), (0.229, 0.224, 0.225)), T.RandomHorizontalFlip(0.5))
print(seq, seq(x).shape)
print(T.RandomCrop.get_params(x, (4, 5)), T.RandomResizedCrop.get_params(x, [0.1, 1.0], [0.75, 1.33]))
i, j, h, w = T.RandomCrop.get_params(x, output_size=(6, 6)); print(TF.crop(x, i, j, h, w).sum())
class Mine(T.RandomCrop):
    def forward(self, img):
        return super().forward(img) * 2
print(Mine(4)(x).sum(), Mine(4))
