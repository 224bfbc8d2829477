#!/usr/bin/env python3
"""The rubric of lab 4, and its grader: labs/04_coarsened/grade.py FILE.cu [options]."""

from scanlab.rubric import Rubric, main

RUBRIC = Rubric(
    lab="coarsened",
    points={
        "builds": 5,
        # Being right is the bulk. A race, a wait or a fault in memory also keeps a scan from being proved.
        "no races": 8,
        "no thread waits forever": 3,
        "memory": 5,
        "inclusive scan: right for every size": 52,
        "whole numbers exactly, floats within their bound": 7,
        "every schedule gives the same": 5,
        "second launch": 3,
        # Efficiency gets fewer points on purpose: a slow scan is still a scan, a wrong one is not.
        "work": 4,
        "steps": 3,
        # Loads and stores by the block, not by the subsection, are half of this lab.
        "memory traffic": 5,
        # Only warnings in this lab: reported, and worth nothing.
        "barriers": 0,
        "divergence": 0,
    },
)

if __name__ == "__main__":
    main(RUBRIC)
