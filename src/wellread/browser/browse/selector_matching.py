"""Finds elements by a CSS selector in all documents and shadow trees of a page, closed ones and frames included.

The browser matches the selector, in a world that the page's scripts do not share.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from wellread.browser.browse.capture import NODES, numbers
from wellread.browser.browse.devtools_sessions import WORLD
from wellread.browser.browse.page_tree import NodeKey
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from wellread.browser.browse.capture import CapturedPage
    from wellread.browser.browse.devtools_sessions import Process
    from wellread.browser.browse.page_tree import PageDocument

MAX_MATCHES = 50
"""Of one document or shadow tree."""
MAX_SHADOW_HOSTS = 200
_MATCH = "function(selector, most) { return [...this.querySelectorAll(selector)].slice(0, most); }"


async def matching(captured: CapturedPage, selector: str) -> list[NodeKey]:
    """Return the elements that fit `selector`, documents in the order of `captured`.

    Raises:
        InvalidInput: it is no selector.
    """
    keys: list[NodeKey] = []
    for process, documents in zip(captured.processes, captured.state.documents, strict=True):
        for document in documents:
            async for root in _roots(process, document):
                keys += [NodeKey(process.name, number) for number in await _matches(process, document, root, selector)]
        await process.devtools.send("Runtime.releaseObjectGroup", {"objectGroup": WORLD})
    return keys


async def _roots(process: Process, sheet: PageDocument) -> AsyncIterator[int]:
    """Yield the numbers of a document and of the shadow trees in it."""
    from playwright.async_api import Error

    nodes = sheet.layout.nodes
    yield nodes[0].backend
    hosts = dict.fromkeys(nodes[layout_index].parent for layout_index in sorted(sheet.shadowed))
    for host in list(hosts)[:MAX_SHADOW_HOSTS]:
        with suppress(Error):  # it has gone meanwhile
            arguments = {"backendNodeId": nodes[host].backend, "depth": 0}
            described = await process.devtools.send("DOM.describeNode", arguments)
            for root in described["node"].get("shadowRoots", ()):
                if root.get("shadowRootType") != "user-agent":
                    yield int(root["backendNodeId"])


async def _matches(process: Process, sheet: PageDocument, root: int, selector: str) -> list[int]:
    from playwright.async_api import Error

    try:
        handle = await process.resolve(root, sheet.layout.frame)
    except Error:  # the frame has gone meanwhile
        return []
    arguments = {
        "objectId": handle,
        "functionDeclaration": _MATCH,
        "arguments": [{"value": selector}, {"value": MAX_MATCHES}],
        "serializationOptions": NODES,
        "objectGroup": WORLD,
    }
    answer = await process.devtools.send("Runtime.callFunctionOn", arguments)
    if "exceptionDetails" in answer:
        raise InvalidInput(
            f"{selector[:80]!r} is not a CSS selector", hint="use a selector such as button.save or #name"
        )
    return [number for number in numbers(answer["result"].get("deepSerializedValue") or {"value": []}) if number]
