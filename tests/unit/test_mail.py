"""Mail as it is composed and read, without a mailbox: nobody else writes headers into it."""

from __future__ import annotations

import base64
import email
from email import policy
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread.assistant.integrations.google import mail
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from email.message import EmailMessage

ME = "ann@example.com"
OURS = {
    "To", "Cc", "Subject", "In-Reply-To", "References", "Content-Type", "Content-Transfer-Encoding", "MIME-Version",
}  # fmt: skip


def original(**headers: str) -> dict[str, Any]:
    named = [{"name": name.replace("_", "-"), "value": value} for name, value in headers.items()]
    return {"threadId": "t1", "payload": {"headers": named}}


def parsed(letter: mail.OutgoingMail) -> EmailMessage:
    return email.message_from_bytes(base64.urlsafe_b64decode(letter.raw()), policy=policy.default)


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80))
def test_no_header_of_anothers_mail_becomes_one_of_ours(subject: str, message_id: str, references: str) -> None:
    told = original(From="Ben <ben@example.com>", Subject=subject, Message_ID=message_id, References=references)
    letter = parsed(mail.reply_mail(told, "Yes.", ME, everybody=False))
    assert set(letter.keys()) <= OURS
    assert [it.addr_spec for it in letter["To"].addresses] == ["ben@example.com"]
    assert letter.get_content().strip() == "Yes."


@pytest.mark.parametrize(
    "attack",
    [
        "Hi\r\nBcc: eve@example.com",
        "Hi\nBcc: eve@example.com",
        "Hi\r\n\r\nbody",
        "Hi\u2028Bcc: eve@example.com",
        "Hi\x0bBcc: x",
    ],
)
def test_a_subject_of_several_lines_sends_nothing_anywhere_else(attack: str) -> None:
    letter = mail.OutgoingMail(to=("ben@example.com",), subject=attack, body="x")
    try:
        made = parsed(letter)
    except InvalidInput:
        return
    assert "Bcc" not in made
    assert made.get_content().strip() == "x"


@pytest.mark.parametrize(
    ("subject", "answer"), [("Boat", "Re: Boat"), ("RE: Boat", "RE: Boat"), ("re : Boat", "re : Boat"), ("", "Re:")]
)
def test_an_answer_is_called_one_once(subject: str, answer: str) -> None:
    told = original(From="ben@example.com", Subject=subject)
    assert mail.reply_mail(told, "x", ME, everybody=False).subject == answer


def test_a_thread_goes_on_by_in_reply_to_where_it_has_no_references() -> None:
    told = original(From="b@example.com", Message_ID="<2@x>", In_Reply_To="<1@x>")
    assert mail.reply_mail(told, "x", ME, everybody=False).references == ("<1@x>", "<2@x>")


def test_a_long_thread_keeps_its_end() -> None:
    told = original(From="b@example.com", Message_ID="<z@x>", References=" ".join(f"<{n}@x>" for n in range(500)))
    kept = mail.reply_mail(told, "x", ME, everybody=False).references
    assert (len(kept), kept[-1]) == (mail.MAX_REFERENCES, "<z@x>")


def test_who_wants_answers_elsewhere_gets_them_there() -> None:
    told = original(From="Ben <ben@example.com>", Reply_To="desk@example.com")
    assert mail.reply_mail(told, "x", ME, everybody=False).to == ("desk@example.com",)


def test_a_name_that_holds_an_address_is_a_name() -> None:
    told = original(From='"eve@example.com, x" <ben@example.com>')
    (to,) = parsed(mail.reply_mail(told, "x", ME, everybody=False))["To"].addresses
    assert to.addr_spec == "ben@example.com"


def test_a_mail_from_nobody_cannot_be_answered() -> None:
    with pytest.raises(InvalidInput, match="no sender"):
        mail.reply_mail(original(From="undisclosed"), "x", ME, everybody=False)


@pytest.mark.parametrize(
    ("charset", "data"),
    [
        ("utf-8", "Grüße".encode()), ("iso-8859-1", "Grüße".encode()), ("iso-8859-1", "Grüße".encode("latin-1")),
        ("nonsense", "Grüße".encode()),
    ],
)  # fmt: skip
def test_text_is_read_in_utf_8_or_else_as_it_says(charset: str, data: bytes) -> None:
    part = {"headers": [{"name": "Content-Type", "value": f"text/plain; charset={charset}"}]}
    assert mail.decode_part(part, base64.urlsafe_b64encode(data).decode().rstrip("=")) == "Grüße"


def test_japanese_with_escapes_is_not_taken_for_utf_8() -> None:
    part = {"headers": [{"name": "Content-Type", "value": 'text/plain; charset="iso-2022-jp"'}]}
    assert mail.decode_part(part, base64.urlsafe_b64encode("潮汐".encode("iso-2022-jp")).decode()) == "潮汐"


def test_parts_without_end_are_looked_at_so_far_and_no_further() -> None:
    inner: dict[str, Any] = {"mimeType": "text/html"}
    for _ in range(10_000):
        inner = {"mimeType": "multipart/mixed", "parts": [inner]}
    assert mail.body_part(inner) is None
    assert mail.attachment_lines(inner) == []


def test_html_is_what_a_person_sees_and_an_attached_page_is_not() -> None:
    page = {"mimeType": "text/html", "filename": "page.html", "body": {"size": 3}}
    plain, shown = {"mimeType": "text/plain"}, {"mimeType": "text/html"}
    assert mail.body_part({"parts": [page, plain, shown]}) is shown
    assert mail.body_part({"parts": [page, plain]}) is plain
    assert mail.attachment_lines({"parts": [page, plain]}) == ["page.html (text/html, 3 bytes)"]


FORGED = "=?utf-8?q?x=0D=0ABcc:_evil@example.org=0D=0AX:?="


@pytest.mark.parametrize(
    "told",
    [
        {"Message-ID": f"<{FORGED}@b.org>"}, {"References": f"<{FORGED}@b.org> <a@b.org>"}, {"Subject": FORGED},
        {"Subject": "=?utf-8?b?PT91dGYtOD9xP3g9MEQ9MEFCY2M6X2V2aWxAZXhhbXBsZS5vcmc/PQ==?="},
        {"Cc": f"{FORGED} <kim@example.com>"},
    ],
)  # fmt: skip
def test_words_that_mail_spells_out_write_no_header(told: dict[str, str]) -> None:
    given = {"From": "ben@example.com", "Message-ID": "<1@b.org>", **told}
    sent = parsed(mail.reply_mail(original(**given), "Fine.", ME, everybody=True))
    assert {name.lower() for name in sent} <= {
        "to", "cc", "subject", "in-reply-to", "references", "content-type", "content-transfer-encoding", "mime-version",
    }  # fmt: skip
    assert sent.get_content().strip() == "Fine."


@pytest.mark.parametrize("subject", [FORGED, "=?utf-8?b?c2VjcmV0?="])
def test_a_subject_that_would_be_read_as_another_is_refused(subject: str) -> None:
    with pytest.raises(InvalidInput):
        mail.OutgoingMail(to=("ann@example.com",), subject=subject, body="x").raw()


@pytest.mark.parametrize("sender", ["=?utf-8?q?a=0D=0Ab?= <x@y>", "<@", "(" * 3_000, f'"{FORGED}" <ben@example.com>'])
def test_a_sender_that_breaks_the_parser_is_nobody(sender: str) -> None:
    with pytest.raises(InvalidInput):
        mail.reply_mail(original(From=sender), "x", ME, everybody=False)


@given(
    st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=300).filter(lambda it: "=?" not in it)
)
def test_any_subject_in_one_line_is_sent_as_it_is_shown(subject: str) -> None:
    assert mail.OutgoingMail(to=("Zoë <ann@example.com>",), subject=f"{subject} {subject}", body="x").raw()
