"""Every setting of the service, once: environment variable, default, meaning."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, ValidationError, ValidationInfo, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.clients import networks
from app.hosts import ANY, LOOPBACK, is_loopback, names, origins
from app.roots import root_path

PROJECT = Path(__file__).resolve().parent.parent
MEGABYTE = 1 << 20
JOBS = "app.workers.jobs"
"""The module whose jobs the worker processes do."""
PREFIX = "BACKLIGHT_"
MAX_SOCKET_PATH = 90
"""What systems take (108 bytes on Linux), less what the name is longer by until somebody listens."""
SERVERS = ("redis://", "rediss://", "valkey://", "valkeys://")


class Settings(BaseSettings):
    """Read from the environment: `HOST`, `PORT`, and `BACKLIGHT_<NAME>` for the rest."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_ignore_empty=True,
        populate_by_name=True,
        frozen=True,
        extra="ignore",
        allow_inf_nan=False,
    )

    host: str = Field("127.0.0.1", validation_alias="HOST", description="Address to listen on.")
    port: int = Field(8000, validation_alias="PORT", ge=0, le=65535, description="Port to listen on.")
    hosts: str = Field(
        "auto",
        description="Names and addresses that requests may be addressed to, separated by commas; others are answered "
        "421. `localhost` is every name of this machine, `*` any at all; `auto` is `localhost` where `HOST` is one of "
        "those, and else `*`.",
    )
    origins: str = Field(
        "",
        description="Origins (`https://example.org`, separated by commas; `*` is any) whose pages may send programs "
        "and delete runs, besides the service's own.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least severe log line shown.")

    log: Literal["auto", "json", "text"] = Field(
        "auto", description="`json` is one object a line, with every request; `auto` is `text` on a terminal only."
    )

    metrics: bool = Field(False, description="Serve counts for Prometheus at /metrics.")
    metrics_port: int = Field(
        0, ge=0, le=65535, description="Port that serves them instead, apart from programs and pages; 0 is none."
    )

    workers: int = Field(
        0, ge=0, le=256, description="Programs run at the same time; 0 means one per core this process may use."
    )
    workers_socket: str = Field(
        "",
        description="Unix socket of `python -m app.workers`, which forks the processes of programs in a container of "
        "its own; without it the service has them forked beside itself.",
    )
    reserve: int = Field(
        2, ge=1, le=256, description="Programs beyond those that may run in places kept for short ones."
    )
    queue: int = Field(
        1024,
        ge=0,
        description="Programs that may wait for a worker; then the client with most waiting is answered 503.",
    )
    client_queue: int = Field(512, ge=0, description="Programs of one client that may wait; one more is answered 429.")
    queue_seconds: float = Field(8.0, gt=0, description="Longest wait for a first start before the answer is 503.")
    client_cpu_seconds: float = Field(
        60.0,
        gt=0,
        description="Processor time a client may use at once; beyond, it is answered 429 if others are here.",
    )
    client_cpu_share: float = Field(
        0.5,
        gt=0,
        le=1,
        description="Part of a client's fair share of all cores that comes back to its processor time every second.",
    )
    trusted_proxies: str = Field(
        "",
        description="Networks (CIDR, separated by commas) of proxies whose Forwarded or X-Forwarded-For is believed.",
    )
    root_path: str = Field(
        "",
        description="Path of another site below which a reverse proxy has the service, as `/tools/backlight`; the "
        "proxy may strip it or keep it. A trusted proxy may say it in X-Forwarded-Prefix instead.",
    )
    wall_seconds: float = Field(
        10.0, gt=0, description="Clock time that a job may sleep; what it computes or waits for a core does not count."
    )
    cpu_seconds: int = Field(
        20,
        ge=1,
        le=86_400,
        description="Processor time after which a program is ended, with its document up to there.",
    )
    memory_mb: int = Field(
        512,
        ge=256,
        le=1 << 24,
        description="Memory of the process that runs one program, in MiB; "
        "as many run at once as a container's limit holds.",
    )
    isolation: Literal["strict", "auto", "basic"] = Field(
        "auto",
        description="What workers are locked behind: resource limits (`basic`), Landlock and seccomp too where the "
        "kernel has them (`auto`), or no start without both (`strict`). Without seccomp only this machine is served.",
    )

    body_kb: int = Field(512, ge=1, description="Largest request body, in KiB.")
    receive_seconds: float = Field(5.0, gt=0, description="Time a client has to send a whole request.")
    send_seconds: float = Field(30.0, gt=0, description="Time a client may leave an answer unread.")
    connections: int = Field(1024, ge=1, description="Connections open at the same time; idle ones give way.")
    client_connections: int = Field(512, ge=1, description="Connections of one address open at the same time.")
    buffer_mb: int = Field(64, ge=1, description="Bodies waiting and answers not yet read, of all clients, in MiB.")
    client_buffer_mb: int = Field(
        32, ge=1, description="Bodies waiting and answers not yet read, of one client, in MiB."
    )
    drain_seconds: float = Field(
        1.0, ge=0, description="Time after SIGTERM in which /readyz says no and requests are still answered."
    )
    shutdown_seconds: int = Field(5, ge=0, description="Time running requests have to finish after SIGTERM.")

    result_mb: int = Field(16, ge=1, description="Largest compressed run document, in MiB.")
    values_mb: int = Field(
        8, ge=0, description="Large tensors kept with one run, in MiB; those beyond are computed again when asked for."
    )
    store: str = Field(
        "auto",
        description=(
            "File that keeps results across restarts; `auto` is one in the temporary directory, `memory` none. "
            "`redis://…` or `rediss://…` is a Valkey or Redis server that replicas share."
        ),
    )
    store_mb: int = Field(256, ge=1, description="Size of that file at which the least recently used runs leave it.")
    store_hours: float = Field(
        168.0, gt=0, description="Time after which a result that nobody asks for leaves a shared store."
    )
    cache_mb: int = Field(64, ge=1, description="Results held in memory in front of the file, in MiB.")

    def proxies(self) -> list[str]:
        """The networks of trusted proxies."""
        return networks(self.trusted_proxies)

    def host_names(self) -> list[str]:
        """The hosts that requests may be addressed to; `*` is any."""
        if self.hosts != "auto":
            return names(self.hosts)
        return [LOOPBACK if self.host == LOOPBACK or is_loopback(self.host) else ANY]

    def allowed_origins(self) -> list[str]:
        """The origins whose pages may do more than read; `*` is any."""
        return origins(self.origins)

    @field_validator("hosts")
    @classmethod
    def _are_hosts(cls, text: str) -> str:
        if not names(text):
            raise ValueError("it names no host")
        return text

    @field_validator("origins")
    @classmethod
    def _are_origins(cls, text: str) -> str:
        origins(text)
        return text

    @field_validator("trusted_proxies")
    @classmethod
    def _are_networks(cls, text: str) -> str:
        networks(text)
        return text

    @field_validator("root_path")
    @classmethod
    def _is_a_root(cls, text: str) -> str:
        return root_path(text)

    @field_validator("workers_socket")
    @classmethod
    def _is_short(cls, path: str) -> str:
        if len(os.fsencode(path)) > MAX_SOCKET_PATH:
            raise ValueError(f"the path of a socket has at most {MAX_SOCKET_PATH} bytes")
        return path

    @field_validator("metrics_port")
    @classmethod
    def _is_free(cls, port: int, info: ValidationInfo) -> int:
        if port and port == info.data.get("port"):
            raise ValueError("that is the PORT of programs and pages")
        return port

    @field_validator("store")
    @classmethod
    def _is_a_place(cls, text: str) -> str:
        if text.startswith(SERVERS):
            address = urlsplit(text)  # which looks at the port when it is asked for
            if not address.hostname or address.port == 0:
                raise ValueError("a server is named as redis://host:6379/0")
        elif "://" in text:
            raise ValueError(f"a file is a path, a server begins with {', '.join(SERVERS)}")
        return text

    def store_url(self) -> str | None:
        """The server that replicas share; None where there is none."""
        return self.store if self.store.startswith(SERVERS) else None

    def store_path(self) -> Path | None:
        """Where results are kept on disk; None keeps them in memory only, or on a server."""
        if self.store == "memory" or self.store_url() is not None:
            return None
        if self.store == "auto":
            return Path(tempfile.gettempdir()) / f"backlight-{os.getuid()}" / "runs.sqlite3"
        return Path(self.store)


def settings_or_exit() -> Settings:
    """The settings of this environment; ends the process with a line for each that does not fit."""
    try:
        return Settings()
    except ValidationError as error:
        lines = [
            f"{variable(str(item['loc'][0]))}={item['input']}: {item['msg'].removeprefix('Value error, ')}"
            for item in error.errors()
        ]
        sys.exit("\n".join(["Some settings do not fit (docs/configuration.md explains them):", *lines]))


@dataclass(frozen=True)
class SettingRow:
    """One line of the settings table."""

    variable: str
    default: str
    meaning: str


def settings_table() -> list[SettingRow]:
    """The settings as documented in docs/configuration.md."""
    return [
        SettingRow(variable(name), str(field.default), field.description or "")
        for name, field in Settings.model_fields.items()
    ]


def variable(name: str) -> str:
    """The environment variable of a setting."""
    field = Settings.model_fields.get(name)
    alias = field.validation_alias if field else name
    return alias if isinstance(alias, str) else f"{PREFIX}{name.upper()}"


def unknown(environment: Iterable[str]) -> list[str]:
    """Variables that look like settings and are none: misspelt ones, mostly."""
    known = set(map(variable, Settings.model_fields))
    return sorted(name for name in environment if name.startswith(PREFIX) and name not in known)


def available_cores() -> int:
    """Cores this process may use: its affinity mask, cut to a container's CPU quota (cgroup v2 `cpu.max`)."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = Path("/sys/fs/cgroup/cpu.max").read_text().split()
        if quota != "max":
            cores = min(cores, max(1, round(int(quota) / int(period))))
    except (OSError, ValueError):
        pass
    return cores
