#!/usr/bin/env python3
"""The rubric of lab 3, and its grader: labs/03_brent_kung/grade.py FILE.cu [options]."""

from scanlab.rubric import Rubric, main

RUBRIC = Rubric(
    lab="brent_kung",
    points={
        "builds": 5,
        # Being right is the bulk. A race, a wait or a fault in memory also keeps a scan from being proved.
        "no races": 6,
        "no thread waits forever": 3,
        "memory": 5,
        "inclusive scan: right for every size": 29,
        "exclusive scan: right for every size": 19,
        "whole numbers exactly, floats within their bound": 6,
        "every schedule gives the same": 4,
        "second launch": 3,
        # Efficiency gets fewer points on purpose: a slow scan is still a scan, a wrong one is not.
        "work": 8,
        "steps": 4,
        # Neighbouring threads do the work: what tells this tree from the one by thread number.
        "divergence": 8,
        # Only warnings in this lab: reported, and worth nothing.
        "barriers": 0,
        "memory traffic": 0,
    },
)

if __name__ == "__main__":
    main(RUBRIC)
