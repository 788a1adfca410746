"""The questions: situations compiled into constraint models, answered, replayed and explained."""
