"""Who decides at a seat: a person, a bot, a script."""
