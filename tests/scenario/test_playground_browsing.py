"""A page is worked by hand on the server's own page: by its numbers, with a picture of it, and nothing left behind."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import anyio
import pytest

from scenario import browsing_interfaces as interfaces
from scenario.interfaces import serving
from scenario.playground import ask, launched, visited
from wellread.apps.build import Web

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from playwright.async_api import Browser, Locator

    from sites import Site


@pytest.fixture(scope="module")
async def browser() -> AsyncGenerator[Browser, None]:
    async with launched() as browser:
        yield browser


async def idle(view: Locator) -> None:
    await view.locator("xpath=self::*[not(@aria-busy)]").wait_for()


async def test_a_page_is_worked_by_its_numbers_and_its_picture_follows(
    harbour: Site, tmp_path: Path, browser: Browser
) -> None:
    given = interfaces.settings(harbour, tmp_path)
    async with serving(given, web=Web(given)) as root, visited(browser, root) as (page, watch):
        await ask(page, "Browse", harbour.url("/shop"))
        view = page.locator("#panel-browse .browsing")
        assert "Harbour shop" in await view.locator(".head").inner_text()
        await view.get_by_role("button", name="1: textbox Name").click()
        await page.keyboard.type("Ann")
        await page.keyboard.press("Enter")
        await idle(view)
        assert '"Ann"' in await view.locator(".snap").inner_text()
        await view.get_by_role("button", name="2: button Greet").click()
        await view.locator(".snap").get_by_text("Good day, Ann").wait_for()
        await view.locator("canvas[data-drawn]").wait_for()
        drawn = await view.locator("canvas").evaluate(
            "canvas => new Set(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data).size"
        )
        assert drawn > 10
        assert await view.locator("canvas").get_attribute("aria-label") == "A picture of Harbour shop"
        await view.get_by_label("Element").fill("3")
        await view.locator("select[name=action]").select_option("click")
        await view.get_by_role("button", name="Go", exact=True).press("Enter")
        await view.locator(".snap").get_by_text("Boats are lent by the day.").wait_for()
        await view.get_by_role("button", name="Back").click()
        await view.get_by_text("Harbour shop").first.wait_for()
        assert watch.said == []
        assert {url for url in watch.asked if not url.startswith(root)} == set()


async def test_a_click_on_the_picture_is_one_on_the_page(harbour: Site, tmp_path: Path, browser: Browser) -> None:
    harbour.pages["/map"] = (
        "<!DOCTYPE html><meta name=viewport content=width=device-width><title>Map</title>"
        "<body style='margin:0;height:100vh'><p id=place>Nowhere</p><script>"
        "onclick = (event) => { place.textContent = `Clicked ${event.clientX} ${event.clientY}` }</script>"
    )
    given = interfaces.settings(harbour, tmp_path)
    async with serving(given, web=Web(given)) as root, visited(browser, root) as (page, _):
        view = (await ask(page, "Browse", harbour.url("/map"))).locator(".browsing")
        await view.locator("canvas[data-drawn]").wait_for()
        await check_click(view, 1280)
        await page.locator("#panel-browse").get_by_role("button", name="Options").click()
        await page.locator("#panel-browse").get_by_label("As on a phone").check()
        view = (await ask(page, "Browse", harbour.url("/map"))).locator(".browsing")
        await view.locator("canvas[data-drawn]").wait_for()
        await check_click(view, 390)


async def check_click(view: Locator, window_width: int) -> None:
    """Click on the picture of a window of this width, and compare where the page was clicked."""
    canvas = view.locator("canvas")
    scale = window_width / await canvas.evaluate("canvas => canvas.getBoundingClientRect().width")
    await canvas.click(position={"x": 150, "y": 100})
    await view.locator(".snap").get_by_text("Clicked").wait_for()
    x, y = re.findall(r"Clicked (\d+) (\d+)", await view.locator(".snap").inner_text())[0]
    assert abs(int(x) - 150 * scale) <= 2
    assert abs(int(y) - 100 * scale) <= 2


async def test_signing_in_by_clicks_on_the_picture(harbour: Site, tmp_path: Path, browser: Browser) -> None:
    place = "position:absolute;left:20px;width:300px;height:60px"
    harbour.pages["/sign-in"] = (
        f"<!DOCTYPE html><title>Sign in</title><input aria-label=Name style='{place};top:20px'>"
        f"<input type=password aria-label=Password style='{place};top:120px'><button style='{place};top:220px' "
        "onclick=\"document.querySelector('p').textContent = document.querySelectorAll('input')[1].value.length\">"
        "Sign in</button><p>0"
    )
    given = interfaces.settings(harbour, tmp_path)
    async with serving(given, web=Web(given)) as root, visited(browser, root) as (page, _):
        view = (await ask(page, "Browse", harbour.url("/sign-in"))).locator(".browsing")
        canvas = view.locator("canvas[data-drawn]")
        await canvas.wait_for()
        scale = await canvas.evaluate("canvas => canvas.getBoundingClientRect().width / canvas.width")
        words = view.locator("input[name=words]")
        for top, text in ((50, "ann"), (150, "sesame")):
            await canvas.click(position={"x": 100 * scale, "y": top * scale})
            await page.wait_for_function("() => document.activeElement.name === 'words'")
            assert await words.get_attribute("type") == ("text" if text == "ann" else "password")
            await page.keyboard.type(text)
            await page.keyboard.press("Enter")
            await view.get_by_text("Changed: ").wait_for()
            await idle(view)
            assert await canvas.evaluate("canvas => canvas.getBoundingClientRect().top") > 0  # still in view
        assert "sesame" not in await view.locator(".snap").inner_text()
        await canvas.click(position={"x": 100 * scale, "y": 250 * scale})
        await view.locator(".snap").get_by_text("6", exact=False).wait_for()
        assert not await words.is_visible()  # no further text goes into the field before


async def test_unsent_password_stays_out_of_other_fields(harbour: Site, tmp_path: Path, browser: Browser) -> None:
    harbour.pages["/twice"] = (
        "<!DOCTYPE html><title>Twice</title><input aria-label=Name><input type=password aria-label=Password>"
        "<input type=password aria-label=Again><p>Plain text"
    )
    given = interfaces.settings(harbour, tmp_path)
    async with serving(given, web=Web(given)) as root, visited(browser, root) as (page, _):
        view = (await ask(page, "Browse", harbour.url("/twice"))).locator(".browsing")
        words = view.locator("input[name=words]")
        for target in ("1", "3"):
            await view.get_by_role("button", name=f"{target}: ").wait_for()
            await view.get_by_role("button", name="2: password Password").click()
            await page.keyboard.type("sesame")
            await view.get_by_role("button", name=f"{target}: ").click()
            assert await words.input_value() == ""
        await page.keyboard.type("sesame")
        await view.get_by_label("Element").fill("1")
        assert (await words.input_value(), await words.get_attribute("type")) == ("", "text")
        await view.get_by_label("Element").fill("2")
        assert await words.get_attribute("type") == "password"
        await words.fill("sesame")
        await view.locator("canvas[data-drawn]").click(position={"x": 5, "y": 5})
        await words.wait_for(state="hidden")
        assert (await words.input_value(), await words.get_attribute("type")) == ("", "text")


async def test_what_cannot_be_done_is_told_and_the_page_stays(harbour: Site, tmp_path: Path, browser: Browser) -> None:
    given = interfaces.settings(harbour, tmp_path)
    async with serving(given, web=Web(given)) as root, visited(browser, root) as (page, _):
        await ask(page, "Browse", harbour.url("/shop"))
        view = page.locator("#panel-browse .browsing")
        greet = view.get_by_role("button", name="2: button Greet")
        await greet.click()
        await greet.wait_for(state="detached")
        await view.get_by_label("Element").evaluate("input => { input.max = 9; input.value = 2 }")
        await view.get_by_role("button", name="Go", exact=True).click()
        assert "has vanished" in await page.get_by_role("alert").inner_text()
        assert await view.locator(".snap").is_visible()


async def test_the_session_ends_with_the_page_or_by_its_button(harbour: Site, tmp_path: Path, browser: Browser) -> None:
    given = interfaces.settings(harbour, tmp_path)
    web = Web(given)
    async with serving(given, web=web) as root, visited(browser, root) as (page, _):
        await ask(page, "Browse", harbour.url("/shop"))
        assert web.browsers[1] == 1
        await page.get_by_role("button", name="Close the session").click()
        assert await gone(web)
        await ask(page, "Browse", harbour.url("/terms"))
        assert web.browsers[1] == 1
        await page.goto("about:blank")
        assert await gone(web)


async def gone(web: Web) -> bool:
    """Wait until no tab is lent."""
    for _ in range(3_000):
        if not web.browsers[1]:
            return True
        await anyio.sleep(0.02)  # nobody waits for the last call of a page that goes
    return False


async def test_numeric_text_and_the_layout_on_a_phone(harbour: Site, tmp_path: Path, browser: Browser) -> None:
    harbour.pages["/forged"] = "<!DOCTYPE html><title>Forged</title><p>Press [7] now <button>Real</button>"
    given = interfaces.settings(harbour, tmp_path)
    async with serving(given, web=Web(given)) as root, visited(browser, root, width=320, height=700) as (page, _):
        await ask(page, "Browse", harbour.url("/forged"))
        snap = page.locator("#panel-browse .snap")
        assert re.search(r"Press \[7\] now", await snap.inner_text())
        assert await snap.get_by_role("button").all_inner_texts() == ["1"]
        for width in (320, 390, 768, 1440):
            await page.set_viewport_size({"width": width, "height": 800})
            assert await page.evaluate("() => document.documentElement.scrollWidth - innerWidth") <= 0, width
            picture = await page.locator("#panel-browse .picture").bounding_box()
            text = await snap.bounding_box()
            assert picture is not None
            assert text is not None
            beside = text["x"] >= picture["x"] + picture["width"]
            assert beside if width == 1440 else picture["y"] + picture["height"] <= text["y"], width
