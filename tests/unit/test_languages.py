"""Who wrote a page, when, in which language, under which title: in the words of many languages."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import unicodedata
from itertools import count
from pathlib import Path

import pytest

from effort import work_grows_in_proportion
from unit.language_pages import LanguagePage, language_pages
from wellread import extract
from wellread.metadata import credits as credit_lines
from wellread.text.dates import iso, named_months, spans

PROSE = (
    "<p>The old pump house stands at the end of a lane that nobody has paved since the war, and the people who look "
    "after it meet there every second Saturday.</p><p>In the first year they replaced the roof, in the second the "
    "windows, and only in the third did anyone dare to open the valve chamber below the floor.</p>"
) * 3
URL = "https://harbour.example/a/the-quay-opens"


def article(language: str, markup: str, *, title: str = "The quay", head: str = "", prose: str = PROSE) -> str:
    return (
        f'<html lang="{language}"><head><title>{title}</title>{head}</head><body><header><a href="/">Harbour</a>'
        f"</header><main><article><h1>The quay</h1>{markup}{prose}</article></main></body></html>"
    )


@pytest.mark.parametrize("page", language_pages(), ids=lambda page: page.name)
def test_author_and_day_in_many_languages(page: LanguagePage) -> None:
    result = extract(page.html, url=f"https://portal.example/{page.name}")
    assert (result.author, (result.published_date or "")[:10] or None) == (page.author, page.published)


def test_month_names_are_those_of_cldr() -> None:
    if importlib.util.find_spec("babel") is None:
        pytest.skip("Babel is not installed")
    command = Path(__file__).parents[2] / "benchmarks" / "month_names.py"
    subprocess.run([sys.executable, str(command), "--check"], check=True, timeout=100)


def test_month_names_are_written_as_they_are_looked_up() -> None:
    table = Path(named_months.__file__).with_name("names.txt").read_text("utf-8")
    rows = [line.split("\t") for line in table.splitlines() if not line.startswith("#")]
    cells = [cell for _, kind, *months in rows if kind == "months" for cell in months]
    more_cells = [cell for months in named_months.MORE_MONTHS.values() for cell in months.split("|")]
    for name in ",".join([*cells, *more_cells]).split(","):
        plain = unicodedata.normalize("NFC", name).casefold().replace(".", " ").replace("’", "'")
        assert name == " ".join(plain.split())


@pytest.mark.parametrize(
    ("language", "line", "author"),
    [
        ("fr", "Par Élodie Marchand, publié le 2 août 2023", "Élodie Marchand"),
        ("de", "Geschrieben von Jutta Brandt am 2. August 2023", "Jutta Brandt"),
        ("de", "Text und Fotos: Jutta Brandt", "Jutta Brandt"),
        ("pl", "Autor: Jan Nowak, opublikowano 2 sierpnia 2023", "Jan Nowak"),
        ("es", "Texto de Ana Gil. Fotos de Luis Paz", "Ana Gil"),
        ("es", "Por Ana de la Torre", "Ana de la Torre"),
        ("sv", "Av TT", "TT"),
        ("en", "Escrito por Ana Gil em 2 de agosto de 2023", "Ana Gil"),
        ("en", "Words: Ann Lee | Photos: Bob Ray", "Ann Lee"),
        ("ja", "取材・文＝田中一郎", "田中一郎"),
        ("ko", "김하늘·이서연 기자", "김하늘, 이서연"),
        ("zh", "作者 | 林小舟", "林小舟"),
        ("zh-TW", "記者 王小明 / 台北報導", "王小明"),
        ("fr", "Par Jean Dupont (avec AFP)", "Jean Dupont"),
        ("de", "Fotos: Jutta Brandt", None),
        ("ru", "Фото: Иван Кузнецов", None),
        ("ja", "写真：田中一郎", None),
        ("pl", "Fot. Jan Nowak", None),
        ("en", "Translated by Ann Lee", None),
        ("de", "Von unserer Redaktion", None),
        ("en", "By Ann Lee in Alderby on March 3, 2024", "Ann Lee"),
        ("tr", "Selin Aydın tarafından 3 Mart 2024 tarihinde yayınlandı", "Selin Aydın"),
        ("ja", "山本花子、佐藤一郎", "山本花子, 佐藤一郎"),
    ],
)
def test_names_in_a_marked_byline(language: str, line: str, author: str | None) -> None:
    assert extract(article(language, f'<p class="byline">{line}</p>'), url=URL).author == author


@pytest.mark.parametrize(
    "markup",
    [
        "<p>Par <span class=auteur>Luc Petit</span> et <span class=auteur>Zoé Blanc</span></p>",
        "<div><a rel=author href=/a>Luc Petit</a>, <a rel=author href=/b>Zoé Blanc</a></div>",
        "<ul><li><a rel=author href=/a>Luc Petit</a> Reporter</li><li><a rel=author href=/b>Zoé Blanc</a></li></ul>",
    ],
)
def test_two_authors_in_elements_of_their_own(markup: str) -> None:
    assert extract(article("fr", markup), url=URL).author == "Luc Petit, Zoé Blanc"


@pytest.mark.parametrize(
    ("language", "line"),
    [
        ("fr", "Mis à jour le 3 mars 2024 à 10h ; publié le 28 février 2024"),
        ("es", "Actualizado: 3 de marzo de 2024 | Publicado: 28 de febrero de 2024"),
        ("ru", "Обновлено: 3 марта 2024, опубликовано: 28 февраля 2024"),
        ("ja", "更新日：2024年3月3日 公開日：2024年2月28日"),
        ("ja", "2024年3月3日更新 2024年2月28日公開"),
        ("en", "Last modified: March 3, 2024 (originally published February 28, 2024)"),
        (
            "en",
            "<time datetime='2024-03-03'>Updated March 3</time> <time datetime='2024-02-28'>Published Feb 28</time>",
        ),
        (
            "es",
            "<dl><dt>Actualizado<dd><time datetime=2024-03-03>3</time><dt>Publicado<dd><time datetime=2024-02-28>28</time></dl>",
        ),
        ("pl", "<span>Aktualizacja</span><br>3 marca 2024<br><span>Publikacja</span><br>28 lutego 2024"),
    ],
)
def test_published_before_updated(language: str, line: str) -> None:
    page = extract(article(language, f"<p class=meta>{line}</p>"), url=URL)
    assert ((page.published_date or "")[:10], (page.modified_date or "")[:10]) == ("2024-02-28", "2024-03-03")


@pytest.mark.parametrize(
    "markup",
    [
        "<figure><img src=a><figcaption>12 May 2018, the yard. Photo: Lo Moe</figcaption></figure>",
        "<div class='wp-caption'><img src=a><p class='wp-caption-text'>12 May 2018</p></div>",
        "<div class='upcoming-event'>Open day <time datetime='2025-05-04'>May 4, 2025</time></div>",
        "<blockquote class='bluesky-embed'><p>hello</p>Jo (@jo) <a>4 May 2024 at 10:00</a></blockquote>",
        "<div class='twitter-tweet'><p>hello</p>Jo (@jo) <a>4 May 2024</a></div>",
        "<p class=meta>March 3, 2099</p>",
    ],
)
def test_day_of_another_thing(markup: str) -> None:
    assert extract(article("en", markup), url=URL).published_date is None


@pytest.mark.parametrize(
    "behind",
    [
        "<section id=comments><p>Osk, 3 May 2022</p><p>Good to hear.</p></section>",
        "<div class=box><h3>Open day</h3><p>Saturday, 6 September 2025</p></div>",
        "<section class=related><article><h3>Winter</h3><time datetime=2023-01-15>15 Jan</time></article></section>",
    ],
)
def test_day_behind_the_text(behind: str) -> None:
    text = "<p>The pump runs for an hour on open days, and children may pull the cord that sounds the whistle.</p>"
    other = text.replace("pump", "old engine")
    page = f"<title>The pump</title><main><article><h1>The pump</h1>{text}{other}</article>{behind}</main>"
    assert extract(page, url=URL).published_date is None


@pytest.mark.parametrize(
    ("text", "language", "day"),
    [
        ("۱۴ مرداد ۱۴۰۳", "fa", "2024-08-04"),
        ("۱۳۹۹/۱۲/۳۰", "fa", "2021-03-20"),
        ("1403/05/14", "en", None),
        ("4 ส.ค. 67 10:15 น.", "th", "2024-08-04"),
        ("23. listopada 2021.", "hr", "2021-10-23"),
        ("23 listopada 2021", "pl", "2021-11-23"),
        ("١٩ آب ٢٠٢١", "ar", "2021-08-19"),
        ("23 آذار/مارس 2021", "ar", "2021-03-23"),
        ("2021. 3. 23. 오전 10:15", "ko", "2021-03-23"),
        ("令和元年5月7日", "ja", "2019-05-07"),
        ("民國109年11月3日", "zh", "2020-11-03"),
        ("19 สิงหาคม 2564", "th", "2021-08-19"),
        ("2021eko martxoaren 23a", "eu", "2021-03-23"),
        ("Thứ Ba, 17 tháng 8 năm 2021", "vi", "2021-08-17"),
        ("23 març de 2021 amb Jordi", "ca", None),
    ],
)
def test_whole_dates_in_words(text: str, language: str, day: str | None) -> None:
    assert iso(text, language) == day


@pytest.mark.parametrize(
    ("title", "heading", "expected"),
    [
        ("旧桥封闭_本地_海湾网", "旧桥封闭", "旧桥封闭"),
        ("古い橋が閉まる－港町新聞", "古い橋が閉まる", "古い橋が閉まる"),
        ("港の朝市丨湾岸新聞", "港の朝市", "港の朝市"),
        ("港の朝市【湾岸新聞】", "港の朝市", "港の朝市"),
        ("다리 폐쇄_항구일보", "다리 폐쇄", "다리 폐쇄"),
        ("다리 폐쇄 &lt; 사회 &lt; 기사본문 - 항구일보", "다리 폐쇄", "다리 폐쇄"),
        ("Le pont ferme « Le Littoral", "Le pont ferme", "Le pont ferme"),
        ("東京：新しい市場の朝｜湾岸新聞", "東京：新しい市場の朝", "東京：新しい市場の朝"),
        ("snake_case_names", "snake_case_names", "snake_case_names"),
    ],
)
def test_site_name_in_titles(title: str, heading: str, expected: str) -> None:
    page = f"<title>{title}</title><article><h1>{heading}</h1>{PROSE}</article>"
    assert extract(page, url=URL).title == expected


def test_json_ld_before_meta_and_title() -> None:
    linked = (
        '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Harbour pump runs again"}</script>'
    )
    head = f'<title>Pumps</title><meta name="title" content="Pumps and more">{linked}'
    assert extract(f"{head}<article>{PROSE}</article>", url=URL).title == "Harbour pump runs again"


@pytest.mark.parametrize(
    ("declared", "head", "text", "language"),
    [
        (
            "en",
            '<meta property="og:locale" content="fr_FR">',
            "Le pont sur la rivière est fermé et les gens du port",
            "fr-FR",
        ),
        (
            "es",
            '<meta property="og:locale" content="pt_BR">',
            "A ponte ficará fechada até o fim do verão, não há",
            "pt-BR",
        ),
        (
            "de",
            '<meta property="og:locale" content="en_US">',
            "Die Brücke über den Fluss ist für Autos gesperrt und",
            "de",
        ),
        (
            "ru",
            '<meta property="og:locale" content="uk_UA">',
            "Старий міст через річку буде закрито, та що з ним",
            "uk-UA",
        ),
        ("en", "", "朝の五時には最初の漁師たちがもう桟橋に並び、日が堤防の上に昇るころには売り切れている。", "ja"),
        ("en-US", "", "Dolna śluza była zamknięta, ale do końca roku nie jest to już tak trudne, jak się wydaje", "pl"),
        ("en-GB", '<meta property="og:locale" content="en_US">', "The bridge is closed to cars of the town", "en-GB"),
    ],
)
def test_declared_languages_that_differ(declared: str, head: str, text: str, language: str) -> None:
    page = extract(article(declared, "", head=head, prose=f"<p>{text}</p>" * 5), url=URL)
    assert page.language == language


@pytest.mark.parametrize("line", ["3 march ", "作者：", "by of ", "2021 ", "mars 3, ", "Updated ", "ม.ค. "])
def test_cost_of_dates_and_credits_is_linear(line: str) -> None:
    calls = count()

    def read(times: int) -> None:
        text = f"{line * times}{next(calls)}"  # a text of its own for each call: texts of credits are cached
        spans(text, language="en")
        credit_lines.read(text, "en")

    assert work_grows_in_proportion(lambda: read(2_000), lambda: read(8_000))
