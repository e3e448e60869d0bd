"""Recognises short pages that stand in place of the one that was asked for: pure.

Bot checks, cookie walls, login forms and error pages come with a good status, too. Only pages of few words are judged:
a longer page that says such words speaks about them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.types import Notice, header

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wellread.types import Response

MAX_WORDS: Final = 120
"""The longest error pages of the large site builders have about 80 words."""
MAX_CHARS: Final = 1_500
"""For scripts without spaces, in which words are counted otherwise."""
_MAX_SCANNED_BYTES: Final = 500_000

_CHALLENGE: Final = (
    # English
    "checking your browser", "verify you are human", "verify that you are human", "verify you're human",
    "verifying you are human", "confirm you are human", "confirm that you are human", "prove you are human",
    "you are not a robot", "you're not a robot", "you are a robot", "unusual traffic", "pardon our interruption",
    "complete the following challenge", "complete the security check", "just a moment...", "ddos protection by",
    "you were a bot", "enable cookies", "enable your cookies", "cookies required", "must accept cookies",
    "cookies are disabled", "cookies must be enabled", "press & hold", "please complete the captcha",
    # German, Dutch, Scandinavian languages
    "kein roboter", "aktivieren sie cookies", "cookies aktivieren", "cookies sind deaktiviert", "geen robot",
    "cookies inschakelen", "ikke er en robot", "inte är en robot", "aktivera cookies",
    # Romance languages
    "pas un robot", "activer les cookies", "activez les cookies", "no eres un robot", "no es un robot",
    "habilite las cookies", "active las cookies", "non sei un robot", "abilita i cookie", "attiva i cookie",
    "não é um robô", "ative os cookies", "habilite os cookies", "nu ești robot",
    # Slavic languages, Turkish
    "nie jesteś robotem", "włącz obsługę plików cookie", "nejste robot",
    "не робот", "включите cookie",
    "проверка браузера", "robot olmad\u0131\u011f\u0131n\u0131z",
    # Chinese, Japanese, Korean
    "安全验证", "人机验证", "安全驗證", "启用cookie", "ロボットでは",
    "cookieを有効", "로봇이 아닙니다", "쿠키를 활성화",
)  # fmt: skip
_NOT_FOUND: Final = (
    "not found", "page does not exist", "page doesn't exist", "page no longer exists", "page isn't available",
    "nicht gefunden", "existiert nicht", "introuvable", "non trouvée", "n'existe pas", "no encontrada",
    "no existe", "non trovata", "non esiste", "não encontrada", "não existe", "niet gevonden",
    "bestaat niet", "kunde inte hittas", "hittades inte", "ikke funnet", "ikke fundet", "ei löydy",
    "nie znaleziono", "nie istnieje", "nenalezena", "neexistuje", "nem található", "bulunamad\u0131",
    "nu a fost găsit", "δεν βρέθηκε", "не найден",
    "не знайден", "не существует",
    "探しのページ", "見つかりません", "找不到", "不存在",
    "찾을 수 없", "không tìm thấy", "tidak ditemukan", "غير موجود",
)  # fmt: skip
_LOGIN: Final = (
    "sign in", "log in", "login", "log on", "anmelden", "einloggen", "connexion", "se connecter", "identifiez-vous",
    "iniciar sesión", "inicia sesión", "accedi", "entrar", "inloggen", "logga in", "logg inn", "log ind",
    "kirjaudu", "zaloguj", "přihlásit", "bejelentkezés", "giriş yap", "autentificare",
    "войти", "вход", "увійти", "ログイン", "登录", "登入",
    "로그인", "đăng nhập", "masuk", "تسجيل الدخول",
)  # fmt: skip
_404 = re.compile(r"(?<![0-9])404(?![0-9])")
_PASSWORD = re.compile(rb"<input[^>]{0,400}type\s{0,3}=\s{0,3}[\"']?password", re.IGNORECASE)


def wall_notice(response: Response, title: str | None, text: str, words: int) -> Notice | None:
    """Return a notice where a short web page stands in place of the one that was asked for, or None.

    `text` is what was read of it; its bytes tell whether it asks for a password.
    """
    is_html = "html" in (header(response.headers, "content-type") or "html")
    if not is_html or words > MAX_WORDS or len(text) > MAX_CHARS:
        return None
    url, heading, content = response.url, (title or "").casefold(), text.casefold()
    if _has_any(heading, _CHALLENGE) or _has_any(content, _CHALLENGE):
        return Notice("challenge_page", f"{url} shows a bot check or asks for cookies instead of the page")
    first_lines = "\n".join([heading, *content.split("\n")[:2]])
    if _has_any(first_lines, _NOT_FOUND) or _404.search(first_lines):
        detail = f"{url} says that the page was not found, although its status is {response.status}"
        return Notice("not_found_page", detail)
    asks_login = _has_any(heading, _LOGIN) or _has_any(content, _LOGIN)
    if asks_login and _PASSWORD.search(response.body[:_MAX_SCANNED_BYTES]):
        return Notice("login_page", f"{url} asks for a login instead of showing the page")
    return None


def _has_any(text: str, phrases: Iterable[str]) -> bool:
    return any(phrase in text for phrase in phrases)
