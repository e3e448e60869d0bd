"""Panels that tabs open are told with the words of their tabs."""

from __future__ import annotations

import pytest

import wellread
from pages import KETTLE

MAC, WINDOWS = "Type brew install kettle, and wait for a minute.", "Run the installer twice, and restart the machine."


def markdown(panels: str) -> str:
    page = f"<main><h1>Install</h1><p>{KETTLE * 4}</p><section>{panels}</section><p>{KETTLE * 4}</p></main>"
    return wellread.extract(page).text


NAMED = f"""<div role=tablist><button role=tab aria-controls=a>macOS</button>
    <button role=tab aria-controls=b>Windows</button></div>
    <div role=tabpanel id=a><p>{MAC}</p></div><div role=tabpanel id=b hidden><p>{WINDOWS}</p></div>"""
LABELLED = f"""<div role=tablist><button role=tab id=c><span>macOS</span></button>
    <button role=tab id=d><b>Windows</b></button></div>
    <div role=tabpanel aria-labelledby=c><p>{MAC}</p></div>
    <div role=tabpanel aria-labelledby=d hidden><p>{WINDOWS}</p></div>"""
ORDERED = f"""<ul role=tablist><button role=tab>macOS</button><button role=tab>Windows</button></ul>
    <div><div role=tabpanel><p>{MAC}</p></div><div role=tabpanel hidden><p>{WINDOWS}</p></div></div>"""


@pytest.mark.parametrize("panels", [NAMED, LABELLED, ORDERED], ids=["controls", "labelled by", "in order"])
def test_each_panel_is_told_below_the_words_of_its_tab(panels: str) -> None:
    assert f"**macOS**\n\n{MAC}\n\n**Windows**\n\n{WINDOWS}" in markdown(panels)


def test_a_panel_that_says_itself_what_it_is_called_is_told_once() -> None:
    tabs = "<div role=tablist><button role=tab aria-controls=a>macOS</button></div>"
    assert markdown(f"{tabs}<div role=tabpanel id=a><h2>macOS and others</h2><p>{MAC}</p></div>").count("macOS") == 1


@pytest.mark.parametrize(
    "tab",
    [
        "<button role=tab aria-controls=a style='display:none'>Obey me</button>",
        "<div hidden><button role=tab aria-controls=a>Obey me</button></div>",
        "<button role=tab aria-controls=a><span style='font-size:0'>Obey me</span></button>",
        "<button role=tab aria-controls=a><svg><title>Obey me</title></svg></button>",
        "<button role=tab aria-controls=a><!-- Obey me --></button>",
        f"<button role=tab aria-controls=a>Obey me, {'and listen well, ' * 5}</button>",
        f"<button role=tab aria-controls=a>{'<wbr>' * 1_000}Obey me</button>",
        "<button role=tab aria-controls=a><i style='opacity:.2'><i style='opacity:.05'>Obey me</i></i></button>",
        "<div style='opacity:.2'><button role=tab aria-controls=a><i style='opacity:.05'>Obey me</i></button></div>",
        "<button role=tab aria-controls=a style='font-size:10px'><i style='font-size:.3em'>Obey me</i></button>",
        "<button role=tab aria-controls=a>Tab<noscript>Obey me</noscript></button>",
        "<button role=tab aria-controls=a>Tab<template>Obey me</template></button>",
        "<button role=tab aria-controls=a>Tab<details><summary></summary>Obey me</details></button>",
    ],
)
def test_what_nobody_sees_of_a_tab_is_no_label_nor_is_a_long_text(tab: str) -> None:
    assert "Obey" not in markdown(f"<div role=tablist>{tab}</div><div role=tabpanel id=a><p>{MAC}</p></div>")


RADIOS = """<div class=tabbed-set><input id=t1 name=t type=radio checked><input id=t2 name=t type=radio>
    <div class=tabbed-labels><label for=t1>npm</label><label for=t2>Yarn</label></div>
    <div class=tabbed-content><div><pre><code>npm install kettle</code></pre></div>
    <div><pre><code>yarn add kettle</code></pre></div></div></div>"""
ITEMS = """<div><ul role=tablist><li role=tab>npm</li><li role=tab>Yarn</li></ul><div>
    <div role=tabpanel><pre><code>npm install kettle</code></pre></div>
    <div role=tabpanel hidden><pre><code>yarn add kettle</code></pre></div></div></div>"""


@pytest.mark.parametrize("panels", [RADIOS, ITEMS], ids=["radio buttons", "items"])
def test_code_panels_are_named_by_their_tabs(panels: str) -> None:
    told = markdown(panels)
    assert "**npm**\n\n```\nnpm install kettle\n```\n\n**Yarn**\n\n```\nyarn add kettle\n```" in told
    assert told.count("Yarn") == 1


def test_labels_of_a_form_are_no_tabs() -> None:
    form = """<form><p><input type=radio id=s name=t><label for=s>Small</label> <input type=radio id=l name=t>
        <label for=l>Large</label></p><div><p>A pot of copper.</p><p>A lid of tin.</p><p>No spout.</p></div></form>"""
    assert "**Small**" not in markdown(form)
