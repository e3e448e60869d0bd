"""A strict Bot API on loopback, built from its documented wire format, and the people who write to the bot.

It refuses what the documentation does not know: unknown methods and parameters, texts and entities beyond the limits,
buttons that carry too much, a second poller. Its clock moves only when told to, so that drafts expire without waiting.
"""

from __future__ import annotations

import itertools
import json
import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, unquote

import anyio
import anyio.abc

from botapi_rules import Refusal, checked, entities_in, marked_up, units
from streams import answering, listening, request_from

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Mapping

    from anyio.abc import SocketStream

TOKEN = "4839574812:AAFD39kkdpWt3ywyRZergyOLMaJhac60qcT"
BOT = {"id": 4839574812, "is_bot": True, "first_name": "Wellread", "username": "WellreadBot"}
OWNER = 77
DRAFT_S = 30.0
PRESS_S = 900.0
"""How long a button waits for an answer."""
MOST_FILE = 20 * 1024 * 1024
ALLOWED = {True: (10, 10.0), False: (20, 60.0)}
"""Private chat, or group -> most messages and edits within so many seconds (Bots FAQ: one a second, short bursts; 20
a minute)."""
POLL_S = 50.0
FINE = (0, "")
"""Stands among failures for a call that goes well."""
Raw = dict[str, Any]  # Any: JSON of the Bot API


@dataclass
class Message:
    """One message in a chat, as it stands now."""

    id: int
    chat: int
    text: str
    entities: list[Raw]
    buttons: list[Raw]
    times: list[float] = field(default_factory=list)
    """When it was sent, and each time that it was edited; real seconds."""
    fields: Raw = field(default_factory=dict)

    @property
    def edits(self) -> int:
        return len(self.times) - 1

    def button(self, words: str) -> str:
        return next(str(it["callback_data"]) for it in self.buttons if it["text"] == words)

    def covered(self, kind: str) -> list[str]:
        wide = self.text.encode("utf-16-le")
        found = [it for it in self.entities if it["type"] == kind]
        return [wide[2 * it["offset"] : 2 * (it["offset"] + it["length"])].decode("utf-16-le") for it in found]


class BotApi:
    """What Telegram holds: messages, drafts, updates that nobody has confirmed, and files."""

    def __init__(self, port: int) -> None:
        self.port, self.now_s = port, 1_000.0
        self.messages: list[Message] = []
        self.calls: list[tuple[str, Raw]] = []
        self.refusals: list[str] = []
        self.drafts_seen: list[str] = []
        self.limits: list[tuple[str, int]] = []
        """Methods that are answered by 429 once, and with which retry_after."""
        self.drops: list[str] = []
        """Methods that are carried out once, and then not answered."""
        self.moved: dict[int, int] = {}
        """Groups that have become supergroups."""
        self.hold: dict[str, anyio.Event] = {}
        """Methods, and what their answers wait for."""
        self.failing: dict[str, list[tuple[int, str]]] = {}
        """Methods and how they fail, once for each entry."""
        self.known = True
        self.down = False
        self.lacks: set[str] = set()
        """Methods that this server is too old for."""
        self.hook: Raw | None = None
        self.files: dict[str, bytes] = {}
        self.pages: dict[str, bytes] = {}
        """Pages of the web that the same server answers with, by their paths below /pages/."""
        self._drafts: dict[tuple[int, int], tuple[str, float]] = {}
        self._updates: list[Raw] = []
        self._pollers = 0
        self._pressed: dict[str, float] = {}
        self._said: dict[int, list[float]] = {}
        self._numbers, self._ids = itertools.count(500), itertools.count(10)
        self._changed = anyio.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    # ------------------------------------------------------------------------------------------- people

    def say(self, text: str, *, user: int = OWNER, chat: int | None = None, **more: Any) -> Raw:
        return self._message({"text": text, "entities": entities_in(text), **more}, user, chat)

    def document(self, name: str, body: bytes, *, caption: str = "", user: int = OWNER, **more: Any) -> Raw:
        key = f"file{len(self.files)}"
        self.files[key] = body
        told = {"file_id": key, "file_unique_id": f"u{key}", "file_name": name, "file_size": len(body)}
        return self._message({"document": told, **_captioned(caption), **more}, user, None)

    def photo(self, *, caption: str = "", **more: Any) -> Raw:
        sizes = [{"file_id": "p", "file_unique_id": "up", "width": 90, "height": 90}]
        return self._message({"photo": sizes, **_captioned(caption), **more}, OWNER, None)

    def press(self, message: Message, words: str, *, user: int = OWNER) -> Raw:
        key = str(next(self._ids))
        self._pressed[key] = self.now_s
        told = {
            "id": key, "from": _person(user), "chat_instance": "1", "data": message.button(words),
            "message": self._shape(message),
        }  # fmt: skip
        return self.arrive({"callback_query": told})

    def arrive(self, update: Raw) -> Raw:
        update = {"update_id": next(self._numbers), **update}
        self._updates.append(update)
        self._ring()
        return update

    def repeat(self, update: Raw) -> None:
        self._updates.append(update)
        self._ring()

    def number_from(self, number: int) -> None:
        """Count updates from anew, as Telegram does after a week of silence."""
        self._numbers = itertools.count(number)

    def advance(self, seconds: float) -> None:
        self.now_s += seconds

    def drafts(self, chat: int = OWNER) -> list[str]:
        return [text for (where, _), (text, until) in self._drafts.items() if where == chat and until > self.now_s]

    def texts(self, chat: int = OWNER) -> list[str]:
        return [it.text for it in self.messages if it.chat == chat]

    @property
    def unconfirmed(self) -> list[int]:
        return [it["update_id"] for it in self._updates]

    async def until(self, what: Callable[[], object]) -> None:
        """Wait for something to be so."""
        with anyio.fail_after(60):
            while not what():
                await self._changed.wait()

    async def answer(self, count: int = 1, chat: int = OWNER) -> Message:
        """Wait for so many messages in a chat, and return the last of them."""
        await self.until(lambda: len(self.texts(chat)) >= count)
        return [it for it in self.messages if it.chat == chat][-1]

    def _message(self, content: Raw, user: int, chat: int | None) -> Raw:
        where = user if chat is None else chat
        kind = {"type": "private", "first_name": "Ada"} if where > 0 else {"type": "group", "title": "Harbour"}
        told = {"message_id": next(self._ids), "date": 1_760_000_000, "chat": {"id": where, **kind}}
        return self.arrive({"message": {**told, "from": _person(user), **content}})

    def _ring(self) -> None:
        self._changed.set()
        self._changed = anyio.Event()

    # ------------------------------------------------------------------------------------------- the wire

    async def serve(self, stream: SocketStream) -> None:
        if self.down:
            await stream.aclose()
        else:
            await answering(stream, partial(self._exchange, stream))

    async def _exchange(self, stream: SocketStream) -> bool:
        head, body = await request_from(stream)
        if self.down:
            return False
        path = head.split(b" ", 2)[1].decode()
        status, told = await self._respond(path, body)
        if told is None:
            return False
        whole = told if isinstance(told, bytes) else json.dumps(told).encode()
        await stream.send(
            f"HTTP/1.1 {status} X\r\nContent-Type: text/html\r\nContent-Length: {len(whole)}\r\n\r\n".encode() + whole
        )
        return True

    async def _respond(self, path: str, body: bytes) -> tuple[int, Any]:  # Any: JSON, bytes, or None for no answer
        if path.startswith("/pages/"):
            return (200, self.pages[path]) if path in self.pages else (404, b"")
        token, _, rest = path.removeprefix("/file").removeprefix("/bot").partition("/")
        if token != TOKEN or not self.known:
            return _refused(Refusal(401, "Unauthorized"))
        if path.startswith("/file/"):
            return (200, self.files[unquote(rest)]) if unquote(rest) in self.files else (404, b"")
        given = dict(parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=bool(body)))
        self.calls.append((rest, given))
        self._ring()
        try:
            await self.hold[rest].wait() if rest in self.hold else None
            told = await self._carry_out(rest, given)
        except Refusal as refusal:
            if not refusal.expected:
                self.refusals.append(f"{rest}: {refusal}")
            return _refused(refusal)
        finally:
            self._ring()
        if rest in self.drops:
            self.drops.remove(rest)
            return 0, None
        return 200, {"ok": True, "result": told}

    async def _carry_out(self, method: str, given: Mapping[str, str]) -> Any:  # Any: the result, as JSON
        if method in self.lacks or not hasattr(self, f"_on_{method.lower()}"):
            raise Refusal(404, "Not Found: method not found", expected=method in self.lacks)
        for each in self.limits:
            if each[0] == method:
                self.limits.remove(each)
                raise Refusal(429, f"Too Many Requests: retry after {each[1]}", retry_after=each[1])
        if self.failing.get(method) and (fails := self.failing[method].pop(0)) != FINE:
            raise Refusal(*fails, expected=True)
        values = checked(method, given)
        if method in {"sendMessage", "editMessageText"}:
            self._spend(values["chat_id"])
        return await getattr(self, f"_on_{method.lower()}")(values)

    def _spend(self, chat: int) -> None:
        if chat in self.moved:
            moved = "Bad Request: group chat was upgraded to a supergroup chat"
            raise Refusal(400, moved, migrate_to_chat_id=self.moved[chat])
        most, within_s = ALLOWED[chat > 0]
        lately = self._said[chat] = [at for at in self._said.get(chat, ()) if at > self.now_s - within_s]
        if len(lately) >= most:
            wait_s = max(1, round(lately[0] + within_s - self.now_s))
            raise Refusal(429, f"Too Many Requests: retry after {wait_s}", retry_after=wait_s)
        lately.append(self.now_s)

    # ------------------------------------------------------------------------------------------- methods

    async def _on_getme(self, _given: Raw) -> Raw:
        return BOT

    async def _on_setmycommands(self, given: Raw) -> bool:
        commands = given["commands"]
        sound = all(re.fullmatch(r"[a-z0-9_]{1,32}", it["command"]) for it in commands)
        if len(commands) > 100 or not sound or not all(1 <= len(it["description"]) <= 256 for it in commands):
            raise Refusal(400, "Bad Request: BOT_COMMAND_INVALID")
        return True

    async def _on_deletewebhook(self, _given: Raw) -> bool:
        self.hook = None
        return True

    async def _on_setwebhook(self, given: Raw) -> bool:
        if not re.match(r"https://[^/:]+(?::(?:443|80|88|8443))?(?:/|\Z)", given["url"]):
            raise Refusal(400, "Bad Request: bad webhook: Webhook can be set up only on ports 80, 88, 443 or 8443")
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,256}", given["secret_token"]):
            raise Refusal(400, "Bad Request: secret token contains unallowed characters")
        self.hook = given
        return True

    async def _on_getupdates(self, given: Raw) -> list[Raw]:
        if self.hook is not None:
            raise Refusal(409, "Conflict: can't use getUpdates method while webhook is active")
        self._pollers += 1
        mine = self._pollers
        self._ring()
        if "offset" in given:
            self._updates = [it for it in self._updates if it["update_id"] >= given["offset"]]
        with anyio.move_on_after(min(given.get("timeout", 0), POLL_S)):
            while not self._updates and mine == self._pollers and not self.down:
                await self._changed.wait()
        if mine != self._pollers:
            raise Refusal(409, "Conflict: terminated by other getUpdates request", expected=True)
        return [it for it in self._updates if set(it) & {*given.get("allowed_updates", it)}][:100]

    async def _on_sendmessage(self, given: Raw) -> Raw:
        text, entities = marked_up(given)
        buttons = [it for row in given.get("reply_markup", {}).get("inline_keyboard", []) for it in row]
        now = [anyio.current_time()]
        sent = Message(next(self._ids), given["chat_id"], text, entities, buttons, now, given)
        self.messages.append(sent)
        self._drafts = {key: it for key, it in self._drafts.items() if key[0] != sent.chat}
        return self._shape(sent)

    async def _on_editmessagetext(self, given: Raw) -> Raw:
        text, entities = marked_up(given)
        message = self._own(given)
        if (message.text, message.entities, message.buttons) == (text, entities, []):
            same = "Bad Request: message is not modified: specified new message content is exactly the same"
            raise Refusal(400, same, expected=True)
        message.text, message.entities, message.buttons, message.fields = text, entities, [], given
        message.times.append(anyio.current_time())
        return self._shape(message)

    async def _on_editmessagereplymarkup(self, given: Raw) -> Raw:
        message = self._own(given)
        message.buttons = []
        return self._shape(message)

    async def _on_sendmessagedraft(self, given: Raw) -> bool:
        if given["chat_id"] < 0 or given["draft_id"] == 0:
            raise Refusal(400, "Bad Request: a draft has a number, and a private chat")
        if units(given.get("text", "")) > 4_096:
            raise Refusal(400, "Bad Request: message is too long")
        self._drafts[given["chat_id"], given["draft_id"]] = (given.get("text", ""), self.now_s + DRAFT_S)
        self.drafts_seen.append(given.get("text", ""))
        return True

    async def _on_answercallbackquery(self, given: Raw) -> bool:
        at = self._pressed.pop(given["callback_query_id"], None)
        if at is None or self.now_s > at + PRESS_S:
            old = "Bad Request: query is too old and response timeout expired or query ID is invalid"
            raise Refusal(400, old, expected=at is not None)
        return True

    async def _on_getfile(self, given: Raw) -> Raw:
        if given["file_id"] not in self.files:
            raise Refusal(400, "Bad Request: invalid file_id")
        size = len(self.files[given["file_id"]])
        if size > MOST_FILE:
            raise Refusal(400, "Bad Request: file is too big")
        told = {"file_id": given["file_id"], "file_unique_id": f"u{given['file_id']}", "file_size": size}
        return {**told, "file_path": given["file_id"]}

    def _own(self, given: Raw) -> Message:
        wanted = (given["chat_id"], given["message_id"])
        found = [it for it in self.messages if (it.chat, it.id) == wanted]
        if not found:
            raise Refusal(400, "Bad Request: message to edit not found", expected=True)
        return found[0]

    def _shape(self, message: Message) -> Raw:
        chat = {"id": message.chat, "type": "private" if message.chat > 0 else "group"}
        return {
            "message_id": message.id, "date": 1_760_000_000, "chat": chat, "from": BOT, "text": message.text,
            "entities": message.entities,
        }  # fmt: skip


class Exchange:
    """A port of loopback, and the Bot API that stands behind it for now."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.api = BotApi(port)

    async def serve(self, stream: SocketStream) -> None:
        await self.api.serve(stream)


@asynccontextmanager
async def exchange() -> AsyncGenerator[Exchange, None]:
    """Serve a Bot API on a free port of loopback while the block lasts."""
    async with listening(Exchange) as found:
        yield found


def _person(number: int) -> Raw:
    return {"id": number, "is_bot": False, "first_name": "Ada"}


def _captioned(caption: str) -> Raw:
    return {"caption": caption, "caption_entities": entities_in(caption)} if caption else {}


def _refused(refusal: Refusal) -> tuple[int, Raw]:
    told: Raw = {"ok": False, "error_code": refusal.status, "description": str(refusal)}
    if refusal.parameters:
        told["parameters"] = refusal.parameters
    return refusal.status, told
