#!/usr/bin/env python3
"""The rubric of lab 7, and its grader: labs/07_look_back/grade.py FILE.cu [options]."""

from scanlab.rubric import Rubric, main

RUBRIC = Rubric(
    lab="look_back",
    points={
        "builds": 5,
        # Being right is the bulk: any N, tails and more than one level of block sums included.
        "inclusive scan: right for every size": 35,
        "whole numbers exactly, floats within their bound": 10,
        "every schedule gives the same": 10,
        "no races": 15,
        "memory": 10,
        "second launch": 5,
        # Efficiency gets few points on purpose: a slow scan is still a scan, a wrong one is not.
        "work": 5,
        "steps": 5,
    },
)

if __name__ == "__main__":
    main(RUBRIC)
