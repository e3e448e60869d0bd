"""Accounts of rows that older stores kept without one. Released migrations use this: it must not change.

A conversation in the private chat of a Telegram user belongs to that user, one in a group to the group, one of an HTTP
caller with a named key to that caller. All others, and rows with no conversation, belong to the owner of the machine.
"""

import sqlalchemy as sa
from alembic import op

OWNER = "owner"
_OF_CHANNEL = """
CASE
    WHEN {0} LIKE 'telegram:-%' THEN 'group:' || {1}
    WHEN {0} LIKE 'telegram:%' THEN {1}
    WHEN {0} LIKE 'http:_%' THEN {0}
    ELSE 'owner'
END
"""


def of_channel(column: str) -> str:
    """Return the SQL of the account of a channel, for example `telegram:77.3`; `.3` is a topic of the chat."""
    if op.get_bind().dialect.name == "postgresql":
        chat = f"split_part({column}, '.', 1)"
    else:
        chat = f"substr({column}, 1, instr({column} || '.', '.') - 1)"
    return _OF_CHANNEL.format(column, chat)


def add(*tables: str) -> None:
    """Add the column to tables. Rows that no update reaches stay with nobody: no user is named by an empty text."""
    for table in tables:
        op.add_column(table, sa.Column("user_id", sa.Text(), nullable=False, server_default=""))
        op.create_index(f"ix_{table}_user_id", table, ["user_id"])


def has_conversations() -> bool:
    """Tell whether the store has conversations that rows can belong to; a new store has none yet."""
    return sa.inspect(op.get_bind()).has_table("conversations")


def of_conversation(column: str) -> str:
    """Return the SQL of the account of the conversation that `column` names."""
    if not has_conversations():
        return "'owner'"
    account = of_channel("conversations.channel")
    return f"COALESCE((SELECT {account} FROM conversations WHERE conversations.id = {column}), 'owner')"


def fill(table: str, account: str) -> None:
    """Give every row of a table the account that an SQL expression names."""
    op.execute(sa.text(f"UPDATE {table} SET user_id = {account}"))
