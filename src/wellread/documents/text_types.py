"""Detects the media type of text that its server calls text/plain: Markdown, source code, data, a log, or prose.

The name in the URL decides first, then the content. The rules for the content are conservative: prose that is shown as
code loses its paragraphs, so a file is prose until most of its lines say otherwise. Only the start of a file is looked
at, in lines of bounded length.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from wellread.lazy_pattern import lazy_pattern
from wellread.net.media_types import decode, is_json, sniff

if TYPE_CHECKING:
    from collections.abc import Sequence

SAMPLE_BYTES: Final = 64_000
MAX_LINES: Final = 1_000
MAX_LINE_CHARS: Final = 500
MAX_MARKDOWN_BYTES: Final = 2_000_000
"""Longer Markdown is shown as it is written, for its parser takes longer than a read may."""

NOTEBOOK: Final = "application/x-ipynb+json"
MAIL: Final = "message/rfc822"
MAILBOX: Final = "application/mbox"
JSON_FEED: Final = "application/feed+json"
_MARKDOWN: Final = "text/markdown"

_TYPES_BY_SUFFIX: Final = {
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".mkdn"), _MARKDOWN),
    **dict.fromkeys((".json", ".geojson", ".webmanifest", ".har", ".topojson"), "application/json"),
    **dict.fromkeys((".jsonl", ".ndjson"), "application/x-ndjson"),
    **dict.fromkeys((".yaml", ".yml"), "application/yaml"),
    **dict.fromkeys((".tsv", ".tab"), "text/tab-separated-values"),
    **dict.fromkeys((".xml", ".rss", ".atom", ".rdf", ".opml", ".xsd", ".xsl", ".xslt", ".plist"), "application/xml"),
    ".csv": "text/csv",
    ".eml": MAIL,
    ".ipynb": NOTEBOOK,
    ".mbox": MAILBOX,
    ".toml": "application/toml",
}
# The names that highlighters know (GitHub Linguist), by the suffixes of files.
_LANGUAGE_SUFFIXES: Final = """
ada:adb,ads adoc:adoc,asciidoc applescript:applescript asm:asm,s awk:awk bash:bash bat:bat,cmd bibtex:bib c:c,h
clojure:clj,cljs,cljc,edn cmake:cmake coffeescript:coffee cpp:cc,cpp,cxx,hh,hpp,hxx,ino crystal:cr csharp:cs,csx
css:css cuda:cu d:d dart:dart diff:diff,patch dockerfile:dockerfile dot:dot,gv elixir:ex,exs elm:elm erlang:erl,hrl
fish:fish fortran:f,f77,f90,f95,f03 fsharp:fs,fsi,fsx gdscript:gd glsl:glsl,frag,vert go:go,mod,sum graphql:graphql,gql
groovy:groovy,gradle haskell:hs,lhs hcl:hcl,tf,tfvars ini:ini,cfg,conf,cnf,desktop,editorconfig,service,env,inf,reg
java:java javascript:js,mjs,cjs json5:json5 jsonc:jsonc jsonnet:jsonnet,libsonnet jsx:jsx julia:jl kotlin:kt,kts
latex:tex,sty,cls,ltx less:less lisp:lisp,lsp,el,cl log:log lua:lua makefile:mk,mak mdx:mdx nim:nim
nix:nix objectivec:mm ocaml:ml,mli org:org pascal:pas,pp perl:pl,pm,t php:php,phtml postscript:eps
powershell:ps1,psm1,psd1 prolog:prolog properties:properties proto:proto python:py,pyi,pyw,pyx r:r,rmd
racket:rkt rst:rst,rest ruby:rb,rake,gemspec,ru rust:rs sass:sass scala:scala,sbt scheme:scm,ss scss:scss sh:sh,ksh
solidity:sol sql:sql,ddl,psql srt:srt,vtt svelte:svelte swift:swift systemverilog:sv tcl:tcl textile:textile text:lock
tsx:tsx turtle:ttl,n3,nt typescript:ts,mts,cts vbnet:vb,vbs,bas verilog:v vhdl:vhd,vhdl vim:vim vue:vue wat:wat,wast
wiki:wiki,mediawiki zig:zig zsh:zsh
"""
_TYPES_BY_SUFFIX.update(
    {
        f".{suffix}": f"text/x-{language}"
        for entry in _LANGUAGE_SUFFIXES.split()
        for language, _, suffixes in [entry.partition(":")]
        for suffix in suffixes.split(",")
    }
)
_LANGUAGES_BY_NAME: Final = {
    "makefile": "makefile",
    "gnumakefile": "makefile",
    "dockerfile": "dockerfile",
    "containerfile": "dockerfile",
    "jenkinsfile": "groovy",
    "gemfile": "ruby",
    "rakefile": "ruby",
    "podfile": "ruby",
    "vagrantfile": "ruby",
    "procfile": "yaml",
    "cmakelists.txt": "cmake",
    "requirements.txt": "text",
    "robots.txt": "text",
    "security.txt": "text",
    "ads.txt": "text",
    "codeowners": "text",
    "jenkins.log": "log",
    ".gitignore": "text",
    ".gitattributes": "text",
    ".dockerignore": "text",
    ".npmrc": "ini",
    ".gitconfig": "ini",
    ".gitmodules": "ini",
    ".env": "ini",
    ".bashrc": "bash",
    ".zshrc": "zsh",
    ".profile": "sh",
    ".vimrc": "vim",
}
_TEXT_FILE_TYPES: Final = {
    *(_MARKDOWN, "text/csv", "text/tab-separated-values", "application/yaml", "application/toml"),
    *(f"text/x-{name}" for name in ("log", "rst", "org", "adoc", "srt", "latex", "bibtex", "diff", "ini")),
}
_TEXT_SUFFIXES: Final = {".txt", ".text"}
_INTERPRETERS: Final = {"node": "javascript", "deno": "typescript", "Rscript": "r", "make": "makefile", "dash": "sh"}
_KNOWN_INTERPRETERS: Final = {
    "awk",
    "bash",
    "fish",
    "ksh",
    "lua",
    "perl",
    "php",
    "python",
    "ruby",
    "sh",
    "tclsh",
    "zsh",
}

_SUBTYPE: Final = lazy_pattern(r"/(?:x-|vnd\.)?([a-z0-9][a-z0-9_-]{0,29})")
_SHEBANG: Final = lazy_pattern(r"#![ \t]{0,8}\S{0,80}?([A-Za-z]{1,20})[\d.]{0,8}(?:\s|$)")
_ENV_SHEBANG: Final = lazy_pattern(r"#![ \t]{0,8}\S{0,80}/env (?:-\S{1,20} ){0,4}([A-Za-z]{1,20})")
_XML_START: Final = lazy_pattern(r"\s{0,200}<(?:\?xml\s|rss[\s>]|feed[\s>]|rdf:RDF[\s>]|urlset[\s>]|sitemapindex[\s>])")


def text_type(body: bytes, media_type: str, url: str | None = None, charset: str | None = None) -> str:
    """Return a more exact media type than text/plain or application/json; any other is returned as it is.

    `media_type` is what `sniff` returned for `body`. Source code is `text/x-LANGUAGE`.
    """
    if media_type == "application/json":
        return _json_type(body)
    if media_type != "text/plain":
        return media_type
    named = _type_by_name(url)
    if named == "application/xml":
        return sniff(body, named, url)
    if named == "application/json":
        return _json_type(body)
    return _bounded(named or _type_by_content(body, charset), len(body))


def text_type_of(body: bytes, declared: str, url: str | None = None, charset: str | None = None) -> str:
    """Return the media type of text with an unknown declared type, as `chemical/x-xyz`.

    What neither its name nor its content tells is `text/x-SUBTYPE`, which is shown as it is written.
    """
    media_type = text_type(body, "text/plain", url, charset)
    subtype = _SUBTYPE.search(declared)
    if media_type == "text/plain" and subtype:
        return f"text/x-{subtype[1]}"
    return media_type


def _bounded(media_type: str, size: int) -> str:
    if media_type == _MARKDOWN and size > MAX_MARKDOWN_BYTES:
        return "text/x-md"
    return media_type


def _json_type(body: bytes) -> str:
    """Tell notebooks and JSON Feeds from other JSON by members that they must have; their reader checks the rest."""
    if b'"nbformat"' in body and (b'"cells"' in body or b'"worksheets"' in body):
        return NOTEBOOK
    if b"jsonfeed.org/version/1" in body or rb"jsonfeed.org\/version\/1" in body:
        return JSON_FEED
    return "application/json"


def _type_by_name(url: str | None) -> str | None:
    language = _LANGUAGES_BY_NAME.get(_file_name(url))
    if language:
        return f"text/x-{language}"
    return _TYPES_BY_SUFFIX.get(_suffix(url))


def _suffix(url: str | None) -> str:
    return PurePosixPath(_file_name(url)).suffix


def _file_name(url: str | None) -> str:
    """Return the last part of the path of a URL in lower case, or an empty text."""
    try:
        return PurePosixPath(unquote(urlsplit(url or "").path)).name.lower()
    except ValueError:
        return ""


def is_text_file(url: str | None) -> bool:
    """Tell whether a URL names a text file: `.md`, `.txt`, `.csv`, but not `.php` or `.json`, which name pages too."""
    return _suffix(url) in _TEXT_SUFFIXES or _type_by_name(url) in _TEXT_FILE_TYPES


# ------------------------------------------------------------------------------------------------ content


def _type_by_content(body: bytes, charset: str | None) -> str:
    text, _ = decode(body[:SAMPLE_BYTES], charset, html=False)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if is_json(body):
        return _json_type(body)
    if _XML_START.match(text):
        return sniff(body, "application/xml")
    lines = [line[:MAX_LINE_CHARS] for line in text.split("\n", MAX_LINES)[:MAX_LINES]]
    if len(body) > SAMPLE_BYTES and len(lines) > 1:
        lines.pop()  # it may be half a line
    by_start = _type_by_start(lines)
    if by_start is not None:
        return by_start
    if _is_code(lines):
        return f"text/x-{_language(lines)[0]}"
    tests = (_is_ndjson, _is_diff, _is_log, _has_markdown_links, _is_yaml, _is_ini, _is_markdown)
    test = next((test for test in tests if test(lines)), None)
    if test is None:
        return _table_type(lines) or "text/plain"
    return _TYPES_BY_TEST[test]


def _type_by_start(lines: Sequence[str]) -> str | None:
    """Return the type of a mail, of several, of a script that names its interpreter, or of a manual page."""
    if _is_mail(lines):
        if lines[0].startswith("From "):
            return MAILBOX
        return MAIL
    language = _language_by_shebang(lines[0])
    if language is None and _is_manual_page(lines):
        language = "roff"
    if not language:
        return None
    return f"text/x-{language}"


_MANUAL_TITLE: Final = lazy_pattern(r"\.(?:TH|Dt) {1,8}\S")
_MANUAL_HEADING: Final = lazy_pattern(r"\.S[Hh] {1,8}\S")


def _is_manual_page(lines: Sequence[str]) -> bool:
    """Tell the source of a manual page by its title and its headings (man(7), mdoc(7)), below a licence or not."""
    return any(map(_MANUAL_TITLE.match, lines)) and any(map(_MANUAL_HEADING.match, lines))


def _language_by_shebang(line: str) -> str | None:
    match = _ENV_SHEBANG.match(line) or _SHEBANG.match(line)
    if match is None:
        return None
    name = _INTERPRETERS.get(match[1], match[1])
    if name in _KNOWN_INTERPRETERS or name in _INTERPRETERS.values():
        return name
    return "sh"


_HEADER: Final = lazy_pattern(r"([A-Za-z][A-Za-z0-9-]{1,60}):(?:\s|$)")
_MAIL_FIELDS: Final = frozenset(
    {"date", "subject", "to", "received", "message-id", "mime-version", "return-path", "delivered-to", "content-type"}
)


def _is_mail(lines: Sequence[str]) -> bool:
    """Tell a mail by its head: headers up to an empty line, `From` and two others that mails have among them."""
    first = 1 if lines[0].startswith("From ") else 0
    names: set[str] = set()
    for line in lines[first:]:
        if not line.strip():
            break
        match = _HEADER.match(line)
        if match is not None:
            names.add(match[1].lower())
        elif not names or not line.startswith((" ", "\t")):
            return False
    return "from" in names and len(names & _MAIL_FIELDS) >= 2


def _filled(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if line.strip()]


def _is_ndjson(lines: Sequence[str]) -> bool:
    filled = _filled(lines)[:20]
    if len(filled) < 2 or not all(line.startswith(("{", "[")) for line in filled):
        return False
    full_lines = [line for line in filled if len(line) < MAX_LINE_CHARS]
    try:
        return all(isinstance(json.loads(line), dict | list) for line in full_lines)
    except (ValueError, RecursionError):
        return False


_HUNK: Final = lazy_pattern(r"@@ -\d{1,9}(?:,\d{1,9})? \+\d{1,9}")


def _is_diff(lines: Sequence[str]) -> bool:
    headed = any(line.startswith("diff --git ") for line in lines) or any(
        before.startswith("--- ") and after.startswith("+++ ") for before, after in pairwise(lines)
    )
    return headed and any(_HUNK.match(line) for line in lines)


# Times as they open the lines of logs: ISO 8601, syslog (RFC 3164), the Common Log Format, Apache's error log, logcat,
# klog, dmesg, clocks; and levels or keys (logfmt) where there is no time.
_LOG_LINE: Final = lazy_pattern(
    r"(?:[\w.-]{1,40} )?[\[(]?\d{4}[-/.]\d\d[-/.]\d\d[T ,_]{1,2}\d\d:\d\d"
    r"|[\[(]?\d\d[-/.]\d\d[-/.]\d{2,4}[T ,]{1,2}\d\d:\d\d"
    r"|(?:<\d{1,3}>)?[A-Z][a-z]{2} [ \d]\d (?:\d{4} )?\d\d:\d\d:\d\d"
    r"|\S{1,100} \S{1,60} \S{1,60} \[\d\d/[A-Z][a-z]{2}/\d{4}:"
    r"|\[[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d"
    r"|\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}"
    r"|[IWEF]\d{4} \d\d:\d\d:\d\d"
    r"|\[ {0,8}\d{1,8}\.\d{3,9}\]"
    r"|[\[(]?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?[\])]? "
    r"|\d{10}(?:[.,]?\d{3,9})? "
    r"|[\[<(]?(?:TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|SEVERE|FATAL|CRITICAL)[\]>):]?[\s:|-]"
    r"|(?:ts|time|level|lvl)=\S"
)


def _is_log(lines: Sequence[str]) -> bool:
    starts = [line for line in _filled(lines) if not line[0].isspace()]
    count = sum(_LOG_LINE.match(line) is not None for line in starts)
    return count >= 2 and count * 2 >= len(starts)


# ----------------------------------------------------------------------------------------------- Markdown

_FENCE: Final = lazy_pattern(r" {0,3}(?:`{3}|~{3})")
_HEADING: Final = lazy_pattern(r"#{1,6} {1,8}\S")
_UNDERLINE: Final = lazy_pattern(r"(?:={3,}|-{3,})\s*$")
_LINK: Final = lazy_pattern(r"\[[^\]\n]{1,200}\]\((?:https?://|mailto:|[#/.]|[\w-]{1,80}[./])")
_LINK_TARGET: Final = lazy_pattern(r" {0,3}\[[^\]\n]{1,200}\]: {0,8}<?(?:https?://|/|\.)")
_TABLE_RULE: Final = lazy_pattern(r"\|? {0,8}:?-{2,}:? {0,8}\|[ :|-]*$")
_EMPHASIS: Final = lazy_pattern(
    r"\*\*[^\s*][^*\n]{0,200}\*\*|(?<![\w*])\*[^\s*][^*\n]{0,200}\*(?![\w*])|`[^`\n]{1,200}`"
)
_LIST_OR_QUOTE: Final = lazy_pattern(r"(?:[-*+]|\d{1,3}[.)]) {1,4}\S|> ?\S")


def _headings(lines: Sequence[str]) -> int:
    """Count headings that stand alone; a comment of a script or a settings file mostly has its code below it."""
    padded = ["", *lines, ""]
    return sum(
        _HEADING.match(line) is not None
        and not padded[at].strip()
        and (not padded[at + 2].strip() or _LIST_OR_QUOTE.match(padded[at + 2]) is not None)
        for at, line in enumerate(lines)
    )


def _has_markdown_links(lines: Sequence[str]) -> bool:
    """Return whether text is Markdown: it has fences in pairs, or links together with other structure."""
    fences = sum(_FENCE.match(line) is not None for line in lines)
    if fences >= 2 and fences % 2 == 0:
        return True
    links = sum(_LINK.search(line) is not None or _LINK_TARGET.match(line) is not None for line in lines)
    if links == 0:
        return False
    underlined = any(before.strip() and _UNDERLINE.match(after) for before, after in pairwise(lines))
    return links >= 2 or underlined or _headings(lines) > 0


def _is_markdown(lines: Sequence[str]) -> bool:
    """Tell Markdown without fences and links: headings, tables, and emphasis below a heading."""
    filled = _filled(lines)
    table = any("|" in before and _TABLE_RULE.match(after) for before, after in pairwise(lines))
    headings = _headings(lines)
    if not filled or table:
        return bool(filled)
    marked = any(_LIST_OR_QUOTE.match(line) or _EMPHASIS.search(line) for line in filled)
    levels = {len(line) - len(line.lstrip("#")) for line in filled if _HEADING.match(line)}
    # The comments of a script are headings of one level.
    return (headings >= 2 and (marked or len(levels) > 1)) or (
        headings == 1 and marked and _HEADING.match(filled[0]) is not None
    )


# --------------------------------------------------------------------------------------------------- data

_YAML_LINE: Final = lazy_pattern(
    r" {0,200}(?:- {1,8}){0,8}(?:#.*|[\"']?[\w./$@<-][^:#\s]{0,80}:(?:\s.*)?|-(?: .*)?|[\[\]{}].*|\.{3})$"
)
# A key without a value, or the first key of a list's element.
_YAML_PARENT: Final = lazy_pattern(r"( {0,200})(?:(?:- {1,8})?[\"']?[\w./-]{1,80}[\"']?:\s*$|- {1,8}[\w./-]{1,80}: )")
_YAML_KEY: Final = lazy_pattern(r"( {0,200})(?:- )?[\"']?[\w./-]{1,80}[\"']?:(?:\s|$)")
_SECTION: Final = lazy_pattern(r"\s{0,8}\[{1,2}[^\]\n]{1,200}\]{1,2}\s*(?:[#;].*)?$")
_INI_ASIDE: Final = lazy_pattern(r"\s*(?:[#;]|//|[\]}],?\s*$)|\s+[\"'{\[]")
_SETTING: Final = lazy_pattern(r"\s{0,8}(?:export )?[\"']?[\w.:*-]{1,100}[\"']? {0,40}=(?!=).*$")


def _is_yaml(lines: Sequence[str]) -> bool:
    """Tell YAML by keys below keys: a list below a line that ends with a colon is prose as well."""
    filled = _filled(lines)
    if sum(_YAML_LINE.match(line) is not None for line in filled) < 0.8 * len(filled):
        return False
    if filled and filled[0].rstrip() == "---" and sum(_YAML_KEY.match(line) is not None for line in filled) >= 2:
        return True
    return any(
        (parent := _YAML_PARENT.match(before)) and (child := _YAML_KEY.match(after)) and len(child[1]) > len(parent[1])
        for before, after in pairwise(line for line in filled if not line.lstrip().startswith("#"))
    )


def _is_ini(lines: Sequence[str]) -> bool:
    # Comments and the elements of an array over several lines (TOML) say nothing.
    filled = [line for line in _filled(lines) if not _INI_ASIDE.match(line)]
    sections = sum(_SECTION.match(line) is not None for line in filled)
    keys = sum(_SETTING.match(line) is not None and not line.rstrip().endswith((";", "{")) for line in filled)
    return (keys >= 1 if sections else keys >= 3) and sections + keys >= 0.8 * len(filled)


def _table_type(lines: Sequence[str]) -> str | None:
    """Return the type of delimited text: three lines or more, all with as many fields."""
    filled = _filled(lines)[:200]
    if len(filled) < 3 or filled[0].lstrip().startswith("|"):
        return None
    import csv  # here, because most sources are pages

    for delimiter, least in (("\t", 2), (";", 2), (",", 3)):
        try:
            rows = list(csv.reader(filled, delimiter=delimiter))
        except csv.Error:
            continue
        widths = {len(row) for row in rows}
        cells = [cell for row in rows for cell in row]
        regular = len(widths) == 1 and max(widths) >= least and len(rows) >= 3
        short = sum(map(len, cells)) < 60 * len(cells)
        # Lines of code, and verse, end with the sign that would delimit.
        if regular and short and any(row[-1].strip() for row in rows) and all(cell.strip() for cell in rows[0]):
            if delimiter == "\t":
                return "text/tab-separated-values"
            return "text/csv"
    return None


# --------------------------------------------------------------------------------------------------- code

_CODE_LINE: Final = lazy_pattern(
    r".*[;{}]\s*$"
    r"|\s*(?:#\s*(?:include|define|ifdef|ifndef|endif|pragma)\b|import\s+[\w.{*\"']|from\s+\S+\s+import\b"
    r"|(?:async\s+)?def\s+\w+\s*\(|class\s+\w+\s*[(:{]|class\s+\w+$|(?:pub\s+)?(?:fn|func|function)\b.*\(|package\s+\w"
    r"|return\b|(?:if|for|while|switch|elif|else if)\b.*[:{]\s*$|else:\s*$|try:\s*$|except\b.*:\s*$|with\b.*:\s*$"
    r"|(?:end|fi|done|esac|endif|then|do|else)\s*$|@\w+|//|/\*|\*/|\*\s|(?:const|let|var|local|my|val)\s+[\w{$@%*\[(]"
    r"|[\w.$@\[\]\"'*]+(?:\s*:\s*\w+)?\s*(?:[-+*/|&]|:|<-)?=\s*\S|[\w.:$]+\(.*\)\s*$|[)\]]+[,;:]?\s*$"
    r"|(?:SELECT|INSERT INTO|CREATE|ALTER|UPDATE|DELETE FROM|FROM|WHERE|JOIN|VALUES)\b)"
)
_COMMENT: Final = lazy_pattern(r"\s*(?:#(?!\s*include|\s*define)|//|--\s|;|%|/?\*)")
_SIGNS: Final = {
    "python": lazy_pattern(
        r"\s*(?:(?:async )?def \w+\(.*:|class \w+.*:$|from \S+ import |import \w+$|elif |except\b.*:$|if __name__)"
    ),
    "javascript": lazy_pattern(
        r"\s*(?:const |let |var |function\b|export |module\.exports|import .* from )|.*(?:=>|console\.log\()"
    ),
    "c": lazy_pattern(
        r"\s*#\s*(?:include <[a-z/]+\.h>|define |ifndef )"
        r"|(?:static |const )?(?:int|void|char|size_t|struct \w+)\s\*?\w+\("
    ),
    "cpp": lazy_pattern(r"\s*(?:#include <[a-z_]+>|template ?<|namespace \w|using namespace)|.*std::"),
    "java": lazy_pattern(
        r"\s*(?:package [\w.]+;|import java|public (?:class|interface|void|static|final)\b|@Override)|.*System\.out"
    ),
    "go": lazy_pattern(r"\s*(?:package \w+$|func (?:\(.*\) )?\w+\(|import \(?\"?|type \w+ (?:struct|interface))|.*:= "),
    "rust": lazy_pattern(
        r"\s*(?:(?:pub(?:\(crate\))? )?(?:fn|struct|enum|impl|mod|trait) |use (?:std|crate)::|let mut |#\[)"
    ),
    "ruby": lazy_pattern(r"\s*(?:require ['\"]|def \w+[?!]?(?:\(.*\))?$|end$|module [A-Z]|attr_|puts )"),
    "perl": lazy_pattern(r"\s*(?:use (?:strict|warnings|[A-Z][\w:]*)\b.*;|my [$@%(]|sub \w+\s*\{?$|package [\w:]+;)"),
    "php": lazy_pattern(
        r"\s*(?:<\?php|\$\w+ = (?!shift).*;$|namespace .*;$|use [\w\\]+\\\w+;$|(?:public|private|static) function )"
    ),
    "sql": lazy_pattern(
        r"\s*(?:SELECT|INSERT INTO|CREATE (?:TABLE|INDEX|VIEW)|ALTER TABLE|DROP |UPDATE \w+ SET|FROM \w+|WHERE )\b",
        re.IGNORECASE,
    ),
    "sh": lazy_pattern(r"\s*(?:if \[|fi$|done$|esac$|echo |export \w+=|set -[eux]|function \w+|sudo |\w+=\$\()"),
    "css": lazy_pattern(r"\s*(?:[.#@:*][\w-]+[^{}();]*\{$|[a-z-]+: [^;{}]+;$)"),
    "lua": lazy_pattern(r"\s*(?:local (?:function )?\w+|function [\w.:]+\(.*\)$|end,?$|\w+ = require)"),
    "r": lazy_pattern(r"\s*(?:library\(\w+\)|[\w.]+ <- )"),
}
"""Openings of lines in one language and in few others."""


def _is_code(lines: Sequence[str]) -> bool:
    """Tell source code: six of ten lines are code, comments and fenced lines aside; fewer where a language is sure."""
    outside = _outside_fences(lines)
    filled = [line for line in _filled(outside) if not _COMMENT.match(line)]
    if not filled:
        return False
    if _is_minified(filled):
        return True
    if any(test(lines) for test in (_is_diff, _is_log, _is_ini, _is_yaml)):
        return False
    count = sum(_CODE_LINE.match(line) is not None for line in filled)
    _, signs = _language(outside)
    return (count >= 3 and count >= 0.6 * len(filled)) or (signs >= 4 and count >= 0.3 * len(filled))


def _outside_fences(lines: Sequence[str]) -> list[str]:
    outside: list[str] = []
    is_inside = False
    for line in lines:
        if _FENCE.match(line):
            is_inside = not is_inside
        elif not is_inside:
            outside.append(line)
    return outside


def _is_minified(lines: Sequence[str]) -> bool:
    """Tell scripts and style sheets without line breaks: one sign in twenty characters, where prose has one in 200."""
    if any(len(line) < MAX_LINE_CHARS for line in lines[:1]):
        return False
    start = lines[0]
    return sum(start.count(sign) for sign in "{}();=") * 20 > len(start)


def _language(lines: Sequence[str]) -> tuple[str, int]:
    """Return the language that most lines are typical of, and how many; `text` where two are alike."""
    counts = Counter({name: sum(sign.match(line) is not None for line in lines) for name, sign in _SIGNS.items()})
    (first, most), (_, second) = counts.most_common(2)
    if most < 2 or most == second:
        return "text", 0
    return first, most


_TYPES_BY_TEST: Final = {
    _is_ndjson: "application/x-ndjson",
    _is_diff: "text/x-diff",
    _is_log: "text/x-log",
    _has_markdown_links: _MARKDOWN,
    _is_yaml: "application/yaml",
    _is_ini: "text/x-ini",
    _is_markdown: _MARKDOWN,
}
