"""The level of each notice in one table: normal, doubtful, or text that is missing.

`docs/warnings.md` shows the same table to readers; a test compares the two.
"""

from __future__ import annotations

from typing import Literal

NoticeLevel = Literal["info", "warning"]
Meaning = Literal["info", "doubtful", "missing"]

_INFO = """
archive_listed aria_hidden attachments_left_out charts_left_out closed_panels comments_left_out contents_left_out
declared_facts front_matter_left_out hidden_text invisible_characters minor_requests_failed notes_left_out
outputs_left_out pictures_left_out rendered_for_fields revealed_text reviews_left_out robots_directives
running_heads_left_out signature_not_checked structured_data_cut
"""
"""What is normal: text was read that needs a click, or something was left out by design."""

_DOUBTFUL = """
diff_cut disabled embeddings_failed facts_cut fields_in_rows fields_of_other_things formats_not_applied http_status
kept_copy kept_snapshot line_breaks_removed list_cut missing_words model_failed mostly_hidden no_answer no_passages
no_service_worker not_indexed not_rendered not_submitted ocr_uncertain pdf_document profile_incomplete
refused_requests relative_links repaired_markup report_cut same_name_members schema_unmet scripts_stopped search_cut
still_loading subscribers_only text_by_ocr text_differs unguarded_browser unproved_values unranked_text unread_markup
unsupported_sentences unsure_choice weak_passages web_page webhooks_dropped
"""
"""A warning that something is in doubt or was not done as asked, but not that text of the page is missing."""

_MISSING = """
auth_required cards_left_out cells_cut challenge_page continued cut_short encrypted_text formulas_left_out
formulas_not_calculated garbled_text goes_on login_page members_cut messages_left_out no_text not_found_page
objects_left_out pages_cut pages_without_text partial_body partial_text parts_missing redirects_later requests_failed
rows_cut shadow_text styles_cut thin_content unavailable_page
"""
"""A warning that text of the page or document is missing: the page is not complete."""

NOTICE_MEANINGS: dict[str, Meaning] = {
    **dict.fromkeys(_INFO.split(), "info"),
    **dict.fromkeys(_DOUBTFUL.split(), "doubtful"),
    **dict.fromkeys(_MISSING.split(), "missing"),
}


_QUOTING = """
attachments_left_out auth_required continued disabled front_matter_left_out goes_on line_breaks_removed
minor_requests_failed missing_words not_submitted profile_incomplete redirects_later refused_requests
requests_failed text_differs
"""
"""Whose details have text of a page, a file or a server: labels, names, URLs, realms."""
QUOTING_NOTICES: frozenset[str] = frozenset(_QUOTING.split())


def is_quoting(code: str) -> bool:
    """Return whether details of notices with this code are quoted to models: text of the web may be in them.

    Nothing is known of the notices of plugins.
    """
    return code in QUOTING_NOTICES or code not in NOTICE_MEANINGS


def level(code: str) -> NoticeLevel:
    """Return the level of notices with this code; a code of a plugin, which is not in the table, is a warning."""
    return "info" if NOTICE_MEANINGS.get(code) == "info" else "warning"


def is_missing(code: str) -> bool:
    """Return whether notices with this code say that text is missing."""
    return NOTICE_MEANINGS.get(code) == "missing"
