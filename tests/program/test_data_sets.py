"""Stand-ins for data that real libraries would fetch, and torchvision on the engine."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from tests.forked import notices, printed, ran

HEAD = "import torch\nfrom torchvision import datasets, models, ops, transforms\n"

EVERY_ONE = """
import inspect
GIVEN = {"root": "d", "annFile": "a", "ann_file": "a", "name": "notredame", "frames_per_clip": 4}
REAL = "VisionDataset ImageFolder DatasetFolder FakeData wrap_dataset_for_transforms_v2".split()
for name in datasets.__all__:
    if name not in REAL:
        kind = getattr(datasets, name)
        wanted = list(inspect.signature(kind.__init__).parameters.values())[1:]
        wanted = [p.name for p in wanted if p.default is p.empty and p.kind is p.POSITIONAL_OR_KEYWORD]
        given = {each: GIVEN.get(each, "letters") for each in wanted}
        made = kind(**given)
        assert len(made) > 9 and name in repr(made), name
        assert isinstance(made[0], (tuple, torch.Tensor)), name
        made[len(made) - 1]
        for beyond in (10**8, -10**8):
            try:
                made[beyond]
            except IndexError:
                continue
            raise AssertionError(name)
print(len(datasets.__all__) - len(REAL))
"""


pytestmark = pytest.mark.skipif(find_spec("torchvision") is None, reason="torchvision is not installed")


def test_every_data_set_has_a_stand_in_that_says_so() -> None:
    (count,) = printed(HEAD + EVERY_ONE)
    told = notices(HEAD + EVERY_ONE)
    assert len(told) == int(count)
    assert all(each.startswith("This is a random stand-in for ") for each in told)


def test_shapes_classes_and_targets_are_those_of_the_original() -> None:
    code = """
d = datasets.MNIST("d", transform=transforms.ToTensor(), download=True)
print(d[0][0].shape, type(d[0][1]), d.data.dtype, d.targets.dtype, d.classes[3], d.class_to_idx["3 - three"])
d = datasets.CIFAR10("d", train=False)
print(d[0][0].size, d.data.shape[1:], type(d.targets), d.class_to_idx["cat"], d.train)
d = datasets.SVHN("d", split="test")
print(d.data.shape[1:], d.labels.dtype)
d = datasets.EMNIST("d", split="letters")
print(len(d.classes), d[0][0].mode)
"""
    assert printed(HEAD + code) == [
        "torch.Size([1, 28, 28]) <class 'int'> torch.uint8 torch.int64 3 - three 3",
        "(32, 32) (32, 32, 3) <class 'list'> 3 False",
        "(3, 32, 32) int64",
        "27 L",
    ]


def test_what_is_cut_is_as_long_as_the_original() -> None:
    code = """
d = datasets.USPS("d")
print(d.data.shape, len(d.targets), len(d), d.data[7000:].shape, d[7000][1] == d.targets[7000])
a, b = torch.utils.data.random_split(datasets.MNIST("d"), [50000, 10000])
print(len(a) + len(b))
d.data, d.targets = d.data[:100], d.targets[:100]
print(len(d), d[99][1] == d.targets[99])
"""
    assert printed(HEAD + code) == ["(7291, 16, 16) 7291 256 (291, 16, 16) True", "256", "100 True"]


def test_programs_derive_from_them() -> None:
    code = """
class Noisy(datasets.CIFAR10):
    def __init__(self, root, noise):
        super().__init__(root, train=True)
        self.targets = [noise] * len(self.targets)
    def __getitem__(self, index):
        return self.data[index].shape, self.targets[index]
print(Noisy("d", 3)[0])
"""
    assert printed(HEAD + code) == ["((32, 32, 3), 3)"]


def test_folders_that_the_program_makes_are_real() -> None:
    code = """
import os
from PIL import Image
for name in "ab":
    os.makedirs(f"d/{name}")
    Image.new("RGB", (8, 8)).save(f"d/{name}/1.png")
d = datasets.ImageFolder("d", transforms.ToTensor())
print(d.classes, d[1][0].shape, d[1][1])
"""
    assert printed(HEAD + code) == ["['a', 'b'] torch.Size([3, 8, 8]) 1"]


@pytest.mark.parametrize("name", ["resnet18", "squeezenet1_1", "mobilenet_v2", "densenet121", "swin_t"])
def test_models_train(name: str) -> None:
    code = f"""
torch.manual_seed(0)
model = models.{name}(weights=None, num_classes=4)
out = model(torch.rand(2, 3, 32, 32))
out.sum().backward()
print(out.shape, all(p.grad is not None for p in model.parameters()))
"""
    assert printed(HEAD + code) == ["torch.Size([2, 4]) True"]


def test_trained_weights_are_random_ones_and_say_so() -> None:
    code = """
torch.manual_seed(0)
model = models.squeezenet1_1(weights="DEFAULT")
weights = models.SqueezeNet1_1_Weights.DEFAULT
before = torch.get_rng_state()
state = weights.get_state_dict()
print(state.keys() == model.state_dict().keys(), len(weights.meta["categories"]))
again = weights.get_state_dict()
print(torch.equal(before, torch.get_rng_state()), torch.equal(state["features.0.bias"], again["features.0.bias"]))
"""
    assert printed(HEAD + code) == ["True 1000", "True True"]
    assert any("There are no trained weights here" in each for each in notices(HEAD + code))


def test_features_of_inner_layers() -> None:
    code = """
from torchvision.models.feature_extraction import create_feature_extractor
model = models.resnet18().eval()
x = torch.rand(1, 3, 32, 32)
found = create_feature_extractor(model, {"layer1": "first", "fc": "last"})(x)
print({name: value.shape for name, value in found.items()}, torch.equal(found["last"], model(x)))
try:
    create_feature_extractor(model, ["nothing"])
except ValueError as error:
    print(str(error)[:40])
"""
    assert printed(HEAD + code) == [
        "{'first': torch.Size([1, 64, 8, 8]), 'last': torch.Size([1, 1000])} True",
        "node: 'nothing' is not present in model.",
    ]


def test_ops_that_are_compiled_elsewhere() -> None:
    code = """
boxes = torch.tensor([[0.0, 0, 10, 10], [1, 1, 11, 11], [20, 20, 30, 30]])
print(ops.nms(boxes, torch.tensor([0.5, 0.9, 0.3]), 0.5), ops.nms(boxes, torch.tensor([0.5, 0.9, 0.3]), 0.9))
print(ops.batched_nms(boxes, torch.tensor([0.5, 0.9, 0.3]), torch.tensor([0, 1, 0]), 0.5))
print(ops.box_iou(boxes[:1], boxes), ops.roi_align(torch.ones(1, 2, 16, 16), [boxes[:2]], 3).shape)
ops.deform_conv2d(torch.rand(1, 3, 8, 8), torch.rand(1, 18, 6, 6), torch.rand(4, 3, 3, 3))
"""
    document = ran(HEAD + code)
    assert document["stdout"].splitlines() == [
        "tensor([1, 2]) tensor([1, 0, 2])",
        "tensor([1, 0, 2])",
        "tensor([[1.0000, 0.6807, 0.0000]]) torch.Size([2, 2, 3, 3])",
    ]
    assert (document["error"]["type"], document["error"]["line"]) == ("NotImplementedError", 8)
    assert "torch.ops.torchvision.deform_conv2d is compiled code" in document["error"]["message"]


@pytest.mark.parametrize("module", ["transforms", "transforms.v2"])
def test_transforms(module: str) -> None:
    code = f"""
import torchvision.{module} as T
import numpy as np
from PIL import Image
torch.manual_seed(0)
image = Image.fromarray(np.arange(32 * 40 * 3, dtype="uint8").reshape(32, 40, 3))
pixels = torch.rand(3, 32, 40)
for make in (
    T.Resize(16), T.RandomCrop(16), T.RandomResizedCrop(16), T.RandomHorizontalFlip(1.0), T.RandomRotation(30),
    T.ColorJitter(0.2, 0.2, 0.2, 0.1), T.RandomAffine(10), T.RandomPerspective(p=1.0), T.GaussianBlur(3), T.Grayscale(),
    T.ElasticTransform(), T.RandomErasing(p=1.0), T.Pad(2), T.RandomAutocontrast(), T.RandomInvert(),
):
    assert make(pixels).ndim == 3
    if not isinstance(make, T.RandomErasing):
        make(image)
for make in (T.AutoAugment(), T.RandAugment(), T.TrivialAugmentWide(), T.AugMix(), T.RandomEqualize(1.0)):
    make(image), make((pixels * 255).to(torch.uint8))
print("all")
"""
    assert printed(HEAD + code) == ["all"]


def test_scikit_learns_own_data_are_real_and_what_it_fetches_is_not() -> None:
    code = """
from sklearn.datasets import *
print(load_iris().data.mean(0), load_digits().images.shape, load_wine().target.shape)
print(load_sample_image("china.jpg").shape)
print(fetch_california_housing(as_frame=True).frame.shape, fetch_olivetti_faces().images.shape)
print(fetch_20newsgroups(categories=["sci.med", "sci.space"]).target_names, fetch_lfw_people().images.shape)
print(fetch_openml("mnist_784", as_frame=False).data[60000:].shape, fetch_covtype(return_X_y=True)[1].max())
print(fetch_rcv1().data.shape, fetch_lfw_pairs().pairs.shape, fetch_kddcup99().data.shape)
print(fetch_20newsgroups_vectorized().data.shape[1], fetch_species_distributions().train.shape)
"""
    assert printed(code) == [
        "[5.84333333 3.05733333 3.758      1.19933333] (1797, 8, 8) (178,)",
        "(427, 640, 3)",
        "(20640, 9) (400, 64, 64)",
        "['sci.med', 'sci.space'] (1288, 62, 47)",
        "(10000, 784) 7",
        "(2000, 47236) (220, 2, 62, 47) (4940, 41)",
        "130107 (1624,)",
    ]
    assert len(notices(code)) == 11


def test_seaborns_tables() -> None:
    code = """
import seaborn as sns
for name in sns.get_dataset_names():
    table = sns.load_dataset(name)
    assert len(table) > 10 and len(table.columns) > 2 or name in ("seaice", "dowjones"), name
tips, flights = sns.load_dataset("tips"), sns.load_dataset("flights")
print(list(tips.columns), len(tips), tips.day.dtype, tips.total_bill.dtype)
print(flights.pivot(index="month", columns="year", values="passengers").shape)
"""
    assert printed(code) == [
        "['total_bill', 'tip', 'sex', 'smoker', 'day', 'time', 'size'] 244 category float64",
        "(12, 12)",
    ]
    assert all("random stand-in" in each for each in notices(code))


def test_progress_bars() -> None:
    code = "from tqdm.notebook import tqdm\nfrom tqdm.auto import trange\nprint([*tqdm(range(2))], [*trange(2)])"
    assert printed(code) == ["[0, 1] [0, 1]"]
