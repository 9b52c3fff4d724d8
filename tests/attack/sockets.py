"""Clients that send slowly, read nothing or say nothing, from one address; another one is served all the while."""

from __future__ import annotations

import contextlib
import itertools
import socket
import threading
import time
from collections.abc import Callable, Iterator

from tests.attack.report import Result, first, timed
from tests.attack.service import LARGE, Service, new_program, service, shown, tried

HONEST_SECONDS = 2.0
LOST_SECONDS = 20.0
RECEIVE_SECONDS = 2.0
SEND_SECONDS = 4.0
IDLE = 600
SLOW = 24
SERVED = 20


def attack(size: float) -> Result:
    """Clients that send slowly, read nothing or say nothing, from one address; another one is served all the while."""
    result = Result("sockets", f"slow, deaf and idle clients: another address is served within {HONEST_SECONDS:g} s")
    scale = min(1.0, max(0.1, 2 * size))
    settings = {"receive_seconds": RECEIVE_SECONDS, "send_seconds": SEND_SECONDS, "connections": 512}
    with timed(result), service(**settings) as target:
        for name, stall in first(STALLS.items(), size):
            with contextlib.ExitStack() as stalled:
                stall(result, target, stalled, scale)
                served(result, target, name, max(5, int(SERVED * scale)))
        result.expect("Traceback" not in target.log.read_text(), f"the log: {target.log.read_text()[-2000:]}")
    return result


def served(result: Result, target: Service, beside: str, count: int) -> None:
    """Runs from another address; the longest that one took is a figure of the row."""
    took = []
    for _ in range(count):
        started = time.monotonic()
        answer = tried(lambda: target.run(new_program(), HONEST, LOST_SECONDS))
        took.append(time.monotonic() - started)
        result.expect(
            answer is not None and answer.status == 200, f"beside {beside} a run was answered {shown(answer)}"
        )
    late = sum(seconds > HONEST_SECONDS for seconds in took)
    if count >= SERVED:  # a slice runs beside other tests
        result.expect(late <= count // 20, f"beside {beside} {late} of {count} runs took over {HONEST_SECONDS:g} s")
    result.figures[f"beside {beside} s"] = round(max(took), 3)


HONEST = "127.0.0.1"
ATTACKER = "127.0.0.2"
HEAD = b"POST /v1/runs HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n"


def opened(target: Service, stalled: contextlib.ExitStack, count: int) -> Iterator[socket.socket]:
    """Connections of the attacker, as many as it gets."""
    for _ in range(count):
        with contextlib.suppress(OSError):
            yield stalled.enter_context(target.connect(ATTACKER))


def idle(result: Result, target: Service, stalled: contextlib.ExitStack, scale: float) -> None:
    for _ in opened(target, stalled, IDLE):
        pass


def slow_head(result: Result, target: Service, stalled: contextlib.ExitStack, scale: float) -> None:
    drip(result, target, stalled, HEAD, int(SLOW * scale) + 1, "a slow head")


def slow_body(result: Result, target: Service, stalled: contextlib.ExitStack, scale: float) -> None:
    drip(result, target, stalled, HEAD + b"\r\n", int(SLOW * scale) + 1, "a slow body", len(HEAD) + 2)


def drip(
    result: Result,
    target: Service,
    stalled: contextlib.ExitStack,
    data: bytes,
    count: int,
    name: str,
    at_once: int = 0,
) -> None:
    """Send byte by byte until the service has had enough: it must, soon after `receive_seconds`."""
    connections = list(opened(target, stalled, count))
    for connection in connections:
        with contextlib.suppress(OSError):
            connection.sendall(data[:at_once])
        connection.settimeout(RECEIVE_SECONDS + 10)

    def send() -> None:
        for position in itertools.count(at_once):
            for connection in connections:
                with contextlib.suppress(OSError):
                    connection.sendall(data[position : position + 1] or b" ")
            if ended.wait(0.1):
                return

    def end() -> None:
        ended.set()
        sender.join(10)

    def cut_off(connection: socket.socket) -> bool:
        try:
            answer = connection.recv(1 << 16)
        except TimeoutError:
            return False
        except OSError:
            return True
        return answer == b"" or answer[9:12] in (b"408", b"429", b"503")

    ended = threading.Event()
    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    stalled.callback(end)
    served(result, target, name, 3)
    for connection in connections:
        result.expect(cut_off(connection), f"{name} was not cut off")


def deaf(result: Result, target: Service, stalled: contextlib.ExitStack, scale: float) -> None:
    """Ask for a large document again and again and read nothing."""
    before = target.memory()
    found = target.run(LARGE, ATTACKER)
    path = f"/v1/runs/{found.content['id']}" if found.status == 200 else "/docs"
    request = f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode() * 20
    for connection in opened(target, stalled, int(SLOW * scale) + 1):
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        with contextlib.suppress(OSError):
            connection.sendall(request)
    time.sleep(0.5)
    grown = (target.memory() - before) / 1e6
    result.figures["deaf readers' MB"] = round(grown, 1)
    result.expect(grown < 150, f"clients that do not read cost the main process {grown:.0f} MB")


STALLS: dict[str, Callable[[Result, Service, contextlib.ExitStack, float], None]] = {
    "slow heads": slow_head,
    "idle clients": idle,
    "slow bodies": slow_body,
    "deaf readers": deaf,
}
