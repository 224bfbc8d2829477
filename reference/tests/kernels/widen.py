"""Puts guard zones behind the variables of a test kernel's object, as the grader does with a submission's."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "grader"))
from scanlab import guard_zones  # noqa: E402

path = Path(sys.argv[1])
image = bytearray(path.read_bytes())
guard_zones.widen(image)
path.write_bytes(image)
