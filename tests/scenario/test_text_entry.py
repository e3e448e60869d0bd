"""Text with line breaks is put into composers that send on Enter: nothing is sent unless `submit` asks for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from controls import number
from hands import reading_page, work
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from sites import Reading
    from wellread.browser.browse.browse_session import BrowseSession
    from wellread.types import PageSnapshot

SHORT = "Dear Ann,\nplease wait with this.\n\nBob"
LONG = "\n".join(f"Line {line} of a letter that is longer than what is typed key by key." for line in range(12))

COUNT = """<script>
const keys = [], sent = [];
for (const kind of ['keydown', 'keypress', 'keyup'])
  document.addEventListener(kind, (e) => { if (['Enter', 'Tab'].includes(e.key)) keys.push(`${kind} ${e.key}`) }, true);
const send = (text) => sent.push(text);
</script>"""

COMPOSERS = {
    "textarea_keydown": """<textarea aria-label=Message></textarea><script>
const box = document.querySelector('textarea'), model = () => box.value;
box.addEventListener('keydown', (e) => {
  if (e.key === 'Enter' && !e.shiftKey) { e.preventDefault(); send(box.value); box.value = '' }
});</script>""",
    "editable_keydown": """<div contenteditable aria-label=Message></div><script>
const box = document.querySelector('div'), model = () => box.innerText;
box.addEventListener('keydown', (e) => {
  if (e.key === 'Enter' && !e.shiftKey) { e.preventDefault(); send(box.innerText); box.innerText = '' }
});</script>""",
    "textarea_keypress": """<textarea aria-label=Message></textarea><script>
const box = document.querySelector('textarea'), model = () => box.value;
box.addEventListener('keypress', (e) => { if (e.which === 13) { e.preventDefault(); send(box.value) } });</script>""",
    "textarea_input": """<textarea aria-label=Message></textarea><script>
const box = document.querySelector('textarea'), model = () => box.value;
box.addEventListener('beforeinput', (e) => {
  if (e.inputType === 'insertLineBreak' || (e.data || '').includes('\\n')) { e.preventDefault(); send(box.value) }
});
box.addEventListener('input', (e) => {
  if (e.inputType === 'insertLineBreak' || e.data === '\\n' || box.value.endsWith('\\n')) send(box.value);
});</script>""",
    "beforeinput_editor": """<div contenteditable aria-label=Message style="white-space: pre-wrap"></div><script>
const box = document.querySelector('div');
let lines = '';
const model = () => lines;
box.addEventListener('beforeinput', (e) => {
  e.preventDefault();
  if (e.inputType === 'insertParagraph' || e.inputType === 'insertLineBreak') send(lines);
  else if (e.inputType === 'insertFromPaste') lines += e.dataTransfer.getData('text/plain');
  else if (e.data && e.data.includes('\\n')) send(lines);
  else if (e.data) lines += e.data;
  box.textContent = lines;
  document.getSelection().selectAllChildren(box);
  document.getSelection().collapseToEnd();
});</script>""",
    "paste_editor": """<div role=textbox contenteditable aria-label=Message><p><br></p></div><script>
const box = document.querySelector('div');
let lines = '';
const model = () => lines;
const draw = () => { box.innerHTML = lines.split('\\n').map((line) => `<p>${line || '<br>'}</p>`).join('') };
box.addEventListener('paste', (e) => {
  e.preventDefault(); lines += e.clipboardData.getData('text/plain'); setTimeout(draw, 40);
});
box.addEventListener('beforeinput', (e) => {  // as CKEditor 5: a line break in the data is its Enter command
  e.preventDefault();
  if (e.inputType === 'insertParagraph' || (e.data || '').includes('\\n')) send(lines);
  else if (e.data) { lines += e.data; draw() }
});</script>""",
    "mention_list": """<textarea aria-label=Message></textarea><ul id=people hidden><li>Stranger</ul><script>
const box = document.querySelector('textarea'), model = () => box.value;
box.addEventListener('input', () => { people.hidden = !/@\\w*$/.test(box.value) });
box.addEventListener('keydown', (e) => {
  const picks = !people.hidden && ['Enter', 'Tab'].includes(e.key);
  if (!picks && e.key !== 'Enter') return;
  e.preventDefault();
  if (picks) { box.value = box.value.replace(/@\\w*$/, '@Stranger '); people.hidden = true } else send(box.value);
});</script>""",
    "form": """<form><textarea aria-label=Message></textarea><button>Send</button></form><script>
const box = document.querySelector('textarea'), model = () => box.value, form = document.forms[0];
form.addEventListener('submit', (e) => { e.preventDefault(); send(box.value) });
box.addEventListener('keyup', (e) => { if (e.key === 'Enter') form.requestSubmit() });</script>""",
}


class Outcome(NamedTuple):
    """What a page counted while text was put into it."""

    keys: list[str]
    sent: list[str]
    text: str
    shown: PageSnapshot


async def counted(tab: BrowseSession, shown: PageSnapshot) -> Outcome:
    keys, sent, text = await reading_page(tab).evaluate("[keys, sent, model()]")
    return Outcome(keys, sent, text, shown)


def enter(reading: Reading, html: str, text: str, *, submit: bool = False, clear: bool = True) -> Outcome:
    async def steps(tab: BrowseSession) -> Outcome:
        return await counted(tab, await tab.type(number(tab, "Message"), text, submit=submit, clear=clear))

    return work(reading, COUNT + html, steps)


def filled(text: str) -> list[str]:
    return [line for line in text.split("\n") if line]


def codes(shown: PageSnapshot) -> list[str]:
    """Return the codes of notices, without the one that a busy machine adds."""
    return [notice.code for notice in shown.notices if notice.code != "still_loading"]


@pytest.mark.parametrize("text", [SHORT, LONG], ids=["short", "long"])
@pytest.mark.parametrize("composer", COMPOSERS)
def test_line_breaks_press_no_enter(reading: Reading, composer: str, text: str) -> None:
    outcome = enter(reading, COMPOSERS[composer], text)
    assert (outcome.keys, outcome.sent, filled(outcome.text)) == ([], [], filled(text))
    assert codes(outcome.shown) == []


@pytest.mark.parametrize("composer", sorted(set(COMPOSERS) - {"textarea_input"}))
def test_submit_presses_enter_once(reading: Reading, composer: str) -> None:
    outcome = enter(reading, COMPOSERS[composer], SHORT, submit=True)
    assert [key for key in outcome.keys if key == "keydown Enter"] == ["keydown Enter"]
    assert [filled(text) for text in outcome.sent] == [filled(SHORT)]


@pytest.mark.parametrize("break_", ["\r\n", "\r"], ids=["crlf", "cr"])
@pytest.mark.parametrize("composer", ["textarea_keydown", "editable_keydown"])
def test_carriage_returns_are_line_breaks(reading: Reading, composer: str, break_: str) -> None:
    outcome = enter(reading, COMPOSERS[composer], f"one{break_}two")
    assert (outcome.keys, outcome.sent, outcome.text, codes(outcome.shown)) == ([], [], "one\ntwo", [])


@pytest.mark.parametrize("text", ["wait\n", "\n", "a\n\n"])
def test_trailing_line_breaks_press_no_enter(reading: Reading, text: str) -> None:
    outcome = enter(reading, COMPOSERS["textarea_keydown"], text)
    assert (outcome.keys, outcome.sent, outcome.text, codes(outcome.shown)) == ([], [], text, [])


@pytest.mark.parametrize("text", ["@\tann", "@a\u2028b", "a\x0bb\x0cc\x85d", "a\x00b\x08c\x1bd\x7f"])
def test_control_characters_press_no_key(reading: Reading, text: str) -> None:
    outcome = enter(reading, COMPOSERS["mention_list"], text)
    assert (outcome.keys, outcome.sent, outcome.text) == ([], [], text)


def test_mention_at_the_end_of_a_line_is_not_picked(reading: Reading) -> None:
    outcome = enter(reading, COMPOSERS["mention_list"], "Hello @ann\nand @bo")
    assert (outcome.keys, outcome.text) == ([], "Hello @ann\nand @bo")


@pytest.mark.parametrize("composer", ["textarea_keydown", "editable_keydown", "paste_editor"])
def test_lines_are_added_to_a_draft(reading: Reading, composer: str) -> None:
    async def steps(tab: BrowseSession) -> Outcome:
        await tab.type(number(tab, "Message"), "Dear")
        return await counted(tab, await tab.type(number(tab, "Message"), " Ann,\nwait", clear=False))

    outcome = work(reading, COUNT + COMPOSERS[composer], steps)
    assert (outcome.sent, filled(outcome.text), codes(outcome.shown)) == ([], ["Dear Ann,", "wait"], [])


@pytest.mark.parametrize("composer", ["textarea_keydown", "editable_keydown"])
def test_lines_replace_a_draft_that_begins_alike(reading: Reading, composer: str) -> None:
    async def steps(tab: BrowseSession) -> Outcome:
        await tab.type(number(tab, "Message"), "Dear Ann")
        return await counted(tab, await tab.type(number(tab, "Message"), "Dear\nAnn"))

    outcome = work(reading, COUNT + COMPOSERS[composer], steps)
    assert (outcome.sent, outcome.text) == ([], "Dear\nAnn")


INPUT = """<form><input aria-label=Message></form><script>
const box = document.querySelector('input'), model = () => box.value;
document.forms[0].addEventListener('submit', (e) => { e.preventDefault(); send(box.value) });</script>"""


def test_single_line_input_gets_spaces_and_a_notice(reading: Reading) -> None:
    outcome = enter(reading, INPUT, "one\r\ntwo\nthree\n")
    assert (outcome.keys, outcome.sent, outcome.text) == ([], [], "one two three")
    assert codes(outcome.shown) == ["line_breaks_removed"]
    assert outcome.shown.notices[0].count == 3
    assert enter(reading, INPUT, "one\ntwo", submit=True).sent == ["one two"]


def test_keys_are_typed_for_a_counter(reading: Reading) -> None:
    counter = COMPOSERS["textarea_keydown"] + (
        "<p id=size>0</p><script>box.addEventListener('keyup', () => { size.textContent = `size ${box.value.length}` })"
        "</script>"
    )
    assert "size 5" in enter(reading, counter, "Hello").shown.content
    assert "size 11" in enter(reading, counter, "Hello\nworld").shown.content


@pytest.mark.parametrize("composer", ["textarea_keydown", "editable_keydown", "paste_editor"])
def test_text_in_a_page_that_is_busy_after_it(reading: Reading, composer: str) -> None:
    busy = """<script>
const block = () => { const end = performance.now() + 500; while (performance.now() < end); };
for (const kind of ['input', 'paste']) box.addEventListener(kind, () => setTimeout(block), { once: true });</script>"""
    outcome = enter(reading, COMPOSERS[composer] + busy, "one\ntwo")
    assert (filled(outcome.text), codes(outcome.shown)) == (["one", "two"], [])


def test_text_changed_by_the_page_is_reported(reading: Reading) -> None:
    cut = COMPOSERS["textarea_keydown"].replace("<textarea", "<textarea maxlength=5")
    outcome = enter(reading, cut, "secret\nwords")
    assert codes(outcome.shown) == ["text_differs"]
    assert "secre" not in outcome.shown.notices[0].detail


def test_text_that_an_editor_refuses_is_reported(reading: Reading) -> None:
    refusing = """<div contenteditable aria-label=Message></div><script>
const box = document.querySelector('div'), model = () => box.innerText;
box.addEventListener('paste', (e) => e.preventDefault());
box.addEventListener('beforeinput', (e) => { if ((e.data || '').includes('\\n')) send(e.data) });</script>"""
    outcome = enter(reading, refusing, "one\ntwo")
    assert (outcome.sent, codes(outcome.shown)) == ([], ["text_differs"])


def test_composer_that_sends_by_itself_is_reported(reading: Reading) -> None:
    eager = """<textarea aria-label=Message></textarea><script>
const box = document.querySelector('textarea'), model = () => box.value;
box.addEventListener('input', () => { if (box.value.includes('\\n')) { send(box.value); box.value = '' } });</script>"""
    assert codes(enter(reading, eager, "one\ntwo\n").shown) == ["text_differs"]


SHORTCUTS = """<input aria-label=Message><button id=pay onclick="send('paid')">Pay</button><script>
const box = document.querySelector('input'), model = () => box.value;
document.addEventListener('keydown', (e) => { if (e.target !== box) send(e.key) });"""


@pytest.mark.parametrize("steal", ["box.blur()", "pay.focus()", "box.remove()"])
def test_keys_stop_where_the_field_loses_the_focus(reading: Reading, steal: str) -> None:
    html = f"{SHORTCUTS} box.addEventListener('input', () => {{ if (box.value === 'ab') {steal} }});</script>"
    outcome = enter(reading, html, "ab #e", submit=True)
    assert (outcome.keys, outcome.sent, outcome.text) == ([], [], "ab")
    assert codes(outcome.shown) == ["text_differs", "not_submitted"]


def test_field_that_never_gets_the_focus_is_refused(reading: Reading) -> None:
    html = f"{SHORTCUTS} box.addEventListener('focus', () => box.blur());</script>"

    async def steps(tab: BrowseSession) -> list[str]:
        with pytest.raises(InvalidInput, match="cannot get the focus"):
            await tab.type(number(tab, "Message"), "abc", submit=True)
        return (await counted(tab, tab.snapshot)).sent

    assert work(reading, COUNT + html, steps) == []


def test_focus_moved_on_by_the_page_is_followed(reading: Reading) -> None:
    code = """<input aria-label=Message maxlength=1><input aria-label=Second maxlength=1><script>
const boxes = [...document.querySelectorAll('input')], model = () => boxes.map((each) => each.value).join('');
boxes[0].addEventListener('input', () => boxes[1].focus());</script>"""
    assert enter(reading, code, "12").text == "12"


@pytest.mark.parametrize("host", ["127.0.0.1", "app.example"], ids=["same_site", "other_site"])
@pytest.mark.parametrize("composer", ["editable_keydown", "textarea_keydown", "paste_editor"])
def test_line_breaks_in_a_frame(reading: Reading, composer: str, host: str) -> None:
    path = f"/framed-{composer}"
    reading.site.pages[path] = "<!DOCTYPE html>" + COUNT + COMPOSERS[composer]

    async def steps(tab: BrowseSession) -> tuple[list[str], list[str], str]:
        await tab.type(number(tab, "Message"), SHORT)
        frame = next(each for each in reading_page(tab).frames if each.url.endswith(path))
        keys, sent, text = await frame.evaluate("[keys, sent, model()]")
        return keys, sent, text

    keys, sent, text = work(
        reading, f"<iframe width=600 height=300 src={reading.site.url(path, host)}></iframe>", steps
    )
    assert (keys, sent, filled(text)) == ([], [], filled(SHORT))


@pytest.mark.parametrize(
    "field", ["<textarea aria-label=Message></textarea>", "<p contenteditable aria-label=Message>"]
)
def test_line_breaks_in_a_closed_shadow_tree(reading: Reading, field: str) -> None:
    html = f"""<p>Write below.</p><div id=host></div><script>
const root = host.attachShadow({{mode: 'closed'}});
root.innerHTML = '{field}';
const box = root.firstChild, model = () => box.value ?? box.innerText;
box.addEventListener('keydown', (e) => {{
  if (e.key === 'Enter') {{ e.preventDefault(); send(model()) }}
}});</script>"""
    outcome = enter(reading, html, "one\ntwo")
    assert (outcome.keys, outcome.sent, outcome.text, codes(outcome.shown)) == ([], [], "one\ntwo", [])
    assert enter(reading, html, "one\ntwo", submit=True).sent == ["one\ntwo"]


def test_line_breaks_in_a_document_in_design_mode(reading: Reading) -> None:
    html = """<iframe id=frame height=200 srcdoc="<body aria-label=Message style='min-height: 90px'>"></iframe><script>
const inner = () => frame.contentDocument, model = () => inner().body.innerText;
frame.onload = () => {
  inner().designMode = 'on';
  inner().addEventListener('keydown', (e) => { if (e.key === 'Enter') { e.preventDefault(); send(model()) } });
};</script>"""
    outcome = enter(reading, html, SHORT)
    assert (outcome.keys, outcome.sent, filled(outcome.text)) == ([], [], filled(SHORT))
    assert enter(reading, html, "one\ntwo", submit=True).sent == ["one\ntwo"]


def test_select_that_stays_shut_submits_no_form(reading: Reading) -> None:
    html = """<form><select aria-label=Port><option>Oslo<option>Bergen</select><input name=a></form><script>
const port = document.querySelector('select'), model = () => port.value;
port.addEventListener('mousedown', (e) => { e.preventDefault(); port.focus() });
document.forms[0].addEventListener('submit', (e) => { e.preventDefault(); send(port.value) });</script>"""

    async def steps(tab: BrowseSession) -> Outcome:
        return await counted(tab, await tab.select(number(tab, "Port"), "Bergen"))

    outcome = work(reading, COUNT + html, steps)
    assert (outcome.sent, outcome.text) == ([], "Bergen")


def test_colour_without_a_palette_types_nowhere_else(reading: Reading) -> None:
    html = """<form><input type=color aria-label=Paint><input id=a><input id=b><input id=c></form><script>
const model = () => a.value + b.value + c.value;
document.querySelector('input').addEventListener('click', (e) => e.preventDefault());
document.forms[0].addEventListener('submit', (e) => { e.preventDefault(); send('form') });</script>"""

    async def steps(tab: BrowseSession) -> Outcome:
        with pytest.raises(InvalidInput, match="does not open the colour palette"):
            await tab.type(number(tab, "Paint"), "#0c8040")
        return await counted(tab, tab.snapshot)

    outcome = work(reading, COUNT + html, steps)
    assert (outcome.sent, outcome.text) == ([], "")


MASKS = ["-webkit-text-security: disc", "-webkit-text-security: square", "font-family: text-security-disc"]


@pytest.mark.parametrize("style", MASKS)
@pytest.mark.parametrize("field", ["<input aria-label=Pin>", "<textarea aria-label=Pin></textarea>"])
def test_value_masked_by_style_is_not_shown(reading: Reading, field: str, style: str) -> None:
    async def steps(tab: BrowseSession) -> PageSnapshot:
        return await tab.type(number(tab, "Pin"), "98741")

    shown = work(reading, field.replace("aria-label", f"style='{style}' aria-label"), steps)
    assert "98741" not in repr(shown)
    assert shown.elements[0].value == "•••••"


def test_text_masked_by_style_is_not_shown(reading: Reading) -> None:
    html = (
        "<style>.masked { -webkit-text-security: disc }</style><p>Key <span class=masked>sk-98741</span></p>"
        "<p contenteditable aria-label=Pin class=masked>12345</p>"
    )

    async def steps(tab: BrowseSession) -> PageSnapshot:
        return tab.snapshot

    shown = work(reading, html, steps)
    assert "98741" not in repr(shown)
    assert "12345" not in repr(shown)
    assert "Key ••••••••" in shown.content


REDRAWN = """<main></main><script>
const state = ['', ''], model = () => state.join('|');
const draw = () => {
  document.querySelector('main').innerHTML = state.map((value, row) => `<fieldset>Boat ${'AB'[row]}
    ${value.length} letters <input aria-label=Message TYPE value="${value}"></fieldset>`).join('');
};
document.addEventListener('input', (e) => {
  state[[...document.querySelectorAll('input')].indexOf(e.target)] = e.target.value;
  LATER(draw);
});
document.addEventListener('keydown', (e) => {
  if (e.target.tagName !== 'INPUT' || e.key === 'Enter') send(e.key);
});
draw();
</script>"""
REDRAWN_EARLY = REDRAWN.replace("LATER(draw)", "draw()")


def fields(tab: BrowseSession) -> list[int]:
    return [element.index for element in tab.snapshot.elements if element.name == "Message"]


@pytest.mark.parametrize("kind", ["", "type=email", "type=password"])
@pytest.mark.parametrize("draw", ["draw()", "queueMicrotask(draw)", "setTimeout(draw, 15)"])
def test_field_that_is_drawn_again_at_each_key_gets_all_of_the_text(reading: Reading, draw: str, kind: str) -> None:
    async def steps(tab: BrowseSession) -> tuple[list[Outcome], bool]:
        numbers = fields(tab)
        first = await counted(tab, await tab.type(numbers[1], "sloop@a.example"))
        second = await counted(tab, await tab.type(numbers[1], "brig@b.example", submit=True))
        return [first, second], fields(tab) == numbers

    outcomes, is_numbered_alike = work(
        reading, COUNT + REDRAWN.replace("LATER(draw)", draw).replace("TYPE", kind), steps
    )
    assert [(outcome.text, outcome.sent, codes(outcome.shown)) for outcome in outcomes] == [
        ("|sloop@a.example", [], []),
        ("|brig@b.example", ["Enter"], []),
    ]
    assert is_numbered_alike


def test_field_that_is_drawn_again_without_its_text_is_reported(reading: Reading) -> None:
    html = REDRAWN_EARLY.replace('value="${value}"', "")
    outcome = enter(reading, html.replace("['', '']", "['']"), "secret", submit=True)
    assert (outcome.sent, codes(outcome.shown)) == ([], ["text_differs", "not_submitted"])
    assert "1 of 6 characters typed, and it has 0" in outcome.shown.notices[0].detail


@pytest.mark.parametrize("text", ["Dear Ann, see you", "Dear Ann,\nsee you"])
def test_field_that_is_moved_at_each_key_gets_all_of_the_text(reading: Reading, text: str) -> None:
    html = """<textarea aria-label=Message></textarea><script>
const box = document.querySelector('textarea'), model = () => box.value;
box.addEventListener('input', () => document.body.append(box));
document.addEventListener('keydown', (e) => { if (e.target !== box) send(e.key) });</script>"""
    outcome = enter(reading, html, text)
    assert (outcome.text, outcome.sent, codes(outcome.shown)) == (text, [], [])


TWO_FORMS = """<form id=first><input aria-label=User></form><form id=second><main></main></form><script>
const model = () => `${document.querySelector('input').value}|${document.querySelector('[aria-label=Day]').value}`;
const draw = (value) => {
  document.querySelector('main').innerHTML = `<input TYPE aria-label=Day value="${value}">`;
  document.querySelector('[aria-label=Day]').addEventListener('change', (e) => {
    const text = e.target.value;
    if (text > '1') LATER(() => draw(text));
  });
};
draw('');
for (const form of document.forms) form.addEventListener('submit', (e) => { e.preventDefault(); send(form.id) });
</script>"""


@pytest.mark.parametrize("later", ["setTimeout", "queueMicrotask"])
def test_enter_is_not_pressed_in_the_form_of_an_earlier_field(reading: Reading, later: str) -> None:
    async def steps(tab: BrowseSession) -> Outcome:
        await tab.type(number(tab, "User"), "bob")
        return await counted(tab, await tab.type(number(tab, "Day"), "2024-05-06", submit=True))

    html = TWO_FORMS.replace("TYPE", "type=date").replace("LATER", later)
    outcome = work(reading, COUNT + html, steps)
    assert "first" not in outcome.sent  # the second form may be drawn again just before the key
    assert outcome.text == "bob|2024-05-06"


ROWS = """<ul><li><input class=q aria-label=Message value=OLD><li><input class=q value=kept></ul><script>
const list = document.querySelector('ul');
const model = () => [...document.querySelectorAll('.q')].map((e) => e.value).join();
const remove = () => { REMOVE };
document.querySelector('.q').addEventListener('focus', remove);</script>"""
REMOVALS = {
    "removed": "document.querySelector('li').remove()",
    "all_drawn_again": "list.innerHTML = '<li><input class=q value=kept>'",
    "renamed": "document.querySelector('li').remove(); "
    "document.querySelector('.q').setAttribute('aria-label', 'Message')",
}


@pytest.mark.parametrize("old", ["", "old"])
@pytest.mark.parametrize("removal", REMOVALS)
def test_text_for_a_row_that_is_removed_goes_to_no_other_row(reading: Reading, removal: str, old: str) -> None:
    html = ROWS.replace("REMOVE", REMOVALS[removal]).replace("value=OLD", f'value="{old}"')
    if removal != "renamed":
        html = html.replace("<input class=q value=kept", "<input class=q aria-label=Message value=kept")

    async def steps(tab: BrowseSession) -> Outcome | None:
        index = next(element.index for element in tab.snapshot.elements if element.name == "Message")
        try:
            shown = await tab.type(index, "secret")
        except InvalidInput:
            shown = tab.snapshot
        return await counted(tab, shown)

    outcome = work(reading, COUNT + html, steps)
    assert outcome is not None
    assert outcome.text == "kept"


@pytest.mark.parametrize("clear", [True, False])
def test_keys_that_the_page_dispatches_are_not_counted(reading: Reading, clear: bool) -> None:
    html = """<input aria-label=Message value=old><button>Go</button><script>
const box = document.querySelector('input'), model = () => box.value;
box.addEventListener('input', () => {
  if (!box.value.endsWith('b')) return;
  document.querySelector('button').focus();
  for (let i = 0; i < 4; i++) box.dispatchEvent(new KeyboardEvent('keydown', {key: 'x', bubbles: true}));
  box.remove();
  document.body.append(box);
});</script>"""
    outcome = enter(reading, html, "abcdef", clear=clear)
    assert outcome.text == ("abcdef" if clear else "oldabcdef")
    assert codes(outcome.shown) == []


def test_keys_that_select_are_not_counted_as_text(reading: Reading) -> None:
    html = """<input aria-label=Message value=old><button>Go</button><script>
const box = document.querySelector('input'), model = () => box.value, button = document.querySelector('button');
box.addEventListener('keydown', (e) => { if (e.key === 'Control' || e.key === 'Meta') button.focus() });
button.addEventListener('keyup', (e) => { if (e.key === 'f') box.focus() });</script>"""
    outcome = enter(reading, html, "abcdef", clear=False)
    assert outcome.text == "old"
    assert any("0 of 6 characters typed, and it has 3" in notice.detail for notice in outcome.shown.notices)
