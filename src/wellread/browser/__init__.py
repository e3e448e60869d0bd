"""The browser: located, started behind the egress proxy, shared by jobs, and ended without leftovers.

`browser_pool.BrowserPool` is the port of this package. `BrowserPool.run` does a job and tries it again after a crash;
`BrowserPool.tab` lends a tab without a time limit. A `tab.BrowserTab` is a Playwright page in a context of its own,
behind a proxy session of its own. The content of pages is not interpreted here.
"""
