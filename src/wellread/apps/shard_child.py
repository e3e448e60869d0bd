"""The side of the worker process in a batch: reads the pages of one shard, one step each.

`worker/child.py` finds `answer` by the name that the parent gives, and `prepare` by its own. The parent keeps the
position of the page in work: an index among files, an offset in a WARC file. Where this process dies, the next one
continues from there.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wellread.apps import local_reading
from wellread.apps.local_inputs import Input, RecordingFile
from wellread.apps.page_rows import BatchOptions, input_row, response_row
from wellread.apps.serialize import error_row
from wellread.apps.system_clock import SystemClock
from wellread.errors import InvalidInput, WellreadError
from wellread.reading.installed_extractors import load_extractor
from wellread.reading.sandbox import SandboxedReader
from wellread.worker.child import BEGIN, END, attempt

if TYPE_CHECKING:
    from wellread.config import ExtractSettings
    from wellread.net.warc import RecordSummary
    from wellread.worker.child import Steps


def answer(task: bytes) -> Steps:
    """Read the pages of a shard: BEGIN is that of `beginning`, each answer has a row."""
    head, _, stdin_bytes = task.partition(b"\n")
    fields = json.loads(head)
    options = BatchOptions.from_json_fields(fields["options"])
    if "inputs" in fields:
        return _read_inputs(fields, options, stdin_bytes)
    return _read_records(fields, options)


def beginning(position: int, source: str, skipped_records: Counter[str] | None = None) -> bytes:
    """Return the content of a BEGIN frame: position, counts of skipped records if there are any, newline, source.

    Not JSON: to parse it took a fifth of what the parent does for a page.
    """
    counts = b" " + _json(skipped_records) if skipped_records else b""
    return b"%d%b\n%b" % (position, counts, source.encode("utf-8", "replace"))


def prepare() -> None:
    """Load the extractors before the first page comes."""
    load_extractor("html")


@cache
def _reader(settings: ExtractSettings) -> SandboxedReader:
    return SandboxedReader(local_reading.document_reader(settings), SystemClock(), timeout_s=settings.timeout_s)


def _read_inputs(
    fields: dict[str, Any],  # Any: JSON
    options: BatchOptions,
    stdin_bytes: bytes,
) -> Steps:
    reader = _reader(options.extract)

    def row(page: Input) -> bytes:
        return input_row(page, options, reader, stdin_bytes)

    inputs = [Input(*columns) for columns in fields["inputs"]]
    for index in range(fields["position"] + fields["is_after"], len(inputs)):
        yield BEGIN, beginning(index, inputs[index].source)
        yield attempt(row, inputs[index])
    yield END, _json({})


def _read_records(fields: dict[str, Any], options: BatchOptions) -> Steps:  # Any: JSON
    """Read the pages of a range; END has where the range stops, or the row of the error that broke it off."""
    from wellread.net import warc, warc_records

    recording = RecordingFile(Path(fields["path"]), fields["name"])
    reader = _reader(options.extract)

    def row(record: RecordSummary) -> bytes:
        try:
            response = warc_records.response_of(recording, record, max_bytes=options.max_bytes)
        except WellreadError as error:
            return error_row(error)
        return response_row(response, options, reader)

    records = warc.RecordIterator(
        recording,
        start=fields["position"],
        end=fields["end"],
        response_bytes=options.max_bytes + warc.MAX_HEAD_BYTES,
    )
    skipped_records: Counter[str] = Counter()
    broken = ""
    try:
        for record, source in warc_records.page_records(records, skipped_records):
            if not (fields["is_after"] and record.offset == fields["position"]):
                yield BEGIN, beginning(record.offset, source, skipped_records)
                skipped_records.clear()
                yield attempt(row, record)
    except InvalidInput as error:
        broken = error_row(error).decode()
    yield END, _json({"stop": records.stop, "skipped": skipped_records, "broken": broken})


def _json(fields: object) -> bytes:
    return json.dumps(fields).encode()
