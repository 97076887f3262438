"""The information framework: what lists of documents tell of relevance, alone, together and beyond each other."""
