"""Run the command of Tesseract over one picture: no shell, no files, no network, one core, bounded output.

Tesseract takes bytes of an unknown format for a list of file names, and would open these. So it gets only pictures
that were rendered here, or files whose first bytes name a format that Leptonica knows.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from wellread.types import Recognition, RecognizedWord

if TYPE_CHECKING:
    from typing import IO

    from wellread.types import OcrOptions

MAX_OUTPUT_BYTES: Final = 16_000_000
PAGE_TIMEOUT_S: Final = 60.0
MIN_UPRIGHT_CONFIDENCE: Final = 60
"""Below, the page may lie on its side: it is read again with its orientation detected, which takes a second more."""
# On Windows the folders do not exist, so that the command is not found there.
_PATH: Final = "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin"
_ENVIRONMENT: Final = {"PATH": _PATH, "LANG": "C.UTF-8", "OMP_THREAD_LIMIT": "1"}
_PIECE_BYTES: Final = 1 << 16
_POLL_S: Final = 0.05
_PAGE_WITH_ORIENTATION: Final = "1"
"""Page segmentation mode: automatic, with the orientation of the page detected."""
_UPRIGHT_PAGE: Final = "3"
_DIE_WITH_PARENT: Final = (
    "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9); "
    "os.getppid() == int(sys.argv[1]) or os._exit(1); os.execv(sys.argv[2], sys.argv[2:])"
)
"""PR_SET_PDEATHSIG (prctl(2)): a worker that is killed takes Tesseract along. Not by `preexec_fn`, which may deadlock
where there are threads."""
_MISSING_LANGUAGE: Final = re.compile(r"/([\w-]+)\.traineddata")
_WORD_LEVEL: Final = "5"
_COLUMN_COUNT: Final = 12


class Tesseract:
    """The `tesseract` command as a `types.TextRecognizer`."""

    def __init__(self, command: str, options: OcrOptions) -> None:
        """Take the path of the command and the languages."""
        self.command = command
        self.options = options

    def recognize(
        self, picture: bytes, *, page: int = 0, dpi: int = 0, stop: threading.Event | None = None
    ) -> Recognition:
        """Return the words in a picture (PNM, PNG, JPEG, TIFF, WebP, BMP or GIF); blocks.

        `page` is the page of a TIFF file, from 0; `dpi` the resolution, 0 where it is unknown. When `stop` is set, the
        command is killed, and its output is lost.
        """
        stop = stop or threading.Event()
        arguments = ["-l", "+".join(self.options.languages), "--oem", "1", "-c", "tessedit_create_tsv=1"]
        arguments += ["-c", f"tessedit_page_number={page}"]
        if dpi:
            arguments += ["--dpi", str(dpi)]
        upright = self._recognize(picture, [*arguments, "--psm", _UPRIGHT_PAGE], stop)
        if not upright.words or _mean_confidence(upright) >= MIN_UPRIGHT_CONFIDENCE or stop.is_set():
            return upright
        if not _has_orientation_data(self.command):
            return upright
        rotated = self._recognize(picture, [*arguments, "--psm", _PAGE_WITH_ORIENTATION], stop)
        return max(upright, rotated, key=_mean_confidence)

    def _recognize(self, picture: bytes, arguments: list[str], stop: threading.Event) -> Recognition:
        output, status = _run([self.command, "stdin", "stdout", *arguments], picture, stop)
        if status != 0:
            return Recognition((), _problem(output, status))
        return Recognition(tuple(_words(output)))


def _mean_confidence(recognition: Recognition) -> float:
    words = recognition.words
    return sum(word.confidence for word in words) / max(1, len(words))


def find_tesseract(options: OcrOptions) -> Tesseract | None:
    """Return the recogniser; None where the command is not installed or recognition is switched off."""
    if not options.enabled:
        return None
    command = shutil.which("tesseract", path=_PATH)
    if command is None:
        return None
    return Tesseract(command, options)


_ORIENTATION_DATA: dict[str, bool] = {}


def _has_orientation_data(command: str) -> bool:
    """Tell whether the data for orientation (`osd`) is installed; checked once for each command."""
    if command not in _ORIENTATION_DATA:
        output, _ = _run([command, "--list-langs"], b"", threading.Event())
        _ORIENTATION_DATA[command] = "osd" in output.split()
    return _ORIENTATION_DATA[command]


def _run(arguments: list[str], picture: bytes, stop: threading.Event) -> tuple[str, int]:
    """Return the output of a command and its exit status, -9 when it was killed."""
    if sys.platform == "linux":
        arguments = [sys.executable, "-I", "-S", "-c", _DIE_WITH_PARENT, str(os.getpid()), *arguments]
    process = subprocess.Popen(  # noqa: S603 - no shell; languages are checked where settings are read
        arguments,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=os.sep,
        env=_ENVIRONMENT,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    watch = threading.Thread(target=_kill_at, args=(process, stop), daemon=True)
    watch.start()
    with process.stdin as stdin, process.stdout as stdout:
        try:
            with suppress(BrokenPipeError):  # the command has ended, and its output has the reason
                stdin.write(picture)
                stdin.close()
            output = _bounded_output(stdout)
            if output is None:
                return "the output is too long", 1
            return output.decode("utf-8", "replace"), process.wait()
        finally:
            process.kill()
            process.wait()
            watch.join()


def _kill_at(process: subprocess.Popen[bytes], stop: threading.Event) -> None:
    """Kill the command when its time is over or `stop` is set."""
    for _ in range(int(PAGE_TIMEOUT_S / _POLL_S)):
        if process.poll() is not None:
            return
        if stop.wait(_POLL_S):
            break
    process.kill()


def _bounded_output(stdout: IO[bytes]) -> bytes | None:
    """Return all output; None when it is too long."""
    output = bytearray()
    while piece := stdout.read(_PIECE_BYTES):
        output += piece
        if len(output) > MAX_OUTPUT_BYTES:
            return None
    return bytes(output)


def _problem(output: str, status: int) -> str:
    """Return the reason for a missing result, with the remedy."""
    if status == -signal.SIGKILL:
        return "the time for text recognition ended (extract.timeout_s)"
    missing = _MISSING_LANGUAGE.search(output)
    if missing:
        package = f"tesseract-ocr-{missing[1].lower().replace('_', '-')}"
        return f"the language data {missing[1]} is not installed (`apt install {package}`)"
    lines = [line for line in output.splitlines() if line.strip()] or ["no message"]
    return f"tesseract ended with {status}: {lines[-1][:200]}"


def _words(output: str) -> list[RecognizedWord]:
    """Parse the table (TSV) that Tesseract writes: one row for each word, in reading order."""
    words = []
    for line in output.splitlines():
        fields = line.split("\t")
        if len(fields) != _COLUMN_COUNT or fields[0] != _WORD_LEVEL or not fields[11].strip():
            continue
        try:
            block, paragraph, row = (int(field) for field in fields[2:5])
            confidence = float(fields[10])
        except ValueError:
            continue
        words.append(RecognizedWord(fields[11].strip(), confidence, block, paragraph, row))
    return words
