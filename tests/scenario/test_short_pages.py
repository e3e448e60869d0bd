"""Short pages that are complete neither warn nor start a browser; pages that scripts still build do."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import pytest

from scenario.story import Story
from wellread.ports import Rendering
from wellread.reading.pipeline import Pipeline
from wellread.testing import HTML
from wellread.types import Request, Response, only_warnings

if TYPE_CHECKING:
    from wellread.types import Page

URL = "https://boats.example/page"
COUNTER = """<script async src="https://counter.example/tag.js"></script>
<script>window.layer = window.layer || []; function tag() { layer.push(arguments) } tag('js', new Date())</script>"""
LOADER = """<script>(function (w, d, s, u) { var j = d.createElement(s), f = d.getElementsByTagName(s)[0];
j.async = true; j.src = u; f.parentNode.insertBefore(j, f) })(window, document, 'script', 'https://c.example/t.js')
</script>"""
NOTE = (
    "The harbour closes at dusk from October on. Boats that come in later moor at the outer wall, where a lamp "
    "burns all night. The keeper asks everyone to sign the ledger in the morning, and to pay the fee of four pounds "
    "at the office beside the slipway before ten."
)
DATA = json.dumps({"@context": "https://schema.org", "@type": "Article", "headline": "Harbour"})

COMPLETE: dict[str, str] = {
    "by hand": f"<html><title>Harbour</title><body bgcolor=white><h1>Harbour</h1><p>{NOTE}</p><hr><a href=/>Home</a>",
    "by hand, with the year by script": f"<title>Harbour</title><h1>Harbour</h1><p>{NOTE}</p><p>&copy; "
    "<script>document.write(new Date().getFullYear())</script> Ann",
    "year in a span": f"<title>H</title><h1>Dusk</h1><p>{NOTE}</p><footer>&copy; <span id='year'></span> Ann</footer>"
    "<script>document.getElementById('year').textContent = new Date().getFullYear();</script>",
    "blog note": f"<title>Dusk</title><header><nav><a href=/>Blog</a></nav></header><main><article><h1>Dusk</h1>"
    f"<time datetime=2026-10-01>1 October 2026</time><p>{NOTE}</p></article></main><footer>Ann</footer>{COUNTER}",
    "blog note with declared data": f"<title>Dusk</title><script type='application/ld+json'>{DATA}</script>"
    f"<article><h1>Dusk</h1><p>{NOTE}</p></article>",
    "blog note with loader and layers": f"<title>Dusk</title>{LOADER}<noscript><iframe src='https://c.example/n.html' "
    f"height=0 width=0></iframe></noscript><main><h1>Dusk</h1><p>{NOTE}</p></main><div id='toast'></div>"
    "<div id='overlay' class='backdrop'></div>",
    "dark mode": "<title>Dusk</title><script>if (localStorage.dark) document.documentElement.classList.add('dark')"
    f"</script><button id=mode>Mode</button><article><h2>Dusk</h2><p>{NOTE}</p></article>",
    "top anchor and spacers": f"<title>Dusk</title><div id=top></div><h1>Dusk</h1><p>{NOTE}</p><div class=clear></div>"
    f"<a href='#top'>Up</a>{COUNTER}",
    "status page": "<title>Status</title><h1>All systems run</h1><table><tr><th>Lamp</th><td>on</td></tr>"
    f"<tr><th>Slipway</th><td>open</td></tr><tr><th>Crane</th><td>open</td></tr></table>{COUNTER}",
    "definition": "<title>Slipway</title><dl><dt>Slipway</dt><dd>A ramp on the shore by which boats are moved to and "
    f"from the water.</dd></dl>{LOADER}",
    "notice of closure": "<title>Office</title><h1>Office closed</h1><p>The office is closed until Monday. In urgent "
    f"cases call the keeper.</p>{COUNTER}",
    "imprint": "<title>Imprint</title><h1>Imprint</h1><address>Ann Corrow<br>Quay 4<br>Sandle</address>"
    f"<p>Responsible for the content: Ann Corrow.</p>{COUNTER}",
    "German note": "<title>Hafen</title><main><h1>Hafen</h1><p>Der Hafen schließt ab Oktober bei Dämmerung. Boote, die "
    f"später kommen, machen an der äußeren Mauer fest.</p></main>{COUNTER}",
    "Japanese note": "<title>港</title><h1>港</h1><p>港は十月から日没に閉まります。"
    f"遅れて着く船は外の堤に泊まります。</p>{COUNTER}",
    "menu by script": "<title>Tea</title><header><button id=menu>Menu</button></header><main><h1>Tea</h1>"
    f"<p>{NOTE}</p></main><script>menu.onclick = () => menu.classList.toggle('open')</script>",
    "page with a form": "<title>Ask</title><h1>Ask us</h1><p>Write to the keeper, who answers within two days.</p>"
    "<form action=/ask method=post><input name=q><textarea name=text></textarea><button>Send</button></form>"
    "<script>document.forms[0].onsubmit = (e) => confirm('Send?') || e.preventDefault()</script>",
    "template in code": "<title>Names</title><h1>Names</h1><p>Write the name of the boat between braces, as in this "
    f"line of a letter to its owner.</p><pre><code>Dear {{{{owner}}}},</code></pre>{COUNTER}",
    "as WordPress makes it": "<title>Dusk</title><script>window.emoji = {}; !function (e, n) { var o = "
    "e.createElement('canvas'), t = e.createElement('script'); t.src = n.x; e.head.appendChild(t) }(document, emoji);"
    "</script><div id='page'><header id='masthead'><nav id='site-navigation'><button>Menu</button></nav></header>"
    f"<div id='content'><main><article id='post-1'><h2>Dusk</h2><p>{NOTE}</p></article><div id='comments'><form>"
    "<textarea></textarea></form></div></main></div><aside id='secondary'></aside></div><script src=/w.js></script>",
    "as MkDocs makes it": "<title>Dusk</title><div data-md-component='skip'></div>"
    "<div data-md-component='announce'></div><div data-md-component='container'><main>"
    "<div data-md-component='sidebar'><nav><ul></ul></nav></div><article>"
    f"<h1>Dusk</h1><p>{NOTE}</p></article></main></div><div data-md-component='dialog'><div></div></div>"
    "<script src=bundle.js></script>",
    "as Sphinx makes it": "<title>Dusk</title><script src=doctools.js></script><div class=body role=main>"
    f"<section id=dusk><h1>Dusk</h1><p>{NOTE}</p></section></div><div role=navigation>"
    "<div id=searchbox style='display: none'></div>"
    "<script>document.getElementById('searchbox').style.display = 'block'</script></div><div class=clearer></div>",
    "as Next.js makes it": f"<title>Dusk</title><div id=__next><header>Harbour</header><main><h1>Dusk</h1><p>{NOTE}</p>"
    "</main></div><script id=__NEXT_DATA__ type=application/json>{}</script><script src=/_next/main.js async></script>",
    "message of a forum": "<title>Information</title><div id=wrap><a id=top></a><div role=main><h2>Information</h2>"
    "<p>Your post was saved and waits for approval.</p></div><div id=page-footer></div><div id=darken></div></div>"
    "<script src=jquery.js></script>",
}
FILES: dict[str, tuple[str, bytes]] = {
    "plain text": ("text/plain", b"Tides today: low at 6:12, high at 12:30."),
    "JSON": ("application/json", b'{"lamp": "on", "crane": "open", "boats": 3}'),
    "CSV": ("text/csv", b"boat,berth\nAnn,4\nBeth,5\n"),
    "Markdown": ("text/markdown", b"# Lamp\n\nThe lamp burns **all night**.\n"),
    "YAML": ("application/yaml", b"lamp: on\ncrane: open\n"),
    "feed": (
        "application/rss+xml",
        b"<rss version='2.0'><channel><title>Tides</title><item><title>Low at six</title></item></channel></rss>",
    ),
}

SHELLS: dict[str, str] = {
    "empty root": "<title>Boats</title><header>Harbour of Sandle, the boats of the day</header><div id=root></div>"
    "<script type=module src=/assets/index.js></script>",
    "root with a plea": "<title>Boats</title><h1>Boats of the harbour</h1><p>See which boats lie in it now.</p>"
    "<div id=list><noscript>Turn scripts on.</noscript></div><script src=/app.js></script>",
    "loading line": "<title>Boats</title><h1>Boats in the harbour of Sandle today</h1><p>Loading boats…</p>"
    "<script src=/app.js></script>",
    "loading line in French": "<title>Bateaux</title><h1>Les bateaux du port de Sandle</h1><div>Chargement...</div>"
    "<script src=/app.js></script>",
    "one word": "<title>Boats</title><p>Loading</p><script>go()</script>",
    "empty list": "<title>Boats</title><h1>Boats in the harbour of Sandle today</h1><ul class=boats></ul>"
    "<script src=/app.js></script>",
    "empty table": "<title>Boats</title><main><h1>Boats in the harbour</h1><p>The list below is made anew each hour by "
    "the keeper of the harbour, who counts them.</p><table><tbody></tbody></table></main><script src=/a.js></script>",
    "custom element": "<title>Boats</title><h1>Boats in the harbour of Sandle today</h1><boat-list></boat-list>"
    "<script type=module src=/boat-list.js></script>",
    "unfilled template": "<title>Boats</title><h1>Boats in the harbour</h1><p>There are {{ boats.length }} boats in "
    "the "
    "harbour now, of which {{ guests }} are guests.</p><script src=/vue.js></script>",
    "value by script": "<title>Lamp</title><p>The lamp of the harbour of Sandle is <b id=lamp></b> now, as seen "
    "from the office.</p><script>lamp.textContent = read('lamp')</script>"
    "<script>watch('lamp')</script>",
    "written by script": "<title>Boats</title><h1>Boats in the harbour of Sandle today</h1>"
    "<script>for (const boat of boats) document.body.append(boat)</script>",
    "fetched by script": "<title>Boats</title><h1>Boats in the harbour of Sandle</h1><p class=n>Number of boats: ?</p>"
    "<script>fetch('/n').then(r => r.text()).then(t => document.querySelector('.n').innerText = t)</script>",
    "busy region": "<title>Boats</title><h1>Boats in the harbour of Sandle</h1><section aria-busy=true><p>One moment "
    "please, the keeper is counting them</p></section><script src=/app.js></script>",
}


@dataclass
class Browser:
    """A renderer that counts the pages it is asked for."""

    asked: list[Request] = field(default_factory=list)

    async def render(self, request: Request) -> Rendering:
        self.asked.append(request)
        body = f"<title>Boats</title><h1>Boats</h1><p>{NOTE * 4}</p>".encode()
        return Rendering(response=Response(url=request.url, status=200, headers=HTML, body=body))


async def read(body: str | bytes, media_type: str = "text/html") -> tuple[Page, Browser]:
    whole = body if isinstance(body, bytes) else body.encode()
    headers = (("content-type", f"{media_type}; charset=utf-8"),)
    story = Story({URL: Response(url=URL, status=200, headers=headers, body=whole)})
    browser = Browser()
    try:
        return await Pipeline(replace(story.pipeline.parts, renderer=browser)).read(URL), browser
    finally:
        story.store.close()
        story.index.close()


@pytest.mark.parametrize("name", COMPLETE)
async def test_complete_short_page_starts_no_browser(name: str) -> None:
    page, browser = await read(COMPLETE[name])
    assert browser.asked == []
    assert only_warnings(page.notices) == ()
    assert page.complete


@pytest.mark.parametrize("name", FILES)
async def test_complete_short_file_starts_no_browser(name: str) -> None:
    media_type, body = FILES[name]
    page, browser = await read(body, media_type)
    assert browser.asked == []
    assert only_warnings(page.notices) == ()


async def test_list_of_an_archive_starts_no_browser() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("tides.txt", "low at six")
    page, browser = await read(packed.getvalue(), "application/zip")
    assert browser.asked == []
    assert only_warnings(page.notices) == ()


@pytest.mark.parametrize("name", SHELLS)
async def test_page_that_scripts_build_is_rendered(name: str) -> None:
    page, browser = await read(SHELLS[name])
    assert len(browser.asked) == 1
    assert page.rendered
    assert page.complete


@pytest.mark.parametrize("name", SHELLS)
async def test_page_that_scripts_build_warns_without_browser(name: str) -> None:
    story = Story({URL: Response(url=URL, status=200, headers=HTML, body=SHELLS[name].encode())})
    try:
        page = await story.pipeline.read(URL)
    finally:
        story.store.close()
        story.index.close()
    assert "thin_content" in [notice.code for notice in only_warnings(page.notices)]
    assert not page.complete
