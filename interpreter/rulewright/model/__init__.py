"""The model: what a rules text means.  Right by construction; knows nothing of text or of play."""
