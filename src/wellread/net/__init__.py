"""Network access: the guard decides, the client sends, the archive records and replays."""
