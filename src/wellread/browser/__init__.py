"""The browser: found, started behind the egress proxy, shared by jobs, and ended without a trace.

`pool.Pool` is the port of this room. `pool.run` does a job and tries it again after a crash; `pool.tab` lends a tab for
as long as its holder likes. A `tab.Tab` is a Playwright page in a context of its own, behind a gate of its own. Knows
nothing of what pages mean.
"""
