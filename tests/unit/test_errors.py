"""Errors answer the caller's question, and survive the trip between threads and processes."""

from __future__ import annotations

import copy
import pickle
import traceback

import pytest

from wellread import errors
from wellread.errors import (
    BlockedAddress,
    ConfigError,
    PluginError,
    RateLimited,
    RefusedError,
    UnavailableError,
    UnreadableError,
    Upstream,
    WellreadError,
)

EVERY = [error for error in vars(errors).values() if isinstance(error, type) and issubclass(error, WellreadError)]


@pytest.mark.parametrize("kind", EVERY)
def test_an_error_is_its_sentence(kind: type[WellreadError]) -> None:
    error = kind("the pond is frozen", url="https://pond.example/")
    assert str(error) == error.message == "the pond is frozen"
    assert error.url == "https://pond.example/"
    assert error.hint == kind.default_hint


@pytest.mark.parametrize("kind", EVERY)
def test_a_hint_given_replaces_the_usual_one(kind: type[WellreadError]) -> None:
    assert kind("no", hint="bring skates").hint == "bring skates"
    assert kind("no", hint="").hint == ""


@pytest.mark.parametrize("kind", EVERY)
def test_an_error_survives_copying_and_pickling(kind: type[WellreadError]) -> None:
    error = kind("no", url="https://pond.example/", hint="wait")
    for twin in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert type(twin) is kind
        assert vars(twin) == vars(error)


@pytest.mark.parametrize("kind", EVERY)
def test_only_what_is_unavailable_is_worth_a_retry(kind: type[WellreadError]) -> None:
    if kind("no").retryable:
        assert issubclass(kind, UnavailableError)


@pytest.mark.parametrize("branch", [ConfigError, PluginError, RefusedError, UnavailableError, UnreadableError])
def test_catching_the_base_catches_every_branch(branch: type[WellreadError]) -> None:
    with pytest.raises(WellreadError):
        raise branch("no")


def test_a_traceback_has_the_hint_once() -> None:
    error = pickle.loads(pickle.dumps(BlockedAddress("10.0.0.1 is not a public address")))
    lines = traceback.format_exception_only(error)
    assert lines[1:] == ["Hint: to allow a private address, set net.allow_hosts=HOST:PORT\n"]


def test_rate_limited_says_when_to_come_back() -> None:
    assert RateLimited("slow down", retry_after_s=30).hint == "try again in 30 s"
    assert RateLimited("slow down", retry_after_s=30, hint="ask less").hint == "ask less"
    assert RateLimited("slow down").retry_after_s is None


@pytest.mark.parametrize(
    ("status", "retryable"),
    [(None, True), (500, True), (503, True), (408, True), (425, True), (403, False), (418, False)],
)
def test_upstream_failures_that_may_be_retried(status: int | None, *, retryable: bool) -> None:
    error = Upstream("it failed", status=status)
    assert (error.status, error.retryable) == (status, retryable)
