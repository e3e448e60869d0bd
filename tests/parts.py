"""Other parts for a pipeline that is built already: a fake fetcher in a whole `Web`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from wellread.reading.pipeline import Pipeline


def replace_parts(pipeline: Pipeline, **parts: Any) -> None:  # Any: the parts, by their names
    """Build a pipeline again, with some of its parts replaced."""
    Pipeline.__init__(pipeline, replace(pipeline.parts, **parts))
