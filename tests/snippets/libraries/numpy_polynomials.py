"""numpy.polynomial: classes and functions of series, and quadratures of Gauss."""

import numpy as np
from numpy.polynomial import Polynomial, Chebyshev, Legendre
from numpy.polynomial import polynomial as P, chebyshev as C
from numpy.polynomial.legendre import leggauss
def t(f):
    try: print(f())
    except Exception as e: print(type(e).__name__, str(e)[:160])
x = np.linspace(0, 4, 9); y = 1 + 2 * x - .5 * x ** 2
p = Polynomial([1, 2, 3])
print(p, repr(p), p(2), p([0., 1.]), p.degree(), p.coef, p.domain, p.window, len(p))
print(p.deriv(), p.integ(), p.integ(k=[1], lbnd=0), p.deriv(2), p.integ()(1.) - p.integ()(0.))
q = Polynomial.fromroots([1, 2])
print(q.roots(), (p + q).coef, (p * q).coef, (p - 1).coef, (2 * p).coef, (p ** 2).coef, (p // q).coef, (p % q).coef, (p / 2).coef, [v.coef for v in divmod(p, q)], -p == p * -1, p == q)
f = Polynomial.fit(x, y, 2)
print(f.coef.round(6), f.domain, f.convert().coef.round(6), f(1.).round(6), Polynomial.fit(x, y, 2, domain=[]).coef.round(6))
c = Chebyshev.fit(x, y, 3); print(c.coef.round(6), c(2.).round(6), c.convert(kind=Polynomial).coef.round(6), Chebyshev([1, 2, 3]).roots().round(6))
print(Legendre([0, 0, 1])(.5), Legendre.basis(3).convert(kind=Polynomial).coef, Polynomial.identity(), p.linspace(3), type(p), isinstance(p, Polynomial))
print(P.polyval(2., [1, 2, 3]), P.polyval(x, [1, 2]), P.polyfit(x, y, 2).round(6), P.polyroots([2, -3, 1]), P.polyadd([1], [1, 2]), P.polymul([1, 2], [1, 3]), P.polyder([1, 2, 3]), P.polyint([1, 2]), P.polyfromroots([1, 2]), P.polyvander([1, 2], 2), P.polydiv([1, 2, 3], [1, 1]), P.polypow([1, 1], 3))
print(C.chebval(.5, [1, 2, 3]), C.chebfit(x, y, 2).round(6), C.chebroots([1, 2, 3]), C.cheb2poly([0, 0, 1]), C.poly2cheb([1, 2, 3]), np.polynomial.hermite.hermval(.5, [1, 2]), np.polynomial.laguerre.lagval(1., [1, 1]))
print(*[v.round(6) for v in leggauss(3)], *[v.round(6) for v in np.polynomial.hermite.hermgauss(2)], *[v.round(6) for v in C.chebgauss(2)])
coef, cov = np.polyfit(x, y + np.sin(x), 2, cov=True); print(coef.round(4), cov.round(4), cov.shape)
print(p.trim(), Polynomial([1, 2, 0]).trim().coef, p.truncate(2).coef, p.cutdeg(1).coef, p.copy() == p, Polynomial([1., 2.], symbol='t'))
for v in (0, 1): print(Polynomial([v, 1])(Polynomial([1, 1]).coef))
t(lambda: p + 'a'); t(lambda: p ** -1); t(lambda: Polynomial([])); t(lambda: p.nothing); t(lambda: p + Chebyshev([1])); t(lambda: p.deriv(-1)); t(lambda: leggauss(0))
print(p(Polynomial([1, 1])).coef, Polynomial([1, 2])(Polynomial([0, 1])))
class Mine(Polynomial):
    def twice(self): return self * 2
m = Mine([1, 2]); print(m.twice().coef, type(m.twice()) is Mine, Mine.fit([1, 2, 3], [1, 2, 3], 1).twice()(2.).round(6))
