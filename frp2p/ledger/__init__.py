"""Records, codec, signatures, hash chain, transcript, verification, evidence."""
