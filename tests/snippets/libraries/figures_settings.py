# Settings and styles of matplotlib: what is read back, checked and refused; contexts put them back.
import matplotlib as mpl
import matplotlib.pyplot as plt
from matplotlib import style, rcParams
def t(f):
    try: print('->', f())
    except Exception as e: print(type(e).__name__, e)
print(mpl.rcParams is plt.rcParams, rcParams is plt.rcParams, type(rcParams).__name__, len(rcParams) > 300)
for s in ('seaborn','nope','ggplot','seaborn-v0_8',['dark_background','bmh'],{'lines.linewidth':3}, 'default', 'seaborn-whitegrid'):
    t(lambda: plt.style.use(s))
    print(plt.rcParams['axes.grid'], plt.rcParams['lines.linewidth'], plt.rcParams['figure.figsize'], plt.rcParams['axes.prop_cycle'].by_key()['color'][:2], plt.rcParams['axes.facecolor'])
with plt.style.context('ggplot'):
    print(plt.rcParams['axes.grid']); l,=plt.plot([1,2]); print(l.get_color())
print(plt.rcParams['axes.grid'])
with plt.rc_context({'font.size': 5}): print(plt.rcParams['font.size'])
print(plt.rcParams['font.size'])
plt.rc('font', size=20); plt.rc(('xtick','ytick'), labelsize=3); print(rcParams['font.size'], rcParams['xtick.labelsize'])
t(lambda: plt.rc('foo', size=20))
t(lambda: plt.rcParams.update({'figure.fgsize': 1}))
t(lambda: plt.rcParams.update(**{'axes.titlesize': 'giant'}))
for k,v in (('figure.figsize',5),('figure.figsize',(1,2,3)),('figure.figsize',(1,'a')),('lines.linewidth','thick'),('font.size','big'),('axes.grid','yes please'),('axes.titlesize','giant'),('axes.facecolor','notacolor'),('figure.dpi',None),('lines.linewidth','3'),('axes.grid','on'),('figure.fgsize',1),('font.family','serif'),('font.family',('a','b')),('axes.grid.axis','z'),('figure.figsize',[10,4])):
    try: mpl.rcParams[k]=v; print(k, repr(mpl.rcParams[k]))
    except Exception as e: print(type(e).__name__,e)
t(lambda: rcParams['nope'])
t(lambda: rcParams.get('nope', 3))
t(lambda: 'font.size' in rcParams)
print([k for k in rcParams if k.startswith('axes.grid')], len(rcParams.keys()))
plt.rcdefaults(); print(rcParams['font.size'], plt.figure())
print(len(plt.style.available), plt.style.available[3])
print(str(rcParams)[:50], repr(rcParams)[:50])
c = rcParams.copy(); c['font.size'] = 3; print(rcParams['font.size'], c['font.size'])
d = dict(rcParams); print(type(d), d['font.size'])
l,=plt.plot([1,2]); print(l.get_color(), plt.plot([1],color='C3')[0].get_color())
for k, v in list(rcParams.items())[:3]: print(k, v)
mpl.use('Agg'); print(mpl.get_backend(), plt.get_backend())
