# Declares `wellread.sync` for type checkers; `make stub` writes this file.
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Self, Unpack

from anyio.from_thread import BlockingPortal

from wellread.apps.local_reading import extract
from wellread.browser.browse.browse_session import BrowseSession
from wellread.browser.emulation import Emulation
from wellread.config import Settings
from wellread.crawl.crawl_options import CrawlArguments
from wellread.errors import WellreadError
from wellread.net.background_tasks import SharedContext
from wellread.net.downloads import Download
from wellread.ports import Freshness
from wellread.reading.gather import GatherOptions
from wellread.reading.read_options import ReadOptions
from wellread.reading.sign_in_options import SignInOptions
from wellread.sections import BrowseSettings
from wellread.types import (
    Answer,
    AnswerStep,
    CrawlRecord,
    Facts,
    Found,
    Gathered,
    Matches,
    Page,
    PageSnapshot,
    Passage,
    Render,
    Research,
    ResearchBudget,
    ResearchStep,
    Scroll,
    SiteMap,
    Step,
    Verdict,
)
from wellread.values import Address

__all__ = ["Tab", "Web", "extract"]

class Web:
    def __init__(
        self, settings: Settings | None = None, *, replay: Path | str | None = None, record: Path | str | None = None
    ) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *exc: object) -> None: ...
    def answer(self, question: str, **options: Unpack[GatherOptions]) -> Answer: ...
    def answering(self, question: str, **options: Unpack[GatherOptions]) -> Iterator[AnswerStep]: ...
    def browse(
        self,
        url: str,
        *,
        profile: str | None = None,
        user_asked: bool = False,
        settings: BrowseSettings | None = None,
        default_context: bool = True,
        evidence: Path | str | None = None,
        proxy: str | None = None,
        **emulation: Unpack[Emulation],
    ) -> AbstractContextManager[Tab]: ...
    @property
    def browsers(self) -> tuple[int, int]: ...
    def crawl(
        self, urls: str | Iterable[str], *, out: Path | str, **options: Unpack[CrawlArguments]
    ) -> Iterator[CrawlRecord]: ...
    def crawl_worker(
        self,
        *,
        out: Path | str,
        frontier: Address | None = None,
        concurrency: int = 8,
        index: bool = False,
        max_time_s: float | None = None,
    ) -> Iterator[CrawlRecord]: ...
    def download(
        self,
        url: str,
        *,
        to: Path | str = ".",
        sha256: str | None = None,
        skip_existing: bool = False,
        overwrite: bool = False,
        **sign_in: Unpack[SignInOptions],
    ) -> Download: ...
    def download_many(
        self,
        urls: Iterable[str],
        *,
        to: Path | str = ".",
        skip_existing: bool = False,
        overwrite: bool = False,
        concurrency: int = 4,
        **sign_in: Unpack[SignInOptions],
    ) -> Iterator[Download | WellreadError]: ...
    def facts(
        self,
        url: str,
        *,
        schema: Mapping[str, Any] | type | None = None,
        selectors: Mapping[str, object] | None = None,
        render: Render = "auto",
        fresh: bool = False,
        user_asked: bool = False,
        **sign_in: Unpack[SignInOptions],
    ) -> Facts: ...
    def facts_many(
        self,
        urls: Iterable[str],
        *,
        schema: Mapping[str, Any] | type | None = None,
        selectors: Mapping[str, object] | None = None,
        render: Render = "auto",
        fresh: bool = False,
        concurrency: int = 8,
        **sign_in: Unpack[SignInOptions],
    ) -> Iterator[Facts | WellreadError]: ...
    def find(
        self,
        url: str,
        pattern: str,
        *,
        regex: bool = False,
        limit: int = 10,
        render: Render = "auto",
        scroll: Scroll = "auto",
        **sign_in: Unpack[SignInOptions],
    ) -> Matches: ...
    def forget(self, url: str) -> bool: ...
    def gather(self, question: str, **options: Unpack[GatherOptions]) -> Gathered: ...
    def gathering(self, question: str, **options: Unpack[GatherOptions]) -> Iterator[Step]: ...
    def index(self, url: str, **options: Unpack[ReadOptions]) -> bool: ...
    def indexed(self) -> tuple[str, ...]: ...
    def map(
        self,
        url: str,
        *,
        search: str | None = None,
        limit: int = 5000,
        depth: int = 1,
        subdomains: bool = False,
        user_asked: bool = False,
    ) -> SiteMap: ...
    @property
    def problem(self) -> str | None: ...
    def read(self, url: str, **options: Unpack[ReadOptions]) -> Page: ...
    def read_many(
        self, urls: Iterable[str], *, concurrency: int = 8, **options: Unpack[ReadOptions]
    ) -> Iterator[Page | WellreadError]: ...
    @property
    def recorded(self) -> tuple[str, ...]: ...
    def research(
        self,
        question: str,
        *,
        budget: ResearchBudget | None = None,
        journal: Path | str | None = None,
        provider: str | None = None,
    ) -> Research: ...
    def researching(
        self,
        question: str,
        *,
        budget: ResearchBudget | None = None,
        journal: Path | str | None = None,
        provider: str | None = None,
    ) -> Iterator[ResearchStep]: ...
    def search(
        self,
        query: str,
        *,
        count: int = 10,
        region: str | None = None,
        freshness: Freshness | None = None,
        provider: str | None = None,
    ) -> Found: ...
    def verify(
        self,
        cited: Sequence[Passage] | Gathered | Answer | Research,
        *,
        read_again: bool = False,
        profile: str | None = None,
    ) -> tuple[Verdict, ...]: ...

class Tab:
    def __init__(self, shared_context: SharedContext[BrowseSession], portal: BlockingPortal) -> None: ...
    def answer(self, how: str, *, prompt: str = "") -> None: ...
    def back(self) -> PageSnapshot: ...
    def click(
        self,
        index: int | None = None,
        *,
        button: str = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        words: str | None = None,
        selector: str | None = None,
        point: tuple[float, float] | None = None,
    ) -> PageSnapshot: ...
    def close_tab(self, number: int) -> PageSnapshot: ...
    @property
    def document(self) -> str: ...
    def drag(self, index: int, to: int | None = None, *, dx: float = 0.0, dy: float = 0.0) -> PageSnapshot: ...
    def drop(self, index: int, *names: str) -> PageSnapshot: ...
    def evaluate(self, expression: str) -> object: ...
    def find(self, pattern: str, *, regex: bool = False) -> PageSnapshot: ...
    def go(self, url: str, *, user_asked: bool = False) -> PageSnapshot: ...
    def hover(
        self,
        index: int | None = None,
        *,
        words: str | None = None,
        selector: str | None = None,
        point: tuple[float, float] | None = None,
    ) -> PageSnapshot: ...
    @property
    def lines(self) -> tuple[str, ...]: ...
    def look(self) -> PageSnapshot: ...
    def more(self, page: int) -> PageSnapshot: ...
    def press(self, key: str) -> PageSnapshot: ...
    def read(self) -> Page: ...
    def screenshot(self, path: Path | None = None, *, full: bool = False) -> bytes: ...
    def scroll(self, down: float = 1.0, *, right: float = 0.0, index: int | None = None) -> PageSnapshot: ...
    def select(
        self, index: int | None, option: str, *, words: str | None = None, selector: str | None = None
    ) -> PageSnapshot: ...
    @property
    def snapshot(self) -> PageSnapshot: ...
    def switch(self, number: int) -> PageSnapshot: ...
    def type(
        self,
        index: int | None,
        text: str,
        *,
        submit: bool = False,
        clear: bool = True,
        words: str | None = None,
        selector: str | None = None,
    ) -> PageSnapshot: ...
    def upload(self, index: int, *names: str) -> PageSnapshot: ...
    @property
    def url(self) -> str: ...
    def wait(
        self,
        *,
        selector: str | None = None,
        text: str | None = None,
        gone: bool = False,
        download: bool = False,
        timeout_s: float | None = None,
    ) -> PageSnapshot: ...
