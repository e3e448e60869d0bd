"""Users of the assistant: the accounts whose rows a session of the store sees, and the rows that all users share.

A user is named by an account: `telegram:123` is the private chat with one person, `http:NAME` the caller with that key,
`owner` the terminal, the command line, and HTTP without keys. `group:telegram:-100` stands for a group chat: everybody
in it reads the answers, so it is a user of its own and sees nothing of its members.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from wellread.errors import ConfigError

if TYPE_CHECKING:
    from wellread.sections import AssistantSettings, ChannelSettings

OWNER: Final = "owner"
"""The account of whoever uses the terminal of this machine."""
GROUP: Final = "group:"
"""What the account of a group chat begins with."""
Shareable = Literal["knowledge", "tasks", "workspace", "skills", "mcp", "integrations"]
"""What users may have in common."""
SHAREABLE: Final[tuple[Shareable, ...]] = get_args(Shareable)


@dataclass(frozen=True, slots=True)
class User:
    """The accounts that rows are read and written for."""

    account: str
    """Written into the rows that this user makes."""
    accounts: tuple[str, ...]
    """Accounts of the same person: their rows are read as well."""
    shared: frozenset[Shareable] = frozenset()
    """What this user has in common with all other users."""

    @property
    def is_owner(self) -> bool:
        """Tell whether this is the person at the terminal, the owner of the settings and their keys."""
        return OWNER in self.accounts

    @property
    def is_group(self) -> bool:
        """Tell whether this is a group chat."""
        return self.account.startswith(GROUP)

    def may_use(self, kind: Shareable) -> bool:
        """Tell whether this user may use things of kind `kind` that belong to the owner of the settings."""
        return self.is_owner or kind in self.shared


class Users:
    """Finds the user of an account by the settings."""

    def __init__(self, assistant: AssistantSettings, channels: ChannelSettings) -> None:
        """Read the owner's accounts and the shared kinds from the settings.

        With no `assistant.owner`, the only account of `channels.users` is the owner's; of several, none is.

        Raises:
            ConfigError: `assistant.owner` names something other than an account, or `assistant.shared` something that
                cannot be shared.
        """
        accounts = assistant.owner
        if not accounts and len(set(channels.users)) == 1:
            accounts = channels.users
        for account in accounts:
            kind, _, name = account.partition(":")
            is_known = account in channels.users if kind != "http" else bool(name)
            if not is_known:
                raise ConfigError(
                    f"assistant.owner names {account[:80]!r}, which is not a user of the assistant",
                    hint="use accounts of channels.users, such as telegram:123, or http:NAME for a key of server.keys",
                )
        self._owner_accounts = (OWNER, *dict.fromkeys(accounts))
        self.shared = frozenset(word for word in SHAREABLE if word in assistant.shared)
        if unknown := [word for word in assistant.shared if word not in SHAREABLE]:
            raise ConfigError(
                f"assistant.shared names {unknown[0][:80]!r}, which cannot be shared",
                hint=f"use {', '.join(SHAREABLE)}",
            )

    @property
    def owner(self) -> User:
        """The person at the terminal."""
        return User(OWNER, self._owner_accounts, self.shared)

    def of(self, account: str) -> User:
        """Return the user of an account."""
        if account in self._owner_accounts:
            return User(account, self._owner_accounts, self.shared)
        if account.startswith(GROUP):
            return User(account, (account,))  # people who may not talk with the assistant read along
        return User(account, (account,), self.shared)


def privacy_text(user: User) -> str:
    """Return sentences for a user on the readers of their messages."""
    if user.is_group:
        return (
            "Everybody in this group can read my answers. I do not use here what you told me in "
            "private, and what is said here stays in this group."
        )
    rule = "Only you can see what you tell me, send me and plan with me."
    if user.is_owner:
        rule = "You are the owner: I also know at the terminal what you tell me here."
    if not user.shared:
        return rule
    return f"{rule} All users share: {', '.join(name for name in SHAREABLE if name in user.shared)}."
