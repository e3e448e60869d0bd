"""Tells work whose owner has died from long-running work, by a monotonic clock.

An owner counts up a number in its row while it lives. Whoever sees the same number for the length of a lease, by a
steady clock of its own, may take the owner for dead. No two clocks are compared, so a wall clock that is put forward or
back makes no living owner look dead.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class LeaseWatch:
    """The beats of others' work, and when each was first seen."""

    lease_s: float
    _beats: dict[str, tuple[int, float]] = field(default_factory=dict)

    def dead(self, beats: Mapping[str, int], steady_s: float) -> list[str]:
        """Record the beats of all work under way (id to beat); return the ids whose beat has not moved for a lease."""
        last_beats = self._beats
        self._beats = {
            key: last_beats[key] if key in last_beats and last_beats[key][0] == beat else (beat, steady_s)
            for key, beat in beats.items()
        }
        return [key for key, (_, since_s) in self._beats.items() if steady_s - since_s >= self.lease_s]
