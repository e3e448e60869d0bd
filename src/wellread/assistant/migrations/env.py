"""Run by Alembic for each upgrade: hands the migrations the connection, and the transaction, that are open already."""

from alembic import context
from sqlalchemy import MetaData

from wellread.assistant.migrations import NAMES

# The transaction is ours, not Alembic's: SQLite takes back the making of tables like anything else.
context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=MetaData(naming_convention=NAMES),
    transactional_ddl=False,
)
context.run_migrations()
