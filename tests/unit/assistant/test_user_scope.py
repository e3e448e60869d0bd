"""Sessions of the store are filtered by their user: a statement without one cannot be carried out."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import column, delete, exists, func, insert, literal_column, select, table, text, true, update
from sqlalchemy.orm import aliased, make_transient_to_detached

import wellread.assistant
from user_filter import private_tables, unfiltered, watched
from wellread.assistant.database import Base, UserScopeError
from wellread.assistant.task_list import TaskRow
from wellread.assistant.users import User

if TYPE_CHECKING:
    from collections.abc import Callable

    from sqlalchemy.orm import Session

    from wellread.assistant.database import Database, UserStore

for each in pkgutil.walk_packages(wellread.assistant.__path__, "wellread.assistant."):
    if ".migrations." not in each.name:
        importlib.import_module(each.name)

SOURCE = Path(wellread.assistant.__file__).parents[1]
ANN, BEN = User("telegram:1", ("telegram:1",)), User("telegram:2", ("telegram:2",))
BETWEEN_USERS = {
    "apps/bot_runtime.py",
    "apps/assistant_runtime.py",
    "assistant/database.py",
    "assistant/models/model_usage.py",
}
"""Files that may open the store for all users: what is due, letters, inboxes, turns to learn from, caps of a day."""


def task(key: str) -> TaskRow:
    return TaskRow(id=key, title=key, notes="", status="open", due_ms=None, created_ms=1, ended_ms=None)


@pytest.fixture
async def both(database: Database) -> tuple[UserStore, UserStore]:
    """One task of Ann, `a`, and one of Ben, `b`."""
    ann, ben = database.for_user(ANN), database.for_user(BEN)
    await ann.run(lambda session: session.add(task("a")))
    await ben.run(lambda session: session.add(task("b")))
    return ann, ben


def test_every_table_but_the_offsets_is_private() -> None:
    assert set(Base.metadata.tables) - private_tables() == {"offsets"}


def test_few_files_reach_beyond_one_user() -> None:
    files = {str(it.relative_to(SOURCE)) for it in SOURCE.rglob("*.py") if "for_all_users()" in it.read_text("utf-8")}
    assert files == BETWEEN_USERS


@pytest.mark.parametrize(
    "statement",
    [
        select(TaskRow.id),
        select(func.count()).where(TaskRow.status == "open"),
        select(aliased(TaskRow).id),
        update(TaskRow).values(title="mine"),
        delete(TaskRow),
        select(TaskRow.__table__.c.id),
        insert(TaskRow).values(id="c", user_id="telegram:2"),
    ],
)
async def test_a_statement_without_user_is_refused(database: Database, statement: object) -> None:
    with pytest.raises(UserScopeError, match="tasks has no user"):
        await database.run(lambda session: session.execute(statement))  # type: ignore[call-overload]  # each is one


@pytest.mark.parametrize(
    "statement",
    [
        select(TaskRow.__table__.c.id),
        text("SELECT id FROM tasks"),
        insert(TaskRow).values(id="c"),
        select(TaskRow).from_statement(text("SELECT * FROM tasks")),
        select(TaskRow).from_statement(select(TaskRow.__table__)),
        text("SELECT id FROM tasks").columns(TaskRow.id),
        select(TaskRow.id).where(text("1 = 1) OR (1 = 1")),
        select(TaskRow.id, literal_column("(SELECT max(title) FROM tasks)")),
        select(TaskRow.id, select(TaskRow.__table__.c.title).where(TaskRow.__table__.c.id == "b").scalar_subquery()),
        select(TaskRow.id).where(TaskRow.id.in_(select(TaskRow.__table__.c.id))),
        update(TaskRow).values(title=select(TaskRow.__table__.c.title).limit(1).scalar_subquery()),
        select(TaskRow.id, TaskRow.__table__.alias().c.title),
        select(TaskRow.id, select(TaskRow.__table__.alias("a").c.title).limit(1).scalar_subquery()),
        select(TaskRow.id, table("tasks", column("title")).c.title),
        select(TaskRow.id, table("TASKS", column("title")).alias().c.title),
        select(TaskRow.id).suffix_with("UNION SELECT title FROM tasks"),
        select(TaskRow.id).prefix_with("DISTINCT"),
        update(TaskRow).values(user_id=BEN.account),
        select(func.count()).select_from(TaskRow.__table__),
        select(func.count(TaskRow.id)).join(TaskRow.__table__.alias(), true()),
        select(TaskRow.id).where(exists().select_from(TaskRow.__table__)),
        select(TaskRow.id, select(func.count()).select_from(table("tasks")).scalar_subquery()),
    ],
)
async def test_what_cannot_be_filtered_is_refused(both: tuple[UserStore, UserStore], statement: object) -> None:
    with pytest.raises(UserScopeError):
        await both[0].run(lambda session: session.execute(statement))  # type: ignore[call-overload]  # each is one


def detached(task_id: str) -> TaskRow:
    """Return a row that was never loaded, but looks as if it had been."""
    row = task(task_id)
    row.user_id = ANN.account
    make_transient_to_detached(row)
    return row


def added(session: Session, row: TaskRow) -> TaskRow:
    session.add(row)
    return row


@pytest.mark.parametrize(
    "write",
    [
        lambda session: session.execute(update(TaskRow), [{"id": "b", "title": "mine"}]),
        lambda session: session.bulk_update_mappings(TaskRow, [{"id": "b", "title": "mine"}]),
        lambda session: session.bulk_insert_mappings(TaskRow, [{"id": "c", "user_id": BEN.account}]),
        lambda session: session.bulk_save_objects([task("c")]),
        lambda session: session.connection().execute(text("DELETE FROM tasks")),
        lambda session: setattr(added(session, detached("b")), "title", "mine"),
        lambda session: session.delete(detached("b")),
    ],
)
async def test_a_write_past_the_filter_is_refused(
    both: tuple[UserStore, UserStore], write: Callable[[Session], object]
) -> None:
    with pytest.raises(UserScopeError):
        await both[0].run(write)
    assert await both[1].run(lambda session: session.scalars(select(TaskRow.title)).all()) == ["b"]


async def test_reading_and_writing_reach_own_rows(both: tuple[UserStore, UserStore]) -> None:
    ann, ben = both

    def look(session: Session) -> None:
        other = aliased(TaskRow)
        assert session.scalars(select(TaskRow.id)).all() == ["a"]
        assert session.get(TaskRow, "b") is None
        assert session.scalar(select(func.count()).where(TaskRow.status == "open")) == 1
        assert session.scalars(select(other.id)).all() == ["a"]
        beside = select(TaskRow.id).where(select(other.id).where(other.id != TaskRow.id).exists())
        assert session.scalars(beside).all() == []
        assert session.scalars(select(select(TaskRow.id).subquery().c.id)).all() == ["a"]
        session.execute(update(TaskRow).values(title="mine"))
        session.execute(delete(TaskRow).where(TaskRow.id.not_in(select(other.id).where(other.id == "b"))))

    with watched() as (asked, lacking):
        await ann.run(look)
    assert len(asked) == 8
    assert lacking == []
    assert await ann.run(lambda session: session.scalars(select(TaskRow.id)).all()) == []
    assert await ben.run(lambda session: session.scalars(select(TaskRow.title)).all()) == ["b"]


async def test_a_row_is_never_handed_to_another(both: tuple[UserStore, UserStore], database: Database) -> None:
    def move(session: Session) -> None:
        session.get_one(TaskRow, "a").user_id = BEN.account

    def forge(session: Session) -> None:
        row = task("c")
        row.user_id = BEN.account
        session.add(row)

    for work in (move, forge):
        with pytest.raises(UserScopeError):
            await both[0].run(work)
    with pytest.raises(UserScopeError):
        await database.for_all_users().run(lambda session: session.add(task("c")))


async def test_shared_tasks_reach_all_rows(both: tuple[UserStore, UserStore], database: Database) -> None:
    shared = database.for_user(User(ANN.account, ANN.accounts, frozenset({"tasks"})))
    assert await shared.run(lambda session: session.scalars(select(TaskRow.id).order_by(TaskRow.id)).all()) == [
        "a",
        "b",
    ]
    assert await both[1].run(lambda session: session.scalars(select(TaskRow.id)).all()) == ["b"]


def test_the_watch_sees_a_missing_filter() -> None:
    assert unfiltered("SELECT tasks.id FROM tasks WHERE tasks.title = ?", {"tasks"}) == ["tasks"]
    assert unfiltered("SELECT t.id FROM runs JOIN tasks AS t ON t.id = runs.id WHERE t.user_id IN (?)", {"tasks"}) == []
