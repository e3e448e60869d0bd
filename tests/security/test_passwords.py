"""A password that was put into a URL is not repeated by whoever refuses that URL."""

from __future__ import annotations

import pytest

from wellread.errors import RefusedError, without_password
from wellread.net import guard


@pytest.mark.parametrize(
    "url",
    [
        "https://anna:hunter2@example.com/",
        "https://anna:hunter2/x@example.com/",
        "https://anna:hunter2?@example.com/",
        "https://anna:hunter2#@example.com/",
        "https://anna:hunter2\\@example.com/",
        "https://anna:hun@hunter2@example.com/",
        "ftp://anna:hunter2@example.com/",
        "anna:hunter2@example.com/",
        "https://anna:hunter2@exa mple.com/",
        "https://hunter2@example.com:99999/",
    ],
)
def test_a_password_in_a_refused_url_is_not_repeated(url: str) -> None:
    with pytest.raises(RefusedError) as caught:
        guard.check_url(url, guard.Policy())
    told = f"{caught.value.message} {caught.value.url} {caught.value.hint} {caught.value!r}"
    assert "hunter2" not in told
    assert "example.com" in told or "exa mple" in told


def test_an_at_sign_in_a_path_is_no_password() -> None:
    assert without_password("https://example.com:8080/@anna/x") == "https://example.com:8080/@anna/x"
