#!/usr/bin/env python3
"""The rubric of lab 1, and its grader: labs/01_kogge_stone/grade.py FILE.cu [options]."""

from scanlab.rubric import Rubric, main

RUBRIC = Rubric(
    lab="kogge_stone",
    points={
        "builds": 5,
        # Being right is the bulk. A race, a wait or a fault in memory also keeps a scan from being proved.
        "no races": 6,
        "no thread waits forever": 3,
        "memory": 5,
        "inclusive scan: right for every size": 30,
        "exclusive scan: right for every size": 20,
        "whole numbers exactly, floats within their bound": 6,
        "every schedule gives the same": 4,
        "second launch": 3,
        # Efficiency gets fewer points on purpose: a slow scan is still a scan, a wrong one is not.
        "work": 10,
        "steps": 8,
        # Only warnings in this lab: reported, and worth nothing.
        "barriers": 0,
        "divergence": 0,
        "memory traffic": 0,
    },
)

if __name__ == "__main__":
    main(RUBRIC)
