# Formatting and methods of strings
print(f'{3.14159:.2f} {42:05d} {"x":>5}|{"y":<5}|{"z":^5}| {1e10:e} {1234567:,} {0.5:%} {255:#x} {True} {None!r} {"a"!r:>6} {[1,2]}')
w = 10; p = 3
print(f'{w=} {w = } {3.14159:{w}.{p}f} {w!r:>4} {"nested"[:3]:*^9} {w:>{p + 2}}')
print('%d %s %r %5.2f %-5d| %05d %x %e %g %c %%' % (1, 'a', 'b', 3.14159, 42, 42, 255, 1e5, 0.0001, 'c'))
print('%(a)s %(b).1f' % {'a': 1, 'b': 2.55}, '%s' % 5, '%s %s' % ('a', [1]), '%*d' % (5, 3), '%.3s' % 'abcdef', '%+d % d' % (1, 2), '%5s|%-5s|' % ('a', 'b'))
print('{} {}'.format(1, 2), '{0} {1} {0}'.format('a', 'b'), '{a:>5} {b[0]} {c.real}'.format(a=1, b=[7], c=3), '{:.{p}f}'.format(3.14159, p=2), '{!r:>5}'.format('x'), '{{}}'.format())
for t in ('%d', '%s %s', '%z', '%'):
    try: t % 'a'
    except (TypeError, ValueError) as e: print(e)
try: '%s' % (1, 2)
except TypeError as e: print(e)
try: '{}'.format()
except IndexError as e: print(e)
try: '{x}'.format()
except KeyError as e: print(e)
print('a,b,c'.split(','), '-'.join(['x', 'y']), ' hi '.strip(), 'abc'.upper(), 'abc'[::-1], 'abc'.find('c'), 'a'*3, 'x' + 'y', 'Hello'.replace('l', 'L'), 'abc'.startswith('ab'), 'abc'.zfill(5), 'a b'.title(), len('abc'), 'abc'.index('b'), '1'.isdigit(), str(1.0), str([1, 'a']), repr('it\'s'))
