"""The browser: located, started behind the egress proxy, shared by jobs, and ended without leftovers.

`pool.Pool` is the port of this package. `pool.run` does a job and tries it again after a crash; `pool.tab` lends a tab
without a time limit. A `tab.Tab` is a Playwright page in a context of its own, behind a proxy session of its own. The
content of pages is not interpreted here.
"""
