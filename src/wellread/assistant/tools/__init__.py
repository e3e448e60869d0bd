"""The assistant's tools, one file per family: functions that return `Tool`s."""
