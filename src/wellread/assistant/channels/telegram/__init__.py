"""Telegram, by the Bot API: what people write and send comes in, answers and questions go out."""
