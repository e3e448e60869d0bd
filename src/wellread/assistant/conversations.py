"""Conversations, approvals and turns: their tables, and the functions that write and read them.

An approval is a row: it survives a restart, expires, and is taken up by exactly one caller.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import ForeignKey, Text, delete, select, update
from sqlalchemy.orm import Mapped, mapped_column

from wellread.assistant.database import Base, Private, find_row, frozen_row, new_id
from wellread.errors import Consent, Gone

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic_ai.messages import ModelMessage
    from sqlalchemy import Row
    from sqlalchemy.orm import Session

    from wellread.assistant.database import UserStore
    from wellread.assistant.tool_types import ToolResult
    from wellread.ports import Clock

MINUTE_MS = 60_000
DONE, WAITING, SCHEDULED = "done", "waiting", "scheduled"
PENDING, RUNNING, REFUSED = "pending", "running", "refused"


class ConversationRow(Private, Base):
    """A thread of messages with one person."""

    __tablename__ = "conversations"

    id: Mapped[str] = mapped_column(primary_key=True)
    channel: Mapped[str]
    created_ms: Mapped[int]


class MessageRow(Private, Base):
    """One side of a turn."""

    __tablename__ = "messages"

    number: Mapped[int] = mapped_column(primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id"), index=True)
    turn_id: Mapped[str] = mapped_column(index=True)
    role: Mapped[str]
    author: Mapped[str] = mapped_column(Text, default="")
    """The account of whoever wrote it: in a group, one of several people."""
    text: Mapped[str]
    state: Mapped[str] = mapped_column(default=DONE)
    tainted: Mapped[bool] = mapped_column(default=False)
    receipts: Mapped[str] = mapped_column(default="[]")
    steps: Mapped[str] = mapped_column(default="[]")
    """What passed between model and tools in a turn that waits, as JSON; else the services it used."""
    created_ms: Mapped[int]


class ApprovalRow(Private, Base):
    """One action that waits for the user's word, or had it."""

    __tablename__ = "approvals"

    id: Mapped[str] = mapped_column(primary_key=True)
    conversation_id: Mapped[str] = mapped_column(ForeignKey("conversations.id"), index=True)
    turn_id: Mapped[str] = mapped_column(index=True)
    call_id: Mapped[str]
    tool: Mapped[str]
    arguments: Mapped[str]
    preview: Mapped[str]
    reason: Mapped[str]
    state: Mapped[str] = mapped_column(default=PENDING)
    """pending, running (an action that a crash cut off stays so: it is never done twice), done or refused."""
    result: Mapped[str] = mapped_column(default="")
    receipts: Mapped[str] = mapped_column(default="[]")
    tainted: Mapped[bool] = mapped_column(default=False)
    created_ms: Mapped[int]
    expires_ms: Mapped[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """A question to the user: may this action be done?"""

    id: str
    conversation_id: str
    turn_id: str
    call_id: str
    tool: str
    arguments: Mapping[str, object]
    preview: str
    reason: str
    state: str
    expires_ms: int
    result: str = ""
    receipts: tuple[str, ...] = ()
    tainted: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierMessage:
    """One earlier message, as the model sees it again."""

    turn_id: str
    role: str
    text: str
    tainted: bool
    services: Sequence[str] = ()
    """Whose tools were used for it."""


@dataclass(slots=True, kw_only=True)
class ConversationTurn:
    """One message of the user and its answer, while it is worked on."""

    id: str
    conversation_id: str
    asked: str
    """What the user wrote, or what he has scheduled."""
    author: str
    """The account of whoever wrote or scheduled it, who alone may approve what it asks for."""
    scheduled: bool = False
    """Nobody is there: it was asked at an earlier time, for this one."""
    seen: Sequence[EarlierMessage] = ()
    """Earlier messages that the model sees again."""
    recalled: list[str] = field(default_factory=list)
    """Ids of the facts that it was told."""
    steps: list[ModelMessage] = field(default_factory=list)
    tainted: bool = False
    """The model has read words of the outside world: nothing is changed without asking."""
    read: list[str] = field(default_factory=list)
    """What tools answered."""
    services: set[str] = field(default_factory=set)
    """Whose tools the model is told of in full."""
    receipts: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    undone: bool = False
    """An action was wanted and did not happen."""
    text: str = ""


class ConversationStore:
    """The conversations of one user."""

    def __init__(
        self, store: UserStore, clock: Clock, *, approval_min: float, history: int, scheduled_min: float | None = None
    ) -> None:
        """Take the lifetimes of approvals, and the number of earlier messages that a model sees."""
        self._store = store
        self._clock = clock
        self._approval_ms = round(approval_min * MINUTE_MS)
        self._scheduled_ms = self._approval_ms if scheduled_min is None else round(scheduled_min * MINUTE_MS)
        self._history = history

    async def open(self, channel: str) -> str:
        """Start a conversation; return its id."""
        row = ConversationRow(id=new_id(), channel=channel, created_ms=self._clock.now_ms())
        key = row.id
        await self._store.run(lambda session: session.add(row))
        return key

    async def begin(
        self, conversation_id: str, text: str, *, author: str, scheduled: bool = False
    ) -> tuple[ConversationTurn, list[EarlierMessage]]:
        """Store a message of `author`, or a scheduled task; return its turn and the earlier messages.

        Raises:
            Gone: there is no such conversation.
        """
        from pydantic_ai.messages import ModelRequest  # lists of conversations do not wait for the models' library

        turn = ConversationTurn(
            id=new_id(), conversation_id=conversation_id, asked=text, author=author, scheduled=scheduled,
            steps=[ModelRequest.user_text_prompt(text)],
        )  # fmt: skip

        def enter(session: Session) -> list[EarlierMessage]:
            if session.get(ConversationRow, conversation_id) is None:
                raise Gone(f"there is no conversation {conversation_id[:40]!r}", hint="start a new conversation")
            before = self._before(session, conversation_id, turn.id)
            row = self._row(turn, "user", text)
            row.state, row.author = SCHEDULED if scheduled else DONE, author
            session.add(row)
            return before

        return turn, await self._store.run(enter)

    async def end(self, turn: ConversationTurn) -> None:
        """Store the assistant's side of a turn that has ended."""
        await self._store.run(lambda session: self._reply(session, turn, DONE, sorted(turn.services)))

    async def wait(self, turn: ConversationTurn, approvals: Sequence[Approval]) -> None:
        """Store a turn that waits for approvals, and these approvals."""
        from pydantic_ai.messages import ModelMessagesTypeAdapter

        now = self._clock.now_ms()
        steps = ModelMessagesTypeAdapter.dump_python(turn.steps, mode="json")

        def enter(session: Session) -> None:
            self._reply(session, turn, WAITING, {"read": turn.read, "services": sorted(turn.services), "steps": steps})
            session.add_all(_approval_row(approval, now) for approval in approvals)

        await self._store.run(enter)

    def _reply(self, session: Session, turn: ConversationTurn, state: str, steps: object) -> None:
        row = _reply_row(session, turn.id) or self._row(turn, "assistant", "")
        # What was said before a question stays: a turn that is taken up again says the rest.
        row.text = "\n\n".join(filter(None, (row.text, turn.text)))
        row.state, row.tainted = state, turn.tainted
        row.receipts, row.steps = json.dumps(turn.receipts), json.dumps(steps)
        session.add(row)

    def question(self, turn: ConversationTurn, call_id: str, tool: str, arguments: Mapping[str, object]) -> Approval:
        """Return a new approval; `wait` stores it."""
        expires_ms = self._clock.now_ms() + (self._scheduled_ms if turn.scheduled else self._approval_ms)
        return Approval(
            id=new_id(), conversation_id=turn.conversation_id, turn_id=turn.id, call_id=call_id, tool=tool,
            arguments=arguments, preview="", reason="", state=PENDING, expires_ms=expires_ms,
        )  # fmt: skip

    async def channel(self, conversation_id: str | None) -> str | None:
        """Return the channel of a conversation; None where there is none."""
        query = select(ConversationRow.channel).where(ConversationRow.id == conversation_id)
        return await self._store.run(lambda session: session.scalar(query))

    async def find(self, which: str) -> str:
        """Return the id of the conversation that an id, or its beginning, names.

        Raises:
            InvalidInput: there is none, or more than one.
        """
        rows = select(ConversationRow)
        return await self._store.run(
            lambda session: find_row(session, rows, which, "conversation", ConversationRow.id).id
        )

    async def said(self, conversation_id: str) -> list[EarlierMessage]:
        """Return the last messages of a conversation, as a model sees them again."""
        return await self._store.run(lambda session: self._before(session, conversation_id, ""))

    async def latest(self, channel: str) -> str | None:
        """Return the newest conversation of a channel; None where there is none."""
        rows = select(ConversationRow.id).where(ConversationRow.channel == channel)
        newest = rows.order_by(ConversationRow.created_ms.desc()).limit(1)
        return await self._store.run(lambda session: session.scalar(newest))

    async def asked_in(self, approval_id: str, *, of: str) -> str | None:
        """Return the conversation of an approval that the account `of` may decide; None where there is none."""
        query = select(ApprovalRow.conversation_id).where(ApprovalRow.id == approval_id)
        if self._store.user.is_group:
            conditions = MessageRow.turn_id == ApprovalRow.turn_id, MessageRow.role == "user", MessageRow.author == of
            query = query.join(MessageRow, conditions[0]).where(*conditions[1:])
        return await self._store.run(lambda session: session.scalar(query))

    async def pending(self, conversation_id: str) -> list[Approval]:
        """Return the approvals of a conversation that wait for a decision."""
        now = self._clock.now_ms()
        query = select(ApprovalRow).where(
            ApprovalRow.conversation_id == conversation_id, ApprovalRow.state == PENDING, ApprovalRow.expires_ms > now
        )
        return await self._store.run(
            lambda session: [_approval(row) for row in session.scalars(query.order_by(ApprovalRow.created_ms))]
        )

    async def take_up(self, approval_id: str, *, agreed: bool, by: str) -> Approval:
        """Store the decision of the account `by`; of several calls with one id, only one succeeds.

        In a group, where several people talk, the question is for the author of the message that led to it.

        Raises:
            Consent: it was decided before, or its time is over.
            Gone: there is no such question.
        """
        now = self._clock.now_ms()
        if await self.asked_in(approval_id, of=by) is None:
            raise Gone(f"unknown approval {approval_id[:40]!r}", hint="repeat your request")

        def decide(session: Session) -> Approval:
            took = session.execute(
                update(ApprovalRow)
                .where(ApprovalRow.id == approval_id, ApprovalRow.state == PENDING, ApprovalRow.expires_ms > now)
                .values(state=RUNNING if agreed else REFUSED)
            )
            row = session.get_one(ApprovalRow, approval_id)
            if not took.rowcount:  # type: ignore[attr-defined]  # an UPDATE gives a CursorResult
                ends = {PENDING: "has expired", RUNNING: "was agreed to, and its action begun"}
                how = ends.get(row.state, f"is {row.state}")
                raise Consent(f"the question {how}: nothing more is done", hint="repeat your request")
            return _approval(row)

        return await self._store.run(decide)

    async def record(self, approval_id: str, result: ToolResult) -> None:
        """Store the result of an approved action."""

        def enter(session: Session) -> None:
            row = session.get_one(ApprovalRow, approval_id)
            row.state, row.result, row.tainted = DONE, result.text, result.tainted
            row.receipts = json.dumps(result.receipts)

        await self._store.run(enter)

    async def resume(self, turn_id: str) -> tuple[ConversationTurn, list[EarlierMessage], list[Approval]]:
        """Return a waiting turn, the messages before it, and all approvals of its last round."""
        from pydantic_ai.messages import ModelMessagesTypeAdapter

        def read(session: Session) -> tuple[ConversationTurn, list[EarlierMessage], list[Approval]]:
            reply = _reply_row(session, turn_id)
            request = session.scalars(
                select(MessageRow).where(MessageRow.turn_id == turn_id, MessageRow.role == "user")
            ).one()
            if reply is None or reply.state != WAITING:
                raise Gone("the turn that asked has ended", hint="repeat your request")
            steps = json.loads(reply.steps)
            turn = ConversationTurn(
                id=turn_id,
                conversation_id=request.conversation_id,
                asked=request.text,
                author=request.author,
                scheduled=request.state == SCHEDULED,
                steps=ModelMessagesTypeAdapter.validate_python(steps["steps"]),
                tainted=reply.tainted,
                read=steps["read"],
                services=set(steps.get("services", ())),
                receipts=json.loads(reply.receipts),
            )
            open_calls = {part.tool_call_id for part in turn.steps[-1].parts if hasattr(part, "tool_call_id")}
            rows = session.scalars(select(ApprovalRow).where(ApprovalRow.turn_id == turn_id))
            last = [_approval(row) for row in rows if row.call_id not in open_calls and _asked_last(turn, row.call_id)]
            return turn, self._before(session, request.conversation_id, turn_id), last

        return await self._store.run(read)

    def _before(self, session: Session, conversation_id: str, turn_id: str) -> list[EarlierMessage]:
        rows = session.scalars(
            select(MessageRow)
            .where(MessageRow.conversation_id == conversation_id, MessageRow.turn_id != turn_id, MessageRow.text != "")
            .order_by(MessageRow.number.desc())
            .limit(self._history)
        )
        return [
            frozen_row(EarlierMessage, row, services=json.loads(row.steps) if row.state == DONE else ()) for row in rows
        ][::-1]

    def _row(self, turn: ConversationTurn, role: str, text: str) -> MessageRow:
        return MessageRow(
            conversation_id=turn.conversation_id, turn_id=turn.id, role=role, text=text,
            created_ms=self._clock.now_ms(),
        )  # fmt: skip


def message_texts(session: Session) -> Sequence[Row[str, str]]:
    """Return the turn id and the text of each message."""
    return session.execute(select(MessageRow.turn_id, MessageRow.text)).all()


def erase_turns(session: Session, turn_ids: Sequence[str]) -> None:
    """Delete the messages and approvals of turns."""
    session.execute(delete(MessageRow).where(MessageRow.turn_id.in_(turn_ids)))
    session.execute(delete(ApprovalRow).where(ApprovalRow.turn_id.in_(turn_ids)))


def _asked_last(turn: ConversationTurn, call_id: str) -> bool:
    """Tell whether the model's last answer made this call."""
    last = next(step for step in reversed(turn.steps) if step.kind == "response")
    return any(getattr(part, "tool_call_id", None) == call_id for part in last.parts)


def _reply_row(session: Session, turn_id: str) -> MessageRow | None:
    return session.scalars(
        select(MessageRow).where(MessageRow.turn_id == turn_id, MessageRow.role == "assistant")
    ).one_or_none()


def _approval_row(approval: Approval, now_ms: int) -> ApprovalRow:
    json_columns = {"arguments": json.dumps(dict(approval.arguments)), "receipts": json.dumps(approval.receipts)}
    return ApprovalRow(**asdict(approval) | json_columns, created_ms=now_ms)


def _approval(row: ApprovalRow) -> Approval:
    return frozen_row(Approval, row, arguments=json.loads(row.arguments), receipts=tuple(json.loads(row.receipts)))
