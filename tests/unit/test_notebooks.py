"""Jupyter notebooks: cells and their outputs, without the data of pictures."""

from __future__ import annotations

import json

import pytest

from unit.served import read_served

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


@pytest.mark.xfail(strict=True, reason="a notebook is printed as JSON")
@pytest.mark.parametrize("notebook", [NBFORMAT_4, NBFORMAT_3], ids=["nbformat 4", "nbformat 3"])
@pytest.mark.parametrize(("content_type", "name"), [("application/x-ipynb+json", "file"), ("text/plain", "a.ipynb")])
def test_notebook(notebook: dict[str, object], content_type: str, name: str) -> None:
    page = read_served(json.dumps(notebook), content_type, name)
    assert page.text.startswith("# Tides")
    assert "```julia\nlow_water()\n```\n\n```\n0.4 m\n```\n\n| port | low |" in page.text
    assert "AAAA" not in page.text
    assert [warning.count for warning in page.warnings if warning.code == "pictures_left_out"] == [1]
