# re: searching, groups, replacing, splitting, flags, errors
import re

text = "The year 1999, 2024-11-05 and tea@mail.org: 3.14, -2e5; don't"
print(re.findall(r"\d+", text), re.findall(r"(\d{4})-(\d\d)-(\d\d)", text), re.search(r"(?P<y>\d{4}),", text).groupdict())
print(re.sub(r"[^a-zA-Z]+", " ", text), re.sub(r"(\w+)@(\w+)", r"\2 at \g<1>", text), re.subn("e", "E", text, 2))
print(re.split(r"\W+", text), re.split(r"(,)\s*", "a, b,c", maxsplit=1), re.match("the", text, re.I), re.match("year", text))
m = re.compile(r"(?P<first>\w)(\w)?").search("ab")
print(m, m.group(), m.group(1, 2), m["first"], m.groups(), m.span(2), m.start(), m.end("first"), m.re.pattern, m.string)
print(re.sub(r"\d+", lambda m: str(int(m.group()) + 1), "1 a 9"), re.fullmatch(r"a|ab", "ab"), re.escape("a.b*"), re.findall("", "ab"))
print([m.span() for m in re.finditer(r"(?<=a)b|(?!x)c", "abcxc")], re.findall(r"(a+)+b", "aaab"), re.findall(r"a*?b", "aab b"))
print(re.sub(r"(?m)^", "> ", "a\nb"), re.findall(r"(\w)\1", "aabbcd"), re.sub("x*", "-", "abxd"), re.compile("a", re.I | re.M))
print(re.sub(r"([.!?])", r" \1", "Go on. Now!"), re.sub(r"[^a-zA-Z.!?]+", r" ", "Va!  2"), re.findall(r"[\w']+|[.,!?;]", "It's, ok"))


def attempt(action):
    try:
        print(action())
    except Exception as error:
        print(type(error).__name__, error)


attempt(lambda: re.compile("(a"))
attempt(lambda: re.compile("*a"))
attempt(lambda: re.search("a", 3))
attempt(lambda: re.search("a", None))
attempt(lambda: re.sub("a", r"\2", "a"))
attempt(lambda: re.sub("a", r"\q", "a"))
attempt(lambda: re.search("(a)", "a").group(2))
attempt(lambda: re.search("(a)", "b").group())
attempt(lambda: re.compile("[b-a]"))
