"""Errors of the browser that mean that a page went on to another document."""

from __future__ import annotations

import pytest
from playwright.async_api import Error

from wellread.browser.playwright_errors import is_between_documents


@pytest.mark.parametrize(
    "message",
    [
        "CDPSession.send: Protocol error (Runtime.evaluate): Inspected target navigated or closed",
        "CDPSession.send: Protocol error (Runtime.evaluate): Cannot find context with specified id",
        "CDPSession.send: Protocol error (Page.createIsolatedWorld): No frame for given id found",
        "CDPSession.send: Protocol error (DOM.describeNode): Could not find node with given id",
        "Page.evaluate: Execution context was destroyed, most likely because of a navigation",
    ],
)
def test_call_that_a_navigation_ended_is_tried_again(message: str) -> None:
    assert is_between_documents(Error(message))


def test_call_with_wrong_arguments_is_not_tried_again() -> None:
    assert not is_between_documents(Error("CDPSession.send: Protocol error (Runtime.evaluate): Invalid parameters"))
