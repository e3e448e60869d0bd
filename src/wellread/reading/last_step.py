"""Returns the result of a long operation that yields its steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

StepT = TypeVar("StepT")
ResultT = TypeVar("ResultT")


async def last_step(
    steps: AsyncIterator[StepT], result_type: type[ResultT], show: Callable[[StepT], object] | None = None
) -> ResultT:
    """Iterate to the end, pass each step to `show`, and return the last, which is the result."""
    result: ResultT | None = None
    async for step in steps:
        if show is not None:
            show(step)
        if isinstance(step, result_type):
            result = step
    if result is None:
        raise AssertionError("the steps end with the result, or an error is raised")
    return result
