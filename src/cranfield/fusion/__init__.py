"""One list from several: methods of fusion, and what no fusion should be expected to pass."""
