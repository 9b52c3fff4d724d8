"""What a program can import although it is not here, so long as it does not use it.

Real programs import more than they run. Such an import passes with a notice, and its name stays without a value:
reading it is what raises, at that line and with what helps. `absent.txt` is recorded by `tests.record.absent`: per
module that is here the names that only the real one has. A name that the real one lacks, too, is an error at once.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from engine.program import session as sessions
from engine.program.exceptions import trail

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
TOLD: dict[tuple[str, str], str] = {}
"""What the real module says to who reads a name that it had once, by module and name."""

_OF_PYTHON = "Leave out what uses it, or write it with what is there."
_UNKNOWN = "If it is a file of yours, paste what it defines into the program."


def _recorded() -> dict[str, frozenset[str]]:
    lines = (Path(__file__).parent / "absent.txt").read_text().splitlines()
    return {path: frozenset(names.split()) for path, _, names in (line.partition(": ") for line in lines)}


_ELSEWHERE = _recorded()


def exists_elsewhere(module: str, name: str) -> bool:
    """Whether the real module has this name, which the one here lacks."""
    return name in _ELSEWHERE.get(module, ())


def hint_for(module: str, name: str) -> str | None:
    """What helps someone who reads a name that the module here lacks; None where the real one lacks it, too."""
    return _hint(f"{module}.{name}", True) if exists_elsewhere(module, name) else None


@dataclass(frozen=True, slots=True)
class Absent:
    """A module, or a name of one, that is not here."""

    what: str  # as in "pandas", "torch.fx" or "Foo of torch.nn"
    kind: type[ImportError]
    message: str
    module: str  # that was not found, or lacks the name
    hint: str
    elsewhere: bool  # the real thing may well exist: the import passes

    def error(self) -> ImportError:
        """The error for its use, or for its import where nothing of that name exists."""
        error = self.kind(self.message, name=self.module)
        trail(error).hint = self.hint
        return error

    def pass_over(self) -> None:
        """Say at the line of its import that it is not here. Raises its error if that cannot be passed over."""
        if not self.elsewhere:
            raise self.error()
        sessions.active.notice(f"{self.what} is not available here. The program runs on until it is used.")


def absent_module(name: str, known: str | None) -> Absent:
    """For `import name`; `known` is the longest part of it that is a module here."""
    if known is None:
        root = name.partition(".")[0]
        unknown = _OF_PYTHON if root in sys.stdlib_module_names else _UNKNOWN
        hint = f"{root} is not available here. {HINTS.get(root, unknown)}"
        return Absent(root, ModuleNotFoundError, f"No module named '{root}'", root, hint, True)
    following = name[len(known) + 1 :].partition(".")[0]
    missing = f"{known}.{following}"
    elsewhere = exists_elsewhere(known, following)
    message, hint = f"No module named '{missing}'", _hint(missing, elsewhere)
    return Absent(missing, ModuleNotFoundError, message, missing, hint, elsewhere)


def absent_name(module: str, name: str) -> Absent:
    """For `from module import name`, where the module is here and the name is not."""
    message = f"cannot import name '{name}' from '{module}' (unknown location)"
    elsewhere = exists_elsewhere(module, name)
    return Absent(f"{module}.{name}", ImportError, message, module, _hint(f"{module}.{name}", elsewhere), elsewhere)


def _hint(what: str, elsewhere: bool) -> str:
    root = what.partition(".")[0]
    whose = "PyTorch" if root == "torch" else "Python" if root in sys.stdlib_module_names else root
    if elsewhere:
        return f"{whose} has {what}, Backlight does not: leave out what uses it, or write it with what is there."
    return f"{whose} has no {what} either: it is misspelt, or of another version."
