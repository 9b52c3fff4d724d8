"""Accepting connections: as fast as they come, and then welcoming whoever is behind one, clients in turn.

Event loops accept in the order in which connections were made, uvloop one in each pass: behind hundreds of one client
all others wait, however little they ask for.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from collections.abc import Callable

from app.rounds import Rounds

AT_ONCE = 64
MAX_WAITING = 512
"""Connections accepted and not yet welcomed. Beyond that, the last one of the client with most of them goes."""

ABSENT = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT)  # a family of addresses that this machine does without
PAUSE_SECONDS = 0.1  # when the system has no more files for us
UNSENT = 128 << 10
"""Bytes of an answer that the system takes ahead of the network. Left alone, it takes megabytes for each connection."""


class Listener:
    """One address that is listened at. `client` names whom an address belongs to, `protocol` makes a connection's."""

    def __init__(
        self,
        listening: socket.socket,
        rounds: Rounds,
        client: Callable[[str | None], str],
        protocol: Callable[[], asyncio.Protocol],
    ) -> None:
        self.sockets = (listening,)
        self._listening = listening
        self._rounds = rounds
        self._client = client
        self._protocol = protocol
        self._waiting: dict[str, dict[asyncio.Task[None], None]] = {}
        self._count = 0
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        listening.setblocking(False)
        if (option := getattr(socket, "TCP_NOTSENT_LOWAT", None)) is not None:
            with contextlib.suppress(OSError):
                listening.setsockopt(socket.IPPROTO_TCP, option, UNSENT)  # which connections inherit
        self._resume()

    def close(self) -> None:
        """Accept no more, and leave those that were not welcomed."""
        self._loop.remove_reader(self._listening)
        if self._pause is not None:
            self._pause.cancel()
        self._listening.close()
        for tasks in self._waiting.values():
            for task in tasks:
                task.cancel()

    async def wait_closed(self) -> None:
        """Nothing to wait for: connections are told to end one by one."""

    def _resume(self) -> None:
        self._pause = None
        self._loop.add_reader(self._listening, self._accept)

    def _accept(self) -> None:
        for _ in range(AT_ONCE):
            try:
                connection, address = self._listening.accept()
            except (BlockingIOError, InterruptedError):
                return
            except ConnectionError:
                continue
            except OSError:
                self._loop.remove_reader(self._listening)
                self._pause = self._loop.call_later(PAUSE_SECONDS, self._resume)
                return
            self._wait(connection, self._client(address[0] if isinstance(address, tuple) else None))

    def _wait(self, connection: socket.socket, client: str) -> None:
        task = self._loop.create_task(self._welcome(connection, client))
        self._waiting.setdefault(client, {})[task] = None
        self._count += 1
        task.add_done_callback(lambda task: self._leave(task, client))
        if self._count > MAX_WAITING:
            heaviest = max(self._waiting.values(), key=len)
            next(reversed(heaviest)).cancel()

    def _leave(self, task: asyncio.Task[None], client: str) -> None:
        self._count -= 1
        del self._waiting[client][task]
        if not self._waiting[client]:
            del self._waiting[client]

    async def _welcome(self, connection: socket.socket, client: str) -> None:
        try:
            connection.setblocking(False)
            await self._rounds.turn(client)
            await self._loop.connect_accepted_socket(self._protocol, connection)
        except OSError:  # it has gone
            connection.close()
        except BaseException:
            connection.close()
            raise


def bound(host: str, port: int) -> list[socket.socket]:
    """Sockets at every address of `host` that this machine has. Raises OSError where one is taken, or there is none."""
    found: list[socket.socket] = []
    absent: OSError | None = None
    with contextlib.ExitStack() as opened:
        infos = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, _, _, address in dict.fromkeys(infos):
            try:
                each = opened.enter_context(socket.socket(family, kind))
                each.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if family == socket.AF_INET6:
                    each.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
                each.bind(address)
            except OSError as error:
                if error.errno not in ABSENT:
                    raise
                absent = error
            else:
                found.append(each)
        if not found and absent is not None:
            raise absent
        opened.pop_all()
    return found
