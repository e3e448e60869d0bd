"""One service's access: granted by the user with a link, renewed when it expires, reported when it is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
from authlib.oauth2.rfc7009 import prepare_revoke_token_request

from wellread.assistant.integrations.oauth import flow
from wellread.assistant.integrations.oauth.flow import OAuthTokens, PendingLink
from wellread.assistant.integrations.service_client import FORM, ServiceRequest
from wellread.errors import Auth, ConfigError, InvalidInput, WellreadError
from wellread.net.background_tasks import SharedContext
from wellread.net.oauth_callback import listen_for_callback

if TYPE_CHECKING:
    from wellread.assistant.integrations.oauth.flow import AuthorizationServer
    from wellread.assistant.integrations.service_client import ServiceClient, ServiceResponse
    from wellread.assistant.integrations.vault import TokenVault
    from wellread.ports import Clock


class Grant:
    """The user's grant for one service, stored in the vault under `name`."""

    def __init__(
        self, name: str, authority: AuthorizationServer, vault: TokenVault, client: ServiceClient, clock: Clock
    ) -> None:
        """Take the parts; nothing is read or sent yet."""
        self.name = name
        self.authority = authority
        self.settled = anyio.Event()
        """Set when the user has come back from the latest link, with a yes or a no."""
        self.refused: WellreadError | None = None
        """Why no access came of it."""
        self.port = 0
        """Where the browser comes back to; 0 takes any port that is free."""
        self._vault = vault
        self._client = client
        self._clock = clock
        self._renewing = anyio.Lock()
        self._callback: SharedContext[str] | None = None
        self._offered = ("", 0)

    async def link(self) -> str:
        """Return a link for the user to open, and listen for the browser's redirect.

        A link that was given out a moment ago is given again: the user may just be opening it.

        Raises:
            ConfigError: no port can be had.
        """
        link, again_until_ms = self._offered
        listens = self._callback is not None and not self._callback.ended.is_set() and not self.settled.is_set()
        if listens and self._clock.now_ms() < again_until_ms and await self._vault.get(self._waits):
            return link
        await self.aclose()
        self.settled, self.refused = anyio.Event(), None
        self._callback = SharedContext(
            listen_for_callback(self._back, f"/{self.name}", self.port), idle_s=flow.LINK_LIFETIME_MS / 1_000
        )
        link, pending = flow.authorization_link(self.authority, await self._callback.open(), self._clock.now_ms())
        await self._vault.put(self._waits, flow.to_json(pending))
        self._offered = (link, pending.until_ms - flow.LINK_LIFETIME_MS // 2)
        return link

    async def finish(self, redirected: str) -> tuple[str, ...]:
        """Take the address that the user's browser was redirected to; return the scopes that were not granted.

        Raises:
            InvalidInput, Consent, Auth, UnavailableError: access was not granted.
        """
        stored = await self._vault.get(self._waits)
        pending = PendingLink(**stored) if stored else None
        try:
            granted = flow.authorization_code(redirected, pending, self._clock.now_ms())
            tokens = await self._exchanged(granted, pending)
        except InvalidInput:  # not the answer that is waited for: it may still come
            raise
        except WellreadError as error:
            await self._vault.drop(self._waits)
            self.refused = error
            self.settled.set()
            raise
        await self._vault.put(self.name, flow.to_json(tokens))
        self.settled.set()
        return tuple(scope for scope in self.authority.scopes if scope not in tokens.scopes)

    async def _exchanged(self, granted: str, pending: PendingLink | None) -> OAuthTokens:
        if pending is None or not await self._vault.drop(self._waits):
            raise InvalidInput(flow.LINK_EXPIRED, hint="open a new link")
        response = await self._ask(flow.exchange_form(self.authority, granted, pending), reads=False)
        return flow.read_tokens(response, None, self.authority, self._clock.now_ms())

    async def token(self, refused: str = "") -> str:
        """Return a valid access token other than `refused`; of several concurrent calls, one renews it.

        Raises:
            Auth: the user has to grant access; its hint holds a link.
            UnavailableError: the service does not answer.
        """
        async with self._renewing:
            tokens = await self.granted()
            if tokens is None:
                raise await self.lost(f"{self.name} is not connected")
            if tokens.access == refused or not tokens.lasts(self._clock.now_ms()):
                tokens = await self._renewed(tokens)
            return tokens.access

    async def granted(self) -> OAuthTokens | None:
        """Return the stored tokens.

        Raises:
            Auth: it cannot be decrypted.
        """
        stored = await self._vault.get(self.name)
        if stored is None:
            return None
        return OAuthTokens.read(stored)

    async def lost(self, why: str) -> Auth:
        """Return the error that asks the user to connect, with a link where one can be made."""
        try:
            link = await self.link()
        except ConfigError as error:
            return Auth(why, hint=f"run `wellread connect {self.name}` ({error.message})")
        return Auth(
            why,
            hint=f"send the user this link to connect {self.name}: {link} - if the browser ends at a page that cannot "
            f"be reached, {self.name}_connect takes the address of that page as redirect_url",
        )

    async def revoke(self) -> bool:
        """Revoke the access, and delete the tokens; False where the service did not confirm.

        Raises:
            Unreachable: the service does not answer. What was kept here is gone all the same.
        """
        try:
            tokens = await self.granted()
        finally:
            await self._vault.drop(self.name)
            await self._vault.drop(self._waits)
        if tokens is None:
            return False
        body, headers = prepare_revoke_token_request(tokens.refresh)
        request = ServiceRequest(method="POST", url=self.authority.revoke_url, headers=headers, body=body.encode())
        response = await self._client.send(request, reads=True)
        # RFC 7009 section 2.2: a token that is over already is no failure; Google says 400 invalid_token.
        return response.status == 200 or response.json.get("error") == "invalid_token"

    async def aclose(self) -> None:
        """Stop listening."""
        callback, self._callback = self._callback, None
        if callback is not None:
            await callback.close()

    @property
    def _waits(self) -> str:
        return f"{self.name}.pending"

    async def _back(self, address: str) -> tuple[bool, str]:
        try:
            missing = await self.finish(address)
        except WellreadError as error:
            return False, f"wellread is not connected with {self.name}: {error.message}."
        message = f"wellread is connected with {self.name}."
        if missing:
            message += f" Not granted: {', '.join(missing)}."
        return True, f"{message} You can close this page."

    async def _renewed(self, tokens: OAuthTokens) -> OAuthTokens:
        try:
            response = await self._ask(flow.renewal_form(self.authority, tokens), reads=True)
            renewed = flow.read_tokens(response, tokens, self.authority, self._clock.now_ms())
        except WellreadError as error:
            if not flow.needs_new_grant(error):
                raise
            stored = await self.granted()
            if (
                stored is not None and stored != tokens
            ):  # another process was faster, with a token that may be used once
                return stored
            await self._vault.drop(self.name)
            raise await self.lost(f"{self.name}: {error.message}") from error
        await self._vault.put(self.name, flow.to_json(renewed))
        return renewed

    async def _ask(self, form: bytes, *, reads: bool) -> ServiceResponse:
        headers = {"Content-Type": FORM, "Accept": "application/json"}
        request = ServiceRequest(method="POST", url=self.authority.token_url, headers=headers, body=form)
        return await self._client.send(request, reads=reads)
