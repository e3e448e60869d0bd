"""Writes the report of a research: sentences with the numbers of their citations, and the list of sources; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellread.citations.citation_numbers import citation_numbers
from wellread.output import inline_text
from wellread.text.characters import on_one_line
from wellread.types import Notice, Research, Span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.types import Claim, Contradiction, Passage, ResearchFinding, ResearchPlan


def built_research(
    question: str,
    plan: ResearchPlan,
    findings: Sequence[ResearchFinding],
    left_out: Sequence[str],
    notices: Sequence[Notice] = (),
    *,
    cost_usd: float | None = None,
) -> Research:
    """Return the research of these findings, whose citations are proved, with its report."""
    # Loaded here: what only prints a report needs no words of contradiction.
    from wellread.reading.contradictions import contradictions

    claims = {claim.text: claim for finding in findings for claim in (*finding.claims, *finding.quotations)}
    all_notices = [*notices, *(notice for finding in findings for notice in finding.notices)]
    research = _research(question, plan, findings, contradictions(list(claims.values())), left_out, all_notices)
    return replace(research, cost_usd=cost_usd)


def shortened(research: Research, max_sentences: int) -> Research:
    """Return the research with at most so many sentences of each finding, and as many contradictions."""
    findings = [
        replace(finding, claims=finding.claims[:max_sentences], quotations=finding.quotations[:max_sentences])
        for finding in research.findings
    ]
    differing = research.contradictions[:max_sentences]
    shorter = _research(research.question, research.plan, findings, differing, research.left_out, research.notices)
    return replace(shorter, cost_usd=research.cost_usd)


def _research(
    question: str,
    plan: ResearchPlan,
    findings: Sequence[ResearchFinding],
    differing: Sequence[Contradiction],
    left_out: Sequence[str],
    notices: Sequence[Notice],
) -> Research:
    cited = [claim for finding in findings for claim in _new_claims(finding, findings)]
    cited += [claim for contradiction in differing for claim in contradiction.claims]
    citations = tuple(dict.fromkeys(passage for claim in cited for passage in claim.passages))
    not_found = tuple(finding.query for finding in findings if not finding.claims)
    return Research(
        question=question,
        text=_report(question, findings, differing, citations, [*_sections(not_found, left_out)]),
        plan=plan,
        findings=tuple(findings),
        citations=citations,
        contradictions=tuple(differing),
        not_found=not_found,
        left_out=tuple(left_out),
        notices=tuple(dict.fromkeys(notices)),
    )


def uncovered_lines(
    text: str,
    question: str,
    findings: Sequence[ResearchFinding],
    differing: Sequence[Contradiction],
    citations: Sequence[Passage],
    work: Sequence[Sequence[str]],
) -> list[str]:
    """Return the lines of a report that its findings, contradictions and citations do not make.

    `work` is what was not found, and what was left out.
    """
    report = _report(question, findings, differing, citations, _sections(*work))
    report_lines = set(report.splitlines())
    return [line for line in text.splitlines() if line.strip() and line not in report_lines]


def _new_claims(finding: ResearchFinding, findings: Sequence[ResearchFinding]) -> list[Claim]:
    """Return the sentences of a finding that no finding before it has."""
    earlier = {claim.text for other in findings[: findings.index(finding)] for claim in other.claims}
    return [claim for claim in finding.claims if claim.text not in earlier]


def _sections(not_found: Sequence[str], left_out: Sequence[str]) -> list[str]:
    lines: list[str] = []
    for heading, rows in (("Not found", not_found), ("Left out", left_out)):
        if rows:
            lines += [f"## {heading}", "", *(f"- {_escaped(row)}" for row in rows), ""]
    return lines


def _report(
    question: str,
    findings: Sequence[ResearchFinding],
    differing: Sequence[Contradiction],
    citations: Sequence[Passage],
    sections: Sequence[str],
) -> str:
    """Return the report in Markdown. Text of pages is escaped: it can make no link, heading or list."""
    lines = [f"# {_escaped(question)}", ""]
    numbers = citation_numbers(citations)
    for finding in findings:
        new_claims = _new_claims(finding, findings)
        if new_claims:
            sentences = [f"- {_cited(claim, numbers)}" for claim in new_claims]
            lines += [f"## {_escaped(finding.query)}", "", *sentences, ""]
    if differing:
        lines += ["## Contradictions", ""]
        lines += [f"- {_contradiction_line(contradiction, numbers)}" for contradiction in differing]
        lines.append("")
    lines += sections
    if citations:
        lines += ["## Sources", ""]
        lines += [f"{number}. {_source(passage)}" for number, passage in enumerate(citations, 1)]
        lines.append("")
    return "\n".join(lines)


def contradiction_line(contradiction: Contradiction, citations: Sequence[Passage]) -> str:
    """Return a pair of sentences, each with the numbers of its citations, as one line of Markdown."""
    return _contradiction_line(contradiction, citation_numbers(citations))


def _contradiction_line(contradiction: Contradiction, numbers: Mapping[Passage, int]) -> str:
    sides = " / ".join(_cited(claim, numbers) for claim in contradiction.claims)
    return f"{contradiction.kind}: {sides}"


def _cited(claim: Claim, numbers: Mapping[Passage, int]) -> str:
    marks = "".join(f"[{numbers[passage]}]" for passage in claim.passages)
    return f"{_escaped(claim.text)} {marks}"


def _source(passage: Passage) -> str:
    link = inline_text.markdown([Span("cited passage", href=passage.fragment_url)], images=False)
    return f"{_escaped(passage.title or passage.url)}: <{passage.url}>, {link}"


def _escaped(text: str) -> str:
    """Return text of a page or a question as Markdown that shows it as it is."""
    return inline_text.escape_line_start(inline_text.markdown([Span(on_one_line(text))], images=False))
