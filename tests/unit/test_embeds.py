"""Frames, films, sounds and posts within the text are a line with a link; advertisements and trackers are not."""

from __future__ import annotations

import pytest

from pages import AFTER, BEFORE, read_walk, walk_article
from wellread import extract

EMBEDS = {
    "frame with a title": (
        (
            "<figure><iframe src='https://www.youtube.com/embed/abc123XYZ_0' title='The whistle at noon' "
            "allowfullscreen>"
            "</iframe></figure>"
        ),
        "[Video: The whistle at noon](https://www.youtube.com/embed/abc123XYZ_0)",
    ),
    "frame with a general title": (
        "<iframe src='https://www.youtube.com/embed/abc123XYZ_0' title='YouTube video player'></iframe>",
        "[Video](https://www.youtube.com/embed/abc123XYZ_0)",
    ),
    "lazy frame": (
        (
            "<div class='embed'><iframe src='about:blank' data-src='https://player.vimeo.com/video/7212' "
            "title='Low tide'>"
            "</iframe></div>"
        ),
        "[Video: Low tide](https://player.vimeo.com/video/7212)",
    ),
    "frame of the site": (
        "<iframe src='/interactive/tides.html' title='Tides of the harbour'></iframe>",
        "[Embedded page: Tides of the harbour](https://coast.example/interactive/tides.html)",
    ),
    "map": (
        "<iframe src='https://www.openstreetmap.org/export/embed.html?bbox=1,2' width='425' height='350'></iframe>",
        "[Map](https://www.openstreetmap.org/export/embed.html?bbox=1,2)",
    ),
    "film": (
        "<video controls poster='/p.jpg'><source src='/film/whistle.webm'><source src='/film/whistle.mp4'></video>",
        "[Video](https://coast.example/film/whistle.webm)",
    ),
    "sound": (
        "<audio controls src='/sound/whistle.mp3' title='The whistle at noon'></audio>",
        "[Audio: The whistle at noon](https://coast.example/sound/whistle.mp3)",
    ),
    "object": (
        "<object data='/plans/pump.pdf' type='application/pdf'><p>Your browser shows no PDF.</p></object>",
        "[Document](https://coast.example/plans/pump.pdf)",
    ),
    "embed": (
        "<embed src='/plans/pump.pdf' type='application/pdf' width='600' height='800'>",
        "[Document](https://coast.example/plans/pump.pdf)",
    ),
    "lite component": (
        "<lite-youtube videoid='abc123XYZ_0' playlabel='The whistle at noon'></lite-youtube>",
        "[Video: The whistle at noon](https://www.youtube.com/watch?v=abc123XYZ_0)",
    ),
    "amp component": (
        "<amp-youtube data-videoid='abc123XYZ_0' layout='responsive' width='480' height='270'></amp-youtube>",
        "[Video](https://www.youtube.com/watch?v=abc123XYZ_0)",
    ),
    "editor's element": (
        "<figure class='media'><oembed url='https://vimeo.com/7212'></oembed></figure>",
        "[Video](https://vimeo.com/7212)",
    ),
    "box that a script fills": (
        "<div class='rll-youtube-player' data-src='https://www.youtube.com/embed/abc123XYZ_0'></div>",
        "[Video](https://www.youtube.com/embed/abc123XYZ_0)",
    ),
    "unseen twin": (
        (
            "<iframe src='https://player.vimeo.com/video/7212'></iframe><noscript><iframe "
            "src='https://player.vimeo.com/video/7212'></iframe></noscript>"
        ),
        "[Video](https://player.vimeo.com/video/7212)",
    ),
}


@pytest.mark.parametrize("name", EMBEDS)
def test_embedded_content_is_a_line(name: str) -> None:
    markup, line = EMBEDS[name]
    text = read_walk(walk_article(markup), images=False)
    assert text.count(line) == 1
    assert text.count("](") == 1
    assert text.index(BEFORE[:40]) < text.index(line) < text.index(AFTER[:40])


NO_CONTENT = {
    "tracker": "<iframe src='https://t.example/ns.html' width='0' height='0'></iframe>",
    "hidden": "<iframe src='https://player.vimeo.com/video/7212' style='display:none'></iframe>",
    "hidden by a sheet": "<style>.f{visibility:hidden}</style><iframe class=f src='https://t.example/x'></iframe>",
    "tag manager": "<noscript><iframe src='https://www.googletagmanager.com/ns.html?id=GTM-1'></iframe></noscript>",
    "advertisement": "<div><iframe src='https://ad.doubleclick.net/ddm/adi/N1' width='300' "
    "height='250'></iframe></div>",
    "size of advertisements": "<iframe src='https://cdn.example/creative/9' width='728' height='90'></iframe>",
    "consent": "<iframe src='https://cmp.example/consent/index.html' title='Consent window'></iframe>",
    "captcha": "<iframe src='https://www.google.com/recaptcha/api2/anchor' title='reCAPTCHA'></iframe>",
    "button": "<iframe src='https://www.facepage.example/plugins/like.php?href=x' height='21'></iframe>",
    "no address": "<iframe title='Advertisement'></iframe><video></video><object></object>",
    "script address": "<iframe src='javascript:alert(1)'></iframe><embed src='data:text/html,hello'>",
    "blob": "<video src='blob:https://coast.example/5' controls></video>",
    "animation data": "<lottie-player src='https://cdn.example/wave.json'></lottie-player>",
    "part of the page": "<page-part src='https://coast.example/svc/menu' loading='lazy'></page-part>",
}


@pytest.mark.parametrize("name", NO_CONTENT)
def test_frame_that_is_no_content(name: str) -> None:
    assert "](" not in read_walk(walk_article(NO_CONTENT[name]), images=False)


def test_frame_with_a_caption() -> None:
    frame = "<iframe src='https://datawrapper.dwcdn.net/Tide/2/'></iframe>"
    text = read_walk(walk_article(f"<figure>{frame}<figcaption>Levels of a year</figcaption></figure>"), images=False)
    assert text.count("https://datawrapper.dwcdn.net/Tide/2/") == 1
    assert text.count("Levels of a year") == 1


def test_film_beside_the_article() -> None:
    tail = "<aside><h3>Most watched</h3><iframe src='https://player.vimeo.com/video/1' title='Other'></iframe></aside>"
    assert "vimeo" not in read_walk(walk_article("", tail=tail))


def test_post_that_was_not_kept() -> None:
    quote = (
        "<blockquote class='instagram-media' data-instgrm-permalink='https://www.instagram.com/p/XYZ/'>"
        "<a href='https://www.instagram.com/p/XYZ/'>View this post</a></blockquote>"
    )
    assert read_walk(walk_article(quote)).count("https://www.instagram.com/p/XYZ/") == 1


def test_long_title_of_a_frame() -> None:
    text = read_walk(
        walk_article(f"<iframe src='https://player.vimeo.com/video/7212' title='{'Tide ' * 200}'></iframe>")
    )
    line = next(line for line in text.split("\n") if "vimeo" in line)
    assert len(line) < 250


def test_title_that_would_be_markup() -> None:
    text = read_walk(
        walk_article("<iframe src='https://player.vimeo.com/video/7' title='a](https://evil.example) **b**'></iframe>")
    )
    assert "[Video: a\\](https://evil.example) \\*\\*b\\*\\*](https://player.vimeo.com/video/7)" in text


def test_address_among_the_links() -> None:
    html = walk_article("<iframe src='https://player.vimeo.com/video/7212' title='Low tide'></iframe>")
    assert "https://player.vimeo.com/video/7212" in extract(html, url="https://coast.example/w").links
