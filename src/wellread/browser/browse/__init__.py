"""Browsing: a tab is driven step by step. A snapshot lists its elements by number, and each step acts on one of them.

`browse_session.BrowseSession` is the port. `page_tree`, `controls`, `element_names`, `layers`, `outline` and `changes`
derive the visible content and the controls from the layout that the browser process reports; they are pure. `capture`,
`element_locator`, `page_actions`, `text_entry`, `tabs` and `settle` drive the browser. Nothing is ever written into the
page.
"""
