"""What is kept on disk: snapshots and the local index, both in SQLite."""
