"""Drop.: how it is drawn."""
