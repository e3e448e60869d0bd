"""Tools over the rooms of the assistant, one file per family: functions that return `Tool`s."""
