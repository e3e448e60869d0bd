"""Writes python.md from the docstrings of the public names: `python docs/python_reference.py`.

A test compares the page with `reference()`. Fields and signatures are read from the source, because a docstring below a
field does not exist at run time.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
import textwrap
from pathlib import Path

import wellread

PAGE = Path(__file__).with_name("python.md")
WIDTH = 124
INTRO = """\
# Python API

<!-- Written by docs/python_reference.py from the docstrings. Change the docstrings, then run it again. -->

This page lists the public names of `wellread`. `async with` opens a `Web`. Its methods can run at the same time in one
event loop:

```python
import asyncio

import wellread


async def main() -> None:
    async with wellread.Web(replay="tidewater.warc.gz") as web:
        page = await web.read("http://www.tidewater.example/faq", max_length=2_000)
        print(page.title, page.complete, page.cursor is not None)


asyncio.run(main())
```

`wellread.sync.Web` has the same methods for code without an event loop: `with Web() as web: page = web.read(url)`. The
example reads from a recording that `wellread demo --save tidewater.warc.gz` writes; without `replay`, it reads from the
web. [errors.md](errors.md) has all error classes, [page.md](page.md) explains the fields of a page,
[settings.md](settings.md) all settings, and [warnings.md](warnings.md) all notices.
"""
SETTINGS = """\
`Web()` reads the settings as every command does: the file (`wellread.toml`), then the environment.
`wellread.config.load` returns them; `flags` override single settings, as `--set` does, and `file` names another file:

```python
import anyio

from wellread import Web
from wellread.config import load


async def main() -> None:
    settings = load(flags={"net.allow_hosts": ["127.0.0.1:8000"], "fetch.timeout_s": 30})
    async with Web(settings) as web:
        print(web.parts.settings.net.allow_hosts)


anyio.run(main)
```

`Settings()` has the defaults, without the file and the environment."""
GROUPS = {
    "Functions": ("extract", "wrapped"),
    "Results": (
        "Page",
        "Hit",
        "Found",
        "Passage",
        "Gathered",
        "Answer",
        "Research",
        "Facts",
        "PageSnapshot",
        "SiteMap",
        "Snapshot",
    ),
    "Settings": ("Settings", "ResearchBudget"),
    "Errors": ("WellreadError", "ConfigError", "PluginError", "RefusedError", "UnavailableError", "UnreadableError"),
}
METHODS = (
    *("read", "read_many", "search", "gather", "gathering", "answer", "answering", "research", "researching"),
    *("verify", "find", "facts", "facts_many"),
    *("download", "download_many"),
    *("map", "crawl", "crawl_worker", "watcher", "index", "indexed", "forget", "browse", "sign_in", "aclose"),
)
PROPERTIES = ("recorded", "browsers", "problem")
_SECTION = re.compile(r"^Raises:\n", re.MULTILINE)


def reference() -> str:
    """Return the page."""
    listed = {name for names in GROUPS.values() for name in names} | {"Web"}
    assert listed == set(wellread.__all__), listed ^ set(wellread.__all__)
    public = {name for name in dir(wellread.Web) if not name.startswith("_")} - {"save"}
    assert public == {*METHODS, *PROPERTIES}, public ^ {*METHODS, *PROPERTIES}
    parts = [INTRO, _web()]
    for title, names in GROUPS.items():
        parts.append(f"## {title}")
        if title == "Settings":
            parts.append(SETTINGS)
        parts += [_function(name) if title == "Functions" else _class(name) for name in names]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _web() -> str:
    node = _node(wellread.Web)
    parts = ["## Web", _code(f"class Web({_arguments(_method(node, '__init__'))})"), _text(ast.get_docstring(node))]
    parts += [_text(ast.get_docstring(_method(node, "__init__")))]
    for name in METHODS:
        function = getattr(wellread.Web, name)
        definition = _node(inspect.unwrap(function))
        parts += [f"### Web.{name}", _code(_signature(definition)), _text(ast.get_docstring(definition))]
        if name == "read":
            parts.append(_table("option", _fields(_node(sys.modules["wellread.reading.read_options"].ReadOptions))))
    parts.append("### Properties of Web")
    rows = [(name, "", inspect.getdoc(getattr(wellread.Web, name)) or "") for name in PROPERTIES]
    parts.append(
        "\n".join(["| name | meaning |", "|---|---|", *(f"| `{name}` | {_flat(text)} |" for name, _, text in rows)])
    )
    return "\n\n".join(parts)


def _function(name: str) -> str:
    node = _node(getattr(wellread, name))
    return "\n\n".join([f"### {name}", _code(_signature(node)), _text(ast.get_docstring(node))])


def _class(name: str) -> str:
    cls = getattr(wellread, name)
    node = _node(cls)
    parts = [f"### {name}", _text(ast.get_docstring(node))]
    if issubclass(cls, Exception):
        if "__init__" in vars(cls) and name == "WellreadError":
            parts.append(_code(f"class {name}({_arguments(_method(node, '__init__'))})"))
        return "\n\n".join(parts)
    if name == "Page":
        parts.append("[page.md](page.md) explains the fields.")
    elif name != "Settings":
        parts.append(_table("field", _fields(node)))
    return "\n\n".join(parts)


def _node(thing: object) -> ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef:
    assert isinstance(thing, type) or callable(thing)
    node = ast.parse(textwrap.dedent(inspect.getsource(thing))).body[0]
    assert isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    return node


def _method(node: ast.AST, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef:
    assert isinstance(node, ast.ClassDef)
    return next(
        part for part in node.body if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and part.name == name
    )


def _arguments(node: ast.AST) -> str:
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    return ast.unparse(node.args).removeprefix("self, ").removeprefix("self")


def _signature(node: ast.AST) -> str:
    assert isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    is_context = any("asynccontextmanager" in ast.unparse(decorator) for decorator in node.decorator_list)
    keyword = "async def" if isinstance(node, ast.AsyncFunctionDef) and not is_context else "def"
    returned = ast.unparse(node.returns) if node.returns else "None"
    if is_context:
        returned = f"AsyncContextManager[{returned.removeprefix('AsyncGenerator[').partition(',')[0]}]"
    return f"{keyword} {node.name}({_arguments(node)}) -> {returned}"


def _code(signature: str) -> str:
    """Return a signature as a block of code, one argument a line if it is long."""
    if len(signature) > 100:
        head, _, arguments = signature.partition("(")
        arguments, _, end = arguments.rpartition(")")
        lines = re.split(r", (?![^\[]*\])", arguments)
        signature = "\n".join([f"{head}(", *(f"    {line}," for line in lines), f"){end}"])
    signature = re.sub(r"(?<=[\w\]])=(?=\S)", " = ", signature)
    return f"```py\n{signature}\n```"


def _text(docstring: str | None) -> str:
    """Return a docstring as Markdown, with the errors as a list."""
    text, _, errors = (_SECTION.sub("\0", docstring or "", count=1)).partition("\0")
    paragraphs = [_filled(_flat(part)) for part in text.strip().split("\n\n")]
    if errors:
        items = re.sub(r"\n {5,}", " ", errors).strip().split("\n")
        paragraphs.append("Raises:")
        paragraphs.append("\n".join(_error(item.strip()) for item in items))
    return "\n\n".join(paragraphs)


def _error(item: str) -> str:
    names, _, reason = item.partition(": ")
    codes = ", ".join(f"`{name}`" for name in names.split(", "))
    return _filled(f"- {codes}: {reason}", indent="  ")


def _filled(text: str, indent: str = "") -> str:
    """Return `text` in lines of `WIDTH` characters, with code in one line."""
    with_code = re.sub(r"`[^`]*`", lambda match: match[0].replace(" ", "\0"), text)
    return textwrap.fill(with_code, WIDTH, subsequent_indent=indent, break_on_hyphens=False).replace("\0", " ")


def _fields(node: ast.AST) -> list[tuple[str, str, str]]:
    """Return name, type and docstring of the fields of a class, and of its properties."""
    assert isinstance(node, ast.ClassDef)
    rows = []
    for part, following in zip(node.body, [*node.body[1:], None], strict=True):
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
            text = ""
            if isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
                text = str(following.value.value)
            rows.append((part.target.id, ast.unparse(part.annotation), text))
        elif isinstance(part, ast.FunctionDef) and part.returns is not None and part.decorator_list:
            rows.append((part.name, ast.unparse(part.returns), ast.get_docstring(part) or ""))
    return rows


def _table(title: str, rows: list[tuple[str, str, str]]) -> str:
    lines = [f"| {title} | type | meaning |", "|---|---|---|"]
    for name, annotation, text in rows:
        shown = annotation.replace("|", "\\|")
        lines.append(f"| `{name}` | `{shown}` | {_flat(text)} |")
    return "\n".join(lines)


def _flat(text: str) -> str:
    return " ".join(text.split())


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
