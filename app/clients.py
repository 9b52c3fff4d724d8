"""Who a client is: the address it comes from, or the one that a trusted proxy names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

from app.hosts import field

Address = IPv4Address | IPv6Address
Header = tuple[bytes, bytes]

UNKNOWN = "unknown"  # a peer without an address shares one budget with all others of its kind
MAX_HOPS = 32
HOST_BITS = 64
SITE_BITS = 80

# One element of a Forwarded header (RFC 7239): `for=` with a token or a quoted string.
FOR = re.compile(r'(?:^|;)\s*for\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*))', re.IGNORECASE)
ELEMENT = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^,"])+')


class Addresses:
    """Finds the address that answers for a request; `trusted` lists the networks of proxies that are believed."""

    def __init__(self, trusted: Sequence[str] = ()) -> None:
        self._trusted = [ip_network(network) for network in trusted]

    def trusts(self, peer: str | None) -> bool:
        """Whether a connection from `peer` is a proxy's."""
        address = parse(peer or "")
        return address is not None and self._is_trusted(address)

    def scheme(self, scope: Scope) -> str | None:
        """How a trusted proxy says that it was asked; None where none says so."""
        if not self.trusts(scope["client"][0] if scope.get("client") else None):
            return None
        said = field(scope, b"x-forwarded-proto")
        return None if said is None else said.decode("latin-1")

    def client(self, peer: str | None, headers: Iterable[Header]) -> str:
        """The key of the client behind a request that `peer` has sent.

        Headers of anybody but a trusted proxy are ignored. Of the hops a proxy names, the last that is not a trusted
        proxy itself is the client: whatever stands before it, the client may have written. When `Forwarded` and
        `X-Forwarded-For` disagree, one of them is the client's own invention, and the proxy answers for the request.
        """
        address = parse(peer or "")
        if address is None:
            return UNKNOWN
        if self._trusted and self._is_trusted(address):
            address = self._forwarded(address, headers)
        return key(address)

    def _forwarded(self, peer: Address, headers: Iterable[Header]) -> Address:
        listed: dict[bytes, list[str]] = {b"forwarded": [], b"x-forwarded-for": []}
        for name, value in headers:
            if name in listed:
                listed[name].append(value.decode("latin-1"))
        told = [hops(", ".join(values), name == b"forwarded") for name, values in listed.items() if values]
        found = {self._last_untrusted(peer, line) for line in told}
        return found.pop() if len(found) == 1 else peer

    def _last_untrusted(self, peer: Address, line: list[Address | None]) -> Address:
        """The client, going back from `peer`; a hop that hides its address is answered for by the one after it."""
        nearest = peer
        for hop in reversed(line[-MAX_HOPS:]):
            if hop is None:
                return nearest
            nearest = hop
            if not self._is_trusted(hop):
                return hop
        return nearest

    def _is_trusted(self, address: Address) -> bool:
        return any(address in network for network in self._trusted)


def hops(header: str, is_forwarded: bool) -> list[Address | None]:
    """The addresses in a `Forwarded` or `X-Forwarded-For` header, in its order; None where there is none to read."""
    if not is_forwarded:
        return [parse(item.strip()) for item in header.split(",")]
    found = [FOR.search(element.strip()) for element in ELEMENT.findall(header)]
    return [parse(re.sub(r"\\(.)", r"\1", match[1] or match[2] or "")) if match else None for match in found]


@lru_cache(maxsize=4096)
def parse(text: str) -> Address | None:
    """An address with or without port, brackets and zone; IPv4 within IPv6 is IPv4."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address


@lru_cache(maxsize=4096)
def key(address: Address) -> str:
    """What a client is known by: its IPv4 address, or its IPv6 /64, because a host may use any address in that."""
    return str(address) if isinstance(address, IPv4Address) else str(IPv6Network((int(address) >> 64 << 64, HOST_BITS)))


@lru_cache(maxsize=4096)
def site(client: str) -> str | None:
    """The /48 that an IPv6 client lies in: one customer may use any network in that."""
    if ":" not in client:
        return None
    network = int(ip_network(client).network_address)
    return str(IPv6Network((network >> SITE_BITS << SITE_BITS, 48)))


def networks(text: str) -> list[str]:
    """A comma-separated list of networks; raises ValueError for what is none."""
    return [str(ip_network(item.strip())) for item in text.split(",") if item.strip()]
