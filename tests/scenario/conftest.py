"""A pipeline over a dictionary instead of the network: the whole story, no sockets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scenario.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scenario.story import Pages, Tell


@pytest.fixture
def tell() -> Iterator[Tell]:
    told: list[Story] = []

    def tell(pages: Pages) -> Story:
        told.append(Story(pages))
        return told[-1]

    yield tell
    for story in told:
        story.store.close()
        story.index.close()
