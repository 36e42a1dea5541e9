"""One module or one fact each, in milliseconds."""
