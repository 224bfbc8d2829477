#!/usr/bin/env python3
"""The rubric of lab 7, and its grader: labs/07_look_back/grade.py FILE.cu [options]."""

from scanlab.rubric import Rubric, main

RUBRIC = Rubric(
    lab="look_back",
    points={
        "builds": 5,
        # A race, a wait or a fault in memory also costs the points for being right, which needs none of them.
        "no races": 10,
        "no thread waits forever": 5,
        "memory": 5,
        # Being right, under every order that blocks may run in, is the bulk: that is what this lab teaches.
        "inclusive scan: right for every size": 43,
        "whole numbers exactly, floats within their bound": 8,
        "every schedule gives the same": 12,
        "second launch": 7,
        # Efficiency gets few points on purpose; there is no ceiling here but linear work.
        "work": 5,
        # Only warnings in this lab: reported, and worth nothing.
        "memory traffic": 0,
    },
)

if __name__ == "__main__":
    main(RUBRIC)
