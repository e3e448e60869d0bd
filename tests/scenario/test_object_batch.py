"""`wellread extract` from and to object storage, at a fake S3."""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from contextlib import contextmanager
from hashlib import sha256
from io import BytesIO
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeVar

import pytest

import warm
from google_server import GoogleServer, service_account
from hub_server import TOKEN, HubServer
from object_server import KEY_ID, REGION, SECRET, ObjectServer
from sites import Answer, Asked, Site, serving
from wellread.apps import remote_inputs
from wellread.apps.remote_inputs import RemoteFiles
from wellread.config import NetSettings, Settings
from wellread.errors import Auth, ConfigError, Gone, TooLarge, Unreachable
from wellread.net import warc
from wellread.net.object_storage import ObjectStorage
from wellread.sections import ObjectSettings
from wellread.values import Address, Secret

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

pytest.importorskip("obstore")
SiteT = TypeVar("SiteT", bound=Site)
LIBRARY_VARIABLES = {
    "AWS_SESSION_TOKEN": "of-another-key",
    "AWS_SKIP_SIGNATURE": "true",
    "AWS_S3_EXPRESS": "true",
    "GOOGLE_APPLICATION_CREDENTIALS": "/absent.json",
    "GOOGLE_SERVICE_ACCOUNT": "/absent.json",
}
KEYS = {"s3_key_id": Secret(KEY_ID), "s3_secret": Secret(SECRET)}
OLD = {"source": "s3://tides/site/a b.html", "text": "x" * 6_000_000}
"""The page of an earlier run, long enough for an upload in two parts."""


def page(name: str) -> bytes:
    return f"<h1>Pool {name}</h1><p>The pool {name} lies dry at half past nine.</p>".encode()


def recording(*names: str) -> bytes:
    records = []
    for name in names:
        fields = (("WARC-Type", "response"), ("WARC-Target-URI", f"http://pools.example/{name}"))
        head = b"HTTP/1.1 200 OK\r\n\r\n"
        records.append(warc.record_bytes(fields, "application/http;msgtype=response", head, page(name), compress=True))
    return b"".join(records)


@pytest.fixture
def server() -> Iterator[ObjectServer]:
    objects = {
        "tides/site/a b.html": page("a"),
        "tides/site/inner/c.html.gz": gzip.compress(page("c")),
        "tides/site/logo.png": b"\x89PNG",
        "tides/site/pools.warc.gz": recording("d", "e"),
        "tides/other/f.html": page("f"),
        "tides/pages.jsonl": json.dumps(OLD).encode() + b"\n",
    }
    with running(ObjectServer(objects=objects, buckets_elsewhere=frozenset({"far"}))) as site:
        yield site


def extract(
    folder: Path,
    server: ObjectServer,
    *arguments: str,
    secret: str = SECRET,
    variables: Mapping[str, str] = MappingProxyType({}),
    sets: tuple[str, ...] = (),
) -> warm.Ended:
    settings = {
        "urls": json.dumps({"s3": server.url(""), "hf": server.url("")}),
        "region": REGION,
        "keys": json.dumps({"s3_key_id": KEY_ID, "s3_secret": secret}),
    }
    return run_extract(folder, settings, *arguments, variables=variables, sets=sets)


def run_extract(
    folder: Path,
    settings: Mapping[str, str],
    *arguments: str,
    variables: Mapping[str, str] = MappingProxyType({}),
    sets: tuple[str, ...] = (),
) -> warm.Ended:
    """Run the command with `settings` of the section `objects`."""
    options = [part for name, text in settings.items() for part in ("--set", f"objects.{name}={text}")]
    words = (*options, *sets, "extract", *arguments, "--jobs", "1")
    return warm.run(*words, home=folder, folder=folder, variables=variables)


@contextmanager
def running(site: SiteT) -> Iterator[SiteT]:
    server = serving(site)
    yield site
    server.shutdown()
    server.server_close()


def test_google_storage(tmp_path: Path) -> None:
    objects = {"tides/site/pools.warc.gz": recording("d"), "tides/site/a b.html": page("a"), "open/f.html": page("f")}
    with running(GoogleServer(objects=objects, public=frozenset({"open"}))) as server:
        urls, key = {"gs": server.url("")}, service_account()
        settings = {"urls": json.dumps(urls), "keys": json.dumps({"gs_service_account": key})}
        done = run_extract(tmp_path, settings, "gs://tides/site/", "--out", "gs://tides/pages.jsonl")
        unsigned = ObjectStorage(ObjectSettings(urls={"gs": Address(urls["gs"])}), NetSettings())
        assert unsigned.download("gs://open/f.html", tmp_path / "f", 1_000, limit_hint="").read_bytes() == page("f")
        with pytest.raises(Auth, match=r"gs://tides/a\.html") as refused:
            unsigned.download("gs://tides/a.html", tmp_path / "a", 1_000, limit_hint="")
    assert "gs_service_account" in refused.value.hint
    assert done.code == 0
    rows = [json.loads(line) for line in server.objects["tides/pages.jsonl"].splitlines()]
    assert {row["source"]: row["text"][-38:] for row in rows} == {
        "gs://tides/site/a b.html": "The pool a lies dry at half past nine.",
        "http://pools.example/d": "The pool d lies dry at half past nine.",
    }


def test_repository_of_hugging_face(tmp_path: Path) -> None:
    """A large file (Parquet) is read and written by LFS, a small one (JSONL) by the commit alone."""
    pytest.importorskip("huggingface_hub")
    parquet = pytest.importorskip("pyarrow.parquet")
    pools, folder = recording("d", "e"), "hf://datasets/tides/pools/site/"
    files = {"tides/pools/site/in/pools.warc.gz": pools, "tides/pools/x": b"x"}
    files |= {f"tides/pools/site/{name}.html": page(name) for name in "abc"}
    with running(HubServer(files=files, large={sha256(pools).hexdigest(): pools})) as server:
        settings = {"urls": json.dumps({"hf": server.url("")}), "keys": json.dumps({"hf": TOKEN})}
        runs = [
            run_extract(tmp_path, settings, folder, "--out", "hf://datasets/tides/pools/pages.parquet"),
            run_extract(tmp_path, settings, f"{folder}no.html", "--out", "hf://datasets/tides/pools/pages.jsonl"),
        ]
        stranger = ObjectStorage(ObjectSettings(urls={"hf": Address(server.url(""))}), NetSettings())
        with pytest.raises(Gone) as refused:
            stranger.names(folder)
    assert "token hf in objects.keys" in refused.value.hint
    rows = parquet.read_table(BytesIO(server.files["tides/pools/pages.parquet"])).to_pylist()
    pages = {f"{folder}{name}.html": name for name in "abc"} | {f"http://pools.example/{name}": name for name in "de"}
    assert {row["source"]: row["text"][-38:] for row in rows} == {
        source: f"The pool {name} lies dry at half past nine." for source, name in pages.items()
    }
    assert json.loads(server.files["tides/pools/pages.jsonl"])["error"]["code"] == "gone"
    assert ([run.code for run in runs], len(server.large)) == ([0, 1], 2)
    assert not any("%|" in run.err for run in runs), "no progress bar of the library"
    assert not any("xet" in path for path in server.paths())


class ChangedHub(HubServer):
    """Has a new commit of all files after each range that it answers."""

    def answer(self, asked: Asked) -> Answer:
        reply = super().answer(asked)
        if "Range" in asked.headers:
            self.commit({name: bytes(len(content)) for name, content in self.files.items()})
        return reply


@pytest.mark.parametrize("repository", ["tides/pools", "tides/pools@main"])
def test_ranges_of_one_commit(tmp_path: Path, repository: str) -> None:
    pytest.importorskip("huggingface_hub")
    content = b"half past nine. " * 4_000_000
    with running(ChangedHub(files={"tides/pools/tides.warc": content})) as server:
        urls, keys = {"hf": Address(server.url(""))}, {"hf": Secret(TOKEN)}
        storage = ObjectStorage(ObjectSettings(urls=urls, keys=keys), NetSettings())
        file = storage.download(
            f"hf://datasets/{repository}/tides.warc", tmp_path / "tides.warc", 1 << 30, limit_hint=""
        )
    assert sum("Range" in asked.headers for asked in server.asked) > 1
    assert file.read_bytes() == content


def test_folder_of_objects_into_an_object_continued(tmp_path: Path, server: ObjectServer) -> None:
    done = extract(tmp_path, server, "s3://tides/site/", "s3://tides/absent.html", "--out", "s3://tides/pages.jsonl")
    lines = server.objects["tides/pages.jsonl"].decode().splitlines()
    rows = {row["source"]: row for row in map(json.loads, lines)}
    absent = "s3://tides/absent.html"
    assert list(rows) == [
        *(OLD["source"], "s3://tides/site/inner/c.html.gz", "http://pools.example/d", "http://pools.example/e", absent)
    ]
    assert rows[OLD["source"]] == OLD
    names = {"s3://tides/site/inner/c.html.gz": "c", "http://pools.example/d": "d", "http://pools.example/e": "e"}
    assert all(f"The pool {name} lies dry" in rows[source]["text"] for source, name in names.items())
    assert (done.code, rows[absent]["error"]["code"]) == (1, "gone")
    assert "end the URL of a folder with /" in rows[absent]["error"]["hint"]
    assert "skipped 1 page that an earlier run wrote" in done.err
    assert len(server.uploads["upload-0"]) == 2
    assert not [asked for asked in server.asked if "a%20b.html" in asked.path and asked.method == "GET"]


@pytest.mark.parametrize(("bucket", "region"), [("far", REGION), ("tides", "eu-west-1")])
def test_other_region_of_a_bucket_is_named(server: ObjectServer, bucket: str, region: str) -> None:
    storage = ObjectStorage(
        ObjectSettings(region=region, urls={"s3": Address(server.url(""))}, keys=KEYS), NetSettings()
    )
    with pytest.raises(Unreachable) as caught:
        storage.names(f"s3://{bucket}/site/")
    assert caught.value.hint == "set objects.region to the region of the bucket"


def test_wrong_key_is_named_and_writes_nothing(tmp_path: Path, server: ObjectServer) -> None:
    before = dict(server.objects)
    arguments = ("s3://tides/other/f.html", "--out", "s3://tides/new.jsonl")
    done = extract(tmp_path, server, *arguments, secret="wrong-one")
    assert (done.code, server.objects) == (5, before)
    assert "auth: s3://tides/new.jsonl may not be read or written with these keys" in done.err
    assert "wrong-one" not in done.err


@pytest.fixture
def canary() -> Iterator[Site]:
    with running(Site()) as site:
        yield site


def test_libraries_get_no_variables(tmp_path: Path, server: ObjectServer, canary: Site) -> None:
    pytest.importorskip("huggingface_hub")
    names = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT", "HTTP_PROXY", "http_proxy", "all_proxy")
    variables = {**LIBRARY_VARIABLES, **dict.fromkeys(names, canary.url(""))}
    arguments = ("s3://tides/other/f.html", "hf://datasets/tides/pools/g.html")
    done = extract(tmp_path, server, *arguments, variables=variables)
    assert "The pool f lies dry" in done.out
    assert any("datasets/tides/pools" in path for path in server.paths())
    assert not any("X-Amz-Security-Token" in asked.headers for asked in server.asked)
    assert canary.paths() == []


def test_google_gets_no_variables_and_no_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = {"gcs_base_url": "http://127.0.0.1:1", "disable_oauth": True, "client_email": "", "private_key": ""}
    secret = Secret(json.dumps({**key, "private_key_id": ""}))
    credentials = tmp_path / ".config" / "gcloud" / "application_default_credentials.json"
    credentials.parent.mkdir(parents=True)
    credentials.write_text("of another program", encoding="utf-8")
    for name, text in {**LIBRARY_VARIABLES, "HOME": str(tmp_path)}.items():
        monkeypatch.setenv(name, text)
    storage = ObjectStorage(ObjectSettings(keys={"gs_service_account": secret}), NetSettings())
    with pytest.raises(Unreachable, match=r"127\.0\.0\.1:1/tides"):  # the request, which only https may carry
        storage.download("gs://tides/a.html", tmp_path / "a.html", 1_000, limit_hint="")


def test_proxy_of_the_settings(tmp_path: Path, server: ObjectServer, canary: Site) -> None:
    urls = {name: Address(server.url("")) for name in ("s3", "hf")}
    net = NetSettings(proxies={"127.0.0.1": Address(canary.url("").replace("//", "//anna:a%40b@"))})
    storage = ObjectStorage(ObjectSettings(urls=urls), net)
    with pytest.raises(Gone):
        storage.download("s3://tides/a.html", tmp_path / "a.html", 1_000, limit_hint="")
    assert canary.asked[0].headers["Proxy-Authorization"] == "Basic " + b64encode(b"anna:a@b").decode()
    with pytest.raises(ConfigError, match="through a proxy"):
        storage.download("hf://datasets/tides/pools/a.html", tmp_path / "a.html", 1_000, limit_hint="")
    assert server.paths() == []


def test_too_long_recording_names_no_page_setting(
    tmp_path: Path, server: ObjectServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_inputs, "MAX_FILE_BYTES", 10)
    settings = Settings(objects=ObjectSettings(region=REGION, urls={"s3": Address(server.url(""))}, keys=KEYS))
    with RemoteFiles(settings) as files, pytest.raises(TooLarge) as caught:
        files.result(files.copy("s3://tides/site/pools.warc.gz"))
    assert "copy it to this machine" in caught.value.hint


def test_errors_do_not_have_the_password_of_the_server(tmp_path: Path) -> None:
    server = "ftp://anna:hunter2@pools.example:1/?token=hunter3"
    storage = ObjectStorage(ObjectSettings(urls={"s3": Address(server)}), NetSettings())
    with pytest.raises(Unreachable) as refused:
        storage.download("s3://tides/a.html", tmp_path / "a.html", 1_000, limit_hint="")
    assert "pools.example" in str(refused.value)
    assert not any(secret in str(refused.value) for secret in ("anna", "hunter2", "hunter3"))


def test_limit_of_bytes_and_long_names(tmp_path: Path, server: ObjectServer) -> None:
    long_name = "s3://tides/" + "\u6f6e" * 90 + ".html"
    server.objects[long_name.removeprefix("s3://")] = page("g")
    server.objects["tides/site/a b.html"] = b"x" * 2_000
    urls = ("s3://tides/site/a b.html", long_name)
    done = extract(tmp_path, server, *urls, "--json", sets=("--set", "fetch.max_bytes=1000"))
    rows = {row["source"]: row for row in map(json.loads, done.out.splitlines())}
    error = rows["s3://tides/site/a b.html"]["error"]
    assert (error["code"], error["hint"]) == ("too_large", "raise fetch.max_bytes")
    assert "The pool g lies dry" in rows[long_name]["text"]
    assert not [asked for asked in server.asked if "a%20b.html" in asked.path and asked.method == "GET"]
