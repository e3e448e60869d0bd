"""Takes what the browser says of a page at one moment: layouts of all documents, listeners, focus, what is on top."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from wellread.browser.browse import scripts
from wellread.browser.browse.scene import Key, Sheet, World
from wellread.browser.browse.wire import WORLD
from wellread.browser.render.layout import ARGUMENTS, STYLES, layouts
from wellread.errors import TooLarge

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.browser.browse.wire import Process, Wire

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
"""How answers are serialized whose elements are to be told by their numbers."""

Told = Any  # Any: the protocol's own shapes


class Taken(NamedTuple):
    """A moment, and the processes that tell of it."""

    world: World
    title: str
    processes: Sequence[Process]

    @property
    def asks_worker(self) -> bool:
        """Say whether the page asked for a service worker, and got none."""
        return any(SERVICE_WORKER in kinds for kinds in self.world.listening.values())


async def take(wire: Wire) -> Taken:
    """Ask for everything.

    Raises:
        TooLarge: the page has more nodes than can be told.
        playwright.async_api.Error: the page is between two documents, or gone.
    """
    own = await wire.own()
    lists = await _check_size(own)
    state = await _evaluated(own, scripts.STATE, world=await own.world(own.name.partition(":")[0]))
    width, height, title, focused, modal, popovers, hover_hosts, hover_hidden = numbers(state)
    processes = [own]
    sheets = [await _sheets(own)]
    listening = await _listening(own, sheets[0][0].layout.nodes[0].backend) if lists else {}
    if _has_frames(sheets[0]):
        for process in await wire.apart(own):
            processes.append(process)
            sheets.append(await _sheets(process))
            listening |= await _listening(process, sheets[-1][0].layout.nodes[0].backend) if lists else {}
    owners = {Key(*each.owner): place for place, each in enumerate(processes) if each.owner is not None}
    world = World(
        sheets=sheets,
        owners=owners,
        width=width,
        height=height,
        listening=listening,
        modal=frozenset(Key(own.name, number) for number in modal),
        popovers=frozenset(Key(own.name, number) for number in popovers),
        hover_hosts=frozenset(Key(own.name, number) for number in hover_hosts),
        hover_hidden=frozenset(Key(own.name, number) for number in hover_hidden),
        focused=Key(own.name, focused) if focused else None,
    )
    for process in processes:
        await process.devtools.send("Runtime.releaseObjectGroup", {"objectGroup": WORLD})
    return Taken(world, title or "", processes)


async def touched(own: Process, points: Sequence[tuple[float, float]]) -> list[int]:
    """Return the numbers of the elements that a pointer would touch at these points of the window; 0 for none."""
    if not points:
        return []
    frame = own.name.partition(":")[0]
    asked = scripts.HITS % json.dumps([[round(x, 1), round(y, 1)] for x, y in points[:MAX_POINTS]])
    told = await _evaluated(own, asked, world=await own.world(frame))
    return [each or 0 for each in numbers(told)]


async def _evaluated(process: Process, expression: str, *, world: int | None = None) -> Told:
    asked: dict[str, object] = {"expression": expression, "serializationOptions": NODES, "objectGroup": WORLD}
    asked |= {} if world is None else {"contextId": world}
    told = await process.devtools.send("Runtime.evaluate", asked)
    return told["result"].get("deepSerializedValue") or {"value": []}


def numbers(told: Told) -> list[Told]:
    """Read an array: elements become their numbers, also those that are told once and then only referred to."""
    known: dict[int, int] = {}

    def value(each: Told) -> Told:
        if each["type"] == "node":
            reference = each.get("weakLocalObjectReference", -1)
            if "value" in each:
                known[reference] = int(each["value"]["backendNodeId"])
            return known.get(reference, 0)
        return [value(inner) for inner in each.get("value", ())] if each["type"] == "array" else each.get("value")

    return [value(each) for each in told["value"]]


async def _listening(process: Process, document: int) -> dict[Key, frozenset[str]]:
    """Say what elements listen for: as the browser process knows it, and as frameworks note it on them."""
    found: dict[Key, frozenset[str]] = {}
    for what in ("document", "window"):  # neither name can be taken by a page
        asked = {"expression": what, "objectGroup": WORLD}
        handle = (await process.devtools.send("Runtime.evaluate", asked))["result"]["objectId"]
        whole = {"objectId": handle, "depth": -1, "pierce": True}
        for each in (await process.devtools.send("DOMDebugger.getEventListeners", whole))["listeners"]:
            key = Key(process.name, each.get("backendNodeId", document))
            found[key] = found.get(key, frozenset()) | {each["type"]}
    told = (await _evaluated(process, scripts.HINTS))["value"]
    if told and told[-1].get("value") == SERVICE_WORKER:
        found[Key(process.name, document)] = found.get(Key(process.name, document), frozenset()) | {told.pop()["value"]}
    for element, kinds in zip(told[::2], told[1::2], strict=False):
        # Whatever the page made of the answer, it names elements or it is left out.
        if element.get("type") == "node" and "value" in element and kinds.get("type") == "string":
            key = Key(process.name, int(element["value"]["backendNodeId"]))
            found[key] = found.get(key, frozenset()) | frozenset(kinds["value"].split())
    return found


async def _check_size(process: Process) -> bool:
    """Say whether listeners can be listed, before anything is transferred.

    Raises:
        TooLarge: the page has more nodes than can be shown.
    """
    await process.devtools.send("Performance.enable")
    told = await process.devtools.send("Performance.getMetrics")
    counts = {each["name"]: each["value"] for each in told["metrics"]}
    if counts.get("Nodes", 0) > MAX_NODES * 3:  # those that scripts hold besides count too
        raise _too_large(int(counts["Nodes"]))
    return bool(counts.get("JSEventListeners", 0) <= MAX_LISTENERS)


def _too_large(count: int) -> TooLarge:
    return TooLarge(f"the page has {count:,} nodes; {MAX_NODES:,} can be shown at most", hint="")


async def _sheets(process: Process) -> list[Sheet]:
    told: Told = await process.devtools.send("DOMSnapshot.captureSnapshot", _ARGUMENTS)
    count = sum(len(document["nodes"]["nodeType"]) for document in told["documents"])
    if count > MAX_NODES:
        raise _too_large(count)
    return [
        _sheet(document, layout, told["strings"], process)
        for document, layout in zip(told["documents"], layouts(told, _STYLES), strict=True)
    ]


def _sheet(document: Told, layout: Told, strings: Sequence[str], process: Process) -> Sheet:
    nodes = document["nodes"]
    values: dict[int, str] = {}
    for column in ("textValue", "inputValue"):
        for place, number in zip(nodes[column]["index"], nodes[column]["value"], strict=True):
            values[place] = strings[number] if number >= 0 else ""
    return Sheet(
        layout,
        process.name,
        (document.get("scrollOffsetX") or 0.0, document.get("scrollOffsetY") or 0.0),
        clickable=frozenset(nodes["isClickable"]["index"]),
        values=values,
        checked=frozenset(nodes["inputChecked"]["index"]),
        chosen=frozenset(nodes["optionSelected"]["index"]),
        shadowed=frozenset(nodes.get("shadowRootType", {}).get("index", ())),
    )


def _has_frames(sheets: Sequence[Sheet]) -> bool:
    frames = (node for sheet in sheets for node in sheet.layout.nodes if node.name in {"iframe", "frame"})
    return any(node.inner < 0 and node.drawn is not None for node in frames)
