"""The hostile requests know every address of the service."""

from __future__ import annotations

import re

from app.api import meta, oembed, pages, previews, runs
from tests.attack.hostile import ROUTES


def test_no_address_is_left_out() -> None:
    routers = [meta.router, oembed.router, pages.router, pages.files, previews.router, runs.router]
    paths = {getattr(route, "path", "") for router in routers for route in router.routes}
    assert {re.sub("{[^}]*}", "{}", path) for path in paths} == set(ROUTES)
