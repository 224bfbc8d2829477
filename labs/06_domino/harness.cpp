// Lab 6: what is launched and what is checked. The cases are shared: reference/harness/cases.hpp.
#include <doctest/doctest.h>

#include "harness/cases.hpp"

namespace scanlab::harness {

const Lab kLab = {
    .name = "domino",
    .launched = Launched::by_driver,
    .shapes = {{64}, {256}, {1024}},
    .number_shapes = {{64}, {256}},
    .algorithm = cost::Algorithm::domino,
    .provable = false,  // the flags between blocks depend on the schedule
    .random_schedules = 8,
};

TEST_CASE("no races") { races(); }
TEST_CASE("no thread waits forever") { waits(); }
TEST_CASE("memory") { memory(); }
TEST_CASE("inclusive scan: right for every size") { right_for_every_size(0); }
TEST_CASE("whole numbers exactly, floats within their bound") { numbers(); }
TEST_CASE("every schedule gives the same") { schedules(); }
TEST_CASE("second launch") { second_launch(); }
TEST_CASE("work") { work(); }
TEST_CASE("steps") { steps(); }
TEST_CASE("memory traffic") { traffic(); }

}  // namespace scanlab::harness
