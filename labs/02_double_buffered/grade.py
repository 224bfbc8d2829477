#!/usr/bin/env python3
"""The rubric of lab 2, and its grader: labs/02_double_buffered/grade.py FILE.cu [options]."""

from scanlab.rubric import Rubric, main

RUBRIC = Rubric(
    lab="double_buffered",
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
        # One barrier a step is what this lab is about.
        "barriers": 10,
        # Only warnings in this lab: reported, and worth nothing.
        "divergence": 0,
        "memory traffic": 0,
    },
)

if __name__ == "__main__":
    main(RUBRIC)
