"""The playground at `/`: files that are read once, each served with its content security policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import Response

from wellread.apps import playground

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from fastapi import FastAPI

    from wellread.apps.playground import PlaygroundFile


def add_playground(app: FastAPI, recorded: Sequence[str]) -> None:
    """Serve the page and its files, with examples from the recording where one is replayed."""
    for file in playground.pages(playground.replayed(recorded)):
        app.add_api_route(file.path, _answer(file), methods=["GET"], include_in_schema=False)


def _answer(file: PlaygroundFile) -> Callable[[], Awaitable[Response]]:
    async def answer() -> Response:
        return Response(file.body, media_type=file.media_type, headers=playground.HEADERS)

    return answer
