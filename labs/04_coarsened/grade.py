#!/usr/bin/env python3
"""The rubric of lab 4, and its grader: labs/04_coarsened/grade.py FILE.cu [options]."""

from scanlab.rubric import Rubric, main

RUBRIC = Rubric(
    lab="coarsened",
    points={
        "builds": 5,
        # Being right is the bulk. A race, a wait or a fault in memory also keeps a scan from being proved.
        "no races": 6,
        "no thread waits forever": 3,
        "memory": 5,
        "inclusive scan: right for every size": 48,
        "whole numbers exactly, floats within their bound": 6,
        "every schedule gives the same": 4,
        "second launch": 3,
        # Efficiency gets fewer points on purpose: a slow scan is still a scan, a wrong one is not.
        "work": 6,
        "steps": 4,
        # Loads and stores by the block, not by the subsection, are half of this lab.
        "memory traffic": 10,
        # Only warnings in this lab: reported, and worth nothing.
        "barriers": 0,
        "divergence": 0,
    },
)

if __name__ == "__main__":
    main(RUBRIC)
