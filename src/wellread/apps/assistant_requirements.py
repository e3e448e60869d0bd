"""Settings that the assistant and its channels need before they start; all that are missing are reported at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread import plugins
from wellread.apps.extras import missing
from wellread.assistant.models.model_endpoints import parse_endpoint
from wellread.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.config import Settings


def roles(settings: Settings) -> dict[str, list[str]]:
    """Return the models of each role, in the order in which they are tried; a role without any is left out.

    Raises:
        ConfigError: there is no chat model.
    """
    model_settings = settings.models
    if not model_settings.chat:
        raise ConfigError(
            "no language model is set", hint="set models.chat to anthropic:MODEL, openai:MODEL or ollama:MODEL"
        )
    models = {
        "chat": model_settings.chat,
        "action": model_settings.action or model_settings.chat,
        "intent": model_settings.intent,
    }
    return {role: list(dict.fromkeys((name, *model_settings.fallback))) for role, name in models.items() if name}


def check_chat(settings: Settings) -> None:
    """Check that there is a chat model, before the libraries for it are loaded.

    Raises:
        ConfigError: the extra is missing, or there is no chat model, or none of that name, or no key for one.
    """
    if lacks := missing("assistant"):
        raise ConfigError(f"{', '.join(lacks)} missing", hint="pip install 'wellread[assistant]'")
    for name in dict.fromkeys(name for names in roles(settings).values() for name in names):
        parse_endpoint(name, settings.models)


def users(settings: Settings, name: str) -> frozenset[str]:
    """Return the ids of the users of a channel."""
    prefix = f"{name}:"
    return frozenset(user.removeprefix(prefix) for user in settings.channels.users if user.startswith(prefix))


def check_channels(settings: Settings) -> None:
    """Check that the settings of channels fit together; no channel at all is allowed.

    Raises:
        ConfigError: a channel that is not installed, or one in which nobody may talk.
    """
    _refuse(list(_faults_of_channels(settings)))


def check_bot(settings: Settings) -> None:
    """Check that `wellread bot` can start, before anything is opened.

    Raises:
        ConfigError: an extra is missing, or there is no language model, no channel, or nobody who may talk in one.
    """
    _refuse(list(_faults_of_bot(settings)))


def _faults_of_bot(settings: Settings) -> Iterator[ConfigError]:
    # A token tells that the channel is wanted, and then so is what it is made of.
    extras = ["assistant", "server"]
    if "telegram" in settings.channels.tokens:
        extras.append("telegram")
    if lacks := [extra for extra in extras if missing(extra)]:
        names = ", ".join(name for extra in lacks for name in missing(extra))
        yield ConfigError(f"{names} missing", hint=f"pip install 'wellread[{','.join(extras)}]'")
    try:
        roles(settings)
    except ConfigError as error:
        yield error
    if not settings.channels.tokens:
        yield ConfigError("no channel is set", hint="set channels.tokens and channels.users (docs/telegram.md)")
    yield from _faults_of_channels(settings)


def _faults_of_channels(settings: Settings) -> Iterator[ConfigError]:
    installed, channel_settings = plugins.names("channels"), settings.channels
    configured = (
        *channel_settings.tokens,
        *channel_settings.urls,
        *channel_settings.hooks,
        *(user.partition(":")[0] for user in channel_settings.users),
    )
    for name in dict.fromkeys(configured):
        if name not in installed:
            yield ConfigError(f"there is no channel {name!r}", hint=f"known: {', '.join(installed)}")
        elif name in channel_settings.tokens and not users(settings, name):
            yield ConfigError(
                f"channels.users has no account of {name}", hint=f"add your account to channels.users, as {name}:ID"
            )


def _refuse(errors: Sequence[ConfigError]) -> None:
    if len(errors) == 1:
        raise errors[0]
    if errors:
        hints = dict.fromkeys(error.hint for error in errors if error.hint)
        raise ConfigError("; ".join(error.message for error in errors), hint="; ".join(hints))
