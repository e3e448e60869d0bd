"""Work in child processes that can be killed, and what tells that a page needs one: hostile pages harm nobody else."""
