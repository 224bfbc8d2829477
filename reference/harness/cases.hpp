// The cases that the labs share. A lab's harness.cpp defines kLab and has one TEST_CASE for each check, whose
// body is one of these calls; the test case's name is the check's.
#pragma once

#include "harness/check.hpp"
#include "harness/evidence.hpp"
#include "harness/lab.hpp"

namespace scanlab::harness {

extern const Lab kLab;

void right_for_every_size(unsigned function);  // values, by proof where that can be; run.*, launch.invalid
void numbers();       // int exactly, float within its bound
void schedules();     // values under every other schedule
void races();         // race.*, fence.missing
void waits();         // barrier.divergent, deadlock
void memory();        // memory.*
void second_launch(); // state.not_reset
void work();          // work.wrong
void steps();         // steps.too_many
void barriers();      // barriers.too_many
void divergence();    // divergence.high
void traffic();       // traffic.*

// The same as functions of what was seen: what the calls above and the tests use.
namespace judge {

void right_for_every_size(const Evidence& evidence, unsigned function, Check& check);
void numbers(const Evidence& evidence, Check& check);
void schedules(const Evidence& evidence, Check& check);
void races(const Evidence& evidence, Check& check);
void waits(const Evidence& evidence, Check& check);
void memory(const Evidence& evidence, Check& check);
void second_launch(const Evidence& evidence, Check& check);
void work(const Evidence& evidence, Check& check);
void steps(const Evidence& evidence, Check& check);
void barriers(const Evidence& evidence, Check& check);
void divergence(const Evidence& evidence, Check& check);
void traffic(const Evidence& evidence, Check& check);

}  // namespace judge
}  // namespace scanlab::harness
