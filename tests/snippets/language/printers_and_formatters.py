# pprint, string and textwrap: objects that keep their options, orders of keys, and mistakes
import io
import pprint
import string
import textwrap
import torch
config = {"model": {"layers": [64, 32, 16], "act": "relu"}, "lr": 0.001, "data": list(range(30)), "k": torch.ones(2)}
pprint.pprint(config, sort_dicts=False)
pprint.pp({"b": 1, "a": [2] * 3})
pprint.pprint(config, width=40, compact=True, depth=2)
printer = pprint.PrettyPrinter(indent=4, width=30)
printer.pprint({"name": "net", "sizes": [100, 200, 300, 400]})
out = io.StringIO()
pprint.PrettyPrinter(stream=out).pprint({"a": (1,)})
pprint.pprint([1], out)
print(repr(out.getvalue()), printer.pformat([1, 2]), pprint.saferepr({"x": 1}), pprint.pformat(123456, underscore_numbers=True))
print(string.capwords("hello big world"), string.Formatter().format("{0} {a:>4}", 1, a=2.5), string.Template("$x").template)
wrapper = textwrap.TextWrapper(width=18, initial_indent="* ", subsequent_indent="  ")
print(wrapper.fill("the quick brown fox jumps over the lazy dog"))
print(textwrap.indent("a\nb\n\nc", "> ", lambda line: "b" not in line), wrapper.wrap("one"), wrapper.width)
for wrong in (
    lambda: pprint.PrettyPrinter(width=0), lambda: pprint.PrettyPrinter(indent=-1), lambda: textwrap.wrap("a b", 0),
    lambda: string.Formatter().format("{a}"), lambda: string.Template("$x ${y}").substitute(x=1), lambda: textwrap.shorten("aaa bbb", 2),
):
    try:
        print(wrong())
    except (TypeError, ValueError, KeyError) as e:
        print(type(e).__name__, e)
