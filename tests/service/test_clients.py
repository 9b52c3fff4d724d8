"""A client is the address that answers for a request, and nobody can pass for another."""

from __future__ import annotations

import pytest

from app.clients import Addresses, networks, site

PROXIES = Addresses(["10.0.0.0/8", "fd00::/8"])
Header = tuple[bytes, bytes]


def forwarded_for(*values: str) -> list[Header]:
    return [(b"x-forwarded-for", value.encode()) for value in values]


def forwarded(*values: str) -> list[Header]:
    return [(b"forwarded", value.encode()) for value in values]


@pytest.mark.parametrize(
    ("peer", "client"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        (None, "unknown"),
        ("", "unknown"),
        ("/run/socket", "unknown"),
    ],
)
def test_a_client_is_its_address_or_its_network_of_64_bits(peer: str | None, client: str) -> None:
    assert PROXIES.client(peer, []) == client


@pytest.mark.parametrize("headers", [forwarded_for("10.0.0.1"), forwarded("for=203.0.113.7")])
def test_nobody_but_a_trusted_proxy_is_believed(headers: list[Header]) -> None:
    assert PROXIES.client("192.0.2.1", headers) == "192.0.2.1"
    assert Addresses().client("10.0.0.1", headers) == "10.0.0.1"


@pytest.mark.parametrize(
    ("headers", "client"),
    [
        ([], "10.0.0.1"),
        (forwarded_for("203.0.113.7"), "203.0.113.7"),
        (forwarded_for("198.51.100.1, 203.0.113.7"), "203.0.113.7"),  # the first is the client's own invention
        (forwarded_for("198.51.100.1", "203.0.113.7"), "203.0.113.7"),
        (forwarded_for("203.0.113.7, 10.1.1.1, fd00::1"), "203.0.113.7"),  # proxy behind proxy
        (forwarded_for("203.0.113.7:4711"), "203.0.113.7"),
        (forwarded_for("[2001:db8::1]:4711"), "2001:db8::/64"),
        (forwarded_for("10.2.2.2"), "10.2.2.2"),  # somebody inside
        (forwarded_for("203.0.113.7, nonsense"), "10.0.0.1"),
        (forwarded_for("203.0.113.7, "), "10.0.0.1"),
        (forwarded_for("203.0.113.7, nonsense, 10.3.3.3"), "10.3.3.3"),
        (forwarded_for(", ".join(["203.0.113.7"] * 5000)), "203.0.113.7"),
        (forwarded("for=203.0.113.7"), "203.0.113.7"),
        (forwarded('For="[2001:db8::1]:4711";proto=https;by=10.0.0.1'), "2001:db8::/64"),
        (forwarded("for=198.51.100.1, for=203.0.113.7;host=a"), "203.0.113.7"),
        (forwarded('for="198.51.100.1, for=198.51.100.2", for=203.0.113.7'), "203.0.113.7"),
        (forwarded('host="for=198.51.100.1";for=203.0.113.7'), "203.0.113.7"),
        (forwarded("for=unknown"), "10.0.0.1"),
        (forwarded("for=_hidden"), "10.0.0.1"),
        (forwarded("proto=https"), "10.0.0.1"),
        (forwarded_for("203.0.113.7") + forwarded("for=203.0.113.7"), "203.0.113.7"),
        (forwarded_for("203.0.113.7") + forwarded("for=198.51.100.1"), "10.0.0.1"),  # one of them is invented
        ([(b"x-forwarded-for", b"\xff\xfe")], "10.0.0.1"),
    ],
)
def test_of_the_hops_a_proxy_names_the_last_untrusted_one_is_the_client(headers: list[Header], client: str) -> None:
    assert PROXIES.client("10.0.0.1", headers) == client


def test_networks_of_proxies_are_read_strictly() -> None:
    assert networks("10.0.0.0/8, ::1 ,") == ["10.0.0.0/8", "::1/128"]
    for text in ("10.0.0.1/8", "proxy", "10.0.0.0/33"):
        with pytest.raises(ValueError):
            networks(text)


def test_a_site_is_a_network_of_48_bits() -> None:
    assert site("2001:db8:1:2::/64") == "2001:db8:1::/48"
    assert site("2001:db8:1::/48") == "2001:db8:1::/48"
    assert site("192.0.2.1") is None and site("unknown") is None
