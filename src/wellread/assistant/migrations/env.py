"""Run by Alembic for each upgrade: hands the migrations the connection, and the transaction, that are open already."""

from alembic import context

# The transaction is ours, not Alembic's: SQLite takes back the making of tables like anything else.
context.configure(connection=context.config.attributes["connection"], transactional_ddl=False)
context.run_migrations()
