"""A strict fake of S3 on loopback, from its API reference: signatures, ranges, pages of lists, multipart uploads.

https://docs.aws.amazon.com/AmazonS3/latest/API/ and "Signature Version 4" there. Objects lie in a dictionary.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.sax.saxutils import escape

from sites import Answer, Asked, Site

KEY_ID, SECRET, REGION = "tides", "half-past-nine", "eu-north-1"
MAX_KEYS = 2
"""Of one page of a list; S3 has 1,000."""
MIN_PART_BYTES = 5 << 20
"""Of every part of an upload but the last."""
_AUTHORIZATION = re.compile(
    r"AWS4-HMAC-SHA256 Credential=([^/]+)/(\d{8})/([^/]+)/s3/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w{64})"
)


@dataclass
class ObjectServer(Site):
    """Answers requests for the objects of one server, by `bucket/key`."""

    objects: dict[str, bytes] = field(default_factory=dict)
    uploads: dict[str, dict[int, bytes]] = field(default_factory=dict)
    buckets_elsewhere: frozenset[str] = frozenset()
    """Buckets of other regions: S3 redirects without a `Location`."""

    def answer(self, asked: Asked) -> Answer:
        self.asked.append(asked)
        path, query = unquote(urlsplit(asked.path).path[1:]), dict(parse_qsl(urlsplit(asked.path).query, True))
        if refusal := self.refusal(asked):
            return refusal
        if asked.method == "GET" and query.get("list-type") == "2":
            return self._list(path.rstrip("/"), query)
        if asked.method in {"GET", "HEAD"}:
            return self._get(path, asked.headers.get("Range"), asked.headers.get("If-Match"))
        if "uploads" in query or "uploadId" in query:
            return self._upload(asked, path, query)
        if asked.method == "PUT":
            self.objects[path] = asked.body
            return 200, {"ETag": tag(asked.body)}, b""
        return failure(405, "MethodNotAllowed")

    def refusal(self, asked: Asked) -> Answer | None:
        """Return the answer to a request that may not be made."""
        if unquote(urlsplit(asked.path).path[1:]).partition("/")[0] in self.buckets_elsewhere:
            return failure(301, "PermanentRedirect")
        if code := refused(asked):
            return failure(400 if code == "AuthorizationHeaderMalformed" else 403, code)
        return None

    def _get(self, path: str, wanted: str | None, version: str | None) -> Answer:
        content = self.objects.get(path)
        if content is None:
            return failure(404, "NoSuchKey")
        if version not in {None, tag(content)}:
            return failure(412, "PreconditionFailed")
        headers = {"ETag": tag(content), "Last-Modified": "Fri, 27 Nov 2026 09:30:00 GMT", "Accept-Ranges": "bytes"}
        return ranged(content, wanted, headers)

    def _list(self, bucket: str, query: dict[str, str]) -> Answer:
        prefix = f"{bucket}/{query.get('prefix', '')}"
        keys = [name.partition("/")[2] for name in sorted(self.objects) if name.startswith(prefix)]
        after = query.get("continuation-token", "")
        keys = [key for key in keys if key > after]
        rows = "".join(
            f"<Contents><Key>{escape(key)}</Key><LastModified>2026-11-27T09:30:00.000Z</LastModified>"
            f"<ETag>{tag(self.objects[f'{bucket}/{key}'])}</ETag><Size>{len(self.objects[f'{bucket}/{key}'])}</Size>"
            "</Contents>"
            for key in keys[:MAX_KEYS]
        )
        token = ""
        if len(keys) > MAX_KEYS:
            token = f"<NextContinuationToken>{escape(keys[MAX_KEYS - 1])}</NextContinuationToken>"
        is_cut = str(bool(token)).lower()
        return document("ListBucketResult", f"<IsTruncated>{is_cut}</IsTruncated>{rows}{token}")

    def _upload(self, asked: Asked, path: str, query: dict[str, str]) -> Answer:
        if "uploads" in query:
            upload = f"upload-{len(self.uploads)}"
            self.uploads[upload] = {}
            return document("InitiateMultipartUploadResult", f"<UploadId>{upload}</UploadId>")
        parts = self.uploads[query["uploadId"]]
        if asked.method == "PUT":
            parts[int(query["partNumber"])] = asked.body
            return 200, {"ETag": tag(asked.body)}, b""
        numbers = [int(number) for number in re.findall(r"<PartNumber>(\d+)</PartNumber>", asked.body.decode())]
        if numbers != sorted(parts) or any(len(parts[number]) < MIN_PART_BYTES for number in numbers[:-1]):
            return failure(400, "InvalidPart")
        self.objects[path] = b"".join(parts[number] for number in numbers)
        return document("CompleteMultipartUploadResult", f"<ETag>{tag(self.objects[path])}</ETag>")


def ranged(content: bytes, wanted: str | None, headers: dict[str, str]) -> Answer:
    """Return a range of `content` as a `Range` header names it (RFC 9110 section 14)."""
    if wanted is None:
        return 200, headers, content
    match = re.fullmatch(r"bytes=(\d+)-(\d*)", wanted)
    if match is None or int(match[1]) >= len(content):
        return failure(416, "InvalidRange")
    start, end = int(match[1]), min(int(match[2] or len(content)), len(content) - 1)
    return 206, {**headers, "Content-Range": f"bytes {start}-{end}/{len(content)}"}, content[start : end + 1]


def tag(content: bytes) -> str:
    return f'"{hashlib.md5(content).hexdigest()}"'


def document(name: str, content: str) -> Answer:
    text = f'<?xml version="1.0" encoding="UTF-8"?><{name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">{content}</{name}>'
    return 200, {"Content-Type": "application/xml"}, text.encode()


def failure(status: int, code: str) -> Answer:
    text = f'<?xml version="1.0" encoding="UTF-8"?><Error><Code>{code}</Code></Error>'
    return status, {"Content-Type": "application/xml"}, text.encode()


def refused(asked: Asked) -> str:
    """Return the code of the error in a request's signature (Signature Version 4); empty for a good one."""
    match = _AUTHORIZATION.fullmatch(asked.headers.get("Authorization", ""))
    if match is None:
        return "AccessDenied"
    key_id, day, region, names, signature = match.groups()
    if region != REGION:
        return "AuthorizationHeaderMalformed"
    if key_id != KEY_ID:
        return "InvalidAccessKeyId"
    digest = asked.headers["X-Amz-Content-Sha256"]
    if digest not in {hashlib.sha256(asked.body).hexdigest(), "UNSIGNED-PAYLOAD"}:
        return "XAmzContentSHA256Mismatch"
    parts = urlsplit(asked.path)
    query = "&".join(f"{quote(k, '~')}={quote(v, '~')}" for k, v in sorted(parse_qsl(parts.query, True)))
    headers = "".join(f"{name}:{asked.headers[name.title()].strip()}\n" for name in names.split(";"))
    request = f"{asked.method}\n{parts.path}\n{query}\n{headers}\n{names}\n{digest}"
    time = asked.headers["X-Amz-Date"]
    scope = f"{day}/{region}/s3/aws4_request"
    text = "\n".join(("AWS4-HMAC-SHA256", time, scope, hashlib.sha256(request.encode()).hexdigest()))
    key = f"AWS4{SECRET}".encode()
    for step in (day, region, "s3", "aws4_request", text):
        key = hmac.digest(key, step.encode(), "sha256")
    return "" if hmac.compare_digest(key.hex(), signature) else "SignatureDoesNotMatch"
