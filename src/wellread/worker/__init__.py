"""Work in child processes that can be killed: what a hostile document does to its parser stays there."""
