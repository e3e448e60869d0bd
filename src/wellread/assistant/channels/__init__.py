"""Where people talk with the assistant besides the terminal and HTTP: one package for each service."""
