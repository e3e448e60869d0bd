"""Schedules: tasks of the assistant at given times, each run once, whatever dies or sleeps in between.

`phrases` parses times, `times` computes each due time, `misfires` decides about due times that passed while no runner
was there, `run_store` stores the runs, and `runner` does the work. `zones` has the one rule for clocks that change.
"""
