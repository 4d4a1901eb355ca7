"""File formats: one module each, reader beside writer."""
