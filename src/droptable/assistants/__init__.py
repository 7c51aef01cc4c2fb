"""Assistants play: seats in text, at matches here and at web tables, and an MCP server for both."""
