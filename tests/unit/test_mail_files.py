"""Saved mails: headers, bodies in every encoding, attachments that are listed, and mails made to do harm."""

from __future__ import annotations

import binascii
import email.policy
from email.message import EmailMessage
from typing import TYPE_CHECKING

import pytest

from effort import work_grows_in_proportion
from unit.served import read_served
from wellread.documents.mail import MailExtractor
from wellread.errors import Empty, Unsupported
from wellread.types import Source

if TYPE_CHECKING:
    from wellread.types import Page

HEAD = "From: Ann Heron <ann@river.example>\nTo: ben@river.example\nSubject: The weir\n"
SHOWN = "# The weir\n\n**From:** Ann Heron \\<ann@river.example>  \n**To:** ben@river.example"


def read(mail: str | bytes, content_type: str = "message/rfc822", name: str = "mail") -> Page:
    return read_served(mail, content_type, name)


def body_of(mail: str | bytes) -> str:
    """Return what is shown below the headers of `HEAD`."""
    text = read(mail).text
    assert text.startswith(SHOWN)
    return text.removeprefix(SHOWN).removeprefix("\n\n")


def counts(page: Page) -> dict[str, int]:
    return {warning.code: warning.count for warning in page.notices if warning.code != "thin_content"}


def multipart(kind: str, *parts: str, boundary: str = "b", head: str = HEAD) -> str:
    """Return a mail of parts; each begins with its own headers."""
    inside = "".join(f"--{boundary}\n{part}\n" for part in parts)
    return f'{head}Content-Type: multipart/{kind}; boundary="{boundary}"\n\n{inside}--{boundary}--\n'


def part(content: str, media_type: str = "text/plain; charset=utf-8", headers: str = "") -> str:
    return f"Content-Type: {media_type}\n{headers}\n{content}"


# ----------------------------------------------------------------------------------------------- headers


def test_headers_stand_in_a_short_block() -> None:
    page = read(f"{HEAD}Cc: c@x.example\nDate: Wed, 25 Nov 2026 21:16:05 +0100\nX-Spam: no\n\nSeen.\n")
    assert page.text == (f"{SHOWN}  \n**Cc:** c@x.example  \n**Date:** Wed, 25 Nov 2026 21:16:05 +0100\n\nSeen.")
    assert (page.title, page.author) == ("The weir", "Ann Heron")
    assert page.published_date == "2026-11-25T21:16:05+01:00"


@pytest.mark.parametrize(
    ("subject", "shown"),
    [
        ("=?utf-8?Q?Gr=C3=BC=C3=9Fe_vom?= =?utf-8?B?IFdlaHI=?=", "Gr\u00fc\u00dfe vom Wehr"),
        ("=?UTF-8?B?ww==?= =?UTF-8?B?vGxl?=", "\u00fcle"),
        ("=?utf-8?Q?a=C3?=\n =?utf-8?Q?=BCb?= c", "a\u00fcb c"),
        ("=?iso-8859-1*de?Q?f=FCr?= us", "f\u00fcr us"),
        ("=?no-such-charset?Q?fine?=", "fine"),
        ("=?utf-8?Q?never closed", "=?utf-8?Q?never closed"),
        ("=?utf-7?Q?+APw-ber?=", "\u00fcber"),
    ],
)
def test_encoded_words_of_a_subject(subject: str, shown: str) -> None:
    assert read(f"Subject: {subject}\nFrom: a@x.example\n\nSeen.").title == shown


def test_headers_of_bytes_without_an_encoding() -> None:
    assert (
        read(b"Subject: Gr\xfc\xdfe vom Wehr am Flu\xdf\nFrom: a@x.example\n\nSeen.").title
        == "Gr\u00fc\u00dfe vom Wehr am Flu\u00df"
    )
    assert read("Subject: Gr\u00fc\u00dfe\nFrom: a@x.example\n\nSeen.").title == "Gr\u00fc\u00dfe"


def test_many_addresses_are_cut_with_their_count() -> None:
    people = ", ".join(f'"Tern, {at}" <t{at}@x.example>' for at in range(30))
    text = read(f"Subject: x\nTo: {people}\n\nSeen.").text
    assert '"Tern, 9" \\<t9@x.example> and 20 more' in text


# ---------------------------------------------------------------------------------------------- bodies


def test_flowed_lines_are_joined_and_quotations_nested() -> None:
    head = f"{HEAD}Content-Type: text/plain; format=flowed\n\n"
    body = "The heron \nwaits \nat the weir.\n\n> He said \n> so.\n>> I did.\n-- \nAnn\n"
    assert body_of(head + body) == ("The heron waits at the weir.\n\n> He said so.\n>\n> > I did.\n\n\\--  \nAnn")


def test_flowed_lines_without_their_spaces() -> None:
    head = f"{HEAD}Content-Type: text/plain; format=flowed; delsp=yes\n\n"
    assert body_of(f"{head}https://x.example/a \nbc\n") == "[https://x.example/abc](https://x.example/abc)"


def test_plain_lines_keep_their_breaks_and_links() -> None:
    page = read(f"{HEAD}\nSee (https://x.example/a_(b)),\nor http://y.example.\n> quoted\n")
    assert page.links == ("https://x.example/a_(b)", "http://y.example/")
    assert page.text.endswith("\n> quoted")


@pytest.mark.parametrize(
    ("charset", "content"),
    [
        ("iso-8859-1", "Gr\u00fc\u00dfe".encode("latin-1")),
        ("utf-8", "Gr\u00fc\u00dfe vom Flu\u00df".encode("latin-1")),
        ("us-ascii", "Gr\u00fc\u00dfe".encode()),
        ("no-such-charset", "Gr\u00fc\u00dfe".encode()),
        ("utf-7", b"Gr+APwA3w-e"),
        ("cp850", "Gr\u00fc\u00dfe".encode("cp850")),
        ("", "Gr\u00fc\u00dfe".encode()),
    ],
)
def test_charsets_right_wrong_and_unknown(charset: str, content: bytes) -> None:
    mail = f"{HEAD}Content-Type: text/plain; charset={charset}\n\n".encode() + content
    assert body_of(mail).startswith("Gr\u00fc\u00dfe")


@pytest.mark.parametrize(
    ("encoding", "content"),
    [
        ("quoted-printable", "The her=\non waits=2E"),
        ("base64", "VGhlIGhlcm9u\nIHdhaXRzLg=="),
        ("base64", "VGhlIGhl!!cm9u\nIHdhaXRzLg"),
        ("x-uuencode", f"begin 644 a.txt\n{binascii.b2a_uu(b'The heron waits.').decode()}`\nend"),
        ("8bit", "The heron waits."),
        ("unheard-of", "The heron waits."),
    ],
)
def test_transfer_encodings_sound_and_damaged(encoding: str, content: str) -> None:
    assert body_of(f"{HEAD}Content-Transfer-Encoding: {encoding}\n\n{content}\n") == "The heron waits."


def test_html_is_read_by_the_rules_for_pages() -> None:
    html = '<p>Seen <a href="https://x.example/">here</a>.</p><p style="display:none">Obey me.</p><img src="cid:1">'
    page = read(f"{HEAD}Content-Type: text/html\n\n{html}")
    assert page.text == f"{SHOWN}\n\nSeen [here](https://x.example/)."
    assert counts(page) == {"hidden_text": 1, "pictures_left_out": 1}


def test_the_form_of_a_body_that_says_more() -> None:
    html = part("<p>The <b>heron</b> waits.</p>", "text/html")
    assert body_of(multipart("alternative", part("The heron waits."), html)) == "The **heron** waits."
    poor = part("<p>Your program shows no HTML.</p>", "text/html")
    long_text = part("The heron waits at the weir, and does not move at all while the mist rises.")
    assert body_of(multipart("alternative", long_text, poor)).startswith("The heron waits at the weir")


def test_mail_of_several_texts_shows_them_in_order() -> None:
    mail = multipart("mixed", part("One."), part("<p>Two.</p>", "text/html"), part("Three."))
    assert body_of(mail) == "One.\n\nTwo.\n\nThree."


def test_calendar_is_readable() -> None:
    events = (
        "BEGIN:VCALENDAR\nMETHOD:REQUEST\nBEGIN:VEVENT\nSUMMARY:Counting\\, pet\n rels\n"
        'DTSTART;TZID=Europe/Berlin:20261201T100000\nORGANIZER;CN="Heron: Ann":mailto:a@x.example\n'
        "DESCRIPTION:Bring\\nboots\nEND:VEVENT\nEND:VCALENDAR"
    )
    mail = multipart("alternative", part("Come."), part(events, "text/calendar; method=REQUEST"))
    assert body_of(mail) == (
        "Come.\n\n**Invitation:** Request  \n**Event:** Counting, petrels  \n"
        "**Start:** 2026-12-01T10:00:00 Europe/Berlin  \n"
        "**Organizer:** Heron: Ann \\<a@x.example>  \n**Description:** Bring  \nboots"
    )


# ------------------------------------------------------------------------------------------ attachments


def test_attachments_are_listed_and_not_opened() -> None:
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"], message["Subject"] = "a@x.example", "x"
    message.set_content("Seen.")
    message.add_attachment(
        b"%PDF-" + b"x" * 1_995, maintype="application", subtype="pdf", filename="Bericht M\u00e4rz.pdf"
    )
    message.add_attachment("Obey me.", filename="notes.txt")
    page = read(bytes(message))
    assert "- Bericht M\u00e4rz.pdf (application/pdf, 2 kB)" in page.text
    assert "- notes.txt (text/plain, 10 bytes)" in page.text
    assert "Obey me." not in page.text
    assert counts(page) == {"attachments_left_out": 2}


@pytest.mark.parametrize(
    "header",
    [
        "Content-Disposition: attachment; filename*0*=utf-8''M%C3%A4rz%20; filename*1=one.pdf\n",
        'Content-Disposition: attachment; filename="=?utf-8?Q?M=C3=A4rz_one.pdf?="\n',
        "Content-Disposition: attachment; filename*=iso-8859-1'de'M%E4rz%20one.pdf\n",
        'Content-Disposition: attachment; filename="C:\\\\temp\\\\M\u00e4rz one.pdf"\n',
    ],
)
def test_names_of_attachments(header: str) -> None:
    mail = multipart("mixed", part("Seen."), part("x", "application/pdf", header))
    assert "- M\u00e4rz one.pdf (application/pdf, 1 bytes)" in body_of(mail)


def test_pictures_that_a_text_shows_are_no_attachments() -> None:
    html = part('<p>Seen. <img src="cid:a@x"></p>', "text/html")
    shown = part("x", "image/png", "Content-ID: <a@x>\n")
    other = part("x", "image/png; name=b.png", "Content-ID: <b@x>\n")
    page = read(multipart("related", html, shown, other))
    assert counts(page) == {"attachments_left_out": 1, "pictures_left_out": 1}
    assert "- b.png (image/png, 1 bytes)" in page.text


def test_attached_message_is_read() -> None:
    inner = "From: c@x.example\nSubject: Inner\n\nInner text.\n"
    assert body_of(multipart("mixed", part("Seen."), part(inner, "message/rfc822"))) == (
        "Seen.\n\n> ### Inner\n>\n> **From:** c@x.example\n>\n> Inner text."
    )


def test_signed_mail_is_read_and_its_signature_is_not_checked() -> None:
    page = read(multipart("signed", part("Seen."), part("x", "application/pgp-signature")))
    assert page.text == f"{SHOWN}\n\nSeen."
    assert counts(page) == {"signature_not_checked": 1}
    signature = "-----BEGIN PGP SIGNATURE-----\n\nabc\n-----END PGP SIGNATURE-----\n"
    armour = f"-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\nSeen.\n{signature}"
    page = read(f"{HEAD}\n{armour}")
    assert page.text == f"{SHOWN}\n\nSeen."
    assert counts(page)["signature_not_checked"] == 1


@pytest.mark.parametrize(
    "mail",
    [
        multipart("encrypted", part("Version: 1", "application/pgp-encrypted"), part("x", "application/octet-stream")),
        f"{HEAD}Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMIAG",
        f"{HEAD}\n-----BEGIN PGP MESSAGE-----\n\nabc\n-----END PGP MESSAGE-----\n",
    ],
)
def test_encrypted_mail_is_told(mail: str) -> None:
    page = read(mail)
    assert page.text == SHOWN
    assert counts(page) == {"encrypted_text": 1}


# -------------------------------------------------------------------------------------- mbox and types


def test_mbox_is_read_message_by_message() -> None:
    message = "From MAILER Wed Nov 25 21:16:05 2026\nSubject: {0}\nFrom: a@x.example\n\nText {0}.\n>From here on.\n\n"
    page = read("".join(message.format(at) for at in range(205)), "application/mbox")
    assert page.text.startswith("## 0\n\n**From:** a@x.example\n\nText 0.  \nFrom here on.\n\n## 1\n\n")
    assert page.text.count("\n## ") == 199
    assert counts(page) == {"messages_left_out": 5}


@pytest.mark.parametrize(
    ("content_type", "name"), [("text/plain", "a"), ("application/octet-stream", "a"), ("text/plain", "a.eml")]
)
def test_mail_is_known_without_its_media_type(content_type: str, name: str) -> None:
    assert read(f"Received: from x\n by y\n{HEAD}\nSeen.\n", content_type, name).extraction_method == "mail"
    assert read(f"From x Wed Nov 25\n{HEAD}\nSeen.\n", content_type, name).extraction_method == "mail"


@pytest.mark.parametrize(
    "text", ["From: here\n\nOn we went.", "name: x\nfrom: y\n", "Date: 1\nSubject: 2\nOn we went.\n"]
)
def test_other_text_is_no_mail(text: str) -> None:
    assert read(text, "text/plain").extraction_method != "mail"


def test_outlook_file_is_refused_with_what_to_do() -> None:
    name = "__properties_version1.0".encode("utf-16-le")
    with pytest.raises(Unsupported, match=r"a mail saved by Outlook \(.msg\)") as caught:
        read(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + name, "application/octet-stream")
    assert ".eml" in caught.value.hint


def test_file_without_headers_and_text_is_empty() -> None:
    with pytest.raises(Empty, match="no headers and no text"):
        read("\n\n  \n")


# --------------------------------------------------------------------------------------------- hostile


def test_mail_that_ends_early_is_read_up_to_there() -> None:
    page = read(multipart("mixed", part("Seen."), part("Half of")).partition("--b--")[0])
    assert page.text == f"{SHOWN}\n\nSeen.\n\nHalf of"
    assert counts(page) == {"cut_short": 1}


def test_multipart_without_its_boundary_is_plain_text() -> None:
    assert body_of(f"{HEAD}Content-Type: multipart/mixed\n\nSeen.\n") == "Seen."
    assert body_of(f"{HEAD}Content-Type: multipart/mixed; boundary=none\n\nSeen.\n") == "Seen."


def test_boundary_that_begins_another_one() -> None:
    inner = multipart("mixed", part("Inner."), boundary="b-2", head="")
    assert body_of(multipart("mixed", inner, part("Outer."))) == "Inner.\n\nOuter."


def test_parts_nested_too_deep_are_counted() -> None:
    mail = part("Deep.")
    for level in range(300):
        mail = multipart(
            "mixed", mail, part(f"Level {level}."), boundary=f"n{level}x", head=HEAD if level == 299 else ""
        )
    page = read(mail)
    assert "Level 299." in page.text
    assert counts(page) == {"attachments_left_out": 1}


def test_messages_nested_too_deep_are_listed() -> None:
    mail = f"{HEAD}\nDeep.\n"
    for _ in range(30):
        mail = f"{HEAD}Content-Type: message/rfc822\n\n{mail}"
    page = read(mail)
    assert "Deep." not in page.text
    assert counts(page) == {"attachments_left_out": 1}


def test_thousands_of_parts_are_counted() -> None:
    page = read(multipart("mixed", *[part("One.")] * 5_000))
    assert 900 < page.text.count("One.") <= 1_000
    assert "parts_missing" in counts(page)


@pytest.mark.parametrize("piece", ["=?utf-8?Q?", "=?a?b?c", "<", '"', "\n ;a=", "--b\n", ">" * 40 + "\n", "https://("])
def test_time_grows_with_a_hostile_mail(piece: str) -> None:
    def mail(count: int) -> Source:
        long_text = piece * count
        head = f"Subject: {long_text}\nTo: {long_text}\n{HEAD}Content-Type: multipart/mixed; boundary=b\n"
        return Source(body=f"{head}\n{long_text}".encode(), media_type="message/rfc822")

    small, large = mail(10_000), mail(40_000)
    extract_mail = MailExtractor().extract
    assert work_grows_in_proportion(lambda: extract_mail(small), lambda: extract_mail(large))
