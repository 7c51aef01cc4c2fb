"""Number Drop: how it is drawn."""
