"""The migrations, one line per room; `wellread.assistant.migrations` says how to add one."""
