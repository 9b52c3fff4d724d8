"""A reverse proxy that has the service below a path of its site, and nothing beside it."""

from __future__ import annotations

import contextlib
import http.client
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding"}


@contextlib.contextmanager
def below(service: str, root: str, *, strips: bool = True, says: bool = False) -> Iterator[tuple[str, list[str]]]:
    """The address of the service below `root`, and the paths beside it that somebody asked for.

    The proxy strips `root` from requests or keeps it, and `says` it in X-Forwarded-Prefix or says nothing.
    """
    beside: list[str] = []
    backend = urlsplit(service)

    class Proxy(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def pass_on(self) -> None:
            inside = self.path.startswith(f"{root}/")
            if not inside:
                beside.append(self.path)
                self.send_error(404)
                return
            headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
            if says:
                headers["X-Forwarded-Prefix"] = root
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            connection = http.client.HTTPConnection(backend.hostname or "", backend.port, timeout=60)
            try:
                connection.request(self.command, self.path.removeprefix(root) if strips else self.path, body, headers)
                answer = connection.getresponse()
                content = answer.read()
            finally:
                connection.close()
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in {*HOP_BY_HOP, "content-length"}:
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            with contextlib.suppress(ConnectionError):
                self.wfile.write(content)

        do_GET = do_POST = do_DELETE = pass_on

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{root}", beside
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
