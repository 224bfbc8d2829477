#!/usr/bin/env python3
"""The rubric of lab 3, and its grader: labs/03_brent_kung/grade.py FILE.cu [options]."""

from scanlab.rubric import Rubric, main

RUBRIC = Rubric(
    lab="brent_kung",
    points={
        "builds": 5,
        # Being right is the bulk: every length, by proof where a proof is possible.
        "inclusive scan: proved": 20,
        "exclusive scan: proved": 15,
        "values: whole numbers": 10,
        "values: floats": 5,
        "race-free under every schedule": 15,
        "memory": 10,
        "second launch": 5,
        # Efficiency gets fewer points on purpose: a slow scan is still a scan, a wrong one is not.
        "work": 6,
        "steps": 3,
        "barriers": 2,
        "divergence": 4,
    },
)

if __name__ == "__main__":
    main(RUBRIC)
