"""What the routes of one application share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from starlette.requests import Request

from app.admission import Admission
from app.assets import Assets
from app.clients import Addresses
from app.config import Settings
from app.examples import Examples
from app.hosts import Hosts, Origins
from app.metrics import Metrics
from app.pages import Pages
from app.preview import Previews
from app.roots import Roots
from app.runs import Runs
from app.slots import Slots
from app.store import Store
from app.traces import Traces
from app.workers.pool import Pool


@dataclass
class State:
    """Built once by `create_app`; `slots` follow the container in which programs run."""

    settings: Settings
    slots: Slots
    pool: Pool
    admission: Admission
    addresses: Addresses
    roots: Roots
    hosts: Hosts
    origins: Origins
    store: Store
    runs: Runs
    assets: Assets
    examples: Examples
    pages: Pages
    previews: Previews
    metrics: Metrics
    traces: Traces


def state_of(request: Request) -> State:
    """The state of the application that received `request`."""
    return cast(State, request.app.state.backlight)
