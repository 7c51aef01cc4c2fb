"""Drop Site: how it is drawn."""
