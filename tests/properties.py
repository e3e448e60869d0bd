"""Says how many examples a property is tried with: a quarter in `make test`, all of them in `make test-slow`."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

QUICK, THOROUGH = "quick", "thorough"
"""Profiles of Hypothesis; `--hypothesis-profile=thorough` chooses the second."""
_MIN_EXAMPLES = 15


def load_profiles() -> None:
    """Choose what properties run with, unless the command line names a profile.

    They say what is so, not how fast: a machine that is slow, or busy elsewhere, refutes none of them.
    """
    for name, max_examples in ((QUICK, 25), (THOROUGH, 100)):
        settings.register_profile(
            name, deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=max_examples
        )
    settings.load_profile(QUICK)


def examples(count: int) -> int:
    """Return how many of `count` examples this run tries."""
    share = settings().max_examples / 100
    return min(count, max(_MIN_EXAMPLES, round(count * share)))
