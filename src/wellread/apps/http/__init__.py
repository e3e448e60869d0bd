"""The HTTP server: the registry's operations as a JSON API, and the MCP server at /mcp."""
