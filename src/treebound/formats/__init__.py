"""File formats: one file each, reader beside writer."""
