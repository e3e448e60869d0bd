"""The Telegram channel: news come in by long polling or by calls of Telegram, letters and questions go out."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from typing import TYPE_CHECKING, ClassVar

import anyio

from wellread.assistant.bell import IDLE_S, Bell
from wellread.assistant.channels.inbox import Inbox, Item
from wellread.assistant.channels.letters import escaped
from wellread.assistant.channels.port import State
from wellread.assistant.channels.telegram import text
from wellread.assistant.channels.telegram.line import Line, Spot
from wellread.assistant.channels.telegram.live import Pace
from wellread.assistant.channels.telegram.talk import COMMANDS, NAME, Talk
from wellread.assistant.channels.telegram.updates import read
from wellread.assistant.outbox import MARK
from wellread.assistant.policy import visible
from wellread.errors import Auth, InvalidInput, RateLimited, UnavailableError, WellreadError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.assistant.channels.port import Account, House
    from wellread.assistant.channels.telegram.line import Raw
    from wellread.assistant.conversations import Approval
    from wellread.assistant.outbox import Letter

ROOM = text.LIMIT - len(MARK) - 1
"""What a piece of a letter may have, so that the mark of a second try fits above it."""
FIRST_PAUSE_S = 1.0
LONGEST_PAUSE_S = 30.0
SECRET_HEADER = "x-telegram-bot-api-secret-token"  # noqa: S105 - the name of a header

_log = logging.getLogger(__name__)


class Telegram:
    """One bot, and the people who may talk with it."""

    name: ClassVar[str] = NAME
    home: ClassVar[str] = "https://api.telegram.org"

    def __init__(self, account: Account, house: House, pace: Pace | None = None) -> None:
        """Take the account and the house.

        Raises:
            ConfigError: the token cannot be one.
        """
        self.state = State(counts={"heard": 0, "ignored": 0})
        self._account = account
        self._house = house
        self._line = Line(account)
        self._talk = Talk(self._line, house, account.max_bytes, pace or Pace())
        self._inbox = Inbox(NAME, house, self._talk.answer)
        self._store_failed = Bell()
        self._arrived: dict[str, int] = {}
        token = account.token.reveal().encode()
        # Of the token alone, so that it is the same after a restart, and says nothing about it.
        self._secret = hmac.new(token, b"wellread webhook", hashlib.sha256).hexdigest()

    # ------------------------------------------------------------------------------------------- coming in

    async def listen(self) -> None:
        """Hear people until cancelled: a network that is away is waited for, and so is a token that is not accepted."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._work)
            pause_s = FIRST_PAUSE_S
            ready = False
            while True:
                try:
                    if not ready:
                        self._talk.bot = await self._line.begin(COMMANDS, self._account.hook, self._secret)
                        ready = True
                    await self._next()
                    pause_s = FIRST_PAUSE_S
                except WellreadError as error:
                    wait_s = max(pause_s, error.retry_after_s or 0.0) if isinstance(error, RateLimited) else pause_s
                    pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
                    self.state.working, self.state.detail = False, f"{error.code}: {error.message}"
                    _log.warning("telegram is asked again in %.0f s: %s", wait_s, error)
                    await anyio.sleep(wait_s)

    async def _next(self) -> None:
        """Wait for the next news, and keep them."""
        if self._account.hook is not None:
            await self._inbox.place()  # the store answers, or this channel does not work
            self.state.working, self.state.detail = True, "called by Telegram"
            await self._store_failed.wait(IDLE_S)
            return
        news = await self._line.news(await self._inbox.place())
        if news:
            await self._keep(news, place=max(int(raw["update_id"]) for raw in news) + 1)
        self.state.working, self.state.detail = True, "listening"

    def knows(self, headers: Mapping[str, str]) -> None:
        """See that a call comes from Telegram.

        Raises:
            Auth: it does not.
        """
        if not hmac.compare_digest(headers.get(SECRET_HEADER, "").encode(), self._secret.encode()):
            raise Auth("this call does not come from Telegram", hint="")

    async def called(self, body: bytes) -> None:
        """Take a call of Telegram.

        Raises:
            InvalidInput: it is no update.
        """
        try:
            raw = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise InvalidInput("this is no JSON") from error
        if not isinstance(raw, dict) or not isinstance(raw.get("update_id"), int):
            raise InvalidInput("this is no update")
        await self._keep([raw])

    async def _keep(self, news: Sequence[Raw], *, place: int | None = None) -> None:
        """Keep what people who may talk here have sent; everybody else is counted, and hears nothing."""
        items = []
        for raw in news:
            try:
                heard = read(raw)
            except InvalidInput as error:
                _log.warning("update %s is left out: %s", raw["update_id"], error)
                continue
            # The id of a private chat is that of its user (Bot API, Chat): another one speaks for somebody else.
            foreign = heard is not None and heard.spot.private and str(heard.spot.chat) != heard.user
            if heard is None or foreign or heard.user not in self._account.users:
                self.state.counts["ignored"] += 1
                continue
            items.append(Item(0, str(raw["update_id"]), str(heard.spot), heard.spot.account, json.dumps(raw)))
        self.state.counts["heard"] += await self._inbox.keep(items, place=place)

    async def _work(self) -> None:
        while True:
            try:
                await self._inbox.run(self._talk.cut_off)
            except* UnavailableError as errors:
                _log.warning("%s", errors.exceptions[0])
                self.state.working, self.state.detail = False, f"{UnavailableError.code}: {errors.exceptions[0]}"
                self._store_failed.ring()
            await anyio.sleep(IDLE_S)

    async def rest(self) -> None:
        """Take nothing up any more, and return when what was begun has come to its end."""
        await self._inbox.rest()

    # ------------------------------------------------------------------------------------------- going out

    async def send(self, letter: Letter) -> None:
        """Bring a letter to its chat, piece by piece, then the questions that wait there.

        A second try goes on with the piece at which the first one ended, as long as this process lives.

        Raises:
            InvalidInput: it has no chat in Telegram, or Telegram does not take it.
            UnavailableError, RefusedError: it does not arrive.
        """
        book = (await self._house.of(letter.account)).parts.book
        where = await book.channel(letter.chat) or ""
        if not where.startswith(f"{NAME}:"):
            raise InvalidInput(f"conversation {letter.chat[:40]!r} is not held in Telegram")
        spot = Spot.at(where.partition(":")[2])
        arrived = self._arrived.setdefault(letter.id, 0)
        for number, piece in enumerate(text.pieces(text.shown(letter.body), ROOM)[arrived:]):
            marked = letter.maybe_sent and number == 0
            await self._say(letter, spot, piece.after(MARK) if marked else piece)
            self._arrived[letter.id] += 1
        for approval in await book.pending(letter.chat):
            await self._ask(spot, approval)
        del self._arrived[letter.id]

    async def _say(self, letter: Letter, spot: Spot, piece: text.Piece) -> None:
        growing = self._talk.shown.get(letter.chat)
        try:
            if growing is not None:
                await self._line.edit(spot, growing, piece)
            else:
                await self._line.say(spot, piece)
        except InvalidInput as error:  # the growing message was deleted, or the entities are not to Telegram's taste
            _log.warning("a message is sent again, plain: %s", error)
            await self._line.say(spot, text.Piece(piece.text))
        self._talk.shown.pop(letter.chat, None)

    async def _ask(self, spot: Spot, approval: Approval) -> None:
        """Show the whole of what would happen, and the buttons below the last piece."""
        head = f"**? {escaped(approval.tool)}**\n{escaped(approval.reason)}"
        shown = text.shown(head)
        preview = text.sound(visible(approval.preview))
        start = text.units(shown.text) + 2
        block = text.Entity("pre", start, text.units(preview))
        whole = text.Piece(f"{shown.text}\n\n{preview}", (*shown.entities, block) if preview else shown.entities)
        *first, last = text.pieces(whole)
        for piece in first:
            await self._line.say(spot, piece)
        buttons = (("Do it", f"yes:{approval.id}"), ("Leave it", f"no:{approval.id}"))
        await self._line.say(spot, last, buttons)
