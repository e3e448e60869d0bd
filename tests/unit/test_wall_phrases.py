"""What short pages say that stand in place of another: read from bytes at hand."""

from __future__ import annotations

import pytest

import wellread
from pages import document

TEXT = "The ferry leaves the northern pier at seven in the morning and comes back at noon. "


def codes(body: str) -> set[str]:
    page = wellread.extract(document(body).encode())
    return {notice.code for notice in page.notices} - {"thin_content"}


@pytest.mark.parametrize(
    ("code", "body"),
    [
        ("challenge_page", "<p>Para continuar debe habilitar las cookies en su navegador.</p>"),
        ("challenge_page", "<h1>shop.example</h1><p>Prüfung, ob Sie ein Mensch sind.</p>"),
        ("challenge_page", "<p>One moment</p><script>var dd={'host':'geo.captcha-delivery.com'}</script>"),
        ("challenge_page", "<p>비정상적인 접근이 감지되었습니다.</p>"),
        ("challenge_page", "<p>Επιβεβαιώστε ότι είστε άνθρωπος.</p>"),
        ("not_found_page", "<h1>Hoppla!</h1><p>Diese Seite konnte leider nicht gefunden werden.</p>"),
        ("not_found_page", "<h1>Oops! That page can\u2019t be found.</h1><p>Maybe try a search?</p>"),
        ("not_found_page", "<h1>Information</h1><p>The requested topic does not exist.</p>"),
        ("not_found_page", "<h1>Không tìm thấy trang</h1><p>Trang bạn tìm không tồn tại.</p>"),
        ("not_found_page", "<h1>الصفحة غير موجودة</h1><p>عذرا.</p>"),
        (
            "unavailable_page",
            "<h1>Access Denied</h1><p>You don't have permission to access this.</p>",
        ),
        ("unavailable_page", "<h1>Wartungsarbeiten</h1><p>Unsere Seite ist vorübergehend nicht erreichbar.</p>"),
        ("unavailable_page", "<h1>Welcome to nginx!</h1><p>If you see this page, the server is working.</p>"),
        ("unavailable_page", "<h1>Account Suspended</h1><p>Contact your hosting provider.</p>"),
        ("unavailable_page", "<h1>Server Error in '/' Application.</h1><p>Runtime Error</p>"),
        ("unavailable_page", "<h1>This content is not available in your country</h1><p>We are sorry.</p>"),
        ("unavailable_page", "<h1>Are you of legal drinking age?</h1><p>You must be 18 or older to enter.</p>"),
    ],
)
def test_short_page_in_place_of_another(code: str, body: str) -> None:
    assert codes(body) == {code}


@pytest.mark.parametrize(
    "address",
    [
        "/cdn-cgi/Challenge-Platform/h/b/orchestrate/chl_page",
        "//geo.Captcha-Delivery.com/c.js",
        "/_Incapsula_Resource?SWJIYLWA=1",
        "/PX-captcha/main.js",
        "//x.token.AwsWafIntegration.js",
        "//check.DDoS-Guard.net/check.js",
    ],
)
def test_script_of_a_bot_check(address: str) -> None:
    assert codes(f"<p>One moment</p><script src='{address}'></script>") == {"challenge_page"}


@pytest.mark.parametrize(
    "body",
    [
        f"<h1>Harbour closed for maintenance</h1><p>{TEXT * 3}</p>",
        f"<h1>Errores</h1><p>Los errores humanos son frecuentes. {TEXT * 3}</p>",
        f"<h1>Fibre is available in your area</h1><p>{TEXT * 3}</p>",
        f"<h1>Questions</h1><p>{TEXT}</p><p>{TEXT * 4}</p><p>{TEXT}</p><p>To log in, please enable cookies.</p>",
        f"<h1>Opening hours</h1><p>{TEXT * 2} The page about fares says more.</p>",
    ],
)
def test_short_page_of_its_own(body: str) -> None:
    assert codes(body) == set()
