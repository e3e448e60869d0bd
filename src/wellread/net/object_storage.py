"""Object storage: S3, Google Cloud Storage, and repositories of Hugging Face. The only user of obstore and fsspec.

Only the servers of `objects.urls`, or the services' own, are asked, with the keys of `objects.keys`. Without keys,
requests are not signed, and no other place is searched for keys.
"""

from __future__ import annotations

from contextlib import contextmanager
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from wellread.config import disable_usage_reports
from wellread.errors import Auth, ConfigError, Gone, InvalidUrl, PluginError, Unreachable, WellreadError, reason_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from huggingface_hub import HfFileSystem
    from obstore import Bytes
    from obstore.store import ObjectStore

    from wellread.sections import ObjectSettings

_INSTALL: Final = "pip install 'wellread[objects]'"
_GONE: Final = "check the bucket and the key; end the URL of a folder with /"
_PIECE_BYTES: Final = 1 << 25
_TIMEOUT: Final = timedelta(seconds=120)
"""For one request, its body included."""
_RETRIES: Final[Any] = {"max_retries": 4, "retry_timeout": timedelta(seconds=60)}  # Any: obstore's own types
_REFUSALS: Final = frozenset({"PermissionDeniedError", "UnauthenticatedError", "GatedRepoError", "PermissionError"})
"""Errors of the libraries, by their names: they are loaded only where they are used."""
_OTHER_REGION: Final = ("incorrectly configured region", "AuthorizationHeaderMalformed")
"""In the messages of obstore, if a bucket is in another region: of a redirect without a place, and of a signature."""
_HUGGING_FACE: Final = "https://huggingface.co"


class ObjectStorage:
    """Reads and writes whole objects; all methods block."""

    def __init__(self, settings: ObjectSettings) -> None:
        """Take the settings; nothing is connected yet."""
        self._settings = settings
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

    def download(self, url: str, to: Path) -> Path:
        """Copy an object into the file `to`, and return it.

        Raises:
            WellreadError: the object cannot be read; `Gone` if there is none.
        """
        scheme, bucket, key = _parts(url)
        with _errors(url):
            if scheme == "hf":
                with self._hugging_face().open(f"{bucket}/{key}", "rb") as source:
                    return self._write(iter(partial(source.read, _PIECE_BYTES), b""), to)
            return self._write(_pieces(self._store(scheme, bucket), key), to)

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
                self._hugging_face().put_file(str(file), f"{bucket}/{key}")
            else:
                self._store(scheme, bucket).put(key, file)

    def _store(self, scheme: str, bucket: str) -> ObjectStore:
        try:
            from obstore.store import GCSStore, S3Store
        except ModuleNotFoundError as error:
            raise _not_installed(scheme, "obstore") from error
        client_options: Any = {"timeout": _TIMEOUT}  # Any: obstore's types name every option
        if scheme == "gs":
            return GCSStore(bucket, config=self._google(), client_options=client_options, retry_config=_RETRIES)
        config = self._s3()
        client_options["allow_http"] = config["endpoint"].startswith("http://")
        return S3Store(bucket, config=config, client_options=client_options, retry_config=_RETRIES)

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
        key = self._settings.keys.get("gs_service_account")
        if key is None:
            return {"skip_signature": True}
        return {"service_account_key": key.reveal()}

    def _endpoint(self, scheme: str) -> str:
        """Return the address that the owner set for a scheme; empty without one."""
        url = self._settings.urls.get(scheme)
        if url is None:
            return ""
        return url.reveal()

    def _hugging_face(self) -> HfFileSystem:
        disable_usage_reports()  # the library reads the variable when it is loaded
        try:
            from huggingface_hub import HfFileSystem
        except ModuleNotFoundError as error:
            raise _not_installed("hf", "huggingface-hub") from error
        token = self._settings.keys.get("hf")
        return HfFileSystem(
            endpoint=self._endpoint("hf") or _HUGGING_FACE,
            token=False if token is None else token.reveal(),
            skip_instance_cache=True,
        )


def _pieces(store: ObjectStore, key: str) -> Iterator[Bytes]:
    """Yield an object in ranges, each a request with its own timeout and retries, of one version of the object."""
    meta = store.head(key)
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
            raise Gone(f"{url} does not exist", url=url, hint=_GONE) from error
        if type(error).__name__ in _REFUSALS:
            hint = "set objects.keys: s3_key_id and s3_secret, gs_service_account, or hf"
            raise Auth(f"{url} may not be read or written with these keys", url=url, hint=hint) from error
        hint = Unreachable.default_hint
        if any(text in str(error) for text in _OTHER_REGION):
            hint = "set objects.region to the region of the bucket"
        raise Unreachable(f"{url} cannot be read or written: {reason_line(error)}", url=url, hint=hint) from error
