"""What single big files cost: two runs fused, one topic of ten million lines, a million topics, one packed run; and growth."""
