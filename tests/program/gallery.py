"""Programs that draw, a few lines for each kind of plot that matplotlib's gallery shows without a data file."""

from __future__ import annotations

_PROGRAMS = r"""
### line
plt.plot(np.sin(np.arange(50)/5)); plt.xlabel("t"); plt.grid()
### step
plt.step(range(5),[1,3,2,5,4], where="post", label="s"); plt.legend()
### scatter
plt.scatter(np.random.rand(50), np.random.rand(50), c=np.random.rand(50), s=np.random.rand(50)*200, alpha=.5)
plt.colorbar(label="v")
### bar
plt.bar(["a","b","c"],[3,5,2], color=["r","g","b"], yerr=[.2,.3,.1], capsize=4)
### barh
plt.barh(["a","b","c"],[3,5,2], label="x"); plt.legend()
### stacked bar
plt.bar(range(3),[1,2,3],label="u"); plt.bar(range(3),[3,2,1],bottom=[1,2,3],label="v"); plt.legend()
### hist
plt.hist(np.random.randn(500), bins=30, label="h"); plt.legend()
### hist step
plt.hist(np.random.randn(500), bins=30, histtype="step")
plt.hist(np.random.randn(300), bins=20, histtype="stepfilled", alpha=.4)
### hist stacked
plt.hist([np.random.randn(50),np.random.randn(60)], stacked=True, label=["a","b"]); plt.legend()
### hist2d
plt.hist2d(np.random.randn(500),np.random.randn(500), bins=20); plt.colorbar()
### pie
plt.pie([1,2,3], labels=["a","b","c"], autopct="%1.1f%%"); plt.title("Pie")
### donut
fig, ax = plt.subplots(); ax.pie([1,2,3], wedgeprops=dict(width=.4)); ax.text(0,0,"mid",ha="center")
### polar
ax = plt.subplot(projection="polar"); ax.plot(np.linspace(0,6,100), np.linspace(0,2,100)); ax.set_title("polar")
### radar
fig, ax = plt.subplots(subplot_kw=dict(polar=True)); t=np.linspace(0,2*np.pi,6); ax.fill(t,[1,2,3,2,1,1], alpha=.2)
ax.set_xticks(t[:-1], list("abcde"))
### surface
fig = plt.figure(); ax = fig.add_subplot(projection="3d")
X,Y=np.meshgrid(np.linspace(-2,2,40),np.linspace(-2,2,40)); s=ax.plot_surface(X,Y,np.exp(-X**2-Y**2),cmap="viridis")
fig.colorbar(s); ax.set_zlabel("z")
### wireframe
fig = plt.figure(); ax = fig.add_subplot(111, projection="3d")
X,Y=np.meshgrid(np.linspace(-2,2,20),np.linspace(-2,2,20)); ax.plot_wireframe(X,Y,X*Y)
### scatter3
fig = plt.figure(); ax = plt.axes(projection="3d"); ax.scatter(*np.random.rand(3,100), c=np.random.rand(100))
ax.view_init(30,40)
### bar3d
ax = plt.figure().add_subplot(projection="3d"); ax.bar3d([0,1],[0,1],[0,0],.5,.5,[1,2])
### quiver
X,Y=np.meshgrid(range(8),range(8)); plt.quiver(X,Y,np.cos(X),np.sin(Y)); plt.title("field")
### streamplot
Y,X=np.mgrid[-3:3:50j,-3:3:50j]; plt.streamplot(X,Y,-1-X**2+Y,1+X-Y**2, color=X)
### barbs
plt.barbs([1,2,3],[1,2,3],[10,20,30],[5,5,5])
### contour
X,Y=np.meshgrid(np.linspace(-3,3,60),np.linspace(-3,3,60)); Z=np.sin(X)*np.cos(Y); c=plt.contour(X,Y,Z); plt.clabel(c)
### contourf
X,Y=np.meshgrid(np.linspace(-3,3,60),np.linspace(-3,3,60)); Z=np.sin(X)*np.cos(Y)
plt.contourf(X,Y,Z,levels=10,cmap="RdBu",extend="both"); plt.colorbar()
### contour curved
r,t=np.meshgrid(np.linspace(0,1,20),np.linspace(0,6,30)); plt.contourf(r*np.cos(t),r*np.sin(t),r)
### tricontour
x,y=np.random.rand(2,60); plt.tricontourf(x,y,x*y); plt.triplot(x,y)
### tripcolor
x,y=np.random.rand(2,60); plt.tripcolor(x,y,x*y)
### imshow
plt.imshow(np.random.rand(10,12), cmap="gray"); plt.colorbar(); plt.axis("off")
### imshow rgb
plt.imshow(np.random.rand(30,30,3)); plt.title("rgb")
### imshow rgba
plt.imshow(np.random.rand(10,12)); plt.imshow(np.random.rand(10,12,4))
### imshow log
from matplotlib.colors import LogNorm
plt.imshow(np.random.rand(10,12)+.1, norm=LogNorm()); plt.colorbar()
### matshow
plt.matshow(np.random.rand(5,5))
### pcolormesh
plt.pcolormesh(np.random.rand(5,6))
### pcolormesh uneven
plt.pcolormesh([0,1,3,7],[0,1,2],np.random.rand(2,3)); plt.colorbar()
### pcolor
plt.pcolor(np.random.rand(5,6))
### hexbin
plt.hexbin(np.random.randn(500),np.random.randn(500),gridsize=15); plt.colorbar(label="n")
### boxplot
plt.boxplot([np.random.randn(50),np.random.randn(50)+1], tick_labels=["a","b"])
### boxplot patch
plt.boxplot([np.random.randn(50),np.random.randn(50)+1], patch_artist=True)
### violin
plt.violinplot([np.random.randn(50),np.random.randn(50)+1], showmedians=True)
### errorbar
plt.errorbar(range(5),range(5),yerr=.5,xerr=.2,fmt="o",capsize=3,label="e"); plt.legend()
### errorbar limits
plt.errorbar(range(5),range(5),yerr=.5,uplims=True,lolims=[1,0,1,0,1])
### stem
plt.stem([1,3,2,4])
### stackplot
plt.stackplot(range(4),[1,2,3,4],[2,2,1,1],labels=["a","b"]); plt.legend(loc="upper left")
### fill_between
x=np.linspace(0,6,100); plt.fill_between(x,np.sin(x),0,where=np.sin(x)>0,alpha=.3,label="pos")
plt.plot(x,np.sin(x)); plt.legend()
### fill_betweenx
plt.fill_betweenx([1,2,3],[1,2,1],[2,3,3])
### fill
plt.fill([0,1,1],[0,0,1],"r")
### eventplot
plt.eventplot([[1,2,3],[2,4]])
### hlines vlines
plt.hlines([1,2],0,[3,4],colors=["r","b"],linestyles="--"); plt.vlines(2,0,3); plt.axhline(.5,ls=":")
plt.axvspan(1,2,alpha=.2); plt.axhspan(1,1.5); plt.axline((0,0),slope=1)
### broken_barh
plt.broken_barh([(1,3),(5,2)],(0,1),facecolors="tab:blue")
### table
plt.table([["a","b"],["1","2"]],loc="center"); plt.axis("off")
### annotate
plt.plot([1,2,3]); plt.annotate("here",(1,2),(1.5,1.2),arrowprops=dict(arrowstyle="->"))
plt.text(.5,.5,"mid",transform=plt.gca().transAxes)
### annotate curved
plt.plot([1,2,3])
plt.annotate("here",(1,2),(1.5,1.2),arrowprops=dict(arrowstyle="->",connectionstyle="arc3,rad=.3"),bbox={})
### patches
from matplotlib.patches import *
ax=plt.gca(); ax.add_patch(Circle((.5,.5),.2)); ax.add_patch(Rectangle((.1,.1),.2,.1,fill=False,edgecolor="r",lw=2))
ax.add_patch(FancyArrowPatch((0,0),(1,1))); ax.set_aspect("equal")
### rectangles on an image
from matplotlib.patches import Rectangle
plt.imshow(np.random.rand(20,20))
plt.gca().add_patch(Rectangle((2,3),5,6,edgecolor="r",facecolor="none",linewidth=2))
### hatch
plt.bar([1,2],[3,4],hatch="//")
### arrow
plt.arrow(0,0,1,1,head_width=.1); plt.xlim(0,2); plt.ylim(0,2)
### log
plt.loglog([1,10,100],[1,100,10000],"o-"); plt.grid(True,which="both")
### semilogx
plt.semilogx([1,10,100],[1,2,3])
### symlog
plt.plot([-100,0,100],[1,2,3]); plt.xscale("symlog")
### logit
plt.plot([.1,.5,.9],[.1,.5,.9]); plt.yscale("logit")
### twinx
fig,ax=plt.subplots(); ax.plot([1,2],label="a"); b=ax.twinx(); b.plot([30,10],"r",label="b"); b.set_ylabel("other")
fig.legend()
### secondary
fig,ax=plt.subplots(); ax.plot([1,2]); ax.secondary_xaxis("top",functions=(lambda x:x*2,lambda x:x/2))
### inset
fig,ax=plt.subplots(); ax.plot([1,2,3]); i=ax.inset_axes([.5,.1,.4,.3]); i.plot([3,1]); ax.indicate_inset_zoom(i)
### subplots
fig,axs=plt.subplots(2,2,sharex=True,figsize=(8,6)); axs[0,0].plot([1,2]); axs[1,1].imshow(np.eye(3))
axs[0,1].bar([1,2],[3,4]); fig.suptitle("four"); plt.tight_layout()
### subplots mixed
fig,axs=plt.subplots(1,2); axs[0].plot([1,2]); axs[1].pie([1,2],labels=["p","q"]); axs[1].set_title("pie")
### mosaic
fig,axd=plt.subplot_mosaic("AB;CC"); axd["A"].plot([1,2]); axd["C"].scatter([1],[2])
### gridspec
fig=plt.figure(layout="constrained"); gs=fig.add_gridspec(2,2,width_ratios=[2,1])
fig.add_subplot(gs[0,:]).plot([1]); fig.add_subplot(gs[1,0]).plot([1]); fig.add_subplot(gs[1,1]).plot([1])
### subfigures
fig=plt.figure(); a,b=fig.subfigures(1,2); a.subplots().plot([1]); b.subplots().plot([2]); a.suptitle("L")
### images grid
fig,axs=plt.subplots(8,8,figsize=(6,6))
for a in axs.flat: a.imshow(np.random.rand(8,8),cmap="gray"); a.axis("off")
### figure text
plt.plot([1]); plt.figtext(.5,.01,"footnote")
### supxlabel
fig,a=plt.subplots(2); fig.supxlabel("x of all")
### xkcd
with plt.xkcd():
    plt.plot([1,3,2]); plt.title("fun")
### dates
import datetime
plt.plot([datetime.date(2024,1,d) for d in range(1,20)], range(19)); plt.gcf().autofmt_xdate()
### style dark
plt.style.use("dark_background"); plt.plot([1,2],"w")
### style url
plt.style.use("https://example.org/x.mplstyle"); plt.plot([1,2])
### markers odd
plt.plot([1,2,3],marker="$f$"); plt.scatter([1,2],[1,2],marker=(5,1))
### markevery
plt.plot(range(20),marker="o",markevery=5)
### linecollection colors
from matplotlib.collections import LineCollection
x=np.linspace(0,6,50); p=np.array([x,np.sin(x)]).T.reshape(-1,1,2)
lc=LineCollection(np.concatenate([p[:-1],p[1:]],axis=1),array=x,cmap="plasma"); ax=plt.gca(); ax.add_collection(lc)
ax.autoscale(); plt.colorbar(lc)
### pathcollection path
from matplotlib.path import Path; from matplotlib.patches import PathPatch
plt.gca().add_patch(PathPatch(Path([(0,0),(1,2),(2,0)],[1,3,3]),fc="none"))
### legend proxies
from matplotlib.lines import Line2D; from matplotlib.patches import Patch
plt.plot([1,2],color="C0"); plt.legend(handles=[Line2D([],[],color="C0",label="mine"),Patch(color="r",label="red")])
### two legends
ax=plt.gca(); a,=ax.plot([1,2]); b,=ax.plot([2,1]); l=ax.legend([a],["a"],loc=1); ax.add_artist(l)
ax.legend([b],["b"],loc=2)
### spy
plt.spy(np.eye(10))
### specgram
plt.specgram(np.random.randn(2000))
### psd
plt.psd(np.random.randn(500))
### acorr
plt.acorr(np.random.randn(100))
### ecdf
plt.ecdf(np.random.randn(30))
### stairs
plt.stairs([1,3,2]); plt.stairs([2,1,1],fill=True,alpha=.3)
### animation
from matplotlib.animation import FuncAnimation
fig,ax=plt.subplots(); l,=ax.plot([],[]); ax.set_xlim(0,5); ax.set_ylim(0,5)
def f(i): l.set_data(range(i+2),range(i+2)); return l,
anim=FuncAnimation(fig,f,frames=5,blit=True)
### many texts
fig,ax=plt.subplots(); ax.imshow(np.eye(10))
for i in range(10):
    for j in range(10): ax.text(j,i,f"{i*j}",ha="center",color="w")
### mathtext
plt.plot([1],label=r"$\alpha^2$"); plt.title(r"$\frac{1}{2}$ and $\hat{y}$"); plt.legend()
### bad mathtext
plt.pie([1,2]); plt.title("$\\frac{1$")
### usetex
plt.rcParams["text.usetex"]=True; plt.pie([1,2]); plt.title("a")
### empty axes
plt.subplots()
### axis off images
fig,axs=plt.subplots(1,3)
for a in axs: a.imshow(np.random.rand(28,28)); a.axis("off")
### mollweide
plt.subplot(projection="mollweide"); plt.grid()
### quiver key 3d quiver
ax=plt.figure().add_subplot(projection="3d"); ax.quiver([0],[0],[0],[1],[1],[1])
ax.plot_trisurf(*np.random.rand(3,30))
### voxels
ax=plt.figure().add_subplot(projection="3d"); ax.voxels(np.random.rand(4,4,4)>.5)
### huge
plt.figure(figsize=(40,30)); plt.pcolor(np.random.rand(150,150))
### huge image rgba
plt.imshow(np.random.rand(1500,1500,4))
### savefig
import io
plt.plot([1]); plt.savefig("a.png"); plt.savefig(io.BytesIO()); plt.show()
### use
import matplotlib; matplotlib.use("TkAgg"); plt.plot([1]); plt.pause(.1); plt.ion(); plt.draw(); plt.show()
### cmap discrete
plt.scatter(range(10),range(10),c=range(10),cmap="tab10"); plt.colorbar()
### boundary norm
from matplotlib.colors import BoundaryNorm, ListedColormap
plt.imshow(np.eye(3),cmap=ListedColormap(["r","g"]),norm=BoundaryNorm([0,.5,1],2)); plt.colorbar()
### brokenaxes gap
fig,(a,b)=plt.subplots(2,1,sharex=True); a.plot([1,2]); a.spines.bottom.set_visible(False)
a.tick_params(labeltop=False)
### percent
from matplotlib.ticker import PercentFormatter
plt.plot([.1,.5]); plt.gca().yaxis.set_major_formatter(PercentFormatter(1))
### nan inf
plt.plot([1,np.nan,3,np.inf]); plt.scatter([1,np.nan],[2,3])
### grouped
x=np.arange(3); plt.bar(x-.2,[1,2,3],.4,label="a"); plt.bar(x+.2,[2,3,1],.4,label="b")
plt.xticks(x,["u","v","w"],rotation=45); plt.legend()
### bar_label
b=plt.bar(["a","b"],[1,2]); plt.bar_label(b)
### patheffects
import matplotlib.patheffects as pe
plt.plot([1,2],path_effects=[pe.withStroke(linewidth=4)])
### sankey
from matplotlib.sankey import Sankey
Sankey(flows=[1,-.5,-.5]).finish()
### widgets
from matplotlib.widgets import Slider
fig,ax=plt.subplots(); ax.plot([1,2]); s=Slider(fig.add_axes([.2,.02,.6,.03]),"f",0,1)
### polar bar
ax=plt.subplot(polar=True); ax.bar([0,1,2],[1,2,3],width=.5)
### clip path
from matplotlib.patches import Circle
im=plt.imshow(np.random.rand(9,9)); im.set_clip_path(Circle((4,4),3,transform=plt.gca().transData))
"""

PROGRAMS: dict[str, str] = dict(part.split("\n", 1) for part in f"\n{_PROGRAMS.strip()}".split("\n### ")[1:])
"""Name → program."""
