"""Steps of a datatrove pipeline: a reader of WARC files that keeps bytes, and an extractor of text and metadata.

Needs `pip install 'wellread[datatrove]'`. The steps run under the Local, Slurm and Ray executors.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, BinaryIO, Literal

from datatrove.data import Document
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.readers.base import BaseDiskReader

from wellread.bulk.bulk_page_reader import BulkPageReader, BulkRow, failed_row
from wellread.config import disable_usage_reports, load
from wellread.errors import WellreadError
from wellread.net import warc, warc_records
from wellread.types import header

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from datatrove.io import DataFolder, DataFolderLike

disable_usage_reports()


class FolderFile:
    """A file of a data folder, as the reader of WARC files opens it."""

    def __init__(self, folder: DataFolder, name: str) -> None:
        """Take the folder and the path in it."""
        self._folder = folder
        self._name = name

    def __str__(self) -> str:
        """Return the path, for messages."""
        return self._name

    def open(self, mode: Literal["rb"]) -> BinaryIO:
        """Open the file."""
        file: BinaryIO = self._folder.open(self._name, mode)
        return file


class WarcPageReader(BaseDiskReader):  # type: ignore[misc]  # datatrove has no types
    """Read the pages of WARC files as documents without text: their bytes are in the metadata, for `PageExtractor`.

    The metadata has `url`, `body` (bytes) and `content_type`. A record that cannot be read is a document with the
    fields of an error, and so is the rest of a damaged file, with the path of the file as `url`. The statistics of the
    step count these by the code of the error, and the records that are no page.
    """

    name = "wellread: pages of WARC files"
    _requires_dependencies = ()

    def __init__(self, data_folder: DataFolderLike, **options: Any) -> None:  # Any: options of BaseDiskReader
        """Take the folder; `options` are those of all readers of datatrove."""
        super().__init__(data_folder, **options)

    def read_file(self, filepath: str) -> Iterator[Document]:
        """Yield the pages of one file, in its order."""
        max_bytes = load().fetch.max_bytes
        file = FolderFile(self.data_folder, filepath)
        skipped_records: Counter[str] = Counter()
        records = warc.RecordIterator(file, response_bytes=max_bytes + warc.MAX_HEAD_BYTES)
        try:
            for record, url in warc_records.page_records(records, skipped_records):
                document = self._document(file, record, url, max_bytes)
                if document is not None:
                    yield document
        except WellreadError as error:
            yield self._failed(f"{file}/{records.stop}", str(file), error)
        for kind, count in skipped_records.items():
            self.stat_update(kind, value=count)

    def _document(self, file: FolderFile, record: warc.RecordSummary, url: str, max_bytes: int) -> Document | None:
        identifier = f"{file}/{record.offset}"
        try:
            response = warc_records.response_of(file, record, max_bytes=max_bytes)
        except WellreadError as error:
            return self._failed(identifier, url, error)
        if response is None:
            self.stat_update("no document")
            return None
        content_type = header(response.headers, "Content-Type") or ""
        metadata = {**(self.default_metadata or {}), "url": url, "content_type": content_type, "body": response.body}
        return Document(text="", id=identifier, metadata=metadata)

    def _failed(self, identifier: str, url: str, error: WellreadError) -> Document:
        self.stat_update(f"error {error.code}")
        fields = _metadata(failed_row(identifier, error))
        return Document(text="", id=identifier, metadata={**(self.default_metadata or {}), "url": url, **fields})


class PageExtractor(PipelineStep):  # type: ignore[misc]  # datatrove has no types
    """Fill the text and the metadata of documents from the bytes in `metadata["body"]`, which are removed.

    Every document goes on: one that cannot be read has no text, and `error` and `message` in its metadata. `page` there
    has all fields of the page as JSON.
    """

    name = "wellread: text and metadata"
    type = "🛢 - EXTRAC"

    def __init__(self, **options: Any) -> None:  # Any: arguments of BulkPageReader
        """Set how each page is read; `options` are the arguments of `BulkPageReader`."""
        super().__init__()
        self._reader = BulkPageReader(**options)

    def run(self, data: Iterable[Document], rank: int = 0, world_size: int = 1) -> Iterator[Document]:  # noqa: ARG002 - datatrove passes both
        """Yield the documents with their text."""
        for document in data:
            self.stat_update("total")
            body = document.metadata.pop("body", None)
            if body is not None:
                with self.track_time():
                    self._fill(document, body)
            yield document

    def _fill(self, document: Document, body: bytes) -> None:
        content_type = document.metadata.pop("content_type", "")
        row = self._reader.row(document.id, body, url=document.metadata.get("url"), content_type=content_type)
        document.text = row.text
        document.metadata.update(_metadata(row))
        self.stat_update(f"error {row.error}" if row.error else "extracted")
        if row.text:
            self.update_doc_stats(document)


def _metadata(row: BulkRow) -> dict[str, Any]:  # Any: columns of several types
    """Return the columns of a row that are metadata of a document."""
    return {name: cell for name, cell in row._asdict().items() if name not in {"source", "text"}}
