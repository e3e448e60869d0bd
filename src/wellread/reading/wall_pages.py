"""Recognises short pages that stand in place of the one that was asked for: pure.

Bot checks, cookie walls, login forms and error pages come with a good status, too. Only pages of few words are judged:
a longer page that says such words speaks about them.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from wellread.types import Notice, header

if TYPE_CHECKING:
    from wellread.types import Response

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
_404 = re.compile(r"(?<![0-9])404(?![0-9])")
_PASSWORD = re.compile(rb"<input[^>]{0,400}type\s{0,3}=\s{0,3}[\"']?password", re.IGNORECASE)
_CHALLENGE_SCRIPT = re.compile(
    rb"challenge-platform/[^\"'<> ]{0,80}/orchestrate|captcha-delivery\.com|_incapsula_resource|px-captcha"
    rb"|awswafintegration|ddos-guard\.net/",
    re.IGNORECASE,
)
"""Scripts that bot-check services load on their check page alone."""
_LOGIN_ADDRESS = re.compile(
    r"(?:^|[/._-])(?:log-?[io]n|sign-?in|sso|oauth2?|authorize|openid-connect|saml2?|wp-login|servicelogin|idp|cas|auth"
    r"|session)(?:[/._?-]|$)"
)
"""A part of an address that only a login has."""
_LEAD_LINES: Final = 3
_BRIEF_WORDS: Final = 80
"""Of a page that may say anywhere in it that it is a bot check."""
_BLANKS: Final = re.compile(r"\s+")


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
    body = response.body[:_MAX_SCANNED_BYTES]
    searched = content if words <= _BRIEF_WORDS else lead  # a short page of answers may speak of cookies further down
    if _has_any(heading, _CHALLENGE) or _has_any(searched, _CHALLENGE) or _CHALLENGE_SCRIPT.search(body):
        return Notice("challenge_page", f"{url} shows a bot check or asks for cookies instead of the page")
    if _has_any(lead, _NOT_FOUND) or _404.search(lead):
        detail = f"{url} says that the page was not found, although its status is {response.status}"
        return Notice("not_found_page", detail)
    if _has_any(heading, _LOGIN) or _has_any(content, _LOGIN):
        is_sent_to_login = bool(requested_url) and _is_login_address(url) and not _is_login_address(requested_url)
        if is_sent_to_login or _PASSWORD.search(body):
            return Notice("login_page", f"{url} shows a login form instead of the page")
    if _has_any(lead, _UNAVAILABLE):
        detail = f"{url} says that the page is not available: no access, maintenance, a failure, or no site yet"
        return Notice("unavailable_page", f"{detail}, although its status is {response.status}")
    return None


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
