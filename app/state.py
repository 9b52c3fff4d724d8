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
from app.metrics import Metrics
from app.pages import Pages
from app.runs import Runs
from app.store import Store
from app.traces import Traces
from app.workers.pool import Pool


@dataclass(frozen=True)
class State:
    """Built once by `create_app`."""

    settings: Settings
    pool: Pool
    admission: Admission
    addresses: Addresses
    store: Store
    runs: Runs
    assets: Assets
    examples: Examples
    pages: Pages
    metrics: Metrics
    traces: Traces


def state_of(request: Request) -> State:
    """The state of the application that received `request`."""
    return cast(State, request.app.state.backlight)
