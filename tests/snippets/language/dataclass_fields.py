# Fields of dataclasses: those that are only given, those by name only, slots, classes made by a call
import dataclasses
from dataclasses import KW_ONLY, MISSING, InitVar, asdict, astuple, dataclass, field, fields, make_dataclass, replace
from typing import ClassVar


@dataclass
class Config:
    lr: float
    steps: int = 10
    name: str = field(default="run", metadata={"help": "its name"})
    layers: list = field(default_factory=list, repr=False)
    total: ClassVar[int] = 3

    def __post_init__(self):
        self.lr = float(self.lr)


print(Config.__doc__)
print(list(Config.__dataclass_fields__), hasattr(Config(1), "__dataclass_fields__"), hasattr(3, "__dataclass_fields__"))
for f in fields(Config):
    print(f.name, f.type, f.default is MISSING, f.default_factory is MISSING, dict(f.metadata), f.kw_only, f.init)
print(fields(Config)[1])
print({name: f.default for name, f in Config.__dataclass_fields__.items() if f.default is not MISSING})


@dataclass
class Point:
    x: int
    _: KW_ONLY
    y: int = 0
    z: int


print(Point(1, z=3), Point.__doc__, Point.__match_args__)
try:
    Point(1, 2)
except TypeError as error:
    print(error)


@dataclass
class Scaled:
    value: float
    scale: InitVar[float] = 2.0
    unit: InitVar[str] = "m"
    result: float = field(init=False)

    def __post_init__(self, scale, unit):
        self.result = self.value * scale
        self.text = f"{self.result}{unit}"


scaled = Scaled(1.5, unit="km")
print(scaled, scaled.text, Scaled(1, 3).result, [f.name for f in fields(Scaled)], scaled.scale)
print(replace(scaled, value=2.0, scale=5.0))


@dataclass(slots=True)
class Slotted:
    a: int
    b: list = field(default_factory=list)


slotted = Slotted(1)
slotted.b.append(2)
print(slotted, Slotted.__slots__, hasattr(slotted, "__dict__"))
try:
    slotted.c = 3
except AttributeError as error:
    print(error)


@dataclass(frozen=True, order=True)
class Key:
    a: int
    b: int = field(compare=False, default=0)


print(Key(1) < Key(2), Key(1, 5) == Key(1, 6), hash(Key(1, 5)) == hash(Key(1, 6)), len({Key(1), Key(1, 2)}))


@dataclass(unsafe_hash=True)
class Hashed:
    a: int


print(len({Hashed(1), Hashed(1)}))
parts = ["a", ("b", int), ("c", float, field(default=0.5))]
Made = make_dataclass("Made", parts, namespace={"sum": lambda self: self.b})
print(Made(1, 2), Made(1, 2).sum(), Made.__name__, [f.type for f in fields(Made)])


@dataclass
class Outer:
    key: Key
    many: list


outer = Outer(Key(1, 2), [Key(3), (Key(4), {"k": Key(5)})])
print(asdict(outer))
print(astuple(outer), asdict(Key(1), dict_factory=lambda pairs: sorted(pairs)))
for wrong in (
    lambda: fields(3),
    lambda: asdict(Key),
    lambda: replace(scaled, result=1),
    lambda: make_dataclass("M", ["a", "a"]),
    lambda: make_dataclass("M", ["if"]),
):
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)
print(dataclasses.is_dataclass(Made), dataclasses.is_dataclass(3))
