"""The gate of a change: is a new system worse than a baseline?"""
