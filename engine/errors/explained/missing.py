"""What helps a program that imports what is not here."""

from __future__ import annotations

_HELP = {
    "Backlight has no audio: make the input with torch.randn.": "torchaudio librosa soundfile",
    "Backlight has no text data sets: make the input with torch.randint.": "torchtext nltk spacy gensim",
    "Backlight has no tokenizers: give the words or letters of a text numbers with a dict.": (
        "tokenizers tiktoken sentencepiece"
    ),
    "Backlight has no data sets: make the input with torch.randn or torch.randint.": "datasets mnist",
    "Backlight has no pretrained models: build a small model from torch.nn.": (
        "transformers timm diffusers peft sentence_transformers open_clip clip efficientnet_pytorch"
    ),
    "Put the numbers into a list or a torch.tensor.": "pandas polars pyarrow h5py openpyxl",
    "Backlight reads no images: make one with torch.rand(3, 32, 32), or use torchvision.datasets.FakeData.": "PIL",
    "Backlight reads no images: make one with torch.rand(3, 32, 32).": "cv2 imageio skimage albumentations kornia",
    "Programs have no network here: write the data into the program.": "requests urllib socket gdown wget",
    "Backlight has no environments: write the few numbers that a step needs into the program.": (
        "gym gymnasium stable_baselines3 pettingzoo"
    ),
    "Use torch or math for the computation.": "numba cupy mpmath statsmodels",
    "Use torch.nn.Module and write the training loop out.": (
        "pytorch_lightning lightning fastai ignite accelerate deepspeed skorch catalyst"
    ),
    "Programs start no other programs here.": "subprocess",
    "Backlight shows PyTorch's backward pass; write the computation with torch.": (
        "tensorflow keras jax flax autograd mxnet chainer paddle theano tinygrad"
    ),
    "Backlight computes with numbers, not with symbols: give the variables values in torch.tensor.": "sympy",
    "Write what passes along the edges with index_add_, or as a product with the adjacency matrix.": (
        "torch_geometric torch_scatter torch_sparse dgl networkx"
    ),
    "Write the steps of the solver out: Euler's or Runge and Kutta's are a few lines of torch.": "torchdiffeq torchsde",
    "torch.func.functional_call computes with other parameters, as an inner loop needs.": "higher learn2learn torchopt",
    "sklearn.metrics has the common scores.": "torchmetrics evaluate",
    "torch.distributions has the distributions; write the model out with them.": "pyro gpytorch botorch numpyro",
    "Write the settings into the program, as a dict or a dataclass.": "yaml omegaconf hydra absl ml_collections toml",
    "Put the numbers into a list, a numpy array or a torch.tensor.": "array",
    "Programs compress nothing here.": "zlib gzip",
    "Nothing sends signals to a program here.": "signal",
}
HINTS: dict[str, str] = {name: hint for hint, names in _HELP.items() for name in names.split()}
"""What helps when a program needs a module that is not here."""
