"""The cursed items: a second deck, one open before each seat, used ones face down. What an item does follows from its
data in `frp2p.cards.items`; one file a family of items."""
