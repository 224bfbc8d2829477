#!/usr/bin/env python3
"""The rubric of lab 4, and its grader: labs/04_coarsened/grade.py FILE.cu [options]."""

from scanlab.rubric import Rubric, main

RUBRIC = Rubric(
    lab="coarsened",
    points={
        "builds": 5,
        # Being right is the bulk: every length, by proof where a proof is possible.
        "inclusive scan: proved": 30,
        "values: whole numbers": 10,
        "values: floats": 5,
        "race-free under every schedule": 15,
        "memory": 10,
        "second launch": 5,
        # Efficiency gets fewer points on purpose: a slow scan is still a scan, a wrong one is not.
        "work": 5,
        "steps": 4,
        "barriers": 1,
        "traffic": 10,
    },
)

if __name__ == "__main__":
    main(RUBRIC)
