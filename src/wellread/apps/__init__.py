"""The interfaces (command line, HTTP, MCP), and the composition root `build`."""
