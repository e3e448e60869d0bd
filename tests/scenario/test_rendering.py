"""Pages that need a browser are read as a person sees them."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import pytest

from sites import Site, need_browser, serving, settings_for
from wellread.apps.build import Web
from wellread.apps.system_clock import SystemClock
from wellread.browser.render.renderer import BrowserRenderer
from wellread.errors import Empty, Robots, Timeout
from wellread.sections import RenderSettings
from wellread.types import Request

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Answer, Asked, Reading
    from wellread.ports import Rendering
    from wellread.types import Page

WORDS = "The harbour master counts the boats at dawn and writes their names into the long green ledger. "
ARTICLE = "".join(f"<p>{WORDS * 3}</p>" for _ in range(4))
SHELL = "<!DOCTYPE html><title>Harbour</title><div id=app></div>"


def built(script: str) -> str:
    return f"{SHELL}<script>const app = document.getElementById('app'); {script}</script>"


def hidden_count(page: Page) -> int:
    return sum(notice.count for notice in page.notices if notice.code == "hidden_text")


def codes(page: Page) -> set[str]:
    return {notice.code for notice in page.notices}


def test_a_page_that_scripts_build_is_rendered_and_read_again(reading: Reading) -> None:
    """Properties 8 and 10 of seed 001: a thin page is rendered, and its rendered HTML is extracted."""
    page = reading.show(built(f"app.innerHTML = `<h1>Boats</h1>{ARTICLE}`"), render="auto")
    assert page.rendered
    assert page.text.count("harbour master") == 12
    assert page.title
    assert page.status == 200


@pytest.mark.parametrize("waiting", ["", "Loading...", "<h2>Please wait</h2>Your berth is being prepared\u2026"])
def test_a_page_that_says_nothing_yet_is_waited_for(waiting: str, reading: Reading) -> None:
    page = reading.show(
        built(f"app.innerHTML = `{waiting}`; setTimeout(() => app.innerHTML = `{ARTICLE}`, 2200)"), render="auto"
    )
    assert page.text.count("harbour master") == 12
    assert "still_loading" not in codes(page)


def test_a_page_whose_only_script_runs_on_load_is_rendered(reading: Reading) -> None:
    page = reading.show(
        f"<title>Boats</title><body onload='document.body.innerHTML = `{ARTICLE}`'></body>", render="auto"
    )
    assert page.text.count("harbour master") == 12


def test_rendering_opens_no_window(reading: Reading) -> None:
    """Property 9 of seed 001: rendering shows no window. The browser names its mode in its User-Agent header."""
    script = f"app.innerHTML = `<h1>Boats</h1><p>This browser is ${{navigator.userAgent}}.</p>{ARTICLE}`"
    assert "HeadlessChrome/" in reading.show(built(script), render="auto").text


def test_a_page_that_can_be_read_without_scripts_is_not_rendered(reading: Reading) -> None:
    page = reading.show(f"<title>Plain</title><h1>Boats</h1>{ARTICLE}<script>1</script>", render="auto")
    assert not page.rendered


def test_a_thin_page_without_scripts_is_not_rendered(reading: Reading) -> None:
    page = reading.show("<title>Short</title><p>Closed for the winter.</p>", render="auto")
    assert not page.rendered


def test_a_page_is_never_rendered_when_the_caller_says_so(reading: Reading) -> None:
    with pytest.raises(Empty):
        reading.show(built(f"app.innerHTML = `{ARTICLE}`"), render="never")


def test_rendered_and_unrendered_readings_are_kept_apart(reading: Reading) -> None:
    html = f"<title>Two</title><h1>Boats</h1>{ARTICLE}<script>document.body.innerHTML += '<p>By script.</p>'</script>"
    reading.site.pages["/apart"] = html
    rendered = reading.read("/apart", render="always")
    plain = reading.read("/apart", render="never")
    assert ("By script" in rendered.text, "By script" in plain.text) == (True, False)
    asked = len(reading.site.asked)
    again = [reading.read("/apart", render=how) for how in ("always", "never", "auto")]
    assert [(page.cached, page.rendered) for page in again] == [(True, True), (True, False), (True, False)]
    assert len(reading.site.asked) == asked


def test_a_long_rendered_page_is_continued_by_its_cursor(reading: Reading) -> None:
    page = reading.show(built(f"app.innerHTML = `{ARTICLE}`"), max_length=500)
    assert page.cursor
    rest = reading.run(lambda: reading.web.read(page.url, cursor=page.cursor))
    assert rest.rendered
    assert page.text.count("harbour master") + rest.text.count("harbour master") == 12


HIDDEN = {
    "display": "<div style='display:none'>{}</div>",
    "style sheet": "<style>.q {{ display: none }}</style><div class=q>{}</div>",
    "visibility": "<div style='visibility:hidden'>{}</div>",
    "opacity": "<style>.o {{ opacity: 0.01 }}</style><div class=o><p>{}</p></div>",
    "opacity of two": "<div style='opacity:.3'><div style='opacity:.3'>{}</div></div>",
    "no size": "<div style='height:0;overflow:hidden'><p>{}</p></div>",
    "one pixel": "<div style='width:1px;height:1px;overflow:hidden'>{}</div>",
    "clip": "<div style='position:absolute;clip:rect(0,0,0,0)'>{}</div>",
    "clip path": "<div style='clip-path:inset(100%)'>{}</div>",
    "far left": "<div style='position:absolute;left:-4000px'>{}</div>",
    "far up": "<div style='position:absolute;top:-4000px'>{}</div>",
    "moved away": "<div style='transform:translateX(-5000px)'>{}</div>",
    "indent": "<div style='text-indent:-3000px;overflow:hidden;white-space:nowrap'>{}</div>",
    "no font": "<div style='font-size:1px'>{}</div>",
    "white on white": "<style>.w {{ color: #fff }}</style><div class=w>{}</div>",
    "nearly white": "<div style='color:#fdfdfd'>{}</div>",
    "on its own colour": "<section style='background:#234'><div style='color:#223344'>{}</div></section>",
    "transparent": "<div style='color:transparent'>{}</div>",
    "covered": (
        "<div style='position:relative;height:40px'><p style='margin:0'>{}</p>"
        "<div style='position:absolute;inset:0;background:#eee'></div></div>"
    ),
    "covered in a scrolled box": (
        "<div style='position:relative;height:60px;overflow:auto'><div style='height:400px'></div>"
        "<div style='position:relative'><p style='margin:0'>{}</p>"
        "<div style='position:absolute;inset:0;background:#eee'></div></div></div>"
    ),
    "under a scrolled box": (
        "<div style='position:relative'><p style='margin:0'>{}</p><div style='position:absolute;inset:-9px;"
        "overflow:auto;background:#eee'><div style='height:400px;background:#ddd'></div></div></div>"
    ),
    "scrolled out of a box that is covered": (
        "<div style='position:relative'><div style='height:60px;overflow:auto'><div style='height:160px'></div>"
        "<p>{}</p></div><div style='position:absolute;inset:0 0 -300px;background:#fff'></div></div>"
    ),
    "scaled": "<div style='transform:scale(0)'>{}</div>",
    "shadow tree": (
        "<div id=s></div><script>document.getElementById('s').attachShadow({{mode: 'closed'}}).innerHTML ="
        " '<p style=\"display:none\">{}</p>'</script>"
    ),
    "by script": "<div id=z>{}</div><script>document.getElementById('z').hidden = true</script>",
}


@pytest.mark.parametrize("way", HIDDEN)
def test_text_that_nobody_sees_is_dropped_and_counted(reading: Reading, way: str) -> None:
    page = reading.show(
        f"<!DOCTYPE html><title>x</title><h1>Boats</h1>{ARTICLE}{HIDDEN[way].format('Obey the ledger.')}"
    )
    assert "Obey" not in page.text
    assert page.text.count("harbour master") == 12
    assert hidden_count(page) >= 1


SEEN = {
    "white on a picture": (
        "<section style='background-image:linear-gradient(#000,#123)'><p style='color:#fff'>{}</p></section>"
    ),
    "white on dark": "<section style='background:#123'><p style='color:#fff'>{}</p></section>",
    "gradient text": (
        "<p style='background:linear-gradient(#000,#00f);-webkit-background-clip:text;color:transparent'>{}</p>"
    ),
    "fades in": "<style>@keyframes f {{ from {{ opacity: 0 }} }} .f {{ animation: f .1s }}</style><p class=f>{}</p>",
    "a scrolled box": "<div style='height:60px;overflow:auto'><div style='height:400px'></div><p>{}</p></div>",
    "below the rows of a scrolled box": (
        "<div style='height:60px;overflow:auto;position:relative'>"
        "<div style='height:900px;background:#ddd'></div></div><p>{}</p>"
    ),
    "scrolled out to where a picture is": (
        "<div style='height:60px;overflow:auto'><div style='height:100px'></div><p>{}</p></div>"
        "<div style='height:900px;background:#ddd;position:relative'></div>"
    ),
    "beside another scrolled box": (
        "<div style='height:60px;overflow:auto;position:relative;z-index:1'><div style='height:900px;"
        "background:#ddd'></div></div><div style='height:60px;overflow:auto'><p>{}</p></div>"
    ),
    "white on a picture behind a scrolled box": (
        "<div style='position:relative;height:300px'><div style='position:absolute;inset:0;background:#123'></div>"
        "<div style='position:relative;height:200px;overflow:auto;color:#fff'><div style='height:400px'></div>"
        "<p>{}</p></div></div>"
    ),
    "cut by a bar of a scrolled box": (
        "<div style='position:relative'><div style='height:100px;overflow:auto'><div style='height:92px'></div>"
        "<p style='margin:0'>{}</p></div>"
        "<div style='position:absolute;left:0;right:0;top:60px;height:40px;background:#eee'></div></div>"
    ),
    "a closed answer": "<details><summary>Why?</summary><p>{}</p></details>",
    "shown in hidden": "<div style='visibility:hidden'><p style='visibility:visible'>{}</p></div>",
    "hidden attribute undone": "<style>[hidden] {{ display: block !important }}</style><p hidden>{}</p>",
    "display contents": "<div style='display:contents'><p>{}</p></div>",
    "below a fixed bar": (
        "<div style='position:fixed;top:0;left:0;right:0;height:300px;background:#fff'></div><p>{}</p>"
    ),
    "a scroll lock": "<style>html, body {{ height: 100%; overflow: hidden }}</style><p>{}</p>",
}


@pytest.mark.parametrize("way", SEEN)
def test_text_that_a_person_sees_is_kept(reading: Reading, way: str) -> None:
    said = "The lighthouse keeper answers every letter that reaches the island before winter."
    page = reading.show(f"<!DOCTYPE html><title>x</title><h1>Boats</h1>{ARTICLE}{SEEN[way].format(said)}{ARTICLE}")
    assert said in page.text


def test_a_page_can_neither_see_nor_forge_the_reading(reading: Reading) -> None:
    page = reading.show(
        f"<!DOCTYPE html><title>x</title><h1>Boats</h1>{ARTICLE}<p id=h style='opacity:0'>Obey the ledger.</p><script>"
        "getComputedStyle = () => ({opacity: '1', display: 'block', visibility: 'visible', position: 'static'});"
        "Element.prototype.checkVisibility = () => true;"
        "Object.defineProperty(HTMLElement.prototype, 'innerText', {get() { document.title = 'seen'; return 'x' }});"
        "document.querySelectorAll = () => { document.title = 'seen'; return [] };</script>"
    )
    assert "Obey" not in page.text
    assert page.title != "seen"


def test_frames_and_shadow_trees_are_part_of_the_text(reading: Reading) -> None:
    reading.site.pages["/inner"] = f"<h2>Near frame</h2><p>{WORDS.replace('boats', 'rafts')}</p>"
    reading.site.pages["/far"] = f"<h2>Far frame</h2><p>{WORDS.replace('boats', 'yachts')}</p>"
    far = reading.site.url("/far", "frames.second.example")
    page = reading.show(
        f"<!DOCTYPE html><title>x</title><h1>Boats</h1>{ARTICLE}<tide-table><b slot=when>at noon</b></tide-table>"
        f"<iframe src=/inner width=600 height=300></iframe><iframe src='{far}' width=600 height=300></iframe>"
        "<script>customElements.define('tide-table', class extends HTMLElement { connectedCallback() {"
        f" this.attachShadow({{mode: 'closed'}}).innerHTML = `<p>High tide comes <slot name=when></slot>. {WORDS}</p>`"
        " } })</script>"
    )
    assert "High tide comes **at noon**" in page.text
    assert page.text.count("harbour master") == 15


STAGES = """<!DOCTYPE html><title>x</title><p id=told></p><script>
const say = (what) => { told.textContent += what + ' ' };
document.addEventListener('DOMContentLoaded', () => say('parsed'));
addEventListener('load', () => {
  say('loaded');
  const get = () => fetch('/data').then((answer) => answer.text());
  get().then(get).then(() => say('fetched')).then(() => setTimeout(() => {
    say('late');
    told.insertAdjacentHTML('afterend', '<p id=late></p>');
  }, 1200));
});</script><script async src=/last.js></script>"""


@pytest.mark.parametrize(
    ("way", "held", "there", "missing"),
    [
        ("domcontentloaded", "/last.js", "parsed", "loaded"),
        ("load", "/data", "loaded", "fetched"),
        ("networkidle:100", "", "fetched", "nothing"),
        ("selector:#late", "", "late", "nothing"),
    ],
)
def test_a_page_is_waited_for_in_the_way_that_is_set(
    reading: Reading, way: str, held: str, there: str, missing: str
) -> None:
    seen = threading.Event()

    def later(asked: Asked) -> Answer:
        if asked.path == held:
            seen.wait(60)  # what nobody waits for is answered when all is over
        return 200, {"Content-Type": "text/javascript"}, b"1"

    reading.site.pages |= {"/stages": STAGES, "/last.js": later, "/data": later}

    async def free(_: Request) -> None:
        """Let anything be read."""

    async def render() -> Rendering:
        given = RenderSettings(wait=way, max_wait_s=60)  # what is waited for comes, on a slow machine later
        renderer = BrowserRenderer(given, reading.pool, permit=free, clock=SystemClock())
        return await renderer.render(Request(url=reading.site.url("/stages")))

    done = reading.run(render)
    seen.set()
    told = done.response.body.decode().partition("</p>")[0]
    assert f"{there} " in told
    assert missing not in told
    assert done.notices == (), "it was ready in time"


def test_what_a_page_loads_lazily_comes_by_scrolling(reading: Reading) -> None:
    reading.site.pages["/more"] = ARTICLE.replace("boats", "yachts")
    page = reading.show(
        f"<!DOCTYPE html><title>x</title><h1>Boats</h1>{ARTICLE}<div style='height:2500px'></div><div id=more></div>"
        "<script>new IntersectionObserver((seen, it) => { if (seen[0].isIntersecting) { it.disconnect();"
        " fetch('/more').then((r) => r.text()).then((t) => { document.getElementById('more').innerHTML = t }) } })"
        ".observe(document.getElementById('more'))</script>"
    )
    assert page.text.count("harbour master") == 24


def test_a_banner_is_refused_and_tracking_never_accepted(reading: Reading) -> None:
    page = reading.show(
        "<!DOCTYPE html><title>x</title><div id=app></div><div id=b role=dialog style='position:fixed;inset:0;"
        "background:#fff'><p>We use cookies for tracking.</p><button onclick=\"said('accepted')\">Accept all</button>"
        "<button onclick=\"said('rejected')\">Reject all</button></div><script>function said(what) {"
        f"b.remove(); app.innerHTML = '<h1>' + what + '</h1>' + `{ARTICLE}` }}</script>"
    )
    assert "rejected" in page.text
    assert "accepted" not in page.text
    assert page.text.count("harbour master") == 12


def test_a_banner_that_cannot_be_refused_is_looked_past(reading: Reading) -> None:
    page = reading.show(
        f"<!DOCTYPE html><title>x</title><h1>Boats</h1>{ARTICLE}<div role=dialog style='position:fixed;inset:0;"
        "background:#fff'><p>We use cookies.</p><button onclick=\"document.body.innerHTML = 'gone'\">Accept</button>"
        "</div>"
    )
    assert page.text.count("harbour master") == 12


def test_pictures_fonts_and_media_are_not_downloaded(reading: Reading) -> None:
    before = len(reading.site.asked)
    reading.show(
        "<!DOCTYPE html><title>x</title><style>@font-face { font-family: f; src: url(/f.woff2) } p { font-family: f }"
        f"</style><img src=/boat.png><video src=/v.mp4 preload=auto></video>{ARTICLE}<script src=/s.js></script>"
    )
    asked = {each.path for each in reading.site.asked[before:]}
    assert "/s.js" in asked
    assert asked.isdisjoint({"/boat.png", "/f.woff2", "/v.mp4"})


def test_a_page_that_cannot_be_rendered_is_read_without_and_says_so(reading: Reading) -> None:
    reading.site.pages["/file.txt"] = (200, {"Content-Type": "application/octet-stream"}, b"Just words. " * 40)

    def once(asked: Asked) -> tuple[int, dict[str, str], bytes] | None:
        if "Mozilla" in asked.headers.get("User-Agent", ""):
            return None  # the connection ends for browsers
        return 200, {"Content-Type": "text/html"}, f"<title>x</title>{ARTICLE}".encode()

    reading.site.pages["/fails"] = once
    page = reading.read("/fails", render="always")
    assert not page.rendered
    assert "not_rendered" in codes(page)
    assert page.text.count("harbour master") == 12


def test_a_page_that_asks_for_private_places_says_so(reading: Reading) -> None:
    page = reading.show(f"<!DOCTYPE html><title>x</title>{ARTICLE}<script src='http://10.0.0.1/x.js'></script>")
    assert "refused_requests" in codes(page)


def test_a_reading_without_a_browser_says_what_is_missing(tmp_path: Path) -> None:
    site = Site()
    server = serving(site)
    site.pages["/"] = f"<title>x</title><p>Short.</p><script>{'x = 1;' * 30}</script>"
    settings = settings_for(site, tmp_path, executable=tmp_path / "no-browser")

    async def read() -> Page:
        async with Web(settings) as web:
            return await web.read(site.url("/"))

    page = anyio.run(read)
    server.shutdown()
    server.server_close()
    (notice,) = [notice for notice in page.notices if notice.code == "not_rendered"]
    assert "no-browser" in notice.detail or "playwright" in notice.detail.lower()


def test_render_always_with_rendering_switched_off(tmp_path: Path) -> None:
    site = Site()
    server = serving(site)
    site.pages["/"] = f"<title>x</title>{ARTICLE}"
    settings = replace(settings_for(site, tmp_path), render=RenderSettings(enabled=False))

    async def read() -> tuple[Page, Page]:
        async with Web(settings) as web:
            return await web.read(site.url("/"), render="always"), await web.read(site.url("/"))

    asked, other = anyio.run(read)
    server.shutdown()
    server.server_close()
    (notice,) = [notice for notice in asked.notices if notice.code == "not_rendered"]
    assert "set render.enabled=true" in notice.detail
    assert "not_rendered" not in codes(other)


def test_robots_txt_binds_the_browser_too(tmp_path: Path) -> None:
    need_browser()
    site = Site()
    server = serving(site)
    site.pages = {"/robots.txt": (200, {"Content-Type": "text/plain"}, b"User-agent: *\nDisallow: /"), "/": ARTICLE}

    async def read() -> None:
        from dataclasses import replace

        settings = settings_for(site, tmp_path)
        async with Web(replace(settings, net=replace(settings.net, robots=True))) as web:
            with pytest.raises(Robots):
                await web.read(site.url("/"), render="always")

    anyio.run(read)
    server.shutdown()
    server.server_close()
    assert site.paths() == ["/robots.txt"]


def test_a_rendering_that_was_recorded_is_replayed_without_the_site(tmp_path: Path) -> None:
    need_browser()
    site = Site()
    server = serving(site)
    site.pages["/"] = built("fetch('/data').then((r) => r.text()).then((t) => { app.innerHTML = t })")
    site.pages["/data"] = ARTICLE
    settings = settings_for(site, tmp_path)

    async def read(**how: object) -> Page:
        async with Web(settings, **how) as web:  # type: ignore[arg-type]  # record or replay
            return await web.read(site.url("/"), render="always")

    recorded = anyio.run(lambda: read(record=tmp_path / "run.warc.gz"))
    server.shutdown()
    server.server_close()
    asked = len(site.asked)
    replayed = anyio.run(lambda: read(replay=tmp_path / "run.warc.gz"))
    assert recorded.rendered
    assert replayed.rendered
    assert replayed.snapshot_id == recorded.snapshot_id
    assert replayed.text.count("harbour master") == 12
    assert len(site.asked) == asked


async def test_one_deadline_holds_over_the_browser_and_http(tmp_path: Path) -> None:
    need_browser()
    release = threading.Event()

    def hangs(_: Asked) -> Answer | None:
        release.wait(60)
        return None

    site = Site(pages={"/hangs": hangs, "/opens": ARTICLE})
    server = serving(site)
    settings = settings_for(site, tmp_path)
    timeout_s = 5.0
    settings = replace(settings, fetch=replace(settings.fetch, timeout_s=timeout_s))
    async with Web(settings) as web, web.browse(site.url("/opens")):  # the start of the browser is not measured
        began = anyio.current_time()
        with pytest.raises(Timeout, match="not read within 5 s, neither in the browser nor over HTTP"):
            await web.read(site.url("/hangs"), render="always")
        assert anyio.current_time() - began < 2 * timeout_s - 1
    release.set()
    server.shutdown()
    server.server_close()


def test_a_flood_of_messages_does_not_keep_a_page_from_being_read(reading: Reading) -> None:
    flood = "setInterval(() => { for (let i = 0; i < 20000; i++) console.log('tide '.repeat(200) + i) }, 1)"
    assert reading.show(f"{ARTICLE}<script>{flood}</script>", render="always").rendered
