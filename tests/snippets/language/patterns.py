# match
match [1, 2, 3]:
    case [1, *rest]: print('rest', rest)
def m(v):
    match v:
        case 0: return 'zero'
        case int(n) if n > 100: return f'big {n}'
        case int() | float(): return 'num'
        case {'k': k, **o}: return ('map', k, o)
        case [a, b]: return ('pair', a, b)
        case str() as s: return 'str ' + s
        case None: return 'none'
        case _: return 'other'
print([m(v) for v in (0, 500, 2.5, {'k': 1, 'z': 2}, (1, 2), 'hi', None, [1,2,3], True)])
class Pt:
    __match_args__ = ('x', 'y')
    def __init__(s, x, y): s.x, s.y = x, y
match Pt(1, 2):
    case Pt(1, y=yy): print('pt', yy)
