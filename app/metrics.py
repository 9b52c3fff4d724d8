"""Counts for Prometheus, served at /metrics when `BACKLIGHT_METRICS` is on."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from app.admission import Admission
from app.store import Store

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4
SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

MEMORY = tuple(float(megabytes << 20) for megabytes in (64, 128, 192, 256, 384, 512, 1024))


class Metrics:
    """What one application has done so far, and what its workers are doing."""

    def __init__(self, admission: Admission, store: Store) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "backlight_requests", "Requests answered.", ["route", "method", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "backlight_request_seconds", "Time to an answer.", ["route"], buckets=SECONDS, registry=self.registry
        )
        self._children: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self.problems = Counter("backlight_problems", "Problems sent.", ["type"], registry=self.registry)
        self.jobs = Counter("backlight_jobs", "Jobs that workers have done.", ["kind"], registry=self.registry)
        self.cpu = Counter(
            "backlight_job_cpu_seconds", "Processor time of jobs, done or not.", ["kind"], registry=self.registry
        )
        self.memory = Histogram(
            "backlight_job_memory_bytes",
            "The most memory that a job's process had.",
            ["kind"],
            buckets=MEMORY,
            registry=self.registry,
        )
        ProcessCollector(registry=self.registry)
        running = Gauge("backlight_jobs_running", "Jobs that workers are doing.", registry=self.registry)
        running.set_function(lambda: admission.running)
        waiting = Gauge("backlight_jobs_waiting", "Jobs that wait for a worker.", registry=self.registry)
        waiting.set_function(lambda: admission.waiting)
        kept = Gauge("backlight_store_up", "1 while results are kept and shared.", registry=self.registry)
        kept.set_function(lambda: store.problem is None)
        buffered = Gauge("backlight_buffered_bytes", "Bodies waiting and answers not yet read.", registry=self.registry)
        buffered.set_function(lambda: admission.buffered)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one answer; `route` is the path with its parameters' names, never the client's own text."""
        key = (route, method, status)
        if (children := self._children.get(key)) is None:
            children = self._children[key] = (self.requests.labels(*key), self.seconds.labels(route))
        children[0].inc()
        children[1].observe(seconds)

    def worked(self, kind: str) -> None:
        """Count a job that a worker has done."""
        self.jobs.labels(kind).inc()

    def used(self, kind: str, cpu_seconds: float, memory: int | None) -> None:
        """Count what a process has used for a job, as the kernel tells it."""
        self.cpu.labels(kind).inc(cpu_seconds)
        if memory is not None:
            self.memory.labels(kind).observe(memory)

    def text(self) -> bytes:
        """Everything in Prometheus' text format."""
        return generate_latest(self.registry)
