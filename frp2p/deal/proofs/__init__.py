"""Zero-knowledge proofs, one file each: prover, verifier, and what travels.

Every verifier raises PeerFault with the name of the check that failed; the seat is filled in by who called it. All are
Sigma protocols made non-interactive with the transcript of `deal.transcript`; sources stand in each file.
"""
