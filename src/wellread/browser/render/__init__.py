"""Rendering: a page is let run in the browser until it is ready, and what a person would see of it is written down.

`renderer.Renderer` is the port. When a page is ready is decided by `activity`, what of it is seen by `sight`; both are
pure. `waits` and `renderer` touch the browser.
"""
