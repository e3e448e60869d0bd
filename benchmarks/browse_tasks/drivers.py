"""One driver for each tool: it finds an element in the tool's own text, and sends the tool's own call."""

from __future__ import annotations

import json
import os
import queue
import re
import subprocess
import threading
from pathlib import Path
from typing import Any, NamedTuple

CALL_S = 30.0
"""In which a call must be answered."""
INNER_PX = 270
"""By which a list in a page is scrolled, where a tool has no unit of its own: less than its height."""
FIELDS = {"textbox", "searchbox", "combobox", "spinbutton", "slider", "textarea", "date", "Date", "select", "field"}
PLAIN = {"text", "StaticText", "generic", "paragraph", "heading", "LabelText", "listitem", "cell", "td", "row"}
NAMED = re.compile(r'^\s*(?:- )?(?:uid=\S+ )?([\w-]+)?\s*"((?:[^"\\]|\\.)*)"')
DESCRIBED = re.compile(r'\bdescription="((?:[^"\\]|\\.)*)"')
SNAPSHOT = "## Latest page snapshot"
CLOSED = "page has been closed"
CURSOR = "[cursor"
EMPTY_FRAME = re.compile(r"^( *)- Iframe [^\n]*ref=(\w+)\](?!\n\1 )", re.MULTILINE)
CLICKABLE = re.compile(r"clickable|\[cursor|^\s*- (?:button|link|option|checkbox|radio|tab|menuitem|treeitem|switch)\b")
ROOTS = {"RootWebArea", "Iframe"}
NEAR_LINES = 3
"""So near are words that belong to a control."""
WELLREAD = re.compile(r'(?<!\\)\[(\d+)\] ([\w-]+(?: [a-z-]+)*)(?: "((?:[^"\\]|\\.)*)")?')


class ToolError(Exception):
    """The tool answered with an error."""

    reference: str | None = None
    """The element that it could not operate."""


class McpServer:
    """A server of the Model Context Protocol on the other end of a pipe."""

    def __init__(self, command: list[str], environment: dict[str, str], folder: Path) -> None:
        """Start the server and shake hands."""
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=folder,
            env=os.environ | environment,
        )
        self._count = 0
        self._lines: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self._read_lines, daemon=True).start()
        client = {"name": "benchmark", "version": "1"}
        answer = self._ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        self.version = " ".join(str(answer["serverInfo"][key]) for key in ("name", "version"))
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message: dict[str, object]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _read_lines(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._lines.put(line)

    def _ask(self, method: str, params: dict[str, object]) -> dict[str, Any]:  # Any: JSON
        self._count += 1
        self._send({"jsonrpc": "2.0", "id": self._count, "method": method, "params": params})
        while True:
            try:
                answer = json.loads(self._lines.get(timeout=CALL_S))
            except queue.Empty:
                raise ToolError(f"no answer within {CALL_S:.0f} s") from None
            if answer.get("id") == self._count and "method" not in answer:
                result: dict[str, Any] = answer.get("result") or {"isError": True, "content": [{"text": str(answer)}]}
                return result

    def call(self, tool: str, **arguments: object) -> tuple[str, bool]:
        """Call a tool; return its text, and whether it is an error."""
        result = self._ask("tools/call", {"name": tool, "arguments": arguments})
        return "\n".join(part.get("text", "") for part in result.get("content", ())), bool(result.get("isError"))

    def close(self) -> None:
        """End the server."""
        assert self._process.stdin
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()


def plain_key(key: str) -> str:
    """Return a chord as some tools write it: with a small letter, since a capital one has Shift in it."""
    modifier, plus, letter = key.rpartition("+")
    return modifier + plus + (letter.lower() if modifier and len(letter) == 1 else letter)


class Element(NamedTuple):
    """An element in the text of a tool."""

    line: int
    reference: str
    role: str
    name: str


class Driver:
    """The text of a tool's last answer, and the counts."""

    title = ""
    reference = re.compile("")

    def __init__(self) -> None:
        """Begin without text."""
        self.text = ""
        self.calls = 0
        self.characters = 0

    def count(self, answer: tuple[str, bool]) -> str:
        """Count an answer; raise when it is an error."""
        text, failed = answer
        self.calls += 1
        self.characters += len(text)
        if failed or text.lstrip().startswith(("### Error", "Error:", "✗")):
            raise ToolError(text[:300])
        return text

    def elements(self) -> list[Element]:
        """Return all elements in the text; text without a reference has that of the control around it, or none."""
        elements = []
        parents: list[tuple[int, str]] = []
        for line, words in enumerate(self.text.splitlines()):
            indent = len(words) - len(words.lstrip())
            parents = [parent for parent in parents if parent[0] < indent]
            reference = self.reference.search(words)
            name = NAMED.search(words)
            if reference:
                parents.append((indent, reference[1] if CLICKABLE.search(words) else ""))
            around = parents[-1][1] if parents else ""
            if name and name[1] not in ROOTS and (reference or name[1] == "StaticText"):
                elements.append(
                    Element(line, reference[1] if reference else around, name[1] or "text", name[2].strip())
                )
            elif reference:
                described = DESCRIBED.search(words)
                tail = words.rpartition("]: ")[2].strip() if "]: " in words else ""
                role = words.split("[")[0].strip(" -")
                elements.append(Element(line, reference[1], role, described[1] if described else tail))
        return elements

    def find(self, name: str, *, after: str = "", field: bool = False, failed: str | None = None) -> str | None:
        """Return the reference of the element called `name`: exact names first, fields first for text.

        `failed` is the reference that the tool could not operate. Then the words beside it, or the control around it,
        are chosen, as a person would.
        """
        lines = self.text.splitlines()
        first = next((n for n, line in enumerate(lines) if after and after in line), -1 if not after else len(lines))
        best: tuple[int, Element] | None = None
        elements = self.elements()
        for element in elements:
            label = element.name.casefold()
            if element.line < first or not label.startswith(name.casefold()):
                continue
            rank = 4 * (label != name.casefold()) + 2 * (field and element.role not in FIELDS) + (element.role in PLAIN)
            if best is None or rank < best[0]:
                best = rank, element
        if best is None:
            return None
        if best[1].reference == failed:
            return self._beside(best[1], elements) or failed
        return best[1].reference or None

    def _beside(self, failed: Element, elements: list[Element]) -> str | None:
        """Return the reference of the control around an element, or of the same words next to it."""
        lines = self.text.splitlines()
        indent = len(lines[failed.line]) - len(lines[failed.line].lstrip())
        for line in reversed(lines[: failed.line]):
            if len(line) - len(line.lstrip()) < indent:
                around = self.reference.search(line)
                if around and CURSOR in line:
                    return around[1]
                break
        near = (e.reference for e in elements if e.name == failed.name and 0 < e.line - failed.line < NEAR_LINES)
        return next(near, None)


class McpDriver(Driver):
    """A tool that is a server of the Model Context Protocol."""

    def __init__(self, server: McpServer) -> None:
        """Take the server."""
        super().__init__()
        self._server = server
        self.title = server.version

    def end(self) -> None:
        """End the server."""
        self._server.close()


class PlaywrightMcp(McpDriver):
    """Playwright MCP, and a snapshot after each action."""

    reference = re.compile(r"\[ref=(\w+)\]")

    def _do(self, tool: str, **arguments: object) -> None:
        answer = self.count(self._server.call(tool, **arguments))
        if "### Modal state" not in answer:
            self.look()

    def look(self) -> None:
        """Take a snapshot."""
        self.text = self.count(self._server.call("browser_snapshot"))

    def open(self, url: str) -> None:
        """Open a page."""
        self._do("browser_navigate", url=url)

    def act(self, action: str, name: str, target: str | None, text: str, extra: dict[str, bool]) -> None:
        """Do one action."""
        place = {"element": name, "target": target or f'text="{name}"'}
        if action in {"click", "hover"}:
            self._do(f"browser_{action}", **place, **({"doubleClick": True} if extra.get("double") else {}))
        elif action == "type":
            self._do("browser_type", **place, text=text, submit=extra["submit"])
        elif action == "select":
            self._do("browser_select_option", **place, values=[text])
        elif action == "press":
            self._do("browser_press_key", key=plain_key(text))
        elif action == "upload":
            self.count(self._server.call("browser_click", **place))
            self._do("browser_file_upload", paths=[text])
        elif action == "accept":
            self.count(self._server.call("browser_click", **place))
            self._do("browser_handle_dialog", accept=True, **({"promptText": text} if text else {}))
        elif action == "scroll":
            if name and target:
                self.count(self._server.call("browser_hover", **place))
            self._do("browser_mouse_wheel", deltaX=0, deltaY=INNER_PX if name else 700)

    def drag(self, start: str, target: str, names: tuple[str, str]) -> None:
        """Drag an element onto another."""
        ends = {"startElement": names[0], "endElement": names[1], "startTarget": start, "endTarget": target}
        self._do("browser_drag", **ends)

    def tab(self, title: str) -> None:
        """Switch to the tab with this title."""
        listing = self.count(self._server.call("browser_tabs", action="list"))
        index = re.search(rf"- (\d+):[^\n]*{title}", listing)
        self._do("browser_tabs", action="select", index=int(index[1]) if index else 0)

    def wait(self, text: str) -> None:
        """Wait until words are shown."""
        self._do("browser_wait_for", text=text)

    def close(self) -> None:
        """End a task."""
        self._server.call("browser_close")


class DevtoolsMcp(McpDriver):
    """chrome-devtools-mcp, with a snapshot in each answer where it offers one."""

    reference = re.compile(r"uid=(\S+)")

    def _do(self, tool: str, **arguments: object) -> None:
        try:
            answer = self.count(self._server.call(tool, **arguments))
        except ToolError as error:
            if CLOSED not in str(error):
                raise
            self.text = str(error)  # the action closed its own page
            return
        if SNAPSHOT in answer:
            self.text = answer[answer.index(SNAPSHOT) :]
        elif "dialog" not in answer.lower():
            self.look()

    def look(self) -> None:
        """Take a snapshot."""
        self.text = self.count(self._server.call("take_snapshot"))

    def open(self, url: str) -> None:
        """Open a page."""
        self._do("navigate_page", type="url", url=url)

    def act(self, action: str, name: str, target: str | None, text: str, extra: dict[str, bool]) -> None:
        """Do one action."""
        if target is None and action not in {"press", "scroll"}:
            raise ToolError(f"{name} is not in the text")
        shot = {"includeSnapshot": True}
        if action in {"click", "hover"}:
            self._do(action, uid=target, **shot, **({"dblClick": True} if extra.get("double") else {}))
        elif action in {"type", "select"}:
            self._do("fill", uid=target, value=text, **shot)
            if extra.get("submit"):
                self._do("press_key", key="Enter", **shot)
        elif action == "press":
            self._do("press_key", key=text, **shot)
        elif action == "upload":
            self._do("upload_file", uid=target, filePaths=[text], **shot)
        elif action == "accept":
            self.count(self._server.call("click", uid=target))
            self._do("handle_dialog", action="accept", **({"promptText": text} if text else {}))
        elif action == "scroll":
            if target:
                self.count(self._server.call("click", uid=target))
            self._do("press_key", key="PageDown", **shot)

    def drag(self, start: str, target: str, names: tuple[str, str]) -> None:
        """Drag an element onto another."""
        del names
        self._do("drag", from_uid=start, to_uid=target, includeSnapshot=True)

    def tab(self, title: str) -> None:
        """Switch to the tab with this title."""
        listing = self.count(self._server.call("list_pages"))
        number = re.search(rf"(\d+): [^\n]*{title}", listing)
        self._do("select_page", pageId=int(number[1]) if number else 1)
        self.look()

    def wait(self, text: str) -> None:
        """Wait until words are shown."""
        self._do("wait_for", text=[text], timeout=5000)
        if text not in self.text:  # the plain snapshot has no options of list boxes
            self.text = self.count(self._server.call("take_snapshot", verbose=True))

    def close(self) -> None:
        """End a task: close further tabs."""
        listing, _ = self._server.call("list_pages")
        numbers = re.findall(r"^(\d+): ", listing, re.MULTILINE)
        for number in numbers[1:]:
            self._server.call("close_page", pageId=int(number))
        self._server.call("select_page", pageId=int(numbers[0]) if numbers else 1)
        self._server.call("navigate_page", type="url", url="about:blank")


class AgentBrowser(Driver):
    """agent-browser, each action with the snapshot after it in one batch."""

    reference = re.compile(r"\bref=(\w+)\]")

    def __init__(self, command: str, environment: dict[str, str]) -> None:
        """Take the command."""
        super().__init__()
        self._command = [command, "--session", "browse-peers"]
        self._environment = os.environ | environment
        self.title = self._run("--version")[0].strip()

    def _run(self, *words: str, batch: list[tuple[str, ...]] | None = None) -> tuple[str, bool]:
        done = subprocess.run(
            [*self._command, *words],
            input=json.dumps(batch) if batch else "",
            capture_output=True,
            text=True,
            check=False,
            timeout=90,
            env=self._environment,
        )
        return done.stdout + done.stderr, bool(done.returncode)

    def _do(self, *commands: tuple[str, ...]) -> None:
        """Run commands and a snapshot in one batch."""
        try:
            self.text = self.count(self._run("batch", "--bail", batch=[*commands, ("snapshot",)]))
        except ToolError as error:
            if not str(error).startswith("✓"):
                raise
            self.look()  # the action closed the page that the snapshot was to show

    def look(self) -> None:
        """Take a snapshot."""
        self.text = self.count(self._run("snapshot"))

    def open(self, url: str) -> None:
        """Open a page."""
        self._do(("open", url))

    def act(self, action: str, name: str, target: str | None, text: str, extra: dict[str, bool]) -> None:
        """Do one action; elements without a reference are looked up by their words, as the tool's guide says."""
        place = f"@{target}" if target else ""
        words = (text,) if text else ()
        if action == "press":
            self._do(("press", plain_key(text)))
        elif action == "scroll":
            self._do(("scroll", "down", str(INNER_PX if name else 700), *(("--selector", place) if place else ())))
        elif action == "accept":
            self._accept(place, words)
        elif action == "upload":
            try:
                self._do(("upload", place, text))
            except ToolError:
                self._do(("upload", "input[type=file]", text))
        else:
            verb = "dblclick" if extra.get("double") else {"type": "fill"}.get(action, action)
            locator = "label" if verb == "fill" else "text"
            command = (verb, place, *words) if place else ("find", locator, name, verb, *words, "--exact")
            self._do(command, *([("press", "Enter")] if extra.get("submit") else []))

    def _accept(self, place: str, words: tuple[str, ...]) -> None:
        self.count(self._run("click", place))
        if "no dialog" not in self.count(self._run("dialog", "status")).lower():
            self.count(self._run("dialog", "accept", *words))
        self.look()

    def drag(self, start: str, target: str, names: tuple[str, str]) -> None:
        """Drag an element onto another."""
        del names
        self._do(("drag", f"@{start}", f"@{target}"))

    def tab(self, title: str) -> None:
        """Switch to the tab with this title."""
        lines = self.count(self._run("tab", "list")).splitlines()
        line = next((line for line in lines if title in line), None) or next(line for line in lines if "→" in line)
        number = re.search(r"\bt\d+\b", line)
        self._do(("tab", number[0] if number else "t1"))

    def wait(self, text: str) -> None:
        """Wait until words are shown; without them, look into a frame whose content the snapshot lacks."""
        try:
            self._do(("wait", "--text", text, "--timeout", "5000"))
        except ToolError:
            frame = EMPTY_FRAME.search(self.text)
            if frame is None:
                raise
            self._do(("frame", f"@{frame[2]}"))

    def close(self) -> None:
        """End a task: close further tabs."""
        listing, _ = self._run("tab", "list")
        for number in re.findall(r"\bt\d+\b", listing)[1:]:
            self._run("tab", "close", number)
        self._run("open", "about:blank")

    def end(self) -> None:
        """Close the browser."""
        self._run("close")


def _numbers(line: str) -> set[str]:
    return {match[1] for match in WELLREAD.finditer(line)}


def _changed_text(text: str, changed_lines: str) -> str:
    """Return the text of a page after changes in the form of a unified diff, as a model understands them."""
    lines = text.splitlines()
    place = 0
    for line in changed_lines.splitlines():
        mark, words = line[:2], line[2:]
        if mark in {"  ", "- "}:
            found = next((n for n in range(place, len(lines)) if lines[n].startswith(words)), None)
            if found is not None:
                place = found + (mark == "  ")
                del lines[found : found + (mark == "- ")]
        elif mark == "~ ":
            numbers = _numbers(words)
            place = next((n for n, line in enumerate(lines) if _numbers(line) == numbers), place)
            lines[place : place + 1] = [words]
            place += 1
        elif mark == "+ ":
            lines.insert(place, words)
            place += 1
    return "\n".join(lines)


class Wellread(McpDriver):
    """wellread's MCP server, whose answers have the snapshot."""

    def __init__(self, server: McpServer) -> None:
        """Take the server."""
        super().__init__(server)
        self._session = ""
        self._page_text = ""
        """The page as its answers tell it."""

    def _do(self, tool: str, **arguments: object) -> None:
        answer = self.count(self._server.call(tool, session=self._session, **arguments))
        head, is_diff, changed_lines = answer.partition(" as before ===")
        self._page_text = _changed_text(self._page_text, changed_lines) if is_diff else answer
        self.text = f"{self._page_text}\n{head}" if is_diff else answer

    def elements(self) -> list[Element]:
        """Return all elements."""
        return [
            Element(line, match[1], match[2].split()[0], match[3] or "")
            for line, words in enumerate(self.text.splitlines())
            for match in WELLREAD.finditer(words)
        ]

    def look(self) -> None:
        """Take a snapshot."""
        self._do("page_read")

    def open(self, url: str) -> None:
        """Open a page."""
        self.text = self._page_text = self.count(self._server.call("browse_url", url=url))
        session = re.search(r"tab_\w+", self.text)
        self._session = session[0] if session else ""

    def act(self, action: str, name: str, target: str | None, text: str, extra: dict[str, bool]) -> None:
        """Do one action."""
        place: dict[str, object] = {"index": int(target)} if target else {"words": name}
        if action == "click":
            self._do("page_click", **place, double=bool(extra.get("double")))
        elif action == "hover":
            self._do("page_hover", **place)
        elif action == "type":
            self._do("page_type", **place, text=text, submit=extra["submit"])
        elif action == "select":
            self._do("page_select", **place, option=text)
        elif action == "press":
            self._do("page_press", key=text)
        elif action == "upload":
            self._do("page_upload", **place, files=[Path(text).name])
        elif action == "accept":
            self._do("page_click", **place, dialogs="accept", **({"prompt": text} if text else {}))
        elif action == "scroll":
            inside = target or (self._first_after(name) if name else None)
            self._do("page_scroll", **({"index": int(inside)} if inside else {}))

    def _first_after(self, name: str) -> str | None:
        """Return the number of the first element after the line with `name`: lists that scroll have no number."""
        lines = self.text.splitlines()
        first = next((n for n, line in enumerate(lines) if name in line), len(lines))
        return next((element.reference for element in self.elements() if element.line >= first), None)

    def drag(self, start: str, target: str, names: tuple[str, str]) -> None:
        """Drag an element onto another."""
        del names
        self._do("page_drag", index=int(start), onto=int(target))

    def tab(self, title: str) -> None:
        """Switch to the tab with this title."""
        number = re.search(rf"(?:tab |\[)?(\d+)\]?[:.)]? [^\n]*{title}", self.text[self.text.lower().rfind("tabs") :])
        self._do("page_read", **({"tab": int(number[1])} if number else {}))

    def wait(self, text: str) -> None:
        """Wait until words are shown."""
        self._do("page_wait", text=text, most_s=5)

    def close(self) -> None:
        """End a task."""
        self._server.call("page_close", session=self._session)
