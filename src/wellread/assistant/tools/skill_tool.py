"""skill_load: the user's instructions in folders, each with a SKILL.md, loaded by name when they fit."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wellread.assistant.tool_types import Tool, ToolResult
from wellread.assistant.tools.argument_schemas import arguments_schema, enum_schema, string_argument
from wellread.errors import ConfigError, reason_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

FILE = "SKILL.md"
MAX_CHARS = 20_000
MAX_SKILLS = 50
MAX_NOTE_CHARS = 80
_HEAD = re.compile(r"\A---\s*\n(.*?)\n---\s*\n", re.DOTALL)
_FIELD = re.compile(r"^(name|description):[ \t]*(?:[>|][+-]?[ \t]*\n[ \t]+)?(.+?)\s*$", re.MULTILINE)
"""A value stands behind its name, or folded below it; its first line will do."""


class Skill(NamedTuple):
    """The skill in a folder."""

    name: str
    note: str
    text: str


def read_skills(folder: Path) -> dict[str, Skill]:
    """Read every skill in `folder`.

    Raises:
        ConfigError: the folder or a file cannot be read, or there are too many.
    """
    try:
        loaded = [_skill(path) for path in sorted(folder.glob(f"*/{FILE}"))]
    except OSError as error:
        raise ConfigError(
            f"cannot read {error.filename or folder}: {reason_line(error)}", hint="check assistant.skills"
        ) from error
    if len(loaded) > MAX_SKILLS:
        raise ConfigError(f"assistant.skills: {folder} has {len(loaded)} skills; at most {MAX_SKILLS}")
    return {skill.name: skill for skill in loaded}


def skill_tool(skills_by_name: Mapping[str, Skill]) -> Tool:
    """Return the tool that loads one of `skills_by_name`. Skills are the user's own words, and not tainted."""

    async def run(arguments: Mapping[str, object]) -> ToolResult:
        return ToolResult(skills_by_name[string_argument(arguments, "name")].text)

    listed = "; ".join(f"{skill.name}: {skill.note}" for skill in skills_by_name.values())
    return Tool(
        "skill_load",
        f"Load a skill. {listed}",
        arguments_schema(("name",), name=enum_schema(sorted(skills_by_name))),
        run,
    )


def _skill(path: Path) -> Skill:
    content = path.read_text(encoding="utf-8", errors="replace")[:MAX_CHARS]
    head = _HEAD.match(content)
    fields: dict[str, str] = {}
    if head:
        fields = dict(_FIELD.findall(head[1]))
        content = content[head.end() :]
    note = fields.get("description", "").strip("\"'")
    return Skill(fields.get("name", path.parent.name).strip("\"'"), note[:MAX_NOTE_CHARS], content)
