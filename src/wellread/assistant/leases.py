"""Tells work whose owner has died from work that takes long, by a clock that never jumps.

An owner counts up a number in its row while it lives. Whoever sees the same number for the length of a lease, by a
steady clock of its own, may take the owner for dead. No two clocks are compared, so a wall clock that is put forward or
back makes no living owner look dead.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass
class Watch:
    """What one watcher has seen of others' work."""

    lease_s: float
    _seen: dict[str, tuple[int, float]] = field(default_factory=dict)

    def dead(self, beats: Mapping[str, int], steady_s: float) -> list[str]:
        """Take note of all work that is under way (id to beat), and return what has not moved for a lease."""
        self._seen = {
            key: seen if (seen := self._seen.get(key)) and seen[0] == beat else (beat, steady_s)
            for key, beat in beats.items()
        }
        return [key for key, (_, since_s) in self._seen.items() if steady_s - since_s >= self.lease_s]
