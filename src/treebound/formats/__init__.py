"""Files: one module per format, reader beside writer."""
