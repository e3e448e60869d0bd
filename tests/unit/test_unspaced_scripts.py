"""Pages in scripts whose sentences are short, or have no spaces, are read as those in Latin script are."""

from __future__ import annotations

import numpy as np
import pytest

import wellread
from wellread.extraction import lexicon
from wellread.segmentation import script_lengths

JAPANESE = (
    "港の改修工事は三日に始まり、来年の秋までに新しい防波堤が完成する見通しとなった。",
    "市の担当者は、漁船が冬の間も安全に出入りできるようになると説明している。",
    "工事の費用はおよそ四十億円で、国と県が半分ずつ負担することが決まっている。",
    "地元の漁業者からは、工期の短縮を求める声が上がっている。",
)
CHINESE = (
    "港口改造工程三日开工，新的防波堤预计明年秋天完工。",
    "市政府负责人表示，渔船今后冬季也能安全进出港口。",
    "工程费用约为四十亿元，由国家和省各承担一半。",
    "当地渔民希望缩短工期，避免影响明年春天的捕捞季节。",
)
KOREAN = (
    "항구 보수 공사가 사흘에 시작되어 내년 가을까지 새 방파제가 완공될 전망이다.",
    "시 관계자는 겨울에도 어선이 안전하게 드나들 수 있게 된다고 설명했다.",
    "공사비는 약 사백억 원이며 국가와 도가 절반씩 부담하기로 했다.",
    "지역 어민들은 공사 기간을 줄여 달라고 요구하고 있다.",
)
OTHER_NEWS = {
    "ja": (
        "関連記事",
        "あわせて読みたい",
        "外国為替市場で円安が進む",
        "新しい特急列車が運行を開始",
        "高校野球の決勝は延長に",
    ),
    "zh": ("相关阅读", "热门推荐", "外汇市场人民币走低", "新型高铁列车投入运营", "全国中学生足球赛闭幕"),
    "ko": ("관련기사", "많이 본 뉴스", "외환시장 원화 약세 지속", "새 고속열차 운행 시작", "고교야구 결승 연장 접전"),
}


def news_page(paragraphs: tuple[str, ...], lang: str) -> str:
    """Return a page with an article, and boxes of many other articles below and beside it."""
    related, popular, *titles = OTHER_NEWS[lang]
    entries = "".join(
        f"<li><a href='/n/{number}.html'><img src=/i/{number}.jpg alt=''><h3>{titles[number % 3]}（{number}）</h3></a>"
        f"<time>2024/12/0{number % 9 + 1} 10:{number + 10}</time></li>"
        for number in range(24)
    )
    body = "".join(f"<p>{number} {text}</p>" for number in range(4) for text in paragraphs)
    title = paragraphs[0][:14]
    return (
        f"<html lang={lang}><title>{title} - 港新聞</title><body><header><nav><a href=/>TOP</a></nav></header>"
        f"<div class=layout><div class=col><h1>{title}</h1><div class=body>{body}</div>"
        f"<h2>{related}</h2><ul class=l>{entries}</ul></div>"
        f"<div class=col2><h2>{popular}</h2><ul class=l>{entries}</ul></div></div></body></html>"
    )


@pytest.mark.parametrize(("lang", "paragraphs"), [("ja", JAPANESE), ("zh", CHINESE), ("ko", KOREAN)])
def test_article_beside_lists_of_others(lang: str, paragraphs: tuple[str, ...]) -> None:
    page = wellread.extract(news_page(paragraphs, lang), url="https://minato.example/news/20241203.html", format="text")
    assert all(text in page.text for text in paragraphs)
    assert "（" not in page.text


@pytest.mark.parametrize(
    ("line", "category"),
    [
        ("【関連記事】新しい港", "section"),
        ("延伸閱讀", "section"),
        ("» Lire aussi : le port rouvre", "section"),
        ("Lesen Sie auch: Der Hafen", "section"),
        ("اقرأ أيضًا: الميناء", "section"),
        ("ログイン", "plea"),
        ("Teilen", "plea"),
        ("免责声明", "legal"),
        ("12 комментариев", "comments"),
        ("Kommentare (12)", "comments"),
        ("責任編輯：王小明", "byline"),
        ("3時間前", "date"),
        ("vor 3 Stunden", "date"),
        ("Teilen der Stadt fehlt Wasser", ""),
        ("Mehr als 200 Menschen kamen", ""),
        ("関連性を調べる", ""),
    ],
)
def test_purpose_of_lines_in_other_languages(line: str, category: str) -> None:
    assert lexicon.line_purpose(line) == category


def test_latin_greek_and_cyrillic_letters_keep_their_length() -> None:
    text = "Der Hafen öffnet, Λιμάνι, гавань — “ok” 🙂"
    codes = np.frombuffer(text.encode("utf-32-le"), np.uint32)
    measures = script_lengths.lengths(codes)
    assert measures is not None
    assert measures[0].tolist() == [1.0] * len(text)
    assert not measures[1].any()
