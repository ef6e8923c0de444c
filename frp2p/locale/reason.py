"""Why the system refuses something, in the language in use."""

from __future__ import annotations

import errno

from frp2p.locale import N_, translated

_WORDS = {
    errno.EACCES: N_("Permission denied"),
    errno.EADDRINUSE: N_("Address already in use"),
    errno.EADDRNOTAVAIL: N_("Cannot assign requested address"),
    errno.EBUSY: N_("Device or resource busy"),
    errno.ECONNREFUSED: N_("Connection refused"),
    errno.ECONNRESET: N_("Connection reset by peer"),
    errno.EEXIST: N_("File exists"),
    errno.EFBIG: N_("File too large"),
    errno.EHOSTUNREACH: N_("No route to host"),
    errno.EIO: N_("Input/output error"),
    errno.EISDIR: N_("Is a directory"),
    errno.ELOOP: N_("Too many levels of symbolic links"),
    errno.EMFILE: N_("Too many open files"),
    errno.ENAMETOOLONG: N_("File name too long"),
    errno.ENETDOWN: N_("Network is down"),
    errno.ENETUNREACH: N_("Network is unreachable"),
    errno.ENFILE: N_("Too many open files"),
    errno.ENODEV: N_("No such device"),
    errno.ENOENT: N_("No such file or directory"),
    errno.ENOSPC: N_("No space left on device"),
    errno.ENOTDIR: N_("Not a directory"),
    errno.ENOTSUP: N_("Operation not supported"),
    errno.ENXIO: N_("No such device or address"),
    errno.EPERM: N_("Operation not permitted"),
    errno.EROFS: N_("Read-only file system"),
    errno.ETIMEDOUT: N_("Connection timed out"),
    **({errno.EDQUOT: N_("Disk quota exceeded")} if hasattr(errno, "EDQUOT") else {}),
}
"""What happens to files and sockets, in the words of Linux."""


def reason(error: OSError) -> str:
    """Without the number and the path that an OSError also says; of rare ones the system's own words."""
    words = _WORDS.get(error.errno or 0)
    return translated(words) if words else error.strerror or str(error) or type(error).__name__
