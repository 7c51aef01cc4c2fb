"""The server: HTTP, one WebSocket a table, and the pages that people see."""
