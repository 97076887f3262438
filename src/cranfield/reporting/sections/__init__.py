"""The sections of the page: one file each, which declares itself as ``SECTION``; see ``PageSection``."""
