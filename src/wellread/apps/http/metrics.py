"""Metrics in the Prometheus text format: operations, steps, cache, bytes, browsers, places, memory."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.registry import Collector

from wellread.errors import WellreadError
from wellread.net import local_socket
from wellread.worker.child import resident_bytes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from wellread.apps.operations.admission import Admission
    from wellread.apps.operations.browser_sessions import Sessions
    from wellread.ports import Fact

MEDIA_TYPE = CONTENT_TYPE_LATEST
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30)
"""From a page that is kept to the deadline of a gather."""
_ASK_S: Final = 2.0
"""How long another process may take to tell its metrics."""


class Metrics:
    """The metrics of one process of a server."""

    def __init__(self, admission: Admission, sessions: Sessions, browsers: Callable[[], tuple[int, int]]) -> None:
        """Take admission control, browser sessions, and a function that returns the running browsers and tabs."""
        self._registry = CollectorRegistry()
        self._done = self._counter("operations", "Finished operations, by outcome.", "operation", "code")
        self._seconds = self._histogram("operation_seconds", "Duration of operations.", "operation")
        self._steps = self._counter("steps", "Finished steps, by outcome.", "step", "code")
        self._step_seconds = self._histogram("step_seconds", "Duration of steps.", "step")
        self._cache = self._counter("cache", "Pages by source; hit is a page from the cache.", "result")
        self._bytes = self._counter("fetched_bytes", "Bytes of fetched bodies.")
        self._gauge("operations_running", "Operations under way.", lambda: admission.running)
        self._gauge("operations_waiting", "Waiting operations.", lambda: admission.waiting)
        self._gauge("browser_sessions", "Open browser sessions.", sessions.count)
        self._gauge("browsers", "Browsers that run.", lambda: browsers()[0])
        self._gauge("browser_tabs", "Tabs in use.", lambda: browsers()[1])
        self._gauge("resident_bytes", "Memory of the process.", resident_bytes)

    def observe(self, operation: str, code: str, seconds: float) -> None:
        """Count one operation that has ended."""
        self._done.labels(operation, code).inc()
        self._seconds.labels(operation).observe(seconds)

    def step(self, step: str, code: str, seconds: float, facts: dict[str, Fact]) -> None:
        """Count one step that has ended."""
        self._steps.labels(step, code).inc()
        self._step_seconds.labels(step).observe(seconds)
        if step == "fetch":
            self._bytes.inc(float(facts.get("bytes", 0)))
        if step == "read" and "cached" in facts:
            self._cache.labels("hit" if facts["cached"] else "miss").inc()

    def text(self) -> bytes:
        """Return all metrics in the text format."""
        return generate_latest(self._registry)

    def text_of_all(self, sockets: Sequence[Path]) -> bytes:
        """Return these metrics and those of the processes that listen at the Unix sockets; blocks.

        A label `process` tells them apart, because sums would fall while a process does not answer. Such a process has
        `wellread_server_process_up` 0 alone.
        """
        if not sockets:
            return self.text()
        texts = {0: self.text().decode()}
        for index, path in enumerate(sockets, start=1):
            texts[index] = ""
            with suppress(WellreadError):
                texts[index] = local_socket.ask(path, {}, timeout_s=_ASK_S, removes_stale=False)["text"]
        registry = CollectorRegistry()
        registry.register(_ProcessCollector(texts))
        return generate_latest(registry)

    def _counter(self, name: str, words: str, *labels: str) -> Counter:
        return Counter(f"wellread_{name}", words, labels, registry=self._registry)

    def _histogram(self, name: str, words: str, *labels: str) -> Histogram:
        return Histogram(f"wellread_{name}", words, labels, buckets=SECONDS, registry=self._registry)

    def _gauge(self, name: str, words: str, value: Callable[[], int]) -> None:
        Gauge(f"wellread_{name}", words, registry=self._registry).set_function(value)


class _ProcessCollector(Collector):
    """The metrics of several processes from their text format, which is empty for one that does not answer."""

    def __init__(self, texts: dict[int, str]) -> None:
        self._texts = texts

    def collect(self) -> Iterable[Metric]:
        up = Metric("wellread_server_process_up", "Whether the process has told its metrics.", "gauge")
        families = {up.name: up}
        for index, text in self._texts.items():
            label = {"process": str(index)}
            up.add_sample(up.name, label, float(bool(text)))
            for family in text_string_to_metric_families(text):
                families.setdefault(family.name, Metric(family.name, family.documentation, family.type))
                for sample in family.samples:
                    families[family.name].add_sample(sample.name, sample.labels | label, sample.value)
        return families.values()
