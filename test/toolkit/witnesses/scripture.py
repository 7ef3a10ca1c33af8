"""The King James Bible, as the example of a chat reads it."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[3] / "examples/chat/training"))

from text import passages as chapters  # noqa: E402, F401
