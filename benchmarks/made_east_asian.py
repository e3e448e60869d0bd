"""Writes the made test set of Chinese, Japanese and Korean news pages, in the format of `news.py`.

    python benchmarks/made_east_asian.py --out DIR
    python benchmarks/news.py --data DIR

72 pages: eight layouts of news sites, in Japanese, Korean, and Chinese in both scripts, from a fixed seed. Sentences,
layouts and names of boxes are not those of `reader/made_news.py`, from which the reader learns; this file was written
before it and stays as it is: another seed or another layout makes another test set. Each page has the text of its
article, and what sites put around and amid it.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

SEED: Final = 20_261_126
PAGES_OF_LAYOUT: Final = 9


class Language(NamedTuple):
    """What the pages of one language are made of."""

    code: str
    country: str
    sentences: tuple[str, ...]
    """With places for the lists below: {who}, {place}, {what}, {number}."""
    slots: dict[str, tuple[str, ...]]
    headlines: tuple[str, ...]
    sections: tuple[str, ...]
    labels: dict[str, str]
    """What the boxes around an article are headed by, and what buttons say."""


def _lists(**lists: str) -> dict[str, tuple[str, ...]]:
    return {name: tuple(entries.split("|")) for name, entries in lists.items()}


_JAPANESE: Final = Language(
    "ja",
    "jp",
    (
        "{who}は{number}日の記者会見で、{place}の{what}について「早急に結論を出したい」と述べた。",
        "{place}では{what}をめぐる議論が続いており、住民からは不安の声が上がっている。",
        "関係者によると、{who}は今月中にも{what}の見直し案をまとめる方針だという。",
        "調査によれば、{place}で{what}に賛成すると答えた人は{number}％にとどまった。",
        "一方、{who}は慎重な姿勢を崩しておらず、実現までには時間がかかりそうだ。",
        "{what}の費用は当初の見込みを{number}億円上回り、財源の確保が課題となっている。",
        "専門家は「{place}の事例は全国に広がる可能性がある」と指摘する。",
        "{who}の担当者は取材に対し、「詳細は調整中でお答えできない」と話した。",
        "{place}で長年暮らす農家の男性（{number}）は、肩を落とした。",
        "この問題では、昨年秋にも{who}が{what}を一時中断していた。",
    ),
    _lists(
        who="市長|環境省|県警|与党の幹部|研究チーム|気象庁|日銀総裁|鉄道会社|弁護団|文化庁|商工会議所|野党第一党",
        place="札幌市|瀬戸内の島|東北の沿岸部|京都市内|名古屋港|那覇市|北陸の山村|首都圏|長野県|福岡市",
        what="新しい税制|空港の拡張|大学入試の改革|防災計画|漁獲量の規制|路面電車の延伸|水道料金の値上げ|図書館の統合"
        "|観光客の受け入れ|再生可能エネルギー|介護保険の制度",
    ),
    (
        "{place}の{what}、来春にも開始へ",
        "{who}「{what}は避けられない」",
        "{what}巡り{place}で住民説明会",
        "{place}、{what}に{number}億円計上",
        "{who}が方針転換　{what}を容認",
    ),
    ("背景に財政難", "割れる住民の声", "問われる説明責任", "今後の見通し"),
    {
        "related": "関連するニュース", "ranking": "アクセスランキング", "latest": "新着記事", "share": "この記事を共有",
        "newsletter": "朝刊メールを受け取る（無料）", "paywall": "ここから先は有料会員の方だけがお読みになれます",
        "comments": "みんなの意見", "credit": "撮影・共同", "inline": "あわせて読みたい",
        "author": "この記事を書いた人", "topics": "話題のキーワード", "login": "ログイン", "home": "トップ",
        "reply": "返信", "terms": "利用規約",
    },
)  # fmt: skip
_KOREAN: Final = Language(
    "ko",
    "kr",
    (
        "{who}은 {number}일 기자회견에서 {place}의 {what} 문제를 올해 안에 매듭짓겠다고 밝혔다.",
        "{place}에서는 {what}을 둘러싼 갈등이 석 달째 이어지고 있다.",
        '{who} 관계자는 "아직 결정된 바가 없다"며 말을 아꼈다.',
        "조사 결과 {place} 주민의 {number}%가 {what}에 찬성한다고 답했다.",
        "전문가들은 {what}이 지역 경제에 미칠 영향을 지켜봐야 한다고 지적했다.",
        "{what}에 들어가는 비용은 모두 {number}억 원으로, 지난해보다 크게 늘었다.",
        "이에 대해 {who}은 즉각 반발하며 법적 대응을 예고했다.",
        '{place}의 한 상인({number})은 "하루하루 버티기가 힘들다"고 하소연했다.',
        "정부는 다음 달 중순까지 {what} 개선안을 내놓을 계획이다.",
        "앞서 {who}은 지난해에도 같은 이유로 {what}을 미룬 바 있다.",
    ),
    _lists(
        who="서울시장|국토교통부|여당 원내대표|경찰청|한국은행|연구진|노동조합|교육감|환경단체|기상청",
        place="부산 해운대구|강원 산간|제주도|대전 도심|전남 해안|수도권|인천항|광주광역시|경북 내륙",
        what="버스 요금 인상|신공항 건설|입시 제도 개편|재개발 사업|전기차 보조금|의료 인력 확충|폐기물 처리장|관광세"
        "|농산물 수입|도서관 통합",
    ),
    (
        "{place} {what}, 내년 상반기 시작",
        '{who} "{what} 더는 못 미룬다"',
        "{what} 놓고 {place} 주민 반발",
        "{place} {what}에 {number}억 투입",
    ),
    ("엇갈린 반응", "남은 과제는", "왜 지금인가", "앞으로의 일정"),
    {
        "related": "이 기사와 관련된 뉴스", "ranking": "가장 많이 본 기사", "latest": "방금 들어온 소식",
        "share": "공유하기",
        "newsletter": "아침 소식을 메일로 받아 보세요", "paywall": "이 기사는 회원 전용입니다. 로그인 후 이용하세요",
        "comments": "댓글", "credit": "사진 연합뉴스", "inline": "함께 볼 기사", "author": "기자 소개",
        "topics": "많이 찾는 주제", "login": "로그인", "home": "홈", "reply": "답글", "terms": "이용약관",
    },
)  # fmt: skip
_CHINESE: Final = Language(
    "zh",
    "cn",
    (
        "{who}{number}日在{place}召开新闻发布会，介绍{what}的最新进展。",
        "记者了解到，{place}的{what}自上月启动以来，已有{number}家单位报名参加。",
        "{who}负责人表示，下一步将继续完善{what}的相关政策，确保落到实处。",
        "在{place}，不少市民认为{what}给日常生活带来了方便。",
        "数据显示，今年上半年{place}用于{what}的投入达到{number}亿元，同比增长明显。",
        "有专家指出，{what}仍面临资金不足、人手短缺等问题。",
        "“我们等这一天等了很多年。”家住{place}的王女士说。",
        "不过，也有人对{what}的效果表示怀疑，认为还需要时间检验。",
        "据悉，{who}将于年底前公布{what}的具体方案。",
        "此前，{place}曾两次推迟{what}，引发社会关注。",
    ),
    _lists(
        who="市教育局|国家气象中心|交通运输部|科研团队|省卫健委|铁路部门|海关总署|消防救援支队|文物局|大学校长",
        place="成都|长江沿岸|云南山区|青岛港|深圳|西安古城|东北三省|杭州湾|海南岛|兰州新区",
        what="老旧小区改造|地铁新线建设|高考改革|垃圾分类|湿地保护|新能源汽车补贴|农村医疗|夜间经济|古籍修复|防汛演练",
    ),
    (
        "{place}{what}明年全面铺开",
        "{who}：{what}不会走回头路",
        "{what}进展如何？{place}这样做",
        "投入{number}亿元！{place}推进{what}",
    ),
    ("群众怎么看", "难点在哪里", "下一步怎么走", "经验值得推广"),
    {
        "related": "相关阅读", "ranking": "点击排行榜", "latest": "滚动新闻", "share": "分享到朋友圈",
        "newsletter": "订阅每日早报", "paywall": "登录后阅读全文，新用户首月免费",
        "comments": "网友评论", "credit": "新华社发", "inline": "延伸阅读", "author": "作者简介",
        "topics": "热搜话题", "login": "登录", "home": "首页", "reply": "回复", "terms": "服务条款",
    },
)  # fmt: skip
_TRADITIONAL: Final = Language(
    "zh-Hant",
    "tw",
    (
        "{who}{number}日在{place}受訪時指出，{what}最快下個月就會有結果。",
        "{place}民眾對{what}看法兩極，有人樂觀其成，也有人憂心忡忡。",
        "{who}強調，{what}攸關下一代，不能再拖。",
        "根據統計，{place}今年因{what}受惠的家庭已超過{number}萬戶。",
        "學者認為，{what}若要成功，必須先取得地方共識。",
        "「這筆帳怎麼算都不划算。」住在{place}的陳先生說。",
        "{what}的預算高達{number}億元，議會下週將進行審查。",
        "對此，{who}回應，一切依法辦理，尊重各界意見。",
        "事實上，{place}早在三年前就曾提出{what}的構想。",
        "目前{who}仍在評估，尚未做出最後決定。",
    ),
    _lists(
        who="衛福部|臺北市長|中央氣象署|立法院黨團|研究團隊|捷運公司|環團|教育部|農委會|警方",
        place="花蓮縣|臺中港區|澎湖|南部科學園區|新北市|嘉義山區|高雄|香港新界|東海岸|屏東",
        what="長照制度|輕軌延伸|課綱調整|離岸風電|老屋更新|漁船補助|國際音樂節|水庫清淤|交通罰款|公托政策",
    ),
    (
        "{place}{what}拍板　明年上路",
        "{who}：{what}勢在必行",
        "{what}爭議延燒　{place}居民不滿",
        "{place}砸{number}億推{what}",
    ),
    ("正反意見並陳", "經費從哪裡來", "後續怎麼走", "各界反應"),
    {
        "related": "看更多相關報導", "ranking": "熱門排行", "latest": "即時新聞", "share": "分享給好友",
        "newsletter": "訂閱電子報", "paywall": "加入會員即可閱讀完整內容",
        "comments": "留言討論", "credit": "圖／記者攝", "inline": "推薦閱讀", "author": "關於作者",
        "topics": "熱門關鍵字", "login": "會員登入", "home": "首頁", "reply": "回應", "terms": "隱私權政策",
    },
)  # fmt: skip
LANGUAGES: Final = (_JAPANESE, _KOREAN, _CHINESE, _TRADITIONAL)


class Page:
    """Writes one page; notes what of it is the article."""

    def __init__(self, language: Language, dice: random.Random) -> None:
        self.language = language
        self.dice = dice
        self.truth: list[str] = []

    def fill(self, pattern: str) -> str:
        """Return a pattern with its places filled."""
        dice = self.dice
        chosen = {name: dice.choice(entries) for name, entries in self.language.slots.items()}
        return pattern.format(number=dice.randint(3, 97), **chosen)

    def headline(self) -> str:
        return self.fill(self.dice.choice(self.language.headlines))

    def sentences(self, least: int, most: int) -> str:
        patterns = self.dice.sample(self.language.sentences, self.dice.randint(least, most))
        return (" " if self.language.code == "ko" else "").join(map(self.fill, patterns))

    def article(self, text: str) -> str:
        """Note a text as the article's, and return it as HTML."""
        self.truth.append(text)
        return escape(text, quote=False)

    def paragraphs(self) -> list[str]:
        """Return the paragraphs of the article, at least six, as HTML."""
        return [self.article(self.sentences(1, 4)) for _ in range(self.dice.randint(6, 14))]

    def label(self, name: str) -> str:
        return self.language.labels[name]

    def date(self) -> str:
        dice = self.dice
        year, month, day = dice.randint(2021, 2026), dice.randint(1, 12), dice.randint(1, 28)
        clock = f"{dice.randint(0, 23):02}:{dice.randint(0, 59):02}"
        if self.language.code == "ko":
            return f"{year}.{month:02}.{day:02}. {clock}"
        return f"{year}年{month}月{day}日 {clock}"

    def link(self, text: str) -> str:
        return f'<a href="/n/{self.dice.randint(10_000, 99_999)}">{escape(text, quote=False)}</a>'

    def links(self, count: int, tag: str = "li", *, dated: bool = False) -> str:
        """Return entries that lead to other articles."""
        dates = [f" <span>{self.date()}</span>" if dated else "" for _ in range(count)]
        return "".join(f"<{tag}>{self.link(self.headline())}{date}</{tag}>" for date in dates)

    def menu(self) -> str:
        places = self.language.slots["place"]
        return "".join(f"<li>{self.link(place)}</li>" for place in self.dice.sample(places, 6))


def _semantic(page: Page, title: str) -> str:
    texts = page.paragraphs()
    middle = len(texts) // 2
    body = "".join(f"<p>{text}</p>" for text in texts[:middle])
    head = f"<h2>{page.article(page.dice.choice(page.language.sections))}</h2>"
    body += f"<aside><b>{page.label('inline')}</b><ul>{page.links(2)}</ul></aside>{head}"
    body += "".join(f"<p>{text}</p>" for text in texts[middle:])
    return (
        f"<header><nav><ul>{page.menu()}</ul></nav><a href=/login>{page.label('login')}</a></header>"
        f"<main><article><h1>{title}</h1><time>{page.date()}</time>"
        f"<figure><img src=/1.jpg alt=''><figcaption>{page.sentences(1, 1)}（{page.label('credit')}）"
        "</figcaption></figure>"
        f"{body}<div><button>{page.label('share')}</button></div></article>"
        f"<section><h3>{page.label('related')}</h3><ul>{page.links(8, dated=True)}</ul></section></main>"
        f"<aside><h3>{page.label('ranking')}</h3><ol>{page.links(10)}</ol></aside>"
        f"<footer><a href=/t>{page.label('terms')}</a><p>{page.label('newsletter')}</p></footer>"
    )


def _hashed(page: Page, title: str) -> str:
    cls = [f"sc-{page.dice.randrange(16**6):06x}" for _ in range(12)]
    lead = page.article(page.sentences(1, 2))
    body = "".join(f'<p class="{cls[0]}">{text}</p>' for text in page.paragraphs())
    teasers = "".join(
        f'<div class="{cls[1]}"><div class="{cls[2]}">{page.link(page.headline())}</div>'
        f'<div class="{cls[3]}">{page.sentences(1, 2)}</div><div class="{cls[4]}">{page.date()}</div></div>'
        for _ in range(page.dice.randint(6, 20))
    )
    return (
        f'<div class="{cls[5]}"><ul class="{cls[6]}">{page.menu()}</ul></div><div class="{cls[7]}">'
        f'<h1 class="{cls[8]}">{title}</h1><div class="{cls[4]}">{page.date()}</div>'
        f'<div class="{cls[9]}">{lead}</div><div class="{cls[10]}">{body}</div>'
        f'<div class="{cls[11]}"><div>{page.label("paywall")}</div><button>{page.label("login")}</button></div>'
        f'<div class="{cls[6]}"><div>{page.label("latest")}</div>{teasers}</div></div>'
    )


def _broken_lines(page: Page, title: str) -> str:
    texts = page.paragraphs()
    picture = (
        f'<table class="pic"><tr><td><img src="/p.jpg"></td></tr><tr><td class="txt">{page.sentences(1, 1)}'
        f" {page.label('credit')}</td></tr></table>"
    )
    body = texts[0] + "<br><br>" + picture + "<br><br>".join(texts[1:])
    return (
        f'<div id="gnb"><ul>{page.menu()}</ul></div><div id="wrap"><div class="head_view"><h3 class="tit">{title}</h3>'
        f'<span class="date">{page.date()}</span></div><div id="newsViewArea">{body}<br><br></div>'
        f'<div class="util"><a href="#">{page.label("share")}</a><a href="#">{page.label("comments")} 128</a></div>'
        f'<div class="more"><strong>{page.label("related")}</strong><ul>{page.links(12)}</ul></div></div>'
        f'<div id="aside"><strong>{page.label("ranking")}</strong><ol>{page.links(20)}</ol></div>'
    )


def _columns(page: Page, title: str) -> str:
    texts = page.paragraphs()
    parts = [f'<p class="par">{text}</p>' for text in texts]
    for _ in range(2):
        at = page.dice.randint(1, len(parts) - 1)
        parts.insert(at, f'<p class="rel"><b>{page.label("inline")}</b> {page.link(page.headline())}</p>')
    ranking = "".join(
        f'<div class="row"><span>{number}</span><h4>{page.link(page.headline())}</h4><span>{page.date()}</span></div>'
        for number in range(1, 31)
    )
    return (
        f'<div class="left"><div class="ttl">{page.label("ranking")}</div>{ranking}</div><div class="center">'
        f'<div class="crumb">{page.link(page.label("home"))} &gt; {page.link(page.headline())}</div><h1>{title}</h1>'
        f'<div class="when">{page.date()}</div><div class="honbun">{"".join(parts)}</div>'
        f'<div class="limit">{page.label("paywall")}</div></div>'
        f'<div class="right"><div class="ttl">{page.label("latest")}</div><ul>{page.links(25, dated=True)}</ul></div>'
    )


def _endless(page: Page, title: str) -> str:
    def story(text: str, paragraphs: list[str]) -> str:
        return (
            f'<section class="story"><h1>{text}</h1><p class="stamp">{page.date()}</p>'
            f'<div class="story-text">{"".join(f"<p>{one}</p>" for one in paragraphs)}</div>'
            f'<ul class="tools"><li>{page.label("share")}</li><li>{page.label("comments")}</li></ul></section>'
        )

    first = story(title, page.paragraphs())
    following = "".join(
        story(page.headline(), [page.sentences(1, 3) for _ in range(page.dice.randint(2, 4))]) for _ in range(2)
    )
    return (
        f'<div class="bar"><ul>{page.menu()}</ul></div>{first}<div class="next">{page.label("latest")}</div>{following}'
        f'<div class="foot">{page.label("terms")}</div>'
    )


def _tables(page: Page, title: str) -> str:
    body = "".join(f"<p>　　{text}</p>" for text in page.paragraphs())
    side = "".join(f"<tr><td>·{page.link(page.headline())}</td></tr>" for _ in range(18))
    return (
        f"<table width=980><tr><td>{page.link(page.label('home'))}</td><td>{page.menu()}</td></tr></table>"
        f"<table width=980><tr><td width=200><table><tr><td><b>{page.label('ranking')}</b></td></tr>{side}</table></td>"
        f"<td><div align=center><font size=5>{title}</font></div><div align=center>{page.date()}</div>"
        f"<div id=zoom>{body}</div><div align=right>[{page.label('author')}] {page.label('share')}</div></td></tr>"
        "</table>"
        f"<table width=980><tr><td><b>{page.label('related')}</b></td></tr>{side}</table>"
    )


def _commented(page: Page, title: str) -> str:
    body = "".join(f"<p>{text}</p>" for text in page.paragraphs())
    comments = "".join(
        f'<li><span class="nick">user{page.dice.randint(10, 999)}</span><span>{page.date()}</span>'
        f"<p>{page.sentences(1, 2)}</p><button>{page.label('reply')} {page.dice.randint(0, 40)}</button></li>"
        for _ in range(page.dice.randint(5, 15))
    )
    author = f'<div class="writer"><h4>{page.label("author")}</h4><p>{page.sentences(1, 2)}</p></div>'
    return (
        f"<nav><ul>{page.menu()}</ul></nav><div id=contents><article><h1>{title}</h1><p class=info>{page.date()}</p>"
        f"<div class=article_body>{body}</div>{author}</article>"
        f"<div id=opinion><h3>{page.label('comments')}</h3><ul>{comments}</ul></div>"
        f"<h3>{page.label('topics')}</h3><ul>{page.links(6)}</ul></div>"
    )


def _crowded(page: Page, title: str) -> str:
    lead = page.article(page.sentences(1, 1))
    parts = [f"<div class=paragraph>{text}</div>" for text in page.paragraphs()]
    box = f"<div class=banner><div>{page.label('newsletter')}</div><button>{page.label('login')}</button></div>"
    parts.insert(len(parts) // 2, box)
    items = "".join(
        f"<div class=item><h3>{page.link(page.headline())}</h3><div class=meta>{page.date()}</div></div>"
        for _ in range(60)
    )
    groups = "".join(
        f"<div class=group><h3>{page.link(place)}</h3><h4>{page.link(page.headline())}</h4><div>{page.date()}"
        "</div></div>"
        for place in page.language.slots["place"]
    )
    return (
        f"<div class=mega>{page.menu() * 8}</div><main><div class=heading><h1>{title}</h1><div>{page.date()}</div>"
        f"<h2>{lead}</h2></div><div class=main-text>{''.join(parts)}</div>"
        f"<section><h2>{page.label('latest')}</h2>{items}</section><section><h2>{page.label('topics')}</h2>{groups}"
        f"</section></main>"
    )


LAYOUTS: Final = (_semantic, _hashed, _broken_lines, _columns, _endless, _tables, _commented, _crowded)


def main() -> None:
    """Write `truth.json` and `html/ID.html.gz`."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    out = parser.parse_args().out
    (out / "html").mkdir(parents=True, exist_ok=True)
    truths = []
    for layout in LAYOUTS:
        for number in range(PAGES_OF_LAYOUT):
            name = f"{layout.__name__.strip('_')}_{number}"
            language = LANGUAGES[number % len(LANGUAGES)]
            page = Page(language, random.Random(f"{SEED} {name}"))
            title = page.headline()
            body = layout(page, title)
            head = f"<meta charset=utf-8><title>{title} | 신문新聞</title><script></script>"
            html = f"<!doctype html><html lang={language.code}><head>{head}</head><body>{body}</body></html>"
            (out / "html" / f"{name}.html.gz").write_bytes(gzip.compress(html.encode(), mtime=0))
            url = f"https://news-{layout.__name__.strip('_')}.example/{language.country}/{20_000 + number}"
            text = "\n".join(page.truth)
            truths.append({"id": name, "cc": language.country, "publisher": layout.__name__, "url": url, "text": text})
    (out / "truth.json").write_text(json.dumps(truths, ensure_ascii=False, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
