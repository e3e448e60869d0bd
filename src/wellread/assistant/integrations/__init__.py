"""Services that the assistant works with for the user: each a plugin, there only when its keys are."""
