"""`wellread extract` from and to object storage, at a fake S3."""

from __future__ import annotations

import gzip
import json
from typing import TYPE_CHECKING

import pytest

import warm
from object_server import KEY_ID, REGION, SECRET, ObjectServer
from sites import serving
from wellread.errors import Unreachable
from wellread.net import warc
from wellread.net.object_storage import ObjectStorage
from wellread.sections import ObjectSettings
from wellread.values import Address, Secret

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytest.importorskip("obstore")
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
    site = ObjectServer(objects=objects, buckets_elsewhere=frozenset({"far"}))
    running = serving(site)
    yield site
    running.shutdown()
    running.server_close()


def extract(folder: Path, server: ObjectServer, *arguments: str, secret: str = SECRET) -> warm.Ended:
    options = {
        "urls": json.dumps({"s3": server.url("")}),
        "region": REGION,
        "keys": json.dumps({"s3_key_id": KEY_ID, "s3_secret": secret}),
    }
    sets = [part for name, text in options.items() for part in ("--set", f"objects.{name}={text}")]
    return warm.run(*sets, "extract", *arguments, "--jobs", "1", home=folder, folder=folder)


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
    assert "1 skipped, because an earlier run wrote them" in done.err
    assert len(server.uploads["upload-0"]) == 2
    assert not [asked for asked in server.asked if "a%20b.html" in asked.path and asked.method == "GET"]


@pytest.mark.parametrize(("bucket", "region"), [("far", REGION), ("tides", "eu-west-1")])
def test_other_region_of_a_bucket_is_named(server: ObjectServer, bucket: str, region: str) -> None:
    keys = {"s3_key_id": Secret(KEY_ID), "s3_secret": Secret(SECRET)}
    storage = ObjectStorage(ObjectSettings(region=region, urls={"s3": Address(server.url(""))}, keys=keys))
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
