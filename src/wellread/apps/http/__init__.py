"""The HTTP door: the registry's operations as a JSON API, with the MCP door beside them at /mcp."""
