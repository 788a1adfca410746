"""What the rules say. This room never imports ortools."""
