#!/usr/bin/env python3
"""The rubric of lab 7, and its grader: labs/07_look_back/grade.py FILE.cu [options]."""

from scanlab.rubric import Rubric, main

RUBRIC = Rubric(
    lab="look_back",
    points={
        "builds": 5,
        # Being right, under every order that blocks may run in, is the bulk: that is what this lab teaches.
        "inclusive scan: right for every size": 20,
        "whole numbers exactly, floats within their bound": 10,
        "every schedule gives the same": 15,
        "no races": 20,
        "no thread waits forever": 15,
        "memory": 5,
        "second launch": 5,
        # Efficiency gets few points on purpose; there is no ceiling here but linear work.
        "work": 5,
        # Only warnings in this lab: reported, and worth nothing.
        "memory traffic": 0,
    },
)

if __name__ == "__main__":
    main(RUBRIC)
