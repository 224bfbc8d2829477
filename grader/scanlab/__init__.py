"""scanlab: grades parallel prefix sums in CUDA without a GPU."""

__version__ = "0.1.0"
