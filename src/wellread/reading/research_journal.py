"""The journal of a research, so that it can be continued: its plan, each finished query, and what failed ones cost.

Each is one JSON object a line.

A line that was not written whole is cut off when the journal is opened again.
"""

from __future__ import annotations

import dataclasses
import json
import sqlite3
from typing import TYPE_CHECKING, Any, Final, Self

from wellread.citations.verification import claim_of
from wellread.errors import InvalidInput, reason_line
from wellread.reading.research_costs import Spending
from wellread.store.folder_lock import locked
from wellread.types import Notice, ResearchFinding, ResearchPlan

if TYPE_CHECKING:
    from pathlib import Path

JOURNAL: Final = "research.jsonl"


def locked_journal(folder: Path) -> sqlite3.Connection:
    """Lock the journal in a folder until the connection is closed.

    Raises:
        InvalidInput: another research has the lock.
    """
    return locked(folder / "research.lock", "does a research in")


class ResearchJournal:
    """Opens a journal, new or begun; one process at a time writes it."""

    def __init__(self, folder: Path, question: str) -> None:
        """Make the folder, or read the journal in it.

        Raises:
            InvalidInput: the folder cannot be written, another process works in it, or it is about another question.
        """
        self._question = question
        self.plan: ResearchPlan | None = None
        self.findings: dict[str, ResearchFinding] = {}
        """By their queries."""
        self.failed_spending = Spending()
        """Of all queries that ended without a finding."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._guard = locked_journal(folder)
            self._file = (folder / JOURNAL).open("a+b", buffering=0)
        except (OSError, sqlite3.Error) as error:
            raise InvalidInput(
                f"cannot write a research into {folder}: {reason_line(error)}", hint="name another folder"
            ) from error
        try:
            self._read()
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            self.close()
            raise InvalidInput(f"{folder / JOURNAL} is no journal of a research", hint="name another folder") from error
        except InvalidInput:
            self.close()
            raise

    def __enter__(self) -> Self:
        """Return the same journal."""
        return self

    def __exit__(self, *_exc: object) -> None:
        """Close the journal."""
        self.close()

    def close(self) -> None:
        """Close the file and let other processes in."""
        self._file.close()
        self._guard.close()

    def write_plan(self, plan: ResearchPlan) -> None:
        """Write the plan, the first line."""
        self.plan = plan
        self._write({"question": self._question, "plan": plan._asdict()})

    def write_finding(self, finding: ResearchFinding) -> None:
        """Write a finished query."""
        self.findings[finding.query] = finding
        notices = [list(notice) for notice in finding.notices]
        self._write({"finding": dataclasses.asdict(finding) | {"notices": notices}})

    def write_failure(self, query: str, spending: Spending) -> None:
        """Write what a query took that ended without a finding."""
        self.failed_spending = self.failed_spending.plus(spending)
        self._write({"failed": query, "spending": spending._asdict()})

    def _write(self, row: dict[str, object]) -> None:
        self._file.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")

    def _read(self) -> None:
        self._file.seek(0)
        content = self._file.read()
        whole, _, _ = content.rpartition(b"\n")
        self._file.truncate(len(whole) + bool(whole))
        for number, line in enumerate(whole.split(b"\n") if whole else []):
            row = json.loads(line.decode("utf-8", "surrogatepass"))
            if number and "failed" in row:
                self.failed_spending = self.failed_spending.plus(Spending(**row["spending"]))
                continue
            if number:
                finding = _finding(row["finding"])
                self.findings[finding.query] = finding
                continue
            if row["question"] != self._question:
                question = str(row["question"])[:200]
                raise InvalidInput(f"the journal is about {question!r}", hint="name another folder")
            self.plan = ResearchPlan(**row["plan"] | {"queries": tuple(map(str, row["plan"]["queries"]))})


def _finding(row: dict[str, Any]) -> ResearchFinding:  # Any: JSON
    fields = row | {name: tuple(map(claim_of, row[name])) for name in ("claims", "quotations")}
    fields["sources"] = tuple((str(url), str(snapshot)) for url, snapshot in row["sources"])
    fields["notices"] = tuple(map(Notice._make, row["notices"]))
    return ResearchFinding(**fields)
