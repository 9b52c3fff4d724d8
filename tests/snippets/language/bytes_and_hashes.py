# hashlib, struct, base64 and uuid: what bytes become, and the mistakes with them
import base64
import hashlib
import struct
import uuid
import torch
h = hashlib.sha256(b"a")
g = h.copy()
h.update(b"bc")
print(h.hexdigest(), g.digest()[:4], h.name, h.digest_size, h.block_size, hashlib.md5(b"a", usedforsecurity=False).hexdigest())
print(hashlib.new("sha1", b"x").hexdigest(), hashlib.blake2b(b"a").hexdigest()[:8], hashlib.shake_128(b"").hexdigest(4))
print(hashlib.md5(torch.ones(3).numpy().tobytes()).hexdigest(), hashlib.md5(str([1, 2]).encode()).hexdigest())
print(struct.pack("<f", 1.5), struct.unpack("<f", b"\x00\x00\xc0?"), struct.pack(">IhB", 5, -2, 3), struct.calcsize("if"))
print(hex(struct.unpack("<I", struct.pack("<f", 0.1))[0]), list(struct.iter_unpack("<h", b"\x01\x00\x02\x00")))
s = struct.Struct("<2d")
print(s.size, s.format, s.unpack(s.pack(1, 2.5)), struct.unpack_from("<h", b"\x01\x00\x02\x00", 2))
print(base64.b64encode(b"hello"), base64.b64decode("aGVsbG8="), base64.urlsafe_b64encode(b"\xff\xfe"), base64.b32encode(b"a"))
u = uuid.uuid5(uuid.NAMESPACE_DNS, "python.org")
print(u, repr(u), u.hex, u.version, uuid.UUID(str(u)) == u, {u: 1}[u], type(uuid.uuid4()), len(str(uuid.uuid4())), uuid.uuid4().version)
for wrong in (
    lambda: hashlib.md5("a"), lambda: hashlib.sha256(3), lambda: hashlib.new("md55"), lambda: struct.pack("f", "a"),
    lambda: struct.pack("I", -1), lambda: struct.unpack("f", b"a"), lambda: struct.pack("z"), lambda: struct.pack("2i", 1),
    lambda: base64.b64encode("a"), lambda: base64.b64decode("a"), lambda: uuid.UUID("x"), lambda: base64.b64decode(3),
):
    try:
        print(wrong())
    except (TypeError, ValueError, struct.error) as e:
        print(type(e).__name__, e)
