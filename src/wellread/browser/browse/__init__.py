"""Browsing: a tab is driven step by step. A snapshot lists its elements by number, and each step acts on one of them.

`session.Session` is the port. `scene`, `controls`, `naming`, `outline` and `changes` derive the visible content and the
controls from the layout that the browser process reports; they are pure. `capture`, `aim`, `hands`, `values`, `tabs`
and `quiet` drive the browser. Nothing is ever written into the page.
"""
