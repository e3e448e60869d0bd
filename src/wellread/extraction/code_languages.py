"""Tells the language of code from the names that pages give it; knows the names, for any other word is a page's own."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wellread.segmentation.boxes import Box, Leaf

_NAMED: Final = lazy_pattern(
    r"(?:^|\s)(?:language|lang|mw-highlight-lang|highlight-source|highlight-text|highlight|brush|sourcecode|code)[-:]\s?([a-z0-9+#_-]{1,20})(?=[\s;]|$)",
    re.IGNORECASE,
)
_COMMON: Final = word_set(
    "bash c console cpp csharp css diff dockerfile go graphql haskell html ini java javascript js json jsx kotlin lua "
    "makefile mermaid perl php powershell py python ruby rust scala scss sh shell sql swift toml ts tsx xml yaml"
)
"""Names that tell a language where nothing marks them as one."""
_KNOWN: Final = _COMMON | word_set(
    "abap abnf actionscript ada adoc agda antlr apache apacheconf apl applescript arduino arm asciidoc asm asp aspx "
    "assembly astro autohotkey autoit avrasm awk basic bat batch bazel bbcode bib bibtex bicep bnf brainfuck bsh bzl "
    "c# c++ cc cfc cfm cg chapel cl clj cljs clojure cmake cmd cobol coffee coffeescript common-lisp conf coq cs csh "
    "cshtml csv cu cuda curl cxx cypher cython d dart dhall django docker docker-compose doscon dosini dot dtd ebnf "
    "ecl edn eiffel ejs elisp elixir elm emacs-lisp erb erl erlang ex excel exs f# f90 factor fish forth fortran "
    "freemarker fs fsharp gas gawk gcode gdscript gherkin git gitattributes gitconfig gitignore gleam glsl gn gnuplot "
    "gql gradle groovy gvy h haml handlebars haxe hbs hcl heex hjson hlsl hpp hs htaccess htm html5 htmlbars http "
    "https hxx idl idris ijs ipynb ipython ipython3 irb jade javadoc jinja jinja2 jl js-jsx json5 jsonc jsonl jsonld "
    "jsonnet jsonp jsp julia julia-repl jupyter kql ksh kt kts latex ld less lilypond liquid lisp litcoffee "
    "livescript llvm lsl m4 mako maple markdown markup mathematica matlab maxima md mdx mediawiki mf mjs mk ml mma "
    "mongodb mysql nasm nginx nginxconf nim nix nodejs nsis nu numpy nushell obj-c objc objective-c objectivec "
    "objectivecpp ocaml octave odin opencl openscad org pandas pascal patch pcre pgsql php3 php5 pl plantuml plist "
    "plpgsql pm po pony postcss postgres postgresql postscript pot pov prolog promql properties proto protobuf ps ps1 "
    "psm1 psql pug puppet purebasic purescript py3 pycon pyi pytb python2 python3 pyx qml qsharp r racket raku razor "
    "rb rdf reasonml regex regexp rego rescript restructuredtext rkt rnc rng robotframework roff rs rsc rss rst s sas "
    "sass sbt scheme scm sed sh-session shellscript shellsession smali smalltalk smarty sml sol solidity soy sparql "
    "spl splunk sqlite ssh-config stan stata styl stylus sv svelte svg svn systemd systemverilog tcl tcsh terraform "
    "tex tf tfvars thrift tk tla toit tsql tsv ttl turtle twig typescript typescriptreact typoscript v vala vb vb-net "
    "vba vbhtml vbnet vbs vbscript verilog vhd vhdl vim viml vimscript vue vue-html wasm wast wat webidl wgsl wiki "
    "winbatch wren x86asm xhtml xpath xq xquery xsd xsh xsl xslt yang yml zeek zig zsh"
)
_ATTRIBUTES: Final = ("data-lang", "data-language", "language")
_LONGEST_CLASS: Final = 400
"""Characters that are looked at, for every block of code in a box."""


def language(leaf: Leaf) -> str:
    """Return the programming language that a code block, an element in it or a box around it names."""
    code = [f"{at.get('lang')} {at.get('class')} lang-{at.get('data-lang')}" for tag, at in leaf.inner if tag == "code"]
    for text in (*code, *_around(leaf.box)):
        names = (match[1].lower() for match in _NAMED.finditer(text, 0, _LONGEST_CLASS))
        if name := next(filter(_is_known, names), ""):
            return name
    named = f"{leaf.box.attributes.get('lang')} {leaf.box.attributes.get('class')} {' '.join(code)}"[:_LONGEST_CLASS]
    return next((name for name in named.lower().split() if name in _COMMON), "")


def _is_known(name: str) -> bool:
    """Tell whether `name` is of a language, or of several in one another: `html+django`."""
    return name in _KNOWN or (0 < name.count("+") < 3 and all(part in _KNOWN for part in name.split("+")))


def _around(box: Box) -> Iterable[str]:
    for at in islice(box.around(), 6):  # a table of line numbers and code may lie between
        if named := next(filter(None, map(at.attributes.get, _ATTRIBUTES)), None):
            yield f"lang-{named}"
        yield at.attributes.get("class") or ""
