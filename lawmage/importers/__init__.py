"""Real files become situations: game states and puzzles of Forge, XMage's init notation, lists of decks."""
