"""The doors people and programs come through, and the one place where parts are joined."""
