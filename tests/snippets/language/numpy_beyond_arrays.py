# numpy in programs for learning: polynomials, grids, Fourier transforms, types, windows, sets, what numpy 2 removed
import numpy as np

p = np.poly1d([1.0, -3.0, 2.0])
print(p, p.roots, p(2), p.deriv(), p.integ(), p.order, p.coeffs, (p * p)(1.5), (p + 1).c, (p**2).o, p[0], p == p)
print(repr(p), np.polyval([1, 2, 3], 2), np.polyder([1, 2, 3]), np.polyint([2, 2]), np.polymul([1, 1], [1, -1]))
print(np.roots([1, -3, 2]), np.polyadd([1], [1, 2]), np.poly([1, 2]), np.polyfit([0, 1, 2], [1, 3, 5], 1).round(6))
print(np.c_[[1, 2], [3, 4]], np.r_[1:4, 0, [5, 6]], np.r_[0:1:3j], np.c_[np.ones(2), np.zeros((2, 1))])
print(np.mgrid[0:2, 0:3], np.ogrid[0:2, 0:1:2j][1], np.s_[1:3, ...])
print(np.fft.fft([1, 2, 3, 4]), np.fft.ifft(np.fft.fft([1.0, 2.0])).real, np.fft.fftfreq(4, 0.5), np.fft.rfft(np.ones(4)))
print(np.finfo(np.float32).eps, np.finfo("float64").max, np.finfo(float).tiny, np.iinfo(np.int32).max, np.iinfo("uint8"))
print(np.resize([1, 2, 3], (2, 2)), np.pad([1, 2], 1), np.pad(np.ones((1, 2)), ((0, 1), (2, 0)), mode="edge"))
a = np.arange(4)
a.resize((2, 3))
print(a, np.pad([1, 2], (1, 2), constant_values=9), np.tri(2), np.vander([1, 2], 3), np.hanning(4).round(3))
print(np.issubdtype(np.float32, np.floating), isinstance(np.int64(3), np.integer), isinstance(np.float32(3), np.number))
print(np.histogram([1, 2, 1], bins=[0, 1, 2, 3]), np.histogram([0.5, 1.5, 1.6], bins=2), np.cov([1, 2, 3], [3, 2, 1]))
print(np.corrcoef([[1, 2, 3], [3, 2, 2]]).round(4), np.tensordot(np.ones((2, 3)), np.ones((3, 4)), axes=1).shape)
print(np.union1d([1, 2], [2, 3]), np.setdiff1d([1, 2], [2]), np.intersect1d([1, 2], [2]), np.rot90([[1, 2], [3, 4]]))
print(np.delete([1, 2, 3], 1), np.insert([1, 2, 3], 1, 9), np.select([[True, False]], [[1, 2]], 7), np.indices((2, 2))[0])
print(np.unravel_index(5, (2, 3)), np.flatnonzero([0, 1, 1]), np.triu_indices(2), np.argpartition([3, 1, 2], 1)[:1])
print(np.linalg.slogdet(np.eye(2) * 2), np.linalg.matrix_power([[1, 1], [0, 1]], 3), np.linalg.cond(np.eye(2)))
print(np.linalg.lstsq(np.c_[[0.0, 1, 2], [1, 1, 1]], [1.0, 3, 5], rcond=None)[0].round(6), np.nanvar([1.0, np.nan, 3]))
print(np.apply_along_axis(lambda row: row.sum(), 1, np.ones((2, 3))), [i for i in np.ndindex(1, 2)])
print(list(np.ndenumerate(np.array([[1, 2]]))), np.fromiter((i * i for i in range(3)), dtype=float))
print(np.fromfunction(lambda i, j: i + j, (2, 2)), np.array2string(np.array([1.23456, 2]), precision=2), np.isscalar(3))
print(np.bitwise_and(6, 3), np.gcd(12, 18), np.divmod(7, 3), np.geomspace(1, 8, 4), np.correlate([1, 2, 3], [0, 1, 0.5]))
m = np.zeros((2, 2))
np.fill_diagonal(m, 5)
print(m, np.may_share_memory(m, m), np.result_type(np.int32, np.float32), np.can_cast(np.int64, np.float32))
with np.printoptions(precision=2, suppress=True):
    print(np.array([1.23456, 1e-8]))
np.set_printoptions(precision=3)
print(np.array([1.23456789, 2.0]), np.array([0.1]) / 3)


def attempt(action):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)


attempt(lambda: np.Inf)
attempt(lambda: np.float)
attempt(lambda: np.int)
attempt(lambda: np.NaN)
attempt(lambda: np.float_)
attempt(lambda: np.trapz)
attempt(lambda: np.fft.fft([]))
attempt(lambda: np.iinfo(float))
print(hasattr(np, "Inf"))
