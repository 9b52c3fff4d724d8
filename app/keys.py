"""What ids and tokens are keyed with: a secret that a store makes once and keeps, so that nobody else computes them."""

from __future__ import annotations

import base64
import secrets
from hashlib import blake2b

SECRET_BYTES = 32


def new_secret() -> bytes:
    """A secret that nobody has had before."""
    return secrets.token_bytes(SECRET_BYTES)


class Keys:
    """Makes ids with the secret of a store, and tokens that prove who has sent a run.

    Until the store has told its secret there is one of our own; what was made with that stays known here.
    """

    def __init__(self) -> None:
        self.secrets: tuple[bytes, ...] = (new_secret(),)

    @property
    def secret(self) -> bytes:
        """The one that new ids are made with."""
        return self.secrets[0]

    def adopt(self, secret: bytes) -> None:
        """Make new ids with the secret of the store; raises ValueError for what is none."""
        if len(secret) != SECRET_BYTES:
            raise ValueError("the secret of the store is damaged")
        self.secrets = (secret, *(former for former in self.secrets if former != secret))[:2]

    def run(self, content: bytes) -> str:
        """The id of a run, 26 characters of base 32, by all that its result depends on."""
        return named(self.secret, content)

    def made(self, run: str, content: bytes) -> bool:
        """Whether `run` is the id that was made here for `content`."""
        return any(named(secret, content) == run for secret in self.secrets)

    def token(self, run: str) -> str:
        """What proves that one was answered by a POST of this run."""
        return proof(self.secret, run)

    def proves(self, token: str, run: str) -> bool:
        """Whether `token` is that of this run."""
        given = token.encode("utf-8", "replace")
        return any([secrets.compare_digest(proof(secret, run).encode(), given) for secret in self.secrets])


def named(secret: bytes, content: bytes) -> str:
    return encoded(blake2b(content, key=secret, person=b"run", digest_size=16).digest())


def encoded(digest: bytes) -> str:
    """An id of 16 bytes."""
    return base64.b32encode(digest).decode().rstrip("=").lower()


def proof(secret: bytes, run: str) -> str:
    return blake2b(run.encode(), key=secret, person=b"deletion", digest_size=32).hexdigest()
