"""What a run document is."""
