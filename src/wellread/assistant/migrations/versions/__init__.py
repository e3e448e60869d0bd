"""The migrations, one line per package; `wellread.assistant.migrations` says how to add one."""
