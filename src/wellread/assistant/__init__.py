"""The assistant that lives on the web wing: models, tools, memory, knowledge and schedules.

It reads the web through `wellread.Web` alone.
"""
