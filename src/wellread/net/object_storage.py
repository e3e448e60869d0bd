"""Object storage: S3, Google Cloud Storage, and repositories of Hugging Face. The only user of obstore and fsspec.

The servers of `objects.urls`, or the services' own, are asked, with the keys of `objects.keys`. Without keys,
requests are not signed. Redirects of these servers are followed to any address: obstore has no option against it, and
Hugging Face redirects to where its files are. The variables in which the libraries look for servers, proxies and keys
are hidden from them.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import quote, urlsplit

from wellread.config import disable_usage_reports, without_library_variables
from wellread.errors import (
    Auth,
    ConfigError,
    Gone,
    InvalidUrl,
    PluginError,
    TooLarge,
    Unreachable,
    WellreadError,
    reason_line,
    without_password,
)
from wellread.net.tls import trust
from wellread.net.upstream_proxy import host_and_port, read_routes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from huggingface_hub import HfFileSystem
    from obstore import Bytes, ObjectMeta
    from obstore.store import ObjectStore

    from wellread.config import NetSettings
    from wellread.net.upstream_proxy import UpstreamProxy
    from wellread.sections import ObjectSettings

_INSTALL: Final = "pip install 'wellread[objects]'"
_PROXY_HINT: Final = "name an HTTP proxy for its host in net.proxies, or `direct`"
_URL: Final = re.compile(r"\w+://\S+")
_GONE: Final = "check the bucket and the key; end the URL of a folder with /"
_GONE_REPOSITORY: Final = "check the path; a private repository needs the token hf in objects.keys"
_PIECE_BYTES: Final = 1 << 25
_TIMEOUT: Final = timedelta(seconds=120)
"""For one request, its body included."""
_RETRIES: Final[Any] = {"max_retries": 4, "retry_timeout": timedelta(seconds=60)}  # Any: obstore's own types
_REFUSALS: Final = frozenset({"PermissionDeniedError", "UnauthenticatedError", "GatedRepoError", "PermissionError"})
"""Errors of the libraries, by their names: they are loaded only where they are used."""
_GOOGLE: Final = "https://storage.googleapis.com"
_OTHER_REGION: Final = ("incorrectly configured region", "AuthorizationHeaderMalformed")
"""In the messages of obstore, if a bucket is in another region: of a redirect without a place, and of a signature."""
_HUGGING_FACE: Final = "https://huggingface.co"


class ObjectStorage:
    """Reads and writes whole objects; all methods block."""

    def __init__(self, settings: ObjectSettings, net: NetSettings) -> None:
        """Take the settings, those of the proxies among them; nothing is connected yet."""
        self._settings = settings
        self._net = net
        self._has_hub_client = False
        self._is_closed = False

    def close(self) -> None:
        """End the transfers of other threads at their next piece."""
        self._is_closed = True

    def names(self, folder_url: str) -> list[str]:
        """Return the URLs of the objects below a folder, sorted.

        Raises:
            WellreadError: the folder cannot be listed.
        """
        scheme, bucket, key = _parts(folder_url)
        with _errors(folder_url):
            if scheme == "hf":
                names = self._hugging_face().find(f"{bucket}/{key}")
                return sorted(f"hf://{name}" for name in names)
            paths = [meta["path"] for chunk in self._store(scheme, bucket).list(key or None) for meta in chunk]
            return sorted(f"{scheme}://{bucket}/{path}" for path in paths)

    def download(self, url: str, to: Path, max_bytes: int, *, limit_hint: str) -> Path:
        """Copy an object into the file `to`, and return it.

        Raises:
            WellreadError: the object cannot be read; `Gone` if there is none, `TooLarge` with the hint `limit_hint` if
                it is longer.
        """
        scheme, bucket, key = _parts(url)
        with _errors(url):
            if scheme == "hf":
                files = self._hugging_face()
                with files.open(self._pinned(files, f"{bucket}/{key}"), "rb") as source:
                    _check_size(url, source.size, max_bytes, limit_hint)
                    return self._write(iter(partial(source.read, _PIECE_BYTES), b""), to)
            store = self._store(scheme, bucket)
            meta = store.head(key)
            _check_size(url, meta["size"], max_bytes, limit_hint)
            return self._write(_pieces(store, key, meta), to)

    def _write(self, pieces: Iterable[Bytes | bytes], to: Path) -> Path:
        with to.open("wb") as file:
            for piece in pieces:
                if self._is_closed:
                    raise InterruptedError("the transfer was ended")
                file.write(piece)
        return to

    def upload(self, file: Path, url: str) -> None:
        """Write the object of this URL, or replace it; it is whole or not there.

        Raises:
            WellreadError: the object cannot be written.
        """
        scheme, bucket, key = _parts(url)
        with _errors(url):
            if scheme == "hf":
                self._commit(file, f"{bucket}/{key}")
            else:
                self._store(scheme, bucket).put(key, file)

    def _commit(self, file: Path, path: str) -> None:
        """Write a file of a repository of Hugging Face."""
        files = self._hugging_face()
        from huggingface_hub import HfApi
        from huggingface_hub.hf_file_system import HfFileSystemResolvedBucketPath

        place = files.resolve_path(path)
        if isinstance(place, HfFileSystemResolvedBucketPath):
            raise InvalidUrl("buckets of Hugging Face cannot be written", hint="use hf://datasets/owner/name/file")
        HfApi(endpoint=files.endpoint, token=self._hub_token()).upload_file(
            path_or_fileobj=file,
            path_in_repo=place.path_in_repo,
            repo_id=place.repo_id,
            repo_type=place.repo_type,
            revision=place.revision,
        )

    def _pinned(self, files: HfFileSystem, path: str) -> str:
        """Return the path of a file at the newest commit of its revision, so that all its ranges are of one commit.

        A file of one range, and a file of a bucket, which has no commits, keep their path.
        """
        from huggingface_hub import HfApi
        from huggingface_hub.hf_file_system import HfFileSystemResolvedRepositoryPath

        if files.size(path) <= _PIECE_BYTES:
            return path
        place = files.resolve_path(path)
        if not isinstance(place, HfFileSystemResolvedRepositoryPath):
            return path
        repository = HfApi(endpoint=files.endpoint, token=self._hub_token()).repo_info(
            place.repo_id, repo_type=place.repo_type, revision=place.revision
        )
        commit = repository.sha or place.revision
        return HfFileSystemResolvedRepositoryPath(
            place.repo_type, place.repo_id, commit, place.path_in_repo
        ).unresolve()

    def _store(self, scheme: str, bucket: str) -> ObjectStore:
        try:
            from obstore.store import GCSStore, S3Store
        except ModuleNotFoundError as error:
            raise _not_installed(scheme, "obstore") from error
        client_options: Any = {"timeout": _TIMEOUT}  # Any: obstore's types name every option
        if scheme == "gs":
            config = self._google()
            server = self._endpoint("gs") or _GOOGLE
        else:
            config = self._s3()
            server = config["endpoint"]
        client_options |= self._proxy_option(server)
        client_options["allow_http"] = server.startswith("http://")
        with without_library_variables():
            if scheme == "gs":
                return GCSStore(bucket, config=config, client_options=client_options, retry_config=_RETRIES)
            return S3Store(bucket, config=config, client_options=client_options, retry_config=_RETRIES)

    def _proxy(self, server: str) -> UpstreamProxy | None:
        """Return the proxy of the settings for the URL of a server."""
        try:
            parts = urlsplit(server)
            port = parts.port or {"http": 80}.get(parts.scheme, 443)
        except ValueError:
            raise ConfigError("objects.urls has an entry that is no URL", hint="use https://host:port") from None
        return read_routes(self._net).proxy_for(parts.scheme, parts.hostname or "", port)

    def _proxy_option(self, server: str) -> dict[str, str]:
        proxy = self._proxy(server)
        if proxy is None:
            return {}
        if proxy.speaks_socks:
            raise ConfigError("object storage cannot be reached through a SOCKS proxy", hint=_PROXY_HINT)
        authority = host_and_port(proxy.host, proxy.port)
        if proxy.username:
            authority = f"{quote(proxy.username, '')}:{quote(proxy.password, '')}@{authority}"
        return {"proxy_url": f"{proxy.scheme}://{authority}"}

    def _s3(self) -> Any:  # Any: as above
        keys, region = self._settings.keys, self._settings.region
        endpoint = self._endpoint("s3") or f"https://s3.{region}.amazonaws.com"
        config = {"endpoint": endpoint, "region": region, "virtual_hosted_style_request": False}
        if ("s3_key_id" in keys) is not ("s3_secret" in keys):
            raise ConfigError("objects.keys has only one of s3_key_id and s3_secret", hint="set both, or none")
        if "s3_secret" not in keys:
            return {**config, "skip_signature": True}
        names = {"s3_key_id": "access_key_id", "s3_secret": "secret_access_key", "s3_session_token": "session_token"}
        return {**config, **{option: keys[name].reveal() for name, option in names.items() if name in keys}}

    def _google(self) -> Any:  # Any: as above
        endpoint, key = self._endpoint("gs"), self._settings.keys.get("gs_service_account")
        config: dict[str, object] = {"base_url": endpoint} if endpoint else {}
        if key is None:
            return {**config, "skip_signature": True}
        return {**config, "service_account_key": key.reveal()}

    def _endpoint(self, scheme: str) -> str:
        """Return the address that the owner set for a scheme; empty without one."""
        url = self._settings.urls.get(scheme)
        if url is None:
            return ""
        return url.reveal()

    def _hugging_face(self) -> HfFileSystem:
        """Return the file system of all repositories, prepared for this package's client and settings."""
        disable_usage_reports()  # the library reads the variable when it is loaded
        try:
            from huggingface_hub import HfFileSystem
        except ModuleNotFoundError as error:
            raise _not_installed("hf", "huggingface-hub") from error
        endpoint = self._endpoint("hf") or _HUGGING_FACE
        if self._proxy(endpoint) is not None:
            hint = "name its host in net.proxies as `direct`"
            raise ConfigError("repositories of Hugging Face cannot be reached through a proxy", hint=hint)
        self._set_hub_client()
        return HfFileSystem(endpoint=endpoint, token=self._hub_token(), skip_instance_cache=True)

    def _hub_token(self) -> str | Literal[False]:
        """Return the token of the settings; False keeps the library from looking for another one."""
        token = self._settings.keys.get("hf")
        return False if token is None else token.reveal()

    def _set_hub_client(self) -> None:
        """Replace the client of the library, which reads the variables of proxies and .netrc.

        hf-xet is another client, which reads them at its first use and knows no `net.ca_file`; it is not used.
        """
        import httpx2
        from huggingface_hub import constants, set_client_factory
        from huggingface_hub.utils.tqdm import disable_progress_bars

        if self._has_hub_client:
            return
        constants.HF_HUB_DISABLE_XET = True
        disable_progress_bars()
        tls = trust(self._net.ca_file)
        set_client_factory(partial(httpx2.Client, verify=tls, trust_env=False, follow_redirects=True, timeout=None))
        self._has_hub_client = True


def _check_size(url: str, size: int, max_bytes: int, hint: str) -> None:
    """Raise TooLarge for an object of more than `max_bytes`."""
    if size > max_bytes:
        raise TooLarge(f"{url} has {size:,} bytes", url=url, hint=hint, limit_bytes=max_bytes)


def _pieces(store: ObjectStore, key: str, meta: ObjectMeta) -> Iterator[Bytes]:
    """Yield an object in ranges, each a request with its own timeout and retries, of one version of the object."""
    for start in range(0, meta["size"], _PIECE_BYTES):
        end = min(start + _PIECE_BYTES, meta["size"])
        options: Any = {"range": (start, end)}  # Any: as above
        if meta["e_tag"]:
            options["if_match"] = meta["e_tag"]
        yield store.get(key, options=options).bytes()


def _parts(url: str) -> tuple[str, str, str]:
    """Return the scheme, the bucket, and the key in it."""
    scheme, _, path = url.partition("://")
    bucket, _, key = path.partition("/")
    if not bucket:
        raise InvalidUrl(f"{url} names no bucket", url=url, hint="use a URL such as s3://bucket/crawl.warc.gz")
    return scheme.lower(), bucket, key


def _not_installed(scheme: str, package: str) -> PluginError:
    return PluginError(f"{scheme}:// needs the package {package}, which is not installed", hint=_INSTALL)


@contextmanager
def _errors(url: str) -> Iterator[None]:
    """Turn the errors of the libraries into errors of this package."""
    try:
        yield
    except (WellreadError, MemoryError):
        raise
    except Exception as error:  # obstore, huggingface_hub and their HTTP libraries share no base
        if isinstance(error, FileNotFoundError) or type(error).__name__ == "NotFoundError":
            hint = _GONE_REPOSITORY if url.startswith("hf://") else _GONE
            raise Gone(f"{url} does not exist", url=url, hint=hint) from error
        if type(error).__name__ in _REFUSALS:
            hint = "set objects.keys: s3_key_id and s3_secret, gs_service_account, or hf"
            raise Auth(f"{url} may not be read or written with these keys", url=url, hint=hint) from error
        hint = Unreachable.default_hint
        if any(text in str(error) for text in _OTHER_REGION):
            hint = "set objects.region to the region of the bucket"
        raise Unreachable(f"{url} cannot be read or written: {_reason(error)}", url=url, hint=hint) from error


def _reason(error: Exception) -> str:
    """Return the first line of an error, without the user names, passwords and queries of its URLs."""
    text = str(error) or type(error).__name__
    return reason_line(RuntimeError(_URL.sub(lambda match: without_password(match[0]).partition("?")[0], text)))
