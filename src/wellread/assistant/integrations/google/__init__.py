"""Google Calendar and Gmail as tools."""
