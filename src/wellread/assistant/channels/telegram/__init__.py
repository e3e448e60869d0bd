"""Telegram, by the Bot API: receives messages and files, sends answers and questions."""
