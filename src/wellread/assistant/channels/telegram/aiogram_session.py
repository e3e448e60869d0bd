"""An aiogram session over `net.endpoint_client`, in which nobody can log the token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import anyio
from aiogram.client.session.base import BaseSession
from aiogram.client.telegram import TelegramAPIServer
from aiogram.exceptions import TelegramNetworkError

from wellread.errors import TooLarge, UnavailableError, Upstream
from wellread.net.endpoint_client import HIDDEN_PATH_WORDS, EndpointError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from aiogram import Bot
    from aiogram.methods import TelegramMethod
    from aiogram.methods.base import TelegramType

    from wellread.assistant.channels.port import ChannelAccount

TOKEN_PLACEHOLDER = "hidden-token"  # noqa: S105 - stands for the token, and is none
"""Stands for the token in every URL until it is sent: the Bot API has it in the path."""
RESPONSE_TIMEOUT_S = 30.0
"""How long one answer may take."""


class TelegramSession(BaseSession):
    """Sends aiogram's requests, each once: the caller knows whether a retry is safe."""

    def __init__(self, account: ChannelAccount) -> None:
        """Take the account; the caller closes its client."""
        super().__init__(api=TelegramAPIServer.from_base(account.url), timeout=RESPONSE_TIMEOUT_S)
        self._http = account.http
        self._hidden = {HIDDEN_PATH_WORDS: {TOKEN_PLACEHOLDER: account.token.reveal()}}

    async def make_request(
        self,
        bot: Bot,
        method: TelegramMethod[TelegramType],
        timeout: int | None = None,  # noqa: ASYNC109 - as aiogram declares it
    ) -> TelegramType:
        """Send a method of the Bot API, and return its result; raises aiogram's errors."""
        url = self.api.api_url(token=TOKEN_PLACEHOLDER, method=method.__api_method__)
        parameters = method.model_dump(warnings=False)
        fields = {name: self.prepare_value(value, bot=bot, files={}) for name, value in parameters.items()}
        try:
            with anyio.fail_after(self.timeout if timeout is None else timeout):
                fields = {name: value for name, value in fields.items() if value is not None}
                answer = await self._http.post(url, data=fields, extensions=self._hidden)
        except TimeoutError as error:
            raise TelegramNetworkError(method=method, message="no answer in time") from error
        except EndpointError as error:
            raise TelegramNetworkError(method=method, message=str(error)) from error
        return cast(
            "TelegramType",
            self.check_response(bot=bot, method=method, status_code=answer.status_code, content=answer.text).result,
        )

    async def file(self, path: str, max_bytes: int) -> bytes:
        """Return the content of a file whose path `getFile` gave.

        Raises:
            TooLarge: it has more than `max_bytes`.
            UnavailableError: it does not come.
        """
        body = bytearray()
        try:
            async for piece in self.stream_content(self.api.file_url(TOKEN_PLACEHOLDER, path)):
                body += piece
                if len(body) > max_bytes:
                    raise TooLarge(f"the file has more than {max_bytes:,} bytes", hint="send a smaller file")
        except (EndpointError, TimeoutError) as error:
            raise UnavailableError(f"the file cannot be downloaded: {error}", hint="send it again") from error
        return bytes(body)

    async def stream_content(
        self,
        url: str,
        headers: dict[str, Any] | None = None,  # Any: as aiogram declares it
        timeout: int = 30,  # noqa: ASYNC109 - as aiogram declares it
        chunk_size: int = 65_536,
        raise_for_status: bool = True,  # noqa: FBT001, FBT002 - as aiogram declares it
    ) -> AsyncGenerator[bytes, None]:
        """Yield the pieces of a file."""
        token = self._hidden[HIDDEN_PATH_WORDS][TOKEN_PLACEHOLDER]
        safe = url.replace(token, TOKEN_PLACEHOLDER)
        with anyio.fail_after(timeout):
            async with self._http.stream("GET", safe, headers=headers, extensions=self._hidden) as answer:
                if raise_for_status and answer.status_code != 200:
                    raise Upstream("Telegram has no such file", status=answer.status_code)
                async for piece in answer.aiter_bytes(chunk_size):
                    yield piece

    async def close(self) -> None:
        """Leave the client open: its owner closes it."""
