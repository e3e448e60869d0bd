"""The docs say what the code does: errors, settings, warnings, plugin kinds; and nothing that it does not."""

from __future__ import annotations

import ast
import importlib.util
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from architecture import documents, rules
from architecture.sources import ROOT, Module, modules
from wellread import config, errors, plugins
from wellread.apps.cli import app
from wellread.apps.exit_codes import STATUS_BY_CODE
from wellread.config import Settings
from wellread.notice_levels import NOTICE_MEANINGS
from wellread.types import COMPUTED_FIELDS, Heading, Notice, Page
from wellread.values import Mark

if TYPE_CHECKING:
    from architecture.documents import Row

SOURCE = modules("src")
ERRORS = next(module for module in SOURCE if module.path == "src/wellread/errors.py")
REAL = documents.real_tree(ERRORS.tree)
CLASSES: dict[str, type[errors.WellreadError]] = {
    name: getattr(errors, name) for name in ["WellreadError", *REAL]
}  # fmt: skip
DRAWN = documents.drawn_tree(ast.get_docstring(ERRORS.tree) or "")

# ----------------------------------------------------------------------------------------------- errors


def test_the_drawn_tree_is_the_real_one_in_the_same_order() -> None:
    assert list(DRAWN.items()) == list(REAL.items())


def test_every_error_has_a_code_of_its_own() -> None:
    codes = [vars(each).get("code") for each in CLASSES.values()]
    assert None not in codes
    assert len(set(codes)) == len(codes)


def test_every_exception_that_leaves_its_room_stands_in_the_tree() -> None:
    assert documents.strays([module for module in SOURCE if module is not ERRORS], set(CLASSES)) == []


def test_every_error_leaves_the_house_by_one_table() -> None:
    assert set(STATUS_BY_CODE) == {each.code for each in CLASSES.values()}


def test_each_branch_has_an_exit_code_of_its_own() -> None:
    branches = {
        frozenset(STATUS_BY_CODE[each.code].exit_code for each in CLASSES.values() if issubclass(each, branch))
        for branch in (errors.RefusedError, errors.UnavailableError, errors.UnreadableError)
    }
    assert all(len(codes) == 1 for codes in branches)
    assert len(branches) == 3
    assert {code for code, interface in STATUS_BY_CODE.items() if interface.exit_code in {0, 2}} == {"usage"}


def test_the_errors_page_has_every_error_as_the_code_has_it() -> None:
    in_docs = {row["code"]: row for row in documents.rows("errors.md", "code")}
    assert list(in_docs) == [each.code for each in CLASSES.values()]
    for each in CLASSES.values():
        row = in_docs[each.code]
        interface = STATUS_BY_CODE[each.code]
        assert (row["error"], row["exit"], row["HTTP"]) == (
            each.__name__,
            str(interface.exit_code),
            str(interface.http_status),
        )
        assert row["retry"].split()[0].rstrip(",") == ("yes" if each.retryable else "no"), each.code
        assert row["what happened"]
        assert row["what to do"]


def test_the_errors_page_draws_the_same_tree() -> None:
    text = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    assert documents.drawn_tree(text.partition("```")[2].partition("```")[0]) == REAL


# --------------------------------------------------------------------------------------------- settings


def test_the_settings_page_has_every_setting_as_the_code_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    in_code = documents.settings_in_code(Settings())
    in_docs = documents.rows("settings.md", "setting")
    assert [row["setting"] for row in in_docs] == list(in_code)
    for row in in_docs:
        assert {key: value for key, value in row.items() if key != "meaning"} == in_code[row["setting"]]
        assert len(row["meaning"].split()) > 2, row["setting"]


def test_settings_page_lists_what_an_unnamed_file_may_not_set() -> None:
    page = (ROOT / "docs/settings.md").read_text(encoding="utf-8")
    told = page.partition("somebody else's project:")[2].partition("are an error in it")[0]
    assert sorted(re.findall(r"`(\w+\.\w+)`", told)) == sorted(
        name for name in config.setting_names() if config.has_mark(name, Mark.NAMED_FILE_ONLY)
    )


# --------------------------------------------------------------------------------------------- warnings


def test_every_warning_is_explained_and_none_that_is_not_given() -> None:
    given: set[str] = set()
    for each in SOURCE:
        codes, findings = rules.notices(each)
        given |= codes
        assert findings == [] or each.package == "store", "only the store may make notices of what it once kept"
    assert {row["warning"] for row in documents.rows("warnings.md", "warning")} == given


def test_level_of_each_notice_in_docs_and_table() -> None:
    words = {"info": "info", "warning": "doubtful", "warning, not complete": "missing"}
    in_docs = {row["warning"]: words[row["level"]] for row in documents.rows("warnings.md", "warning")}
    assert in_docs == NOTICE_MEANINGS


# ----------------------------------------------------------------------------------------------- pages


def test_every_field_of_a_page_is_explained_in_its_place() -> None:
    fields = [*Page.__dataclass_fields__, *COMPUTED_FIELDS[Page]]
    assert [row["field"] for row in documents.rows("page.md", "field")] == fields
    text = (ROOT / "docs/page.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in (*Page.Post._fields, *Heading._fields, *Notice._fields, "level"))


def test_python_reference_is_up_to_date() -> None:
    script = ROOT / "docs/python_reference.py"
    spec = importlib.util.spec_from_file_location("python_reference", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    assert page == module.reference(), "run: python docs/python_reference.py"


# ------------------------------------------------------------------------------------------------ seeds

PROPERTY = re.compile(r"Propert(?:y|ies) ([\d, and]+) of seed 001: \S")


def properties_in(module: Module) -> set[int]:
    """Return the properties of seed 001 that docstrings of tests name."""
    docstrings = [
        ast.get_docstring(node) or ""
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_")
    ]
    return {
        int(number) for text in docstrings for match in PROPERTY.findall(text) for number in re.findall(r"\d+", match)
    }


def test_every_property_of_the_seed_has_a_test() -> None:
    properties = set(range(1, 18))
    assert {number for module in modules("tests") for number in properties_in(module)} == properties
    assert {int(row["property"]) for row in documents.rows("seeds.md", "property")} == properties


# ---------------------------------------------------------------------------------------------- plugins


@pytest.mark.parametrize("kind", plugins.KINDS)
def test_every_plugin_kind_is_explained_to_contributors(kind: str) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition(f"\n## Add a plugin: wellread.{kind}")[2].partition("\n## ")[0]
    assert f'[project.entry-points."wellread.{kind}"]' in section


@pytest.mark.parametrize("kind", plugins.KINDS)
def test_every_plugin_kind_has_a_contract_suite(kind: str) -> None:
    assert (ROOT / "tests" / "contract" / f"test_{kind}.py").is_file()


def test_every_kind_with_entry_points_is_known() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    kinds = {line.split('"')[1] for line in text.splitlines() if line.startswith('[project.entry-points."wellread.')}
    assert kinds == {f"wellread.{kind}" for kind in plugins.KINDS}


# --------------------------------------------------------------------------------------------- commands

COMMANDS = documents.commands(app)


def test_every_command_has_its_page_and_every_page_its_command() -> None:
    assert {page.stem for page in (ROOT / "docs" / "commands").glob("*.md")} == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_options_of_a_command_and_of_its_page_agree(name: str) -> None:
    text = (ROOT / "docs" / "commands" / f"{name}.md").read_text(encoding="utf-8")
    in_docs = [row["option"] for row in documents.rows(f"commands/{name}.md", "option")]
    assert documents.differences(in_docs, COMMANDS[name]) == set()
    assert text.startswith(f"# wellread {name}\n")
    for heading in ("Options", "A session", "Exit codes", "JSON"):
        assert f"\n## {heading}\n" in text, heading


def test_the_readme_leads_to_the_pages_of_the_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"docs/commands/{name}.md" in text for name in COMMANDS)


def test_missing_and_unknown_options_of_a_page_are_reported() -> None:
    assert documents.differences(["`--count N`", "--regex"], {"--count", "--json"}) == {"--regex", "--json"}


# ------------------------------------------------------------------------- the readers, able to find fault


def test_a_branch_drawn_in_the_wrong_place_is_seen() -> None:
    right = "Root\n├─ A    one\n│  └─ B   two\n└─ C    three\n"
    assert documents.drawn_tree(right) == {"A": "Root", "B": "A", "C": "Root"}
    assert documents.drawn_tree(right.replace("│  └─ B", "├─ B")) == {"A": "Root", "B": "Root", "C": "Root"}


@pytest.mark.parametrize(
    "drawing", ["Root\n├─ A  one\n│  │  └─ B  hangs\n", "Root\n├─ A  one\n└─ A  twice\n", "Root\n├─ A  one\n└─ B\n"]
)
def test_a_tree_that_cannot_be_is_refused(drawing: str) -> None:
    with pytest.raises(ValueError, match=r"hangs|branch"):
        documents.drawn_tree(drawing)


def test_an_error_missing_from_the_drawing_is_seen() -> None:
    grown = ast.parse(ERRORS.text + "\n\nclass Flooded(UnreadableError):\n    code = 'flooded'\n")
    assert set(documents.real_tree(grown)) - set(DRAWN) == {"Flooded"}


def module(path: str, source: str) -> Module:
    return Module(f"src/wellread/{path}", source)


def test_an_error_of_the_family_outside_the_tree_is_seen() -> None:
    oops = module("net/oops.py", "class Oops(errors.Timeout): ...")
    assert len(documents.strays([oops], set(CLASSES))) == 1


@pytest.mark.parametrize("home", ["net/oops.py", "oops.py", "net/oops/__init__.py"])
def test_an_exception_that_another_room_imports_is_seen(home: str) -> None:
    oops = module(home, "class Oops(Exception): ...")
    name = "wellread." + home.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    importer = module("reading/snapshot_building.py", f"from {name} import Oops")
    assert len(documents.strays([oops, importer], set(CLASSES))) == 1


def test_a_signal_between_the_files_of_one_room_is_no_error() -> None:
    oops = module("net/oops.py", "class Oops(Exception): ...")
    importer = module("net/client.py", "from wellread.net.oops import Oops")
    assert documents.strays([oops, importer], set(CLASSES)) == []


def test_tables_are_read_cell_by_cell() -> None:
    text = "words\n\n| a | b |\n|---|:-:|\n| `x` | y \\| z |\n\nmore\n"
    assert list(documents.tables(text)) == [[{"a": "x", "b": "y | z"}]]


@pytest.mark.parametrize("text", ["| a | b |\n| x | y |\n", "| a | b |\n|---|---|\n| x |\n"])
def test_a_table_that_is_out_of_shape_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="heading"):
        list(documents.tables(text))


@pytest.mark.parametrize(
    ("hint", "default", "told"),
    [
        (int, 10_000, ("whole number", "10_000")),
        (float, 15.0, ("number", "15")),
        (bool, True, ("true or false", "true")),
        (tuple[str, ...], (), ("list of text", "[]")),
        (tuple[int, ...], (1, 2), ("list of whole numbers", "[1, 2]")),
        (Path | None, None, ("optional path", "none")),
        (Path, Path.home() / "x", ("path", "~/x")),
    ],
)
def test_types_and_defaults_are_put_in_words(hint: object, default: object, told: tuple[str, str]) -> None:
    assert (documents.kind(hint), documents.shown(default)) == told


@pytest.mark.parametrize(
    ("source", "codes", "unread"),
    [
        ("Notice('a', 'detail')", {"a"}, 0),
        ("types.Notice(code='b', detail='d')", {"b"}, 0),
        ("Notice('a' if x else 'b', 'd')", {"a", "b"}, 0),
        ("Notice(code, 'd')", set(), 1),
    ],
)
def test_the_codes_of_notices_are_read(source: str, codes: set[str], unread: int) -> None:
    found, findings = rules.notices(Module("src/wellread/planted.py", source))
    assert (found, len(findings)) == (codes, unread)


def test_a_row_that_differs_from_the_code_is_seen() -> None:
    row: Row = {"setting": "fetch.timeout_s", "type": "number", "default": "16", "variable": "WELLREAD_FETCH_TIMEOUT_S"}
    in_code = documents.settings_in_code(Settings())["fetch.timeout_s"]
    assert {key for key, value in row.items() if in_code[key] != value} == {"default"}
