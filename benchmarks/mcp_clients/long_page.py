"""A page of 15,000 characters whose last sentence tells whether a model has seen all of it, and its recording."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

URL = "http://www.skerry.example/log"
CHARS = 15_000
LAST = "The last entry says that the lamp was put out at dawn and that the door was locked."
CALL: tuple[str, dict[str, object]] = ("web_read", {"url": URL, "max_length": 40_000})
WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def paragraphs() -> list[str]:
    """Return the text, no two sentences alike, so that no reader takes one for a repetition."""
    entries: list[str] = []
    while sum(map(len, entries)) < CHARS - len(LAST):
        number = len(entries) + 1
        wind = WINDS[number * 5 % 8]
        entries.append(
            f"On watch {number} the keeper wrote that {number * 7 % 23 + 2} boats passed the light under a wind from "
            f"the {wind}, that {number * 11 % 17 + 1} litres of oil were burnt, and that the lens turned once in "
            f"{number % 9 + 20} seconds."
        )
    return [*entries, LAST]


def html() -> bytes:
    """Return the page."""
    body = "".join(f"<p>{text}</p>" for text in paragraphs())
    head = "<!doctype html><html lang='en'><head><meta charset='utf-8'><title>The log of the light</title></head>"
    return f"{head}<body><main><article><h1>The log of the light</h1>{body}</article></main></body></html>".encode()


def write_warc(path: Path) -> None:
    """Write the recording: the page, and that its server has no robots.txt."""
    page = html()
    found = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(page) + page
    missing = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"
    path.write_bytes(_record(URL, found, 1) + _record("http://www.skerry.example/robots.txt", missing, 2))


def _record(url: str, response: bytes, number: int) -> bytes:
    """Return a record of a response (ISO 28500:2017, WARC 1.1)."""
    fields = [
        "WARC/1.1",
        "WARC-Type: response",
        f"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-{number:012d}>",
        "WARC-Date: 2026-11-01T12:00:00Z",
        f"WARC-Target-URI: {url}",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(response)}",
    ]
    return "\r\n".join([*fields, "", ""]).encode() + response + b"\r\n\r\n"
