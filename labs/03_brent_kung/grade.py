#!/usr/bin/env python3
"""The rubric of lab 3, and its grader: labs/03_brent_kung/grade.py FILE.cu [options]."""

from scanlab.rubric import Rubric, main

RUBRIC = Rubric(
    lab="brent_kung",
    points={
        "builds": 5,
        # Being right is the bulk. A race, a wait or a fault in memory also keeps a scan from being proved.
        "no races": 8,
        "no thread waits forever": 3,
        "memory": 5,
        "inclusive scan: right for every size": 31,
        "exclusive scan: right for every size": 21,
        "whole numbers exactly, floats within their bound": 7,
        "every schedule gives the same": 5,
        "second launch": 3,
        # Efficiency gets fewer points on purpose: a slow scan is still a scan, a wrong one is not.
        "work": 5,
        "steps": 3,
        # Neighbouring threads do the work: what tells this tree from the one by thread number.
        "divergence": 4,
        # Only warnings in this lab: reported, and worth nothing.
        "barriers": 0,
        "memory traffic": 0,
    },
)

if __name__ == "__main__":
    main(RUBRIC)
