"""Work in child processes that can be killed, and the prescan that finds the pages that need one."""
