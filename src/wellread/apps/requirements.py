"""What the assistant and its channels need of the settings before they start; all that is missing is told at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread import plugins
from wellread.apps.extras import missing
from wellread.assistant.models.endpoints import endpoint
from wellread.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.config import Settings


def roles(settings: Settings) -> dict[str, list[str]]:
    """Return the models of each role in the order in which they are asked; a role without any is left out.

    Raises:
        ConfigError: there is no chat model.
    """
    said = settings.models
    if not said.chat:
        raise ConfigError(
            "there is no language model", hint="set models.chat, as anthropic:MODEL, openai:MODEL or ollama:MODEL"
        )
    chosen = {"chat": said.chat, "action": said.action or said.chat, "intent": said.intent}
    return {role: list(dict.fromkeys((name, *said.fallback))) for role, name in chosen.items() if name}


def check_chat(settings: Settings) -> None:
    """See that there is somebody to talk with, before the libraries for it are loaded.

    Raises:
        ConfigError: the extra is missing, or there is no chat model, or none of that name, or no key for one.
    """
    if lacks := missing("assistant"):
        raise ConfigError(f"{', '.join(lacks)} missing", hint="pip install 'wellread[assistant]'")
    for name in dict.fromkeys(name for names in roles(settings).values() for name in names):
        endpoint(name, settings.models)


def users(settings: Settings, name: str) -> frozenset[str]:
    """Return the ids of those who may talk in a channel."""
    prefix = f"{name}:"
    return frozenset(user.removeprefix(prefix) for user in settings.channels.users if user.startswith(prefix))


def check_channels(settings: Settings) -> None:
    """See that what is said of channels fits together; to have none is allowed.

    Raises:
        ConfigError: a channel that is not installed, or one in which nobody may talk.
    """
    _refuse(list(_of_channels(settings)))


def check_bot(settings: Settings) -> None:
    """See that `wellread bot` can start, before anything is opened.

    Raises:
        ConfigError: an extra is missing, or there is no language model, no channel, or nobody who may talk in one.
    """
    _refuse(list(_of_bot(settings)))


def _of_bot(settings: Settings) -> Iterator[ConfigError]:
    # A token tells that the channel is wanted, and then so is what it is made of.
    wanted = ["assistant", "server", *(["telegram"] if "telegram" in settings.channels.tokens else [])]
    if lacks := [extra for extra in wanted if missing(extra)]:
        names = ", ".join(name for extra in lacks for name in missing(extra))
        yield ConfigError(f"{names} missing", hint=f"pip install 'wellread[{','.join(wanted)}]'")
    try:
        roles(settings)
    except ConfigError as error:
        yield error
    if not settings.channels.tokens:
        yield ConfigError(
            "there is no channel to open", hint="set channels.tokens and channels.users; docs/telegram.md"
        )
    yield from _of_channels(settings)


def _of_channels(settings: Settings) -> Iterator[ConfigError]:
    known, said = plugins.names("channels"), settings.channels
    named = (*said.tokens, *said.urls, *said.hooks, *(user.partition(":")[0] for user in said.users))
    for name in dict.fromkeys(named):
        if name not in known:
            yield ConfigError(f"there is no channel {name!r}", hint=f"known: {', '.join(known)}")
        elif name in said.tokens and not users(settings, name):
            yield ConfigError(f"nobody may talk in {name}", hint=f"set channels.users to {name}:ID, with your own id")


def _refuse(wrong: Sequence[ConfigError]) -> None:
    if len(wrong) == 1:
        raise wrong[0]
    if wrong:
        hints = dict.fromkeys(error.hint for error in wrong if error.hint)
        raise ConfigError("; ".join(error.message for error in wrong), hint="; ".join(hints))
