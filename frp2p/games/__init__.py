"""Pure rules. `game` is the interface that the table knows, `verbs` what a rule may ask of the dealer."""
