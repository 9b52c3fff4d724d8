"""What a request is addressed to, and whose page it comes from: names the service goes by, and origins it lets in.

A browser lets a page of any site send requests to any address, and a name of that site may lead to this machine (DNS
rebinding): then the page is of the same origin as the service, but the name is not one of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from starlette.types import Scope

from app.problems import FOREIGN_ORIGIN, MALFORMED_REQUEST, MISDIRECTED, Problem

ANY = "*"
LOOPBACK = "localhost"  # in a list of names it stands for all that lead to this machine
PORTS = {"http": 80, "https": 443}
# A name or an address with an optional port (RFC 9110 §7.2).
AUTHORITY = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?)(?::(\d{0,5}))?", re.ASCII)
TARGET = re.compile(rb"[a-z][a-z0-9+.-]*://([^/?#]*)", re.IGNORECASE)  # of a request in absolute form
ORIGIN = re.compile(r"([a-z][a-z0-9+.-]*)://([^/?#@\s]+)", re.ASCII)
SAFE = {"GET", "HEAD", "OPTIONS"}
OWN_SITE = {b"same-origin", b"none"}  # what browsers say of requests that no other page has made


@dataclass(frozen=True)
class Authority:
    """Whom a request is for; `port` is None where it is the usual one."""

    name: str
    port: int | None

    def is_loopback(self) -> bool:
        return self.name == LOOPBACK or is_loopback(self.name)


@lru_cache(maxsize=1024)
def authority(text: str) -> Authority | None:
    """`text` as a host with a port, in one spelling for each; None if it is none."""
    match = AUTHORITY.fullmatch(text.lower())
    if match is None:
        return None
    address, name, port = match.groups()
    try:
        host = f"[{ip_address(address)}]" if address else name
    except ValueError:
        return None
    return Authority(host, int(port) if port else None)


def is_loopback(name: str) -> bool:
    """Whether it is an address of this machine alone."""
    try:
        address: IPv4Address | IPv6Address = ip_address(name.strip("[]"))
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


class Hosts:
    """The names the service goes by; any at all if `ANY` is one of them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = set(names)
        self._any = ANY in self._names

    def refusal(self, scope: Scope) -> Problem | None:
        """Why a request is not for this service, if it is not; `target` is what its request line names."""
        given = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
        if len(given) > 1 or (not given and scope.get("http_version") == "1.1"):
            return Problem(MALFORMED_REQUEST, "A request names its host once.")
        target = scope.get("state", {}).get("target")
        for text in given + ([target] if target is not None else []):
            found = authority(text)
            if found is None and (text or not self._any):
                return Problem(MALFORMED_REQUEST, "The host that the request names is none.")
            if found is not None and not self._goes_by(found):
                return Problem(MISDIRECTED, "The host that the request names is not this service.")
        if not given and not self._any:
            return Problem(MISDIRECTED, "The request does not name its host.")
        return None

    def _goes_by(self, host: Authority) -> bool:
        return self._any or host.name in self._names or (LOOPBACK in self._names and host.is_loopback())


class Origins:
    """The sites whose pages may send programs and delete runs, besides the service's own."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed = set(allowed)

    def grants(self, scope: Scope) -> str | None:
        """What to tell a browser of the origin that a request comes from, if its page may read the answer."""
        given = field(scope, b"origin")
        if given is None:
            return None
        origin = given.decode("latin-1")
        return ANY if ANY in self._allowed else origin if origin.lower() in self._allowed else None

    def refusal(self, scope: Scope, method: str, scheme: str | None) -> Problem | None:
        """Why a request that changes something is not heard, if it is a foreign page's.

        `method` is its own, or the one that a preflight announces; `scheme` is how a trusted proxy was asked. A request
        without any origin is no browser's.
        """
        if method in SAFE or self.grants(scope) is not None:
            return None
        origins = [value for name, value in scope["headers"] if name == b"origin"]
        own = all(self._is_own(origin.decode("latin-1"), scope, scheme) for origin in origins)
        if own and len(origins) < 2 and field(scope, b"sec-fetch-site") in (None, *OWN_SITE):
            return None
        return Problem(FOREIGN_ORIGIN, "The request comes from a page of another origin.")

    def _is_own(self, origin: str, scope: Scope, scheme: str | None) -> bool:
        """Whether an origin is that of the address the request was sent to."""
        match = ORIGIN.fullmatch(origin.lower())
        if match is None or (scheme == "https" and match[1] != scheme):
            return False  # a page that somebody on the way may have written; the other way round TLS ends further out
        page, service = authority(match[2]), authority((field(scope, b"host") or b"").decode("latin-1"))
        if page is None or service is None:
            return False
        usual = PORTS.get(match[1])
        return page.name == service.name and (page.port or usual) == (service.port or usual)


def field(scope: Scope, name: bytes) -> bytes | None:
    """The value of the first header of this name."""
    return next((value for found, value in scope["headers"] if found == name), None)


def target_host(target: bytes) -> str | None:
    """The host in a request line that names one."""
    match = TARGET.match(target)
    return match[1].decode("latin-1") if match else None


def names(text: str) -> list[str]:
    """A comma-separated list of hosts; raises ValueError for what is none."""
    return [name if name == ANY else named(name) for name in listed(text)]


def named(text: str) -> str:
    """A name or an address without a port, in the spelling of `Authority.name`."""
    found = authority(f"[{text}]" if ":" in text and not text.startswith("[") else text)
    if found is None or found.port is not None:
        raise ValueError(f"{text} is no host: a name or an address, without a port")
    return found.name


def origins(text: str) -> list[str]:
    """A comma-separated list of origins; raises ValueError for what is none."""
    found = [origin.rstrip("/").lower() for origin in listed(text)]
    for origin in found:
        match = ORIGIN.fullmatch(origin)
        if origin != ANY and (match is None or match[1] not in PORTS or authority(match[2]) is None):
            raise ValueError(f"{origin} is no origin: https://example.org, or with a port")
    return [written(origin) for origin in found]


def written(origin: str) -> str:
    """An origin as browsers write it: without the usual port."""
    parts = urlsplit(origin)
    return origin.removesuffix(f":{PORTS[parts.scheme]}") if parts.scheme in PORTS else origin


def listed(text: str) -> list[str]:
    return [item.strip() for item in text.split(",") if item.strip()]
