// Lab 2: what is launched and what is checked. The cases are shared: reference/harness/cases.hpp.
#include <doctest/doctest.h>

#include "harness/cases.hpp"

namespace scanlab::harness {

const Lab kLab = {
    .name = "double_buffered",
    .launched = Launched::by_harness,
    .shapes = {{32}, {64}, {128}, {256}, {512}, {1024}},
    .number_shapes = {{64}, {1024}},
    .algorithm = cost::Algorithm::double_buffered,
    .bank_conflicts = 2,
    .severities = {.barriers = machine::Severity::error},
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
TEST_CASE("barriers") { barriers(); }
TEST_CASE("divergence") { divergence(); }
TEST_CASE("memory traffic") { traffic(); }

}  // namespace scanlab::harness
