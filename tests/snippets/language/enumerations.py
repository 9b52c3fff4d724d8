# Enumerations
from enum import Enum, IntEnum, auto
class Color(Enum):
    RED = 1
    GREEN = 'g'
    def hello(self): return self.name + '!'
print(Color.RED, repr(Color.RED), Color.RED.name, Color.RED.value, list(Color), Color('g'), Color['RED'], Color.RED is Color(1), Color.RED == Color.GREEN, Color.RED.hello(), isinstance(Color.RED, Color), len(Color), {Color.RED: 1}[Color.RED], Color.RED in Color, type(Color.RED), Color)
class Mode(Enum):
    A = auto()
    B = auto()
print([m.value for m in Mode], f'{Mode.A}')
class P(IntEnum):
    LOW = 1
    HIGH = 2
print(P.LOW < P.HIGH, P.HIGH + 1, P.LOW == 1, int(P.HIGH), sorted([P.HIGH, P.LOW])[0].name, [1,2,3][P.LOW])
try: Color(5)
except ValueError as e: print(e)
try: Color.RED = 5
except AttributeError as e: print('cannot')
