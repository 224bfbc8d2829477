"""Guard zones behind the variables of a compiled submission, so that an index past an array's end is told.

The compiler lays one shared array directly behind another: `ends[-1]` would be the last element of the array
before it, a valid address. With -fdata-sections every variable has a section of its own, and one without contents
(all shared arrays, and zeroed globals) grows by changing its header alone.
"""

from __future__ import annotations

import struct

_LEAST = 256  # bytes behind every variable
_MOST = 1 << 16
_ALIGNMENT = 16  # nvcc's shared arrays can be taken as int4 too
_NOBITS, _TLS = 8, 0x400


def widen(image: bytearray) -> int:
    """Adds a guard zone to each section without contents of a relocatable ELF64 object.

    Returns the bytes of shared memory (TLS) of all its kernels together, guards included.
    """
    table, entry_size, count = _section_table(image)
    shared = 0
    for place in range(table, table + entry_size * count, entry_size):
        (kind,) = struct.unpack_from("<I", image, place + 4)
        (flags,) = struct.unpack_from("<Q", image, place + 8)
        (size,) = struct.unpack_from("<Q", image, place + 32)
        if kind == _NOBITS and size > 0:
            size += _guard(size)
            struct.pack_into("<Q", image, place + 32, size)
            (alignment,) = struct.unpack_from("<Q", image, place + 48)
            struct.pack_into("<Q", image, place + 48, max(alignment, _ALIGNMENT))
            shared += size if flags & _TLS else 0
    return shared


def _guard(size: int) -> int:
    """As long as the variable itself: an index twice too large still hits nobody else's."""
    wanted = min(max(size, _LEAST), _MOST)
    return (wanted + _LEAST - 1) // _LEAST * _LEAST


def _section_table(image: bytearray) -> tuple[int, int, int]:
    if image[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a little-endian ELF64 object")
    (table,) = struct.unpack_from("<Q", image, 0x28)
    entry_size, count = struct.unpack_from("<HH", image, 0x3A)
    if count == 0:  # more than 65279 sections: the count stands in the first entry
        (count,) = struct.unpack_from("<Q", image, table + 32)
    return table, entry_size, count
