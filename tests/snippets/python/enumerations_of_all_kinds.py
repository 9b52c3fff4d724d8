# Enum members with methods, IntEnum arithmetic, auto, StrEnum-like mixin, Flag, aliases, iteration and match
from enum import Enum, IntEnum, auto, unique
import torch
class Red(str, Enum): MEAN = "mean"; SUM = "sum"
class Phase(Enum):
    TRAIN = auto(); VAL = auto(); TEST = VAL
    @property
    def grad(self): return self is Phase.TRAIN
    @classmethod
    def parse(cls, s): return cls[s.upper()]
    def __str__(self): return self.name.lower()
class Level(IntEnum): LOW = 1; HIGH = 3
x = torch.ones(2, requires_grad=True)
for ph in Phase:
    with torch.set_grad_enabled(ph.grad): print(ph, repr(ph), (x * 2).requires_grad)
print(Phase.parse("val"), Phase.TEST is Phase.VAL, Phase(1), list(Level), Level.HIGH + 1, Level.LOW < Level.HIGH, max(Level), Red.SUM == "sum", torch.nn.functional.mse_loss(x, x * 0, reduction=Red.SUM.value), {Phase.TRAIN: 1}[Phase.TRAIN], len(Phase), "TRAIN" in Phase.__members__, isinstance(Red.MEAN, str))
match Phase.TRAIN:
    case Phase.VAL: print("v")
    case Phase.TRAIN: print("t")
try: Phase(9)
except ValueError as e: print(e)
try: Phase["NOPE"]
except KeyError as e: print(e)
