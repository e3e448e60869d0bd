"""The one door to the network: the guard decides, the client dials, the archive records and replays."""
