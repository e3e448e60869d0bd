"""Fields of Word documents: their codes are not text, but some fields without a result show a part of their code.

ECMA-376 part 1, 17.16: a complex field runs from `begin` over its code, `separate` and its result to `end`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from wellread.documents.docx.word_xml import attribute, child, is_on, value_of, whole_number
from wellread.extraction import field_codes
from wellread.extraction.field_codes import MAX_CODE_CHARS, FieldText, check_mark

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


@dataclass(slots=True)
class Field:
    """A complex field that is open."""

    is_hidden: bool = False
    """The field begins in hidden text."""
    form: Element | None = None
    """The data of a form field (17.16.17)."""
    code: list[str] = field(default_factory=list)
    in_code: bool = True
    has_result: bool = False
    href: str | None = None

    def instruction(self) -> str:
        """Return the start of the code, which has all that is used."""
        return "".join(self.code)[:MAX_CODE_CHARS]

    def name(self) -> str:
        """Return the name of the field, the first word of its code."""
        return field_codes.name_of(self.instruction())


def unmatched(root: Element) -> frozenset[int]:
    """Return the ids of `begin` marks that no `end` follows: they would hide all text after them."""
    open_marks: list[int] = []
    for element in root.iter():
        if element.tag == "fldChar":
            kind = attribute(element, "fldCharType")
            if kind == "begin":
                open_marks.append(id(element))
            elif kind == "end" and open_marks:
                open_marks.pop()
    return frozenset(open_marks)


def shown(opened: Field) -> FieldText:
    """Return the text of a field without a usable result: boxes, lists, signs, buttons, formulas."""
    name = opened.name()
    if name == "FORMCHECKBOX":
        return FieldText(check_mark(_is_checked(opened.form)))
    if opened.has_result:
        return FieldText()
    if name == "FORMDROPDOWN":
        return FieldText(_chosen(opened.form))
    if name == "FORMTEXT":
        return FieldText(value_of(child(opened.form, "textInput"), "default"))
    return field_codes.field_text(opened.instruction())


def _is_checked(form: Element | None) -> bool:
    box = child(form, "checkBox")
    state = child(box, "checked")
    if state is None:
        state = child(box, "default")
    return is_on(state)


def _chosen(form: Element | None) -> str:
    choices = child(form, "ddList")
    index = whole_number(value_of(choices, "result"))
    if index is None:
        index = whole_number(value_of(choices, "default"), 0) or 0
    entries = [attribute(part, "val") for part in choices or () if part.tag == "listEntry"]
    if 0 <= index < len(entries):
        return entries[index]
    return ""
