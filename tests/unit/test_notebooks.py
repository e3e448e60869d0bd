"""Jupyter notebooks: cells and their outputs, without the data of pictures."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from unit.served import read_served

if TYPE_CHECKING:
    from collections.abc import Mapping

TABLE = "<div><table><tr><th>port</th><th>low</th></tr><tr><td>Weir</td><td>0.4</td></tr></table></div>"
PICTURE = "iVBORw0KGgo" + "A" * 4_000
NBFORMAT_4 = {
    "nbformat": 4,
    "nbformat_minor": 5,
    "metadata": {"kernelspec": {"language": "julia", "name": "julia-1.10"}},
    "cells": [
        {"cell_type": "markdown", "metadata": {}, "source": "# Tides\n\nSee [x](https://t.example/)."},
        {
            "cell_type": "code",
            "metadata": {},
            "execution_count": 1,
            "source": ["low_water()\n"],
            "outputs": [
                {"output_type": "stream", "name": "stdout", "text": ["0.4 m\n"]},
                {"output_type": "execute_result", "data": {"text/html": TABLE, "text/plain": "port low"}},
                {"output_type": "display_data", "data": {"image/png": PICTURE, "text/plain": "<Figure>"}},
            ],
        },
    ],
}
NBFORMAT_3 = {
    "nbformat": 3,
    "nbformat_minor": 0,
    "metadata": {"name": "Tides"},
    "worksheets": [
        {
            "cells": [
                {"cell_type": "heading", "level": 1, "source": ["Tides"]},
                {
                    "cell_type": "code",
                    "language": "julia",
                    "input": "low_water()",
                    "outputs": [
                        {"output_type": "stream", "stream": "stdout", "text": "0.4 m\n"},
                        {"output_type": "pyout", "html": TABLE, "text": "port low"},
                        {"output_type": "display_data", "png": PICTURE},
                    ],
                },
            ]
        }
    ],
}


@pytest.mark.parametrize("content", [NBFORMAT_4, NBFORMAT_3], ids=["nbformat 4", "nbformat 3"])
@pytest.mark.parametrize(("content_type", "name"), [("application/x-ipynb+json", "file"), ("text/plain", "a.ipynb")])
def test_notebook(content: Mapping[str, object], content_type: str, name: str) -> None:
    page = read_served(json.dumps(content), content_type, name)
    assert page.text.startswith("# Tides")
    assert "```julia\nlow_water()\n```\n\n```\n0.4 m\n```\n\n| port | low |" in page.text
    assert "AAAA" not in page.text
    assert [warning.count for warning in page.notices if warning.code == "pictures_left_out"] == [1]


def notebook(*outputs: Mapping[str, object], source: str = "run()") -> str:
    """Return a notebook of one code cell."""
    cell = {"cell_type": "code", "metadata": {}, "source": source, "outputs": outputs}
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]})


def read_outputs(*outputs: Mapping[str, object]) -> str:
    """Return what stands below the cell."""
    page = read_served(notebook(*outputs), "application/x-ipynb+json")
    return page.text.removeprefix("```\nrun()\n```").strip()


def test_error_in_a_notebook() -> None:
    traceback = ["\x1b[0;31mValueError\x1b[0m", "  run()", "ValueError: low"]
    output = {"output_type": "error", "ename": "ValueError", "evalue": "low", "traceback": traceback}
    assert read_outputs(output) == "```\nValueError\n  run()\nValueError: low\n```"


def test_progress_bar_in_a_notebook() -> None:
    output = {"output_type": "stream", "name": "stderr", "text": ["10 %\r", "50 %\r100 %\n", "done\n"]}
    assert read_outputs(output) == "```\n100 %\ndone\n```"


def test_markdown_output_of_a_notebook() -> None:
    output = {"output_type": "display_data", "data": {"text/markdown": "**Low** water", "text/plain": "<Markdown>"}}
    assert read_outputs(output) == "**Low** water"


def test_widget_in_a_notebook_is_counted() -> None:
    output = {"output_type": "display_data", "data": {"application/vnd.jupyter.widget-view+json": {"model_id": "a"}}}
    page = read_served(notebook(output), "application/x-ipynb+json")
    assert "outputs_left_out" in [warning.code for warning in page.notices]


@pytest.mark.parametrize("body", ['{"nbformat": 4, "cells": 3}', '{"nbformat": 4, "cells": ' + "[" * 100_000, "[1]"])
def test_json_that_is_no_notebook_is_shown(body: str) -> None:
    page = read_served(body, "application/x-ipynb+json")
    assert page.text == f"```json\n{body}\n```"
    assert "unread_markup" in [warning.code for warning in page.notices]
