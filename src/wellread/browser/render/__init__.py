"""Rendering: a page runs in the browser until it is ready, and its visible content is written as HTML.

`renderer.Renderer` is the port. `activity` decides when a page is ready, `layout_visibility` which nodes are visible;
both are pure. `ready_wait` and `renderer` drive the browser.
"""
