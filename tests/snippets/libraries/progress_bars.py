# Progress bars: lines beside them, options that there are none of, their text
from tqdm import tqdm, trange


def shown(make):
    try:
        print(make())
    except Exception as error:
        print(type(error).__name__, error)


tqdm.write("one")
bar = tqdm([1, 2, 3], desc="epoch", disable=False)
for item in bar:
    bar.write(f"item {item}")
    tqdm.write("loss", end="!\n")
bar.set_description("done")
bar.set_postfix(loss=0.5)
bar.set_postfix_str("x")
bar.update(2)
bar.refresh()
bar.close()
print(bar.n, bar.total, bar.desc)
shown(lambda: tqdm([1], foo=2))
shown(lambda: tqdm([1], desk="a"))
shown(lambda: tqdm(5, foo=2))
shown(lambda: list(tqdm(5)))
shown(lambda: list(trange(3, leave=False)))
with tqdm(total=10, unit="B", unit_scale=True, ncols=80, dynamic_ncols=True, position=0, ascii=True, colour="green", smoothing=0.1, mininterval=1, miniters=1, initial=2, bar_format="{l_bar}", postfix={"a": 1}, file=None) as pbar:
    pbar.update(5)
    print(pbar.n, pbar.total)
    pbar.reset(total=4)
    print(pbar.n, pbar.total)
    pbar.clear()
    pbar.display()
    pbar.unpause()
print(list(tqdm(enumerate([4]), total=1)), len(tqdm([1, 2])))
