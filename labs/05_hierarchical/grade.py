#!/usr/bin/env python3
"""The rubric of lab 5, and its grader: labs/05_hierarchical/grade.py FILE.cu [options]."""

from scanlab.rubric import Rubric, main

RUBRIC = Rubric(
    lab="hierarchical",
    points={
        "builds": 5,
        # A race, a wait or a fault in memory also costs the points for being right, which needs none of them.
        "no races": 8,
        "no thread waits forever": 2,
        "memory": 5,
        # Being right is the bulk: any length, tails and more than one level of block sums included.
        "inclusive scan: right for every size": 45,
        "whole numbers exactly, floats within their bound": 10,
        "every schedule gives the same": 8,
        "second launch": 5,
        # Efficiency gets few points on purpose: a slow scan is still a scan, a wrong one is not.
        "work": 6,
        "steps": 6,
        # Only warnings in this lab: reported, and worth nothing.
        "memory traffic": 0,
    },
)

if __name__ == "__main__":
    main(RUBRIC)
