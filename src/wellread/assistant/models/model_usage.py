"""Usage and cost of model requests, one row per request; and the caps that no request may pass.

A request is entered with the most it can use before it is sent, and corrected when it has ended. So two turns that run
at once cannot both spend the last tokens, and what a crash cut off stays counted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, select, text
from sqlalchemy.orm import Mapped, mapped_column

from wellread.assistant.database import Base, Private, new_id
from wellread.errors import Budget

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from wellread.assistant.database import Database
    from wellread.assistant.users import User
    from wellread.ports import Clock
    from wellread.sections import ModelSettings

DAY_MS = 86_400_000
USD = 1_000_000
"""Costs are whole millionths of a dollar."""
BYTES_PER_TOKEN = 3.5
"""English prose has about 4.3 bytes per token and JSON about 3.5; other scripts have more tokens per character and also
more bytes per character, so that bytes are the steadier measure."""


def estimate_tokens(text: str) -> int:
    """Return an estimate of the tokens of `text`, rather too many than too few."""
    return math.ceil(len(text.encode("utf-8", "surrogatepass")) / BYTES_PER_TOKEN)


class UsageRow(Private, Base):
    """One request to a model."""

    __tablename__ = "usage"

    id: Mapped[str] = mapped_column(primary_key=True)
    turn_id: Mapped[str] = mapped_column(index=True)
    role: Mapped[str]
    model: Mapped[str]
    input_tokens: Mapped[int]
    output_tokens: Mapped[int]
    cost: Mapped[int | None]
    """Millionths of a dollar; None where the price is not known."""
    settled: Mapped[bool]
    at_ms: Mapped[int] = mapped_column(index=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRequest:
    """A request that is about to be sent."""

    turn_id: str
    role: str
    model: str
    input_tokens: int
    price: tuple[int, int] | None = None
    """Millionths of a dollar per million tokens, in and out; None where it is not known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsage:
    """The usage of one turn, or in all."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    requests: int = 0


class UsageLedger:
    """The usage rows of one user, and the caps. The caps of a day hold for all users together: one person pays."""

    def __init__(self, database: Database, user: User, settings: ModelSettings, clock: Clock) -> None:
        """Take the caps from the settings."""
        self._all_users = database.for_all_users()
        self._store = database.for_user(user)
        self._account = user.account
        self._settings = settings
        self._clock = clock

    async def reserve(self, order: PlannedRequest) -> tuple[str, int]:
        """Store a request; return its row and how many tokens its answer may have.

        Raises:
            Budget: a cap leaves no room for it.
        """
        at_ms = self._clock.now_ms()

        def enter(session: Session) -> tuple[str, int]:
            if session.get_bind().dialect.name == "postgresql":
                session.execute(text("LOCK TABLE usage IN SHARE ROW EXCLUSIVE MODE"))
            row = UsageRow(
                id=new_id(), user_id=self._account, turn_id=order.turn_id, role=order.role, model=order.model,
                input_tokens=0, output_tokens=0, cost=0, settled=False, at_ms=at_ms,
            )  # fmt: skip
            session.add(row)
            # Written before the sums are read: SQLite has one writer at a time, so nobody else can count meanwhile.
            session.flush()
            room = min(
                self._room(session, order, "turn", UsageRow.turn_id == order.turn_id),
                self._room(session, order, "day", UsageRow.at_ms >= at_ms - at_ms % DAY_MS),
                self._settings.max_tokens,
            )
            row.input_tokens, row.output_tokens = order.input_tokens, room
            row.cost = _cost(order.price, order.input_tokens, room)
            return row.id, room

        return await self._all_users.run(enter)

    async def settle(self, row_id: str, input_tokens: int, output_tokens: int, cost: int | None) -> None:
        """Write the actual usage into the row."""

        def correct(session: Session) -> None:
            row = session.get_one(UsageRow, row_id)
            row.input_tokens, row.output_tokens, row.settled = input_tokens, output_tokens, True
            if cost is not None:
                row.cost = cost

        await self._store.run(correct)

    async def turn(self, turn_id: str) -> TokenUsage:
        """Return the usage of a turn."""
        return await self._store.run(lambda session: _spent(session, UsageRow.turn_id == turn_id))

    async def today(self) -> TokenUsage:
        """Return the user's usage since midnight UTC."""
        now = self._clock.now_ms()
        return await self._store.run(lambda session: _spent(session, UsageRow.at_ms >= now - now % DAY_MS))

    def _room(self, session: Session, order: PlannedRequest, span: str, within: object) -> int:
        spent = _spent(session, within)
        tokens, usd = self._settings.day_tokens, self._settings.day_usd
        if span == "turn":
            tokens, usd = self._settings.turn_tokens, self._settings.turn_usd
        max_tokens = tokens - spent.input_tokens - spent.output_tokens - order.input_tokens
        if max_tokens < 1:
            raise Budget(f"the {tokens:,} tokens of this {span} are used up", hint=f"raise models.{span}_tokens")
        if order.price is None:
            return max_tokens
        budget = round((usd - spent.cost_usd) * USD) - (_cost(order.price, order.input_tokens, 0) or 0)
        max_tokens = min(max_tokens, budget * USD // max(order.price[1], 1))
        if max_tokens < 1:
            raise Budget(f"the ${usd:g} of this {span} are used up", hint=f"raise models.{span}_usd")
        return max_tokens


def _cost(price: tuple[int, int] | None, input_tokens: int, output_tokens: int) -> int | None:
    if price is None:
        return None
    return (input_tokens * price[0] + output_tokens * price[1]) // USD


def _spent(session: Session, within: object) -> TokenUsage:
    columns = (func.sum(UsageRow.input_tokens), func.sum(UsageRow.output_tokens), func.sum(UsageRow.cost))
    input_tokens, output_tokens, cost, count = session.execute(
        select(*columns, func.count()).where(within)  # type: ignore[arg-type]  # a comparison of columns, typed bool
    ).one()
    # PostgreSQL sums whole numbers of 64 bits into decimals, which are no numbers in JSON.
    input_tokens, output_tokens, cost = (int(sum_or_none or 0) for sum_or_none in (input_tokens, output_tokens, cost))
    return TokenUsage(input_tokens=input_tokens, output_tokens=output_tokens, cost_usd=cost / USD, requests=count)
