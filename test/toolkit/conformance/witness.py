"""What NumPy's allclose says of pairs of numbers, with the tolerances of ONNX's runner and others, as closeness.json.

usage: python3 witness.py > closeness.json
"""
import json

import numpy as np

NUMBERS = ["0", "-0.0", "1", "1.001", "1.0011", "0.999", "-1", "1e-7", "2e-7", "1.5e-7", "1e-38", "3.4e38", "1e5", "100100", "100101",
           "inf", "-inf", "nan"]
TOLERANCES = [(1e-3, 1e-7), (0.0, 0.0), (0.0, 1e-6), (1e-2, 0.0)]


def close(actual, expected, relative, absolute):
    return bool(np.allclose(np.float32(actual), np.float32(expected), rtol=relative, atol=absolute, equal_nan=True))


def row(expected, relative, absolute):
    with np.errstate(invalid="ignore"):
        return "".join(str(int(close(actual, expected, relative, absolute))) for actual in NUMBERS)


print(json.dumps({
    "numpy": np.__version__,
    "numbers": NUMBERS,
    "tolerances": [
        {"relative": relative, "absolute": absolute, "close": [row(expected, relative, absolute) for expected in NUMBERS]}
        for relative, absolute in TOLERANCES
    ],
}, indent=1))
