"""Schedules: tasks of the assistant at given times, each run once, whatever dies or sleeps in between.

`phrases` reads when, `times` knows each due time, `misfires` decides about those that passed unseen, `ledger` keeps
account of them, and `runner` does the work. Clocks that change are dealt with in `zones`, by one rule.
"""
