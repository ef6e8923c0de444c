"""What a fault means to people. The message of a failed check is for those who read the protocol, and in English."""

from __future__ import annotations

from frp2p.app import faults_deal, faults_record, faults_table
from frp2p.locale import translated

SENTENCES = faults_table.SENTENCES | faults_record.SENTENCES | faults_deal.SENTENCES
"""Code of protocol/registry/error-codes.csv -> what is said of it, with a blank where the message belongs into it.

Not here are codes whose message is a sentence in the language in use already (most of what the user asked for and can't
have), and the own mistakes, of which people only hear where the details lie.
"""


def sentence(code: str, message: str) -> str:
    """The fault in the language in use; its own message where this program has no words for its code."""
    return translated(SENTENCES.get(code, "{message}")).format(message=translated(message))
