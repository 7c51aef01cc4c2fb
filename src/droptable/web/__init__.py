"""The server: HTTP, one WebSocket per table, and the pages that people see."""
