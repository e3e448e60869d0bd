"""An example or two for the help of each command, as a manual page has them."""

from __future__ import annotations

from typing import Final

EXAMPLES: Final[dict[str, tuple[str, ...]]] = {
    "read": (
        "read https://example.com/",
        "read https://example.com/long --max-length 8000 --json",
        "read https://example.com/ --selector 'main .price'",
    ),
    "gather": ('gather "When do the tide pools open?"', 'gather "When do the tide pools open?" --json > evidence.json'),
    "answer": (
        'answer "When do the tide pools open?"',
        'answer "When do the tide pools open?" --provider local --json',
    ),
    "research": (
        'research "How tall is the Eddystone lighthouse, and when was it built?" -o report.md',
        'research "When do the tide pools open?" --pages 8 --journal tide-pools',
    ),
    "search": ('search "tide pools" --count 5 --freshness month', 'search "tide pools" --provider local'),
    "find": ("find https://example.com/ petrel", "find https://example.com/ 'lamp|lens' --regex"),
    "facts": (
        "facts https://example.com/",
        "facts https://example.com/prices --table 1 --out prices.csv",
        "facts https://example.com/a https://example.com/b --selectors fields.toml --out facts.csv",
    ),
    "map": ("map https://example.com/", 'map https://example.com/ --search "petrel" --json'),
    "crawl": (
        "crawl https://example.com/ --out pages/ --limit 100",
        "crawl https://example.com/ --out pages/ --recrawl changed",
    ),
    "crawl-worker": ("crawl-worker --out shard-2/", "--config fleet.toml crawl-worker --out shard-2/"),
    "watch": (
        "watch add https://example.com/prices --every 6h --selector .price",
        "watch run",
        "watch diff 1",
    ),
    "download": ("download https://example.com/report.pdf", "download https://example.com/report.pdf --to reports/"),
    "browse": ("browse https://example.com/", 'browse https://example.com/ --do "click 1" --json'),
    "session": (
        "session open https://example.com/ --name shop",
        'session type "Email" ann@example.com --name shop',
        "session close --name shop",
    ),
    "screenshot": ("screenshot https://example.com/",),
    "login": ("login https://example.com/login --profile shop",),
    "profile": ("profile", "profile import shop state.json --host example.com", "profile show shop"),
    "index": ("index https://example.com/ notes/", "index https://example.com/ --sitemap --limit 200", "index --list"),
    "verify": ("verify evidence.json",),
    "extract": ("extract page.html", "extract pages/ crawl.warc.gz --jobs 2 --out pages.jsonl"),
    "remember": ('remember "The spare key hangs behind the blue door."',),
    "memory": ("memory", "memory search key", "memory forget 7"),
    "knowledge": ("knowledge add handbook.pdf", 'knowledge search "Who keeps the key?"'),
    "mcp": ("mcp --print-config claude-code", "--set search.providers=local mcp"),
    "serve": ("serve", "serve --new-key alice", "--set server.logs=json serve --port 8080"),
    "tools": ("tools", "tools --format openai"),
    "chat": ("chat", 'chat "What is on the tide pools today?"', "chat --list", "chat --continue"),
    "bot": ("bot",),
    "assistant": ("assistant doctor",),
    "schedule": ('schedule add "every weekday at 9" "Say how the sea is."', 'schedule when "every friday"'),
    "tasks": ('tasks add "Paint the fence"', "tasks done 1"),
    "connect": ("connect google",),
    "disconnect": ("disconnect google",),
    "cache": ("cache", "cache clear"),
    "config": ("config", "--set fetch.timeout_s=30 config --json"),
    "doctor": ("doctor", "doctor --offline --json"),
    "demo": ("demo", "demo --save tidewater.warc.gz"),
}
