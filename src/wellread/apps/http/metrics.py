"""What the server counts, in the Prometheus text format: operations by name and outcome, places, memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from wellread.apps.operations.admission import resident_bytes

if TYPE_CHECKING:
    from wellread.apps.operations.admission import Admission
    from wellread.apps.operations.sessions import Sessions

MEDIA_TYPE = CONTENT_TYPE_LATEST


class Metrics:
    """Counters of one server."""

    def __init__(self, admission: Admission, sessions: Sessions) -> None:
        """Take what knows the places, and the browser sessions that are open."""
        self._registry = CollectorRegistry()
        self._done = Counter(
            "wellread_operations", "Operations done, by how they ended.", ["operation", "code"], registry=self._registry
        )
        self._seconds = Histogram(
            "wellread_operation_seconds", "How long operations took.", ["operation"], registry=self._registry
        )
        self._gauge("wellread_operations_running", "Operations under way.").set_function(lambda: admission.running)
        self._gauge("wellread_operations_waiting", "Operations that wait.").set_function(lambda: admission.waiting)
        self._gauge("wellread_browser_sessions", "Browser sessions that are open.").set_function(sessions.count)
        self._gauge("wellread_resident_bytes", "Memory of the process.").set_function(resident_bytes)

    def observe(self, operation: str, code: str, seconds: float) -> None:
        """Count one operation that has ended."""
        self._done.labels(operation, code).inc()
        self._seconds.labels(operation).observe(seconds)

    def text(self) -> bytes:
        """Return all of it as Prometheus reads it."""
        return generate_latest(self._registry)

    def _gauge(self, name: str, words: str) -> Gauge:
        return Gauge(name, words, registry=self._registry)
