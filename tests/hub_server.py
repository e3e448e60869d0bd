"""A strict fake of the Hugging Face Hub on loopback, from its HTTP API: trees, paths, files, commits, large files.

https://huggingface.co/docs/hub/api, and for large files https://github.com/git-lfs/git-lfs/blob/main/docs/api/batch.md.
Large files lie at another origin, to which `resolve` redirects, and which refuses the token of the Hub.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import dataclass, field
from hashlib import sha1, sha256
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from object_server import ranged
from sites import Answer, Asked, Site

TOKEN = "hf_half_past_nine"
SHA = "5e47" * 10
PAGE_SIZE = 2
"""Of a tree; the Hub has 1,000."""
_LFS_TYPE = "application/vnd.git-lfs+json"
_REPOSITORY = r"(?:api/)?datasets/(?P<repository>[\w-]+/[\w-]+)"
_RESOLVE = re.compile(_REPOSITORY + r"/resolve/(?P<revision>[^/]+)/(?P<path>.+)")
_API = re.compile(_REPOSITORY + r"(?:/(?P<action>[a-z-]+)(?:/(?P<revision>[^/]+)(?:/(?P<path>.+))?)?)?")
_BATCH = re.compile(_REPOSITORY + r"\.git/info/lfs/objects/batch")


@dataclass
class HubServer(Site):
    """Answers requests for the files of private datasets, by `owner/name/path`."""

    files: dict[str, bytes] = field(default_factory=dict)
    large: dict[str, bytes] = field(default_factory=dict)
    """SHA-256 -> content."""
    sha: str = SHA
    """The newest commit of `main`."""
    earlier: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """The files of earlier commits."""

    def commit(self, files: dict[str, bytes]) -> None:
        """Change files of `main` in a new commit."""
        self.earlier[self.sha] = self.files
        self.files = self.files | files
        self.sha = sha1(self.sha.encode()).hexdigest()

    def files_at(self, revision: str | None) -> dict[str, bytes] | None:
        if revision in {None, "main", self.sha}:
            return self.files
        return self.earlier.get(revision or "")

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        path = unquote(urlsplit(asked.path).path[1:])
        if path.startswith("large/"):
            return self._large(asked, path.removeprefix("large/"))
        if asked.headers.get("Authorization") != f"Bearer {TOKEN}":
            return _failure(401, "RepoNotFound")
        for pattern, answer in ((_RESOLVE, self._resolve), (_BATCH, self._batch), (_API, self._api)):
            if match := pattern.fullmatch(path):
                return answer(asked, match)
        return _failure(404, "")

    def _api(self, asked: Asked, match: re.Match[str]) -> Answer:
        if not any(name.startswith(f"{match['repository']}/") for name in self.files):
            return _failure(404, "RepoNotFound")
        if self.files_at(match["revision"]) is None:
            return _failure(404, "RevisionNotFound")
        actions = {
            "GET": self._about,
            "GET revision": self._about,
            "GET tree": self._tree,
            "POST paths-info": self._paths,
            "POST preupload": self._modes,
            "POST commit": self._commit,
        }
        action = actions.get(f"{asked.method} {match['action'] or ''}".strip())
        return _failure(404, "") if action is None else action(asked, match)

    def _about(self, _asked: Asked, match: re.Match[str]) -> Answer:
        sha = self.sha if match["revision"] in {None, "main"} else match["revision"]
        return _json({"id": match["repository"], "sha": sha, "private": True, "tags": [], "siblings": []})

    def _paths(self, asked: Asked, match: re.Match[str]) -> Answer:
        repository, paths = match["repository"], parse_qs(asked.body.decode()).get("paths", [])
        files = self.files_at(match["revision"]) or {}
        names = {path: f"{repository}/{path}" for path in paths}
        return _json([self._entry(path, files[name]) for path, name in names.items() if name in files])

    def _modes(self, asked: Asked, _match: re.Match[str]) -> Answer:
        return _json({"files": [_mode(file) for file in json.loads(asked.body)["files"]]})

    def _is_large(self, content: bytes) -> bool:
        return sha256(content).hexdigest() in self.large

    def _entry(self, path: str, content: bytes) -> dict[str, Any]:
        entry = {"type": "file", "path": path, "size": len(content), "oid": sha1(content).hexdigest()}
        if self._is_large(content):
            oid = sha256(content).hexdigest()
            entry |= {"lfs": {"oid": oid, "size": len(content), "pointerSize": 130}, "xetHash": oid}
        return entry

    def _tree(self, asked: Asked, match: re.Match[str]) -> Answer:
        repository, folder = match["repository"], match["path"] or ""
        parts = urlsplit(asked.path)
        query = parse_qs(parts.query)
        prefix = f"{repository}/{folder}/" if folder else f"{repository}/"
        below = [name.removeprefix(f"{repository}/") for name in sorted(self.files) if name.startswith(prefix)]
        if not below:
            return _failure(404, "EntryNotFound")
        folders = {path[: match.end() - 1] for path in below for match in re.finditer("/", path)}
        inner = [path for path in sorted(folders) if f"{repository}/{path}/".startswith(prefix) and path != folder]
        entries = [{"type": "directory", "path": path, "size": 0, "oid": SHA} for path in inner]
        entries += [self._entry(path, self.files[f"{repository}/{path}"]) for path in below]
        if query.get("recursive") not in (["True"], ["true"]):
            depth = folder.count("/") + 1 if folder else 0
            entries = [entry for entry in entries if str(entry["path"]).count("/") == depth]
        start = int(query.get("cursor", ["0"])[0])
        status, headers, body = _json(entries[start : start + PAGE_SIZE])
        if len(entries) > start + PAGE_SIZE:
            recursive = "&recursive=True" if "recursive" in query else ""
            following = self.url(f"{parts.path}?cursor={start + PAGE_SIZE}{recursive}")
            headers = {**headers, "Link": f'<{following}>; rel="next"'}
        return status, headers, body

    def _resolve(self, asked: Asked, match: re.Match[str]) -> Answer:
        name = f"{match['repository']}/{match['path']}"
        files = self.files_at(match["revision"])
        if files is None:
            return _failure(404, "RevisionNotFound")
        if name not in files:
            return _failure(404, "EntryNotFound")
        content = files[name]
        headers = {"ETag": f'"{sha1(content).hexdigest()}"', "X-Repo-Commit": self.sha}
        if self._is_large(content):
            place = self.url(f"/large/{sha256(content).hexdigest()}", host="localhost")
            return 302, {**headers, "Location": place, "X-Linked-Size": str(len(content))}, b""
        return ranged(content, asked.headers.get("Range"), headers)

    def _large(self, asked: Asked, oid: str) -> Answer:
        if "Authorization" in asked.headers:
            return 400, {}, b"only one auth mechanism is allowed"
        if asked.method == "PUT":
            if sha256(asked.body).hexdigest() != oid:
                return 400, {}, b"another content"
            self.large[oid] = asked.body
            return 200, {}, b""
        return ranged(self.large[oid], asked.headers.get("Range"), {})

    def _batch(self, asked: Asked, _match: re.Match[str]) -> Answer:
        if {asked.headers.get("Accept"), asked.headers.get("Content-Type")} != {_LFS_TYPE}:
            return _failure(415, "")
        batch = json.loads(asked.body)
        if batch["operation"] != "upload" or batch["hash_algo"] != "sha256" or "basic" not in batch["transfers"]:
            return _failure(422, "")
        objects = [
            {**large, "actions": {"upload": {"href": self.url(f"/large/{large['oid']}", host="localhost")}}}
            for large in batch["objects"]
        ]
        return _json({"transfer": "basic", "objects": objects})

    def _commit(self, asked: Asked, match: re.Match[str]) -> Answer:
        repository = match["repository"]
        lines = [json.loads(line) for line in asked.body.splitlines()]
        if asked.headers.get("Content-Type") != "application/x-ndjson" or not lines[0]["value"]["summary"]:
            return _failure(400, "")
        for line in lines[1:]:
            change = line["value"]
            if line["key"] == "file" and change["encoding"] == "base64":
                self.files[f"{repository}/{change['path']}"] = b64decode(change["content"], validate=True)
            elif line["key"] == "lfsFile" and change["oid"] in self.large:
                self.files[f"{repository}/{change['path']}"] = self.large[change["oid"]]
            else:
                return _failure(422, "")
        return _json(
            {"commitUrl": self.url(f"/datasets/{repository}/commit/{self.sha}"), "commitOid": self.sha, "success": True}
        )


def _mode(file: dict[str, Any]) -> dict[str, Any]:
    assert len(b64decode(file["sample"], validate=True)) == min(512, file["size"])
    is_large = file["path"].endswith(".parquet")
    return {"path": file["path"], "uploadMode": "lfs" if is_large else "regular", "shouldIgnore": False, "oid": None}


def _json(document: object) -> Answer:
    return 200, {"Content-Type": "application/json; charset=utf-8"}, json.dumps(document).encode()


def _failure(status: int, code: str) -> Answer:
    return status, {"X-Error-Code": code, "X-Error-Message": quote(code or "refused")}, b'{"error": "refused"}'
