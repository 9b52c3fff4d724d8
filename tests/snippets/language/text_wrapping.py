# textwrap and string
import textwrap, string
print(textwrap.dedent("""
    a
      b
    """))
print(textwrap.fill("the quick brown fox jumps over the lazy dog", 16))
print(textwrap.wrap("one two three", width=7), textwrap.indent("a\n\nb", "> "), textwrap.shorten("hello big world", 12))
print(string.ascii_lowercase[:3], string.hexdigits, string.octdigits, repr(string.whitespace))
