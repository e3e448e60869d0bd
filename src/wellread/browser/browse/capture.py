"""Captures a page at one moment: layouts of all documents, event listeners, focus, modal dialogs, popovers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from wellread.browser.browse import scripts
from wellread.browser.browse.devtools_sessions import WORLD
from wellread.browser.browse.page_tree import NodeKey, PageDocument, PageState
from wellread.browser.render.layout import ARGUMENTS, STYLES, layouts
from wellread.errors import TooLarge
from wellread.net.background_tasks import together

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import CDPSession

    from wellread.browser.browse.devtools_sessions import DevtoolsSessions, Process

SERVICE_WORKER = "service worker"
MAX_NODES = 100_000
MAX_LISTENERS = 20_000
MAX_POINTS = 300
_STYLES = (*STYLES, "cursor", "pointer-events", "font-family", "-webkit-text-security", "-webkit-user-modify")
_ARGUMENTS = {**ARGUMENTS, "computedStyles": list(_STYLES), "includeBlendedBackgroundColors": True}
NODES = {
    "serialization": "deep",
    "maxDepth": 3,
    "additionalParameters": {"maxNodeDepth": 0, "includeShadowTree": "none"},
}
"""Serialization options of results whose elements are read as backend node numbers."""

Json = Any  # Any: the protocol's own shapes


class _ProcessState(NamedTuple):
    """The documents of one process, and the event types that elements in them listen for."""

    documents: list[PageDocument]
    listening: dict[NodeKey, frozenset[str]]


class CapturedPage(NamedTuple):
    """The state of a page at one moment, and the processes that it came from."""

    state: PageState
    title: str
    processes: Sequence[Process]

    @property
    def is_one_tree(self) -> bool:
        """Return whether all changes are seen from the page's document: it has no frames and no shadow trees."""
        documents = [document for documents in self.state.documents for document in documents]
        return len(documents) == 1 and not documents[0].has_shadow_trees

    @property
    def wants_service_worker(self) -> bool:
        """Return whether the page asked for a service worker, and got none."""
        return any(SERVICE_WORKER in kinds for kinds in self.state.listening.values())


async def capture_page(sessions: DevtoolsSessions) -> CapturedPage:
    """Capture the page of `sessions`.

    Calls that do not need the answer to another are sent together: a page answers them one after the other.

    Raises:
        TooLarge: the page has more nodes than can be captured.
        playwright.async_api.Error: the page is between two documents, or gone.
    """
    page_process, lists_listeners = await together(sessions.page_process(), _check_size(sessions.devtools))
    page_facts = await _evaluate_apart(page_process, scripts.STATE)  # first: it lays out what the browser has skipped
    page_state = await _process_state(page_process, lists_listeners=lists_listeners)
    width, height, title, focused, modal, popovers, hover_hosts, hover_hidden, boxes, offsets = page_facts
    scrolled_keys = [NodeKey(page_process.name, number) for number in boxes]
    processes, states = [page_process], [page_state]
    if _has_frames(page_state.documents):
        frame_processes = await sessions.frame_processes(page_process)
        processes += frame_processes
        states += await together(
            *(_process_state(process, lists_listeners=lists_listeners) for process in frame_processes)
        )
    owners = {NodeKey(*process.owner): index for index, process in enumerate(processes) if process.owner is not None}
    focused_key: NodeKey | None = None
    if focused:
        focused_key = NodeKey(page_process.name, focused)
    state = PageState(
        documents=[process_state.documents for process_state in states],
        owners=owners,
        width=width,
        height=height,
        listening={key: kinds for process_state in states for key, kinds in process_state.listening.items()},
        modal=frozenset(NodeKey(page_process.name, number) for number in modal),
        popovers=frozenset(NodeKey(page_process.name, number) for number in popovers),
        hover_hosts=frozenset(NodeKey(page_process.name, number) for number in hover_hosts),
        hover_hidden=frozenset(NodeKey(page_process.name, number) for number in hover_hidden),
        focused=focused_key,
        scrolled=dict(zip(scrolled_keys, zip(offsets[::2], offsets[1::2], strict=True), strict=True)),
    )
    return CapturedPage(state, title or "", processes)


async def hit_elements(page_process: Process, points: Sequence[tuple[float, float]]) -> list[int]:
    """Return the numbers of the elements that a click at each of these points of the window hits; 0 for none."""
    if not points:
        return []
    expression = scripts.HITS % json.dumps([[round(x, 1), round(y, 1)] for x, y in points[:MAX_POINTS]])
    return [number or 0 for number in await _evaluate_apart(page_process, expression)]


async def _evaluate_apart(page_process: Process, expression: str) -> list[Json]:
    """Return the array that an expression gives in the isolated world of the page's own frame."""
    world = await page_process.world(page_process.name.partition(":")[0])
    return numbers(await _evaluate(page_process, expression, world=world))


async def _evaluate(process: Process, expression: str, *, world: int | None = None) -> Json:
    arguments: dict[str, object] = {"expression": expression, "serializationOptions": NODES, "objectGroup": WORLD}
    if world is not None:
        arguments["contextId"] = world
    answer = await process.devtools.send("Runtime.evaluate", arguments)
    return answer["result"].get("deepSerializedValue") or {"value": []}


def numbers(serialized: Json) -> list[Json]:
    """Return a serialized array as Python values, with each element replaced by its backend node number."""
    numbers_by_reference: dict[int, int] = {}

    def value(entry: Json) -> Json:
        if entry["type"] == "node":
            reference = entry.get("weakLocalObjectReference", -1)
            if "value" in entry:
                numbers_by_reference[reference] = int(entry["value"]["backendNodeId"])
            return numbers_by_reference.get(reference, 0)
        if entry["type"] == "array":
            return [value(inner) for inner in entry.get("value", ())]
        return entry.get("value")

    return [value(entry) for entry in serialized["value"]]


async def _process_state(process: Process, *, lists_listeners: bool) -> _ProcessState:
    """Capture what one process shows, and release the elements that earlier calls referred to."""
    release = process.devtools.send("Runtime.releaseObjectGroup", {"objectGroup": WORLD})
    if not lists_listeners:
        _, documents = await together(release, _page_documents(process))
        return _ProcessState(documents, {})
    _, documents, events_by_number = await together(release, _page_documents(process), _event_listeners(process))
    document_number = documents[0].layout.nodes[0].backend
    listening: dict[NodeKey, frozenset[str]] = {}
    for number, kinds in events_by_number.items():
        key = NodeKey(process.name, number or document_number)
        listening[key] = listening.get(key, frozenset()) | kinds
    return _ProcessState(documents, listening)


async def _event_listeners(process: Process) -> dict[int, frozenset[str]]:
    """Return the event types that elements listen for: as the browser reports them, and as frameworks note them.

    They are by the number of the element, with 0 for the document and its window.
    """
    events_by_number: dict[int, frozenset[str]] = {}
    # Neither name can be taken by a page.
    *reports, hints = await together(
        _reported_listeners(process, "document"),
        _reported_listeners(process, "window"),
        _evaluate(process, scripts.HINTS),
    )
    for listener in (*reports[0], *reports[1]):
        number = listener.get("backendNodeId", 0)
        events_by_number[number] = events_by_number.get(number, frozenset()) | {listener["type"]}
    noted = hints["value"]
    if noted and noted[-1].get("value") == SERVICE_WORKER:
        events_by_number[0] = events_by_number.get(0, frozenset()) | {noted.pop()["value"]}
    for element, kinds in zip(noted[::2], noted[1::2], strict=False):
        # Whatever the page made of the answer, it names elements or it is left out.
        if element.get("type") == "node" and "value" in element and kinds.get("type") == "string":
            number = int(element["value"]["backendNodeId"])
            events_by_number[number] = events_by_number.get(number, frozenset()) | frozenset(kinds["value"].split())
    return events_by_number


async def _reported_listeners(process: Process, target: str) -> list[Json]:
    arguments = {"expression": target, "objectGroup": WORLD}
    handle = (await process.devtools.send("Runtime.evaluate", arguments))["result"]["objectId"]
    subtree = {"objectId": handle, "depth": -1, "pierce": True}
    report = await process.devtools.send("DOMDebugger.getEventListeners", subtree)
    return list(report["listeners"])


async def _check_size(devtools: CDPSession) -> bool:
    """Return whether there are few enough listeners to list, before anything is transferred.

    Raises:
        TooLarge: the page has more nodes than can be shown.
    """
    answers = await together(devtools.send("Performance.enable"), devtools.send("Performance.getMetrics"))
    counts = {metric["name"]: metric["value"] for metric in answers[1]["metrics"]}
    if counts.get("Nodes", 0) > MAX_NODES * 3:  # those that scripts hold besides count too
        raise _too_large(int(counts["Nodes"]))
    return bool(counts.get("JSEventListeners", 0) <= MAX_LISTENERS)


def _too_large(count: int) -> TooLarge:
    return TooLarge(f"the page has {count:,} nodes; {MAX_NODES:,} can be shown at most", hint="")


async def _page_documents(process: Process) -> list[PageDocument]:
    snapshot: Json = await process.devtools.send("DOMSnapshot.captureSnapshot", _ARGUMENTS)
    count = sum(len(document["nodes"]["nodeType"]) for document in snapshot["documents"])
    if count > MAX_NODES:
        raise _too_large(count)
    return [
        _page_document(document, layout, snapshot["strings"], process)
        for document, layout in zip(snapshot["documents"], layouts(snapshot, _STYLES), strict=True)
    ]


def _page_document(document: Json, layout: Json, strings: Sequence[str], process: Process) -> PageDocument:
    nodes = document["nodes"]
    shadow_roots = nodes.get("shadowRootType", {"index": (), "value": ()})
    values: dict[int, str] = {}
    for column in ("textValue", "inputValue"):
        for layout_index, number in zip(nodes[column]["index"], nodes[column]["value"], strict=True):
            values[layout_index] = ""
            if number >= 0:
                values[layout_index] = strings[number]
    return PageDocument(
        layout,
        process.name,
        (document.get("scrollOffsetX") or 0.0, document.get("scrollOffsetY") or 0.0),
        clickable=frozenset(nodes["isClickable"]["index"]),
        values=values,
        checked=frozenset(nodes["inputChecked"]["index"]),
        chosen=frozenset(nodes["optionSelected"]["index"]),
        shadowed=frozenset(shadow_roots["index"]),
        has_shadow_trees=any(strings[number] != "user-agent" for number in shadow_roots["value"]),
    )


def _has_frames(documents: Sequence[PageDocument]) -> bool:
    frames = (node for document in documents for node in document.layout.nodes if node.name in {"iframe", "frame"})
    return any(node.inner < 0 and node.drawn is not None for node in frames)
