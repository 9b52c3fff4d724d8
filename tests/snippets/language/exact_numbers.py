# fractions and decimal: exact numbers, their contexts and mistakes
import decimal
import math
import numbers
from decimal import Decimal
from fractions import Fraction
a, b = Fraction(1, 3), Fraction("3/4")
print(a, repr(a), a + b, a * 2, a + 0.5, 1 / a, b ** 2, b ** -1, 2 - a, -a, abs(-a), Fraction(7, 2) // 1, Fraction(7, 2) % 1)
print(a == Fraction(2, 6), a < 0.5, hash(Fraction(2)) == hash(2), float(a), int(Fraction(7, 3)), round(Fraction(7, 3)), math.floor(b))
print(Fraction(0.5), Fraction(3.14159).limit_denominator(100), sum([a, b]), b.numerator, b.denominator, sorted([b, a]), divmod(b, a))
print(isinstance(a, numbers.Rational), isinstance(a, Fraction), {a: 1}[Fraction(1, 3)], f"{a}", max(a, b), bool(Fraction(0)), Fraction(2) ** Fraction(1, 2))
x = Decimal("1.10")
print(x + Decimal("2.2"), x * 3, Decimal(1) / Decimal(3), Decimal(0.1), x.quantize(Decimal("0.1")), round(Decimal("1.235"), 2), -x)
print(x == 1.1, x < 2, float(x), int(x), Decimal(2).sqrt(), Decimal(1).exp(), f"{x:.3f}", Decimal("NaN"), Decimal("1e5"), x.as_tuple())
decimal.getcontext().prec = 5
print(Decimal(1) / Decimal(7), decimal.getcontext().prec)
with decimal.localcontext() as context:
    context.prec = 3
    context.rounding = decimal.ROUND_UP
    print(Decimal(2) / Decimal(3))
print(Decimal(2) / Decimal(3), Decimal("2.5").quantize(Decimal("1"), rounding=decimal.ROUND_HALF_UP), sum([Decimal("0.1")] * 3) == Decimal("0.3"))
for wrong in (
    lambda: Fraction(1, 0), lambda: Fraction("a"), lambda: Fraction("1", "2"), lambda: a / 0, lambda: Decimal("a"), lambda: x / 0,
    lambda: Decimal({}), lambda: int(Decimal("inf")), lambda: a + "1", lambda: a < "b",
):
    try:
        print(wrong())
    except (TypeError, ValueError, ArithmeticError) as e:
        print(type(e).__name__, e)
