"""The tasks that browsers are compared on: the words of each policy, and the report that proves it.

A page of `pages/` calls `report(text)` when its own handlers reach the goal. A report that begins with "wrong" says
that a wrong element was operated. A policy names elements by the words that a person sees or hears. Words after `after`
pick the element that follows them in the text of the tool. `build` says how the page is made: plain HTML, a tree that
is rendered as in React, or parts as component libraries have them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Action = Literal["click", "type", "select", "press", "hover", "drag", "upload", "scroll", "accept", "tab", "shown"]


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a policy."""

    action: Action
    name: str = ""
    text: str = ""
    after: str = ""
    submit: bool = False
    double: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A page, the steps of the policy, and the report that the server must get."""

    name: str
    kind: str
    build: Literal["plain", "react", "library"]
    steps: tuple[Step, ...]
    report: str


def click(name: str, *, after: str = "", double: bool = False) -> Step:
    """Click the element called `name`."""
    return Step("click", name, after=after, double=double)


def type_text(name: str, text: str, *, submit: bool = False) -> Step:
    """Type into the field called `name`."""
    return Step("type", name, text, submit=submit)


def select(name: str, option: str) -> Step:
    """Select an option of the field called `name`."""
    return Step("select", name, option)


def press(key: str) -> Step:
    """Press a key."""
    return Step("press", text=key)


def hover(name: str) -> Step:
    """Move the pointer over the element called `name`."""
    return Step("hover", name)


def drag(name: str, onto: str) -> Step:
    """Drag an element onto another."""
    return Step("drag", name, onto)


def upload(name: str) -> Step:
    """Upload the file of the run by the element called `name`."""
    return Step("upload", name)


def scroll(name: str, text: str) -> Step:
    """Scroll the page, or the element called `name`, until `text` is shown."""
    return Step("scroll", name, text)


def accept(name: str, text: str = "") -> Step:
    """Click the element called `name`, and accept the dialog that it opens."""
    return Step("accept", name, text)


def tab(title: str) -> Step:
    """Switch to the tab with this title."""
    return Step("tab", title)


def shown(text: str) -> Step:
    """Read whether `text` is shown; wait for it if it is not."""
    return Step("shown", text=text)


FILE_NAME = "scan.txt"
FILE_TEXT = "Page one of the scan"
_UPLOADED = f"{FILE_NAME}|{FILE_TEXT}"

TASKS = (
    Task(
        "contact_form",
        "form",
        "plain",
        (
            type_text("Your name", "Ann Lund"),
            type_text("Email", "ann@example.com"),
            select("Topic", "Support"),
            type_text("Message", "The door is stuck."),
            click("Send me a copy"),
            click("Send message"),
            shown("Thanks, we got it"),
        ),
        "Ann Lund|ann@example.com|Support|The door is stuck.|true",
    ),
    Task(
        "controlled_form",
        "form",
        "react",
        (
            type_text("Full name", "Ann Lund"),
            type_text("Age", "41"),
            click("I accept the terms"),
            click("Create account"),
            shown("Account created"),
        ),
        "Ann Lund|41|true",
    ),
    Task(
        "phone_mask",
        "form",
        "react",
        (type_text("Phone", "4155550123"), click("Save phone"), shown("Saved (415)")),
        "(415) 555-0123",
    ),
    Task(
        "otp_boxes",
        "one-time code",
        "library",
        (*(type_text(f"Digit {n}", digit) for n, digit in enumerate("493817", 1)), shown("Code accepted")),
        "493817",
    ),
    Task(
        "otp_hidden_input",
        "one-time code",
        "library",
        (type_text("Verification code", "493817"), click("Verify"), shown("Signed in")),
        "493817",
    ),
    Task("radio_cards", "form", "library", (click("Express"), click("Continue"), shown("Shipping saved")), "express"),
    Task(
        "required_error",
        "form",
        "plain",
        (
            click("Subscribe"),
            shown("Email is required"),
            type_text("Email", "ann@example.com"),
            click("Subscribe"),
            shown("Subscribed"),
        ),
        "2|ann@example.com",
    ),
    Task(
        "wizard",
        "form",
        "react",
        (
            type_text("Company", "Lund AS"),
            click("Next"),
            select("Plan", "Team"),
            click("Next"),
            shown("Review: Lund AS, Team"),
            click("Finish"),
            shown("All set"),
        ),
        "Lund AS|Team",
    ),
    Task(
        "stepper",
        "form",
        "library",
        (click("Add adult"), click("Add adult"), click("Apply guests"), shown("3 guests")),
        "3",
    ),
    Task("slider", "form", "plain", (type_text("Volume", "70"), shown("Volume is 70")), "70"),
    Task(
        "date_native",
        "date picker",
        "plain",
        (type_text("Departure", "2026-03-15"), click("Save trip"), shown("Trip on 2026-03-15")),
        "2026-03-15",
    ),
    Task(
        "tag_input",
        "form",
        "react",
        (
            type_text("Add tag", "sea", submit=True),
            type_text("Add tag", "boats", submit=True),
            click("Save tags"),
            shown("Tags saved"),
        ),
        "sea|boats",
    ),
    Task("star_rating", "form", "library", (click("4 Stars"), shown("Rated 4 of 5")), "4"),
    Task("switch", "form", "library", (click("Email alerts"), shown("Settings saved")), "email true"),
    Task(
        "chat_composer",
        "editor",
        "react",
        (type_text("Message", "Hello Bo,\nsee you at nine."), click("Send"), shown("see you at nine.")),
        "Hello Bo,/see you at nine.",
    ),
    Task("hover_menu", "hover", "plain", (hover("Products"), click("Kayaks"), shown("Kayaks page")), "kayaks"),
    Task(
        "dropdown_portal", "menu", "library", (click("Options"), click("Archive"), shown("Project archived")), "Archive"
    ),
    Task(
        "menubar_keys",
        "menu",
        "library",
        (click("File"), press("ArrowDown"), press("ArrowDown"), press("Enter"), shown("Export started")),
        "Export",
    ),
    Task(
        "command_palette",
        "menu",
        "react",
        (press("Control+K"), type_text("Command", "theme"), click("Toggle theme"), shown("Ran: Toggle theme")),
        "Toggle theme",
    ),
    Task(
        "mega_menu",
        "hover",
        "library",
        (hover("Departments"), click("Garden tools"), shown("Garden department")),
        "Garden tools",
    ),
    Task("row_button", "table", "plain", (click("Edit", after="Order 117"), shown("Editing 117")), "117"),
    Task(
        "filter_table",
        "table",
        "react",
        (
            type_text("Filter products", "lamp"),
            click("Price"),
            click("Order", after="Wall lamp"),
            shown("Ordered Wall lamp"),
        ),
        "Wall lamp|0",
    ),
    Task(
        "row_hover_actions",
        "hover",
        "library",
        (hover("Report 3"), click("Delete", after="Report 3"), shown("Report 3 deleted")),
        "3",
    ),
    Task(
        "paginated_table",
        "table",
        "react",
        (
            click("Next page"),
            shown("Member 15"),
            click("Next page"),
            shown("Member 25"),
            click("View 25"),
            shown("Profile of member 25"),
        ),
        "25",
    ),
    Task(
        "inline_edit",
        "table",
        "react",
        (click("Draft plan", double=True), type_text("Title", "Final plan", submit=True), shown("Renamed")),
        "Final plan",
    ),
    Task(
        "grid_selection",
        "table",
        "library",
        (click("Select Ben"), click("Select Dora"), click("Remove selected"), shown("Removed Ben,Dora")),
        "Ben,Dora",
    ),
    Task(
        "note_editable",
        "editor",
        "plain",
        (type_text("Note text", "Buy rope"), click("Save note"), shown("Note saved")),
        "Buy rope",
    ),
    Task(
        "rich_editor",
        "editor",
        "library",
        (type_text("Body", "Tides are late."), click("Publish"), shown("Published")),
        "Tides are late.",
    ),
    Task(
        "code_editor",
        "editor",
        "library",
        (type_text("Code", "let x = [1, 2]"), click("Run code"), shown("Code ran")),
        "let x = [1, 2]",
    ),
    Task(
        "mention",
        "editor",
        "react",
        (type_text("Comment text", "Thanks @an"), click("Ann Lund"), click("Post"), shown("Comment posted")),
        "Thanks @[Ann Lund]",
    ),
    Task(
        "frame_same",
        "frame",
        "plain",
        (type_text("Your opinion", "Good"), click("Send opinion"), shown("Opinion sent")),
        "Good",
    ),
    Task(
        "frame_cross",
        "frame",
        "library",
        (
            type_text("Card number", "4111 1111 1111 1111"),
            type_text("CVC", "123"),
            click("Pay 40 EUR"),
            shown("Payment done"),
        ),
        "4111111111111111|123",
    ),
    Task("frame_nested", "frame", "plain", (type_text("PIN", "8080"), click("Unlock"), shown("PIN accepted")), "8080"),
    Task(
        "frame_fold",
        "frame",
        "plain",
        (click("I have read this"), click("Accept terms"), shown("Terms accepted")),
        "read",
    ),
    Task("upload_field", "upload", "plain", (upload("Photo"), click("Send photo"), shown("Photo sent")), _UPLOADED),
    Task("upload_button", "upload", "react", (upload("Add document"), shown("Added scan.txt")), _UPLOADED),
    Task("dropzone", "upload", "library", (upload("Drop files here or click"), shown("Received scan.txt")), _UPLOADED),
    Task(
        "add_to_cart",
        "shop",
        "react",
        (
            click("Add Bowl to cart"),
            click("Cart (1)"),
            select("Quantity of Bowl", "3"),
            click("Check out"),
            shown("Order placed"),
        ),
        "Bowl3",
    ),
    Task(
        "swatches",
        "shop",
        "library",
        (click("Navy"), click("Size M"), click("Add to bag"), shown("In your bag")),
        "Navy|Size M",
    ),
    Task(
        "coupon",
        "shop",
        "plain",
        (click("Have a coupon?"), type_text("Coupon code", "TEN"), click("Apply"), shown("Coupon applied")),
        "TEN",
    ),
    Task(
        "cookie_banner", "shop", "library", (click("Accept all"), click("Buy ticket"), shown("Ticket bought")), "bought"
    ),
    Task("sticky_header", "shop", "plain", (click("Choose 20"), shown("Chose row 20")), "20"),
    Task(
        "autosuggest",
        "shop",
        "library",
        (
            type_text("Start typing your address", "Harb"),
            click("14 Harbour Road"),
            click("Save address"),
            shown("Address saved"),
        ),
        "14 Harbour Road",
    ),
    Task(
        "infinite_list",
        "virtual list",
        "plain",
        (scroll("", "Like 45"), click("Like 45"), shown("Liked post 45")),
        "45",
    ),
    Task(
        "date_picker",
        "calendar",
        "library",
        (
            click("Arrival"),
            click("Next month"),
            click("15 February 2026"),
            click("Search rooms"),
            shown("Rooms found"),
        ),
        "15 February 2026",
    ),
    Task("calendar_cells", "calendar", "plain", (click("21"), shown("Booked May 21")), "21"),
    Task(
        "date_range",
        "calendar",
        "react",
        (click("March 10"), click("March 14"), click("Book dates"), shown("Booked 4 nights")),
        "10-14",
    ),
    Task("time_slots", "calendar", "library", (click("14:30"), shown("Booked at 14:30")), "14:30"),
    Task("confirm_dialog", "dialog", "plain", (accept("Delete notes"), shown("File deleted")), "deleted"),
    Task("prompt_dialog", "dialog", "plain", (accept("New folder", "Maps"), shown("Created Maps")), "Maps"),
    Task(
        "modal_form",
        "dialog",
        "library",
        (click("New project"), type_text("Project name", "Quay"), click("Create"), shown("Project created")),
        "Quay",
    ),
    Task(
        "alert_dialog",
        "dialog",
        "plain",
        (type_text("Nick", "ann"), accept("Save profile"), shown("Profile saved")),
        "ann",
    ),
    Task("download_link", "download", "plain", (click("Download the report"),), "downloaded"),
    Task("download_blob", "download", "library", (click("Export table"), shown("Export is ready")), "export"),
    Task(
        "new_tab",
        "tabs",
        "plain",
        (click("Open invoice"), tab("Invoice 77"), click("Pay invoice"), shown("Invoice paid")),
        "paid",
    ),
    Task(
        "popup_choice",
        "tabs",
        "library",
        (
            click("Choose a shop"),
            tab("Shops"),
            click("Take Bergen"),
            tab("popup_choice"),
            click("Save shop"),
            shown("Shop saved"),
        ),
        "Bergen",
    ),
    Task(
        "drag_kanban",
        "drag",
        "react",
        (drag("Write report", "Finished"),),
        "Write report|Finished",
    ),
    Task(
        "drag_pointer",
        "drag",
        "library",
        (drag("Alpha", "Gamma"), shown("Order: Beta,Gamma,Alpha")),
        "Beta,Gamma,Alpha",
    ),
    Task("tooltip", "hover", "library", (hover("Show code"), shown("Code 7291")), "seen"),
    Task(
        "shadow_open",
        "shadow tree",
        "library",
        (type_text("Member number", "5521"), click("Enter"), shown("Welcome, member")),
        "5521",
    ),
    Task(
        "shadow_closed",
        "shadow tree",
        "library",
        (type_text("Reason", "Fair"), click("Vote yes"), shown("Vote counted")),
        "yes|Fair",
    ),
    Task(
        "virtual_list",
        "virtual list",
        "react",
        (scroll("Contacts", "Call 60"), click("Call 60"), shown("Calling 60")),
        "60",
    ),
    Task(
        "combobox_virtual",
        "virtual list",
        "library",
        (type_text("Country", "Norw"), click("Norway"), click("Save country"), shown("Country saved")),
        "Norway",
    ),
    Task("auction", "auction", "plain", (click("Bid", after="Clock"), shown("You bid on the Clock")), "Clock"),
    Task("ticker", "auction", "react", (click("Buy Globex"), shown("Bought Globex")), "Globex"),
    Task("spa_route", "late effect", "react", (click("Sea view"), click("Reserve"), shown("Room reserved")), "?room=2"),
    Task(
        "dependent_select",
        "late effect",
        "plain",
        (select("Country", "Norway"), select("City", "Bergen"), click("Find shop"), shown("Shop in Bergen")),
        "Norway|Bergen",
    ),
    Task(
        "login_redirect",
        "login",
        "plain",
        (
            type_text("User", "ann"),
            type_text("Password", "hunter22"),
            click("Sign in", after="Password"),
            shown("Welcome back"),
            click("Open mailbox"),
            shown("Mailbox open"),
        ),
        "opened",
    ),
    Task("meta_refresh", "late effect", "plain", (click("Place order"), shown("Order placed")), "placed"),
    Task(
        "tree",
        "menu",
        "library",
        (click("2026"), click("Invoices"), click("January.pdf"), shown("Opened January.pdf")),
        "january",
    ),
    Task(
        "tabs_panel", "menu", "library", (click("Delivery"), click("Choose pickup"), shown("Pickup chosen")), "pickup"
    ),
)
