# Bytes: their methods, formats, and integers as bytes
data = b"The quick brown fox, the lazy dog\n"
print(data.find(b"quick"), data.rfind(b"the"), data.count(b"o"), data.index(b"b"), data.rindex(b"o"), data.find(116))
print(data.split(), data.split(b","), data.rsplit(b" ", 1), b"a\nb\r\nc".splitlines(), b"a\nb".splitlines(True))
print(data.partition(b","), data.rpartition(b" "), data.replace(b"quick", b"slow"), data.replace(b"o", b"00", 2))
print(data.strip(), b"  x ".lstrip(), b"xxyxx".rstrip(b"x"), data.upper(), data.lower(), data.title(), data.swapcase())
print(b"abc".capitalize(), b"abc".isalpha(), b"12".isdigit(), b"a1".isalnum(), b"\xff".isascii(), b" ".isspace())
print(b"abc".islower(), b"ABC".isupper(), b"ab".ljust(4), b"ab".rjust(4, b"."), b"ab".center(5, b"*"), b"-7".zfill(4))
print(b"hello".translate(bytes.maketrans(b"el", b"ip")), b"hello".translate(None, b"l"), b"a\tb".expandtabs(4))
print(b"prefix-x".removeprefix(b"prefix-"), b"x.py".removesuffix(b".py"), b", ".join([b"a", b"b"]), b"".join([]))
print(bytes.fromhex("00ff 10"), b"\x00\xff".hex(), b"\x00\xff\x10".hex("-"), data.startswith((b"A", b"The")))
print(b"%d items, %s and %5.2f %x %c|%-4b|%a %%" % (3, b"text", 2.5, 255, b"c", b"ab", "é"), b"%(n)d" % {b"n": 4})
print((1000).to_bytes(2, "big"), (1000).to_bytes(4, "little"), (-2).to_bytes(2, "big", signed=True), (7).to_bytes())
print(int.from_bytes(b"\x03\xe8", "big"), int.from_bytes(b"\xfe", "big", signed=True), int.from_bytes([1, 2], "little"))
wrongs = (
    lambda: b",".join(["a"]), lambda: b"abc".index(b"x"), lambda: b"abc".split(b""), lambda: (300).to_bytes(1, "big"),
    lambda: b"a".replace("a", "b"), lambda: b"%s" % 3, lambda: b"%c" % 300, lambda: b"%d" % b"x", lambda: b"a" + "b",
    lambda: bytes.fromhex("0g"), lambda: (-1).to_bytes(1, "big"), lambda: b"x".find("x"), lambda: b"%d" % (1, 2),
    lambda: (1).to_bytes(-1, "big"),
)
for wrong in wrongs:
    try:
        print(wrong())
    except Exception as error:
        print(type(error).__name__, error)


# A tokenizer of pairs of bytes
text = "the cat sat on the mat, the cat ate — naïve".encode("utf-8")
ids, merges, vocab = list(text), {}, {index: bytes([index]) for index in range(256)}
for new in range(256, 262):
    counts = {}
    for pair in zip(ids, ids[1:]):
        counts[pair] = counts.get(pair, 0) + 1
    best = max(counts, key=counts.get)
    merged, at = [], 0
    while at < len(ids):
        if at + 1 < len(ids) and (ids[at], ids[at + 1]) == best:
            merged.append(new)
            at += 2
        else:
            merged.append(ids[at])
            at += 1
    ids, merges[best], vocab[new] = merged, new, vocab[best[0]] + vocab[best[1]]
print(ids, merges)
print(b"".join(vocab[index] for index in ids).decode("utf-8", errors="replace"), list(vocab.values())[256:])
