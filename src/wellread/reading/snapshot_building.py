"""Makes a snapshot of a response's bytes: the errors that failures stand for, the extractor by type, the id; pure."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote, urlsplit

from wellread.documents import archive_urls
from wellread.documents.text_types import text_type, text_type_of
from wellread.errors import Auth, Challenge, Empty, Gone, InvalidInput, Quota, RateLimited, Unsupported, Upstream
from wellread.extraction import completeness
from wellread.extractor_types import MEDIA_TYPES
from wellread.lazy_pattern import lazy_pattern
from wellread.net import robots_directives
from wellread.net.filenames import disposition_name
from wellread.net.freshness import forbids_keeping
from wellread.net.http_dates import retry_after_s
from wellread.net.media_types import decode, is_text, sniff
from wellread.output import DocumentPrints
from wellread.reading.read_result import MIN_CONFIDENCE, ReadResult
from wellread.text import characters
from wellread.text.counts import count_of
from wellread.text.word_count import count_words, without_link_targets
from wellread.types import (
    Block,
    Extraction,
    Kind,
    Metadata,
    Notice,
    OcrOptions,
    PageLink,
    Response,
    Snapshot,
    Source,
    Span,
    header,
    snapshot_id,
)
from wellread.worker.prescan import is_suspect
from wellread.worker.tesseract import find_tesseract

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from wellread.documents.archive.members import UnpackedFile
    from wellread.ports import Extractor
    from wellread.types import Document, Mode


ARCHIVE: Final = "archive"
"""Name of the extractor that lists archives."""
MIN_USEFUL_CHARS = 200
"""Below these, or below `MIN_CONFIDENCE`, a page that its scripts build needs a browser; another one is short."""

MAX_TRUSTED_TEXT = 100_000
"""Bytes of plain text, Markdown or XML that cost no reader more than a second, whatever they say."""

_TEXTUAL = lazy_pattern(r"[/+](?:xml|json|yaml|toml)$|javascript")
_UNREADABLE = {
    "application/x-encrypted-office": ("an Office file locked with a password", "ask for a copy without a password"),
    "application/msword": ("a document of Word 97 to 2003", "save it as docx"),
    "application/vnd.ms-excel": ("a workbook of Excel 97 to 2003", "save it as xlsx"),
    "application/vnd.ms-powerpoint": ("a presentation of PowerPoint 97 to 2003", "save it as pptx or PDF"),
    "application/postscript": ("a PostScript file", "convert it to PDF"),
    "application/vnd.ms-outlook": ("a mail saved by Outlook (.msg)", "save it as .eml, as HTML or as plain text"),
    "application/vnd.ms-outlook-pst": ("a mail folder of Outlook (.pst)", "export its mails as .eml or mbox files"),
    **dict.fromkeys(
        ("application/x-7z-compressed", "application/vnd.rar", "application/x-rar-compressed"),
        ("an archive of 7-Zip or RAR", "download it and unpack it (`7z x FILE`), or ask for a ZIP or tar file"),
    ),
}
"""Media types that no extractor reads: a plain name, and a hint."""
_FAMILY_HINTS = {
    "image": "this picture format is not supported; save the picture as PNG or JPEG, or look for a "
    "page that describes it",
    "audio": "audio is not supported; look for a transcript",
    "video": "video is not supported; look for a transcript or subtitles",
    "font": "fonts have no text; read another source",
}
_TEXTUAL_MEDIA = {"audio/mpegurl", "audio/x-mpegurl", "audio/x-scpls", "image/x-xpixmap", "image/x-xbitmap"}
_READABLE = "supported: web pages, PDF, Office and OpenDocument files, EPUB, mail, plain text, and more"
_CHARSET = lazy_pattern(r"charset=[\"' ]{0,4}([^\s\"';]{1,60})", re.IGNORECASE)
_WALL_STATUS = {401, 403, 405, 429, 503}
_WALL = lazy_pattern(
    rb"just a moment\.\.\.|cf-chl-|challenge-platform|g-recaptcha|h-captcha|hcaptcha\.com|captcha-delivery"
    rb"|_incapsula_resource|px-captcha|ddos-guard|verify(?:ing)? (?:that )?you are (?:a )?human|anomaly-modal",
    re.IGNORECASE,
)


class DocumentReader:
    """Reads any media type for which an extractor is at hand."""

    def __init__(
        self, extractors: Sequence[Extractor], *, max_rows: int = 20_000, ocr: OcrOptions | None = None
    ) -> None:
        """Take the extractors; where two claim a media type, the first wins. `max_rows` bounds one table."""
        self._max_rows = max_rows
        self._ocr = ocr or OcrOptions()
        self._by_type: dict[str, Extractor] = {}
        for extractor in extractors:
            for media_type in extractor.media_types:
                self._by_type.setdefault(media_type, extractor)

    def prepared(
        self, response: Response, mode: Mode, member: str = "", *, scan: bool = True
    ) -> tuple[Extractor, Source]:
        """Return the extractor for a response, and the source for it.

        `scan` decides whether the source is suspect; without it, every source counts as suspect.

        Raises:
            Unsupported: no extractor reads its media type.
            InvalidInput: a member is asked for, and it is no archive.
        """
        may_be_archive = bool(member) or archive_urls.named_like_archive(response.url)
        extractor, source = self._prepared(
            response, _file_name(response), mode, may_be_archive=may_be_archive, scan=scan
        )
        if not member or extractor.name == ARCHIVE:
            return extractor, replace(source, member=member)
        raise _no_archive(response.url, source.media_type)

    def _prepared(
        self, response: Response, name: str, mode: Mode, *, may_be_archive: bool = False, scan: bool
    ) -> tuple[Extractor, Source]:
        """Return the extractor and the source; the media type may follow from the suffix of `name`.

        With `may_be_archive`, a file that nobody reads by its type, as a program that unpacks itself, is an archive if
        its bytes are those of one.
        """
        content_type = header(response.headers, "content-type")
        match = _CHARSET.search(content_type or "")
        charset = match[1] if match else None
        media_type = sniff(response.body, content_type, name)
        media_type = text_type(response.body, media_type, name, charset)
        extractor = self._by_type.get(media_type) or self._by_type.get(_family(media_type))
        if extractor is None and _may_be_text(media_type) and is_text(response.body):
            media_type = text_type_of(response.body, media_type, name, charset)
            extractor = self._by_type.get(media_type) or self._by_type.get(_family(media_type))
        if extractor is None and may_be_archive and _has_archive_bytes(response.body):
            extractor = self._by_type.get("application/zip")
        if extractor is None:
            raise _unsupported(response.url, media_type)
        return extractor, Source(
            body=response.body,
            media_type=media_type,
            url=response.url if response.url.startswith("http") else None,
            charset=charset,
            mode=mode,
            max_rows=self._max_rows,
            suspect=not scan or _is_suspect(response.body, media_type),
            ocr=self._ocr,
        )

    def extract(self, extractor: Extractor, source: Source) -> Extraction:
        """Read a source; of an archive, the member that is asked for, as a file of its name would be read.

        Raises:
            WellreadError: as the extractors.
        """
        source = replace(source, recognizer=find_tesseract(source.ocr))
        if extractor.name == ARCHIVE:
            return self._extract_archive(extractor, source)
        return extractor.extract(source)

    def _extract_archive(self, extractor: Extractor, source: Source) -> Extraction:
        from wellread.documents import archive  # loads the decompressors

        file = archive.unpack(source)
        if file is None:
            return extractor.extract(source)
        url = archive_urls.join(source.url, source.member) if source.url else "about:blank"
        response = Response(url=url, status=200, headers=(), body=file.body)
        inner_extractor, inner = self._prepared(response, f"file:///{quote(file.name)}", source.mode, scan=False)
        if inner_extractor.name == ARCHIVE:
            raise archive.nested(file.name, source.url)
        inner = replace(inner, timeout_s=source.timeout_s, recognizer=source.recognizer)
        if archive_urls.has_fragment_form(url):
            inner = replace(inner, url=None)  # its relative links cannot be resolved against a download link
        extraction = inner_extractor.extract(inner)
        return replace(extraction, notices=(*extraction.notices, *_archive_notices(file)))


def is_archive(response: Response) -> bool:
    """Tell whether an answer is an archive whose members can be read; Office files are none."""
    if not _has_archive_bytes(response.body):
        return False
    media_type = sniff(response.body, header(response.headers, "content-type"), response.url)
    return media_type in MEDIA_TYPES[ARCHIVE] or (
        media_type not in _UNREADABLE and archive_urls.named_like_archive(response.url)
    )


def _has_archive_bytes(body: bytes) -> bool:
    from wellread.documents import archive  # loads the decompressors

    return archive.is_archive(body)


def _no_archive(url: str, media_type: str) -> InvalidInput:
    hint = "leave out the member"
    if url.startswith("http"):
        hint += "; a URL that really contains `!/` is written with %21 for the exclamation mark"
    return InvalidInput(f"{_name_of(url)} is not an archive but {media_type}: it has no members", url=url, hint=hint)


def _archive_notices(file: UnpackedFile) -> Iterator[Notice]:
    if file.same_name_count > 1:
        detail = f"the archive has {file.same_name_count} files of this name; the last one was read"
        yield Notice("same_name_members", detail, file.same_name_count)
    if file.problem:
        yield Notice("partial_body", f"the file is not complete: {file.problem}")


def _file_name(response: Response) -> str:
    """Return the name that gives the suffix of a response: from its headers, else its URL."""
    name = disposition_name(header(response.headers, "content-disposition") or "")
    if name:
        return quote(name)
    return response.url


def _unsupported(url: str, media_type: str) -> Unsupported:
    """Return the error for a media type that no extractor reads, with a hint for its family."""
    if media_type in _UNREADABLE:
        description, hint = _UNREADABLE[media_type]
        return Unsupported(f"{_name_of(url)} is {description}", url=url, hint=hint)
    hint = _FAMILY_HINTS.get(media_type.partition("/")[0], _READABLE)
    return Unsupported(f"{_name_of(url)} is {media_type}, which no extractor reads", url=url, hint=hint)


def _is_suspect(body: bytes, media_type: str) -> bool:
    """Return whether a body may cost its extractor more time or memory than pages do, or crash it."""
    if media_type in {"text/html", "application/xhtml+xml"}:
        return is_suspect(body)
    if media_type.startswith("text/") or _TEXTUAL.search(media_type):
        return len(body) > MAX_TRUSTED_TEXT
    return True


def _may_be_text(media_type: str) -> bool:
    """Tell whether a type that no extractor names may be text: `chemical/x-xyz` and `application/x-tex` are."""
    is_medium = media_type.partition("/")[0] in _FAMILY_HINTS and media_type not in _TEXTUAL_MEDIA
    return media_type not in _UNREADABLE and not is_medium


def _name_of(url: str) -> str:
    if not url.startswith("http"):
        return "the file"
    return url


def _family(media_type: str) -> str:
    """Return the wildcard that stands for a structured suffix (RFC 6839) or for text: application/xml, text/plain."""
    _, _, suffix = media_type.partition("+")
    if suffix:
        return f"application/{suffix}"
    if media_type.startswith("text/"):
        return "text/plain"
    return ""


def refuse_failures(response: Response, *, now: datetime) -> None:
    """Raise the error that an answer with a failing status or a bot wall stands for; return for readable ones.

    Raises:
        Gone, Auth, Quota, RateLimited, Challenge, Upstream, Empty: by status, headers and body.
    """
    url, status = response.url, response.status
    if header(response.headers, "cf-mitigated") == "challenge" or (
        status in _WALL_STATUS and _WALL.search(response.body[:100_000])
    ):
        raise Challenge(f"{url} answered {status} with a bot check instead of the page", url=url, status=status)
    if 200 <= status < 300 and status not in {204, 205}:
        return
    message = f"{url} answered {status}"
    if status in {204, 205}:
        raise Empty(
            f"{message}: there is no content",
            url=url,
            hint="check the address; the server sent an empty page",
            status=status,
        )
    if status in {404, 410}:
        raise Gone(message, url=url, status=status)
    if status in {401, 407}:
        raise Auth(
            message,
            url=url,
            hint="sign in with `wellread login URL --profile NAME`, and use `wellread browse --profile NAME`",
            status=status,
        )
    if status == 402:
        raise Quota(message, url=url, hint="the page must be paid for", status=status)
    wait_s = retry_after_s(response.headers, now)
    if status == 429:
        raise RateLimited(message, url=url, status=status, retry_after_s=wait_s)
    raise Upstream(message, url=url, status=status, retry_after_s=wait_s)


class PrintedExtraction(NamedTuple):
    """An extraction without invisible characters, with the print of its document, and the size of its text."""

    extraction: Extraction
    prints: DocumentPrints
    word_count: int
    shown_chars: int
    """Characters of the canonical text without the targets of links."""


def print_extraction(extraction: Extraction) -> PrintedExtraction:
    """Clean an extraction of invisible characters, print its document, and count its words."""
    extraction = _cleaned(extraction)
    prints = DocumentPrints(extraction.document)
    shown = without_link_targets(prints.canonical.text)
    return PrintedExtraction(extraction, prints, count_words(shown), len(shown))


def build_snapshot(
    printed: PrintedExtraction, response: Response, *, url: str, fetched_at: float, extraction_time_ms: int
) -> ReadResult:
    """Return the snapshot of an extraction, with its id and its confidence. `url` is the requested URL."""
    extraction, prints, words, shown_chars = printed
    canonical = prints.canonical.text
    confidence = completeness.confidence_score(words, shown_chars, extraction.source_chars)
    notices = _reading_notices(printed, response, confidence, url=url)
    snapshot = Snapshot(
        id=snapshot_id(canonical),
        url=url,
        final_url=response.url,
        status=response.status,
        content_type=header(response.headers, "content-type"),
        fetched_at=fetched_at,
        fetch_time_ms=response.elapsed_ms,
        extraction_time_ms=extraction_time_ms,
        extraction=replace(extraction, notices=notices),
        confidence=confidence,
        is_unkeepable=forbids_keeping(response.headers, fetched_at),
    )
    return ReadResult(snapshot, prints, word_count=words)


def raw_source(response: Response) -> Extraction:
    """Return the body of a response as text, as it came: markup, scripts and hidden text included.

    Raises:
        Unsupported: it is no text.
        Empty: there is none.
    """
    if not is_text(response.body):
        message = f"{_name_of(response.url)} is not text, so it has no raw form"
        raise Unsupported(message, url=response.url, hint="download it, or leave out the format")
    match = _CHARSET.search(header(response.headers, "content-type") or "")
    text, _ = decode(response.body, match[1] if match else None, html=True)
    return _verbatim(text, Extraction(document=(), metadata=Metadata(), method="raw"), response.url)


def links_of(extraction: Extraction, url: str | None) -> Extraction:
    """Return an extraction with its links as its text, one a line: place, URL, rel and words, separated by tabs.

    Documents that are no web pages have the links of their content.

    Raises:
        Empty: there are none.
    """
    links = extraction.all_links or tuple(PageLink(link) for link in extraction.links)
    lines = ["\t".join((link.place, link.url, " ".join(link.rel), link.text)) for link in links]
    return _verbatim("\n".join(lines), extraction, url)


def _verbatim(text: str, extraction: Extraction, url: str | None) -> Extraction:
    if not text.strip():
        raise Empty(f"{url or 'the page'} has nothing of this kind", url=url, hint="leave out the format")
    document = (Block(Kind.CODE, (Span(text),)),)
    return replace(extraction, document=document, source_chars=len(text), scripted=False)


def _reading_notices(
    printed: PrintedExtraction, response: Response, confidence: float, *, url: str
) -> tuple[Notice, ...]:
    extraction, prints, words, shown_chars = printed
    canonical = prints.canonical.text
    is_short = len(canonical) < MIN_USEFUL_CHARS
    doubts = list(extraction.notices)
    if response.partial is not None:
        doubts.append(Notice("partial_body", f"the body is not complete: {response.partial}"))
    if extraction.scripted and (confidence < MIN_CONFIDENCE or is_short):
        doubts.append(Notice("thin_content", f"only {count_of(words, 'word')} found; scripts probably show more"))
    restrictions = robots_directives.known(robots_directives.header_directives(response.headers))
    if restrictions:
        detail = robots_directives.notice_detail("server", restrictions, "X-Robots-Tag")
        doubts.append(Notice("robots_directives", detail))
    wall = None
    if words <= MAX_WORDS and shown_chars <= MAX_CHARS:
        shown = without_link_targets(canonical)
        wall = wall_notice(response, extraction.metadata.title, shown, words, requested_url=url)
    if wall is not None:
        # Nothing on such a page is its content, so that a doubt about the choice of the content says nothing.
        doubts = [*(notice for notice in doubts if notice.code != "unsure_choice"), wall]
    return tuple(doubts)


def _cleaned(extraction: Extraction) -> Extraction:
    """Return `extraction` without invisible characters; the number removed here is added to the notice about them."""
    counted = [0]
    document = extraction.document
    if not _is_clean(document):
        document = tuple(_cleaned_block(block, counted) for block in document)
    extraction = replace(extraction, metadata=_cleaned_metadata(extraction.metadata, counted))
    if not counted[0] and document is extraction.document:
        return extraction
    before = sum(notice.count or 0 for notice in extraction.notices if notice.code == "invisible_characters")
    notices = tuple(notice for notice in extraction.notices if notice.code != "invisible_characters")
    if before + counted[0]:
        notices += (Notice("invisible_characters", "invisible characters were removed", before + counted[0]),)
    return replace(extraction, document=document, notices=notices)


def _is_clean(document: Document) -> bool:
    """Return whether no text of a document has an invisible character, as in most documents."""
    waiting = list(document)
    while waiting:
        _, spans, children, *_ = waiting.pop()
        for text, _, _ in spans:
            if not (text.isascii() and text.isprintable()) and characters.without_invisible(text) != (text, 0):
                return False
        if children:
            waiting.extend(children)
    return True


def _cleaned_metadata(metadata: Metadata, counted: list[int]) -> Metadata:
    """Remove invisible characters from metadata, whatever extractor made it: nobody sees these fields on the page."""
    changed: dict[str, str | None] = {}
    for field in fields(metadata):
        value = getattr(metadata, field.name)
        if isinstance(value, str):
            text, removed_count = characters.without_invisible(value)
            counted[0] += removed_count
            if text != value:
                changed[field.name] = text or None
    images = tuple(characters.without_invisible(image)[0] for image in metadata.images)
    if changed or images != metadata.images:
        return replace(metadata, images=images, **changed)
    return metadata


def _cleaned_block(block: Block, counted: list[int]) -> Block:
    spans = tuple(_cleaned_span(span, counted) for span in block.spans)
    return block._replace(spans=spans, children=tuple(_cleaned_block(child, counted) for child in block.children))


def _cleaned_span(span: Span, counted: list[int]) -> Span:
    text, removed_count = characters.without_invisible(span.text)
    counted[0] += removed_count
    return span._replace(text=text)


# ---------------------------------------------------------------------------------------------------------------- walls
# Recognises short pages that stand in place of the one that was asked for: pure.
#
# Bot checks, cookie walls, login forms and error pages come with a good status, too. Only pages of few words are
# judged: a longer page that says such words speaks about them.

MAX_WORDS: Final = 120
"""The longest error pages of the large site builders have about 80 words."""
MAX_CHARS: Final = 1_500
"""For scripts without spaces, in which words are counted otherwise."""
_MAX_SCANNED_BYTES: Final = 500_000
_MAX_ADDRESS: Final = 2_000

_CHALLENGE: Final = (
    # English
    "checking your browser", "you are human", "you're human", "you are a human", "you are not a robot",
    "you're not a robot", "you are a robot", "unusual traffic", "pardon our interruption",
    "complete the following challenge", "complete the security check", "just a moment...", "ddos protection by",
    "you were a bot", "enable cookies", "enable your cookies", "cookies required", "must accept cookies",
    "cookies are disabled", "cookies must be enabled", "press & hold", "complete the captcha", "enable js and",
    "enable javascript and cookies",
    # German, Dutch, Scandinavian languages, Finnish
    "kein roboter", "sie ein mensch sind", "aktivieren sie cookies", "cookies aktivieren",
    "cookies sind deaktiviert", "geen robot", "u een mens bent", "cookies inschakelen", "ikke er en robot",
    "du er et menneske", "inte är en robot", "du är en människa", "aktivera cookies", "et ole robotti",
    # Romance languages
    "pas un robot", "êtes un humain", "êtes humain", "activer les cookies", "activez les cookies",
    "accepter les cookies pour", "no eres un robot", "no es un robot", "que es humano", "eres humano",
    "habilite las cookies", "habilitar las cookies", "active las cookies", "activar las cookies",
    "non sei un robot", "che sei umano", "abilita i cookie", "attiva i cookie", "abilitare i cookie",
    "não é um robô", "que é humano", "ative os cookies", "ativar os cookies", "habilite os cookies",
    "habilitar os cookies", "nu ești robot", "nu sunteți robot", "sunteți om",
    # Slavic languages, Greek, Turkish, Hungarian
    "nie jesteś robotem", "jesteś człowiekiem", "włącz obsługę plików cookie", "włączyć obsługę plików cookie",
    "nejste robot", "jste člověk", "не робот", "вы человек", "включите cookie", "включить cookie", "включите куки",
    "проверка браузера", "ви людина", "увімкніть cookie", "δεν είστε ρομπότ", "είστε άνθρωπος",
    "robot olmad\u0131\u011f\u0131n\u0131z", "insan olduğunuzu", "çerezleri etkinleştir", "nem robot",
    # Chinese, Japanese, Korean, Vietnamese, Indonesian, Thai
    "安全验证", "人机验证", "安全驗證", "真人验证", "下方验证", "滑块完成", "输入验证码", "启用cookie",
    "启用 cookie", "ロボットでは", "cookieを有効", "人間であること", "로봇이 아닙니다", "쿠키를 활성화",
    "비정상적인 접근", "자동입력 방지", "không phải là robot", "bukan robot", "ไม่ใช่หุ่นยนต์",
    # Arabic, Persian, Hebrew, Hindi
    "لست روبوت", "أنك إنسان", "ربات نیستید", "אינך רובוט", "आप रोबोट नहीं",
)  # fmt: skip
_NOT_FOUND: Final = (
    "not found", "page does not exist", "page doesn't exist", "page no longer exists", "page isn't available",
    "page is no longer", "page is not available", "page cannot be found", "page can't be found",
    "page could not be found", "page couldn't be found", "find that page", "find the page", "find this page",
    "topic does not exist", "thread does not exist", "post does not exist", "user does not exist",
    "content isn't available", "content is no longer", "article is no longer", "post is no longer",
    "nothing was found at", "page you are looking for", "page you're looking for", "page you requested",
    "page has been removed", "page has been deleted", "page has moved",
    # German, Dutch, Scandinavian languages, Finnish
    "nicht gefunden", "existiert nicht", "existiert leider nicht", "seite ist nicht mehr verfügbar",
    "niet gevonden", "bestaat niet", "kunde inte hittas", "hittades inte", "finns inte", "ikke funnet",
    "ikke fundet", "findes ikke", "finnes ikke", "ei löydy", "ei löytynyt", "ei ole olemassa",
    # Romance languages
    "introuvable", "non trouvée", "non trouvé", "n'existe pas", "n'existe plus", "page n'est plus disponible",
    "no encontrada", "no encontrado", "no se encontró", "no se ha encontrado", "no existe",
    "página ya no está disponible", "non trovata", "non trovato", "non esiste", "não encontrada", "não encontrado",
    "não foi encontrada", "não existe", "nu a fost găsit", "nu există",
    # Slavic languages, Greek, Turkish, Hungarian
    "nie znaleziono", "nie została znaleziona", "nie istnieje", "nenalezena", "nebyla nalezena", "neexistuje",
    "не найден", "не существует", "не знайден", "не існує", "δεν βρέθηκε", "δεν υπάρχει", "bulunamad\u0131",
    "mevcut değil", "nem található", "nem létezik", "nije pronađena", "ne postoji",
    # Chinese, Japanese, Korean, Vietnamese, Indonesian, Thai
    "找不到", "不存在", "未找到", "已被删除", "已被刪除", "見つかりません", "見つかりませんでした", "存在しません",
    "찾을 수 없", "존재하지 않", "không tìm thấy", "không tồn tại", "tidak ditemukan", "ไม่พบหน้า", "ไม่พบเพจ",
    # Arabic, Persian, Hebrew, Hindi
    "غير موجود", "لم يتم العثور", "یافت نشد", "پیدا نشد", "לא נמצא", "नहीं मिला", "नहीं मिल",
)  # fmt: skip
_LOGIN: Final = (
    "sign in", "log in", "login", "log on", "anmelden", "anmeldung", "einloggen", "connexion", "se connecter",
    "identifiez-vous", "iniciar sesión", "inicia sesión", "inicie sesión", "accedi", "entrar", "inloggen",
    "logga in", "logg inn", "log ind", "kirjaudu", "zaloguj", "přihlásit", "přihlášení", "bejelentkezés",
    "giriş yap", "autentificare", "войти", "вход", "увійти", "вхід", "σύνδεση", "ログイン", "サインイン", "登录",
    "登入", "登錄", "로그인", "đăng nhập", "masuk", "เข้าสู่ระบบ", "تسجيل الدخول", "ورود", "התחבר", "लॉग इन",
)  # fmt: skip
_UNAVAILABLE: Final = (
    # Access denied, or not from here
    "access denied", "access to this page has been denied", "have permission to access", "have been blocked",
    "request blocked", "403 forbidden", "access forbidden", "zugriff verweigert", "accès refusé", "accès interdit",
    "acceso denegado", "accesso negato", "acesso negado", "toegang geweigerd", "åtkomst nekad", "odmowa dostępu",
    "přístup odepřen", "доступ запрещ", "доступ ограничен", "доступ заборонено", "erişim engellendi", "访问被拒绝",
    "拒绝访问", "存取被拒", "アクセスが拒否", "アクセスが制限", "접근이 거부", "접근 제한", "접근이 차단",
    "تم رفض الوصول", "not available in your", "isn't available in your", "unavailable in your",
    "unavailable to visitors from", "in ihrem land nicht verfügbar", "pas disponible dans votre pays",
    "no está disponible en su", "no está disponible en tu", "non è disponibile nel tuo",
    "não está disponível no seu", "niet beschikbaar in uw", "недоступен в вашей стране",
    "недоступен в вашем регионе", "お住まいの地域", "您所在的地区", "您所在的地區", "해당 국가에서",
    # The reader's age
    "legal drinking age", "age verification", "verify your age", "18 or older", "21 or older", "altersverifikation",
    "altersprüfung", "über 18 jahre", "plus de 18 ans", "eres mayor de edad", "es mayor de edad", "sei maggiorenne",
    "mais de 18 anos", "ouder dan 18", "ukończone 18 lat", "есть 18 лет", "年齢確認", "18歳以上", "年满18",
    "滿18歲", "만 19세",
    # Maintenance
    "under maintenance", "some maintenance", "scheduled maintenance", "undergoing maintenance", "maintenance mode",
    "be back soon", "be right back", "temporarily unavailable", "wartungsarbeiten", "wartungsmodus",
    "vorübergehend nicht erreichbar", "site en maintenance", "cours de maintenance", "en mantenimiento",
    "in manutenzione", "em manutenção", "in onderhoud", "onderhoudswerkzaamheden", "przerwa techniczna",
    "prace techniczne", "technická odstávka", "технические работы", "технічні роботи", "υπό συντήρηση",
    "bak\u0131m çal\u0131\u015fmas\u0131", "bak\u0131mday\u0131z", "メンテナンス中", "维护中", "維護中", "점검 중",
    "đang bảo trì", "تحت الصيانة",
    # What stands for no site at all
    "account suspended", "account has been suspended", "domain is for sale", "domain may be for sale",
    "buy this domain", "domain steht zum verkauf", "domain is parked", "domain has expired", "welcome to nginx",
    "default page: it works", "ubuntu default page", "debian default page", "apache http server test page",
    "test page for the", "iis windows server", "site is under construction", "website is under construction",
    "website coming soon",
    # The site failed
    "establishing a database connection", "server error in '/", "internal server error", "502 bad gateway",
    "503 service", "504 gateway", "service unavailable", "client-side exception has occurred",
    "we are experiencing technical difficulties",
)  # fmt: skip
_404 = lazy_pattern(r"(?<![0-9])404(?![0-9])")
_PASSWORD = lazy_pattern(rb"<input[^>]{0,400}type\s{0,3}=\s{0,3}[\"']?password")
_CHALLENGE_SCRIPT = lazy_pattern(
    rb"challenge-platform/[^\"'<> ]{0,80}/orchestrate|captcha-delivery\.com|_incapsula_resource|px-captcha"
    rb"|awswafintegration|ddos-guard\.net/"
)
"""Scripts that bot-check services load on their check page alone."""
_CHALLENGE_NAMES: Final = (
    b"challenge-platform/", b"captcha-delivery.com", b"_incapsula_resource", b"px-captcha", b"awswafintegration",
    b"ddos-guard.net/",
)  # fmt: skip
"""The part of each alternative of `_CHALLENGE_SCRIPT` that is always the same."""
_LOGIN_ADDRESS = lazy_pattern(
    r"(?:^|[/._-])(?:log-?[io]n|sign-?in|sso|oauth2?|authorize|openid-connect|saml2?|wp-login|servicelogin|idp|cas|auth"
    r"|session)(?:[/._?-]|$)"
)
"""A part of an address that only a login has."""
_LEAD_LINES: Final = 3
_BRIEF_WORDS: Final = 80
"""Of a page that may say anywhere in it that it is a bot check."""
_BLANKS: Final = lazy_pattern(r"\s+")


def wall_notice(
    response: Response, title: str | None, text: str, words: int, *, requested_url: str = ""
) -> Notice | None:
    """Return a notice where a short web page stands in place of the one that was asked for, or None.

    `text` is what was read of it; its bytes tell whether it asks for a password. `requested_url` is the address
    of the request: a redirect to the address of a login asks for a login.
    """
    is_html = "html" in (header(response.headers, "content-type") or "html")
    if not is_html or words > MAX_WORDS or len(text) > MAX_CHARS:
        return None
    url, heading, content = response.url, _plain(title or ""), _plain(text)
    lead = "\n".join([heading, *[line for line in map(_plain, text.split("\n")) if line][:_LEAD_LINES]])
    markup = response.body[:_MAX_SCANNED_BYTES].lower()
    searched = content if words <= _BRIEF_WORDS else lead  # a short page of answers may speak of cookies further down
    if _has_any(heading, _CHALLENGE) or _has_any(searched, _CHALLENGE) or _loads_challenge(markup):
        return Notice("challenge_page", f"{url} shows a bot check or asks for cookies instead of the page")
    if _has_any(lead, _NOT_FOUND) or _404.search(lead):
        detail = f"{url} says that the page was not found, although its status is {response.status}"
        return Notice("not_found_page", detail)
    if _has_any(heading, _LOGIN) or _has_any(content, _LOGIN):
        is_sent_to_login = bool(requested_url) and _is_login_address(url) and not _is_login_address(requested_url)
        if is_sent_to_login or (b"password" in markup and _PASSWORD.search(markup)):
            return Notice("login_page", f"{url} shows a login form instead of the page")
    if _has_any(lead, _UNAVAILABLE):
        detail = f"{url} says that the page is not available: no access, maintenance, a failure, or no site yet"
        return Notice("unavailable_page", f"{detail}, although its status is {response.status}")
    return None


def _loads_challenge(markup: bytes) -> bool:
    """Tell whether a page loads the script of a bot check; `markup` is in lower case.

    The names are found in a fiftieth of the time that the expression takes for all of a page.
    """
    return any(name in markup for name in _CHALLENGE_NAMES) and _CHALLENGE_SCRIPT.search(markup) is not None


def _is_login_address(url: str) -> bool:
    """Tell whether an address is that of a login, by its host and path."""
    parts = urlsplit(url)
    return _LOGIN_ADDRESS.search(f"{parts.hostname or ''}{parts.path}"[:_MAX_ADDRESS].lower()) is not None


def _plain(text: str) -> str:
    """Return a text as the phrases are written: without capitals, typographic apostrophes and runs of blanks."""
    return _BLANKS.sub(" ", text.casefold().replace("\u2019", "'")).strip()


def _has_any(text: str, phrases: tuple[str, ...]) -> bool:
    return any(phrase in text for phrase in _folded(phrases))


@cache
def _folded(phrases: tuple[str, ...]) -> tuple[str, ...]:
    """Return phrases as `_plain` writes texts: folding changes small letters, too, as the final sigma."""
    return tuple(map(_plain, phrases))
