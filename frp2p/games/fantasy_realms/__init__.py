"""Fantasy Realms: base game, standard mode."""
