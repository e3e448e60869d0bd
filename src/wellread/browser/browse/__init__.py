"""Browsing: a tab that is worked by hand. What it shows is written down with numbered elements, and those are acted on.

`session.Session` is the port. `scene`, `controls`, `naming`, `outline` and `changes` decide, from what the browser
process says of the layout, what a person sees and can work; they are pure. `capture`, `aim`, `hands`, `values`, `tabs`
and `quiet` touch the browser. Nothing is ever written into the page.
"""
