// The network of additions on its way from a worker into a result file.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "harness/cases.hpp"
#include "harness/finding_json.hpp"
#include "harness/network_text.hpp"
#include "harness/runner.hpp"

using namespace scanlab::harness;

namespace {

const std::string kTwoSums =
    R"({"nodes": [[1,0,1,0,1,"i0","i1"], [2,0,2,0,2,"n0","i2"]], "outputs": ["i0", "n0", "n1"]})";

std::string with_node(const std::string& node) {
  return R"({"nodes": [[1,0,1,0,1,"i0","i1"], )" + node + R"(], "outputs": ["n0"]})";
}

Lab lab_of(Launched launched, std::vector<Shape> shapes) {
  Lab lab;
  lab.launched = launched;
  lab.shapes = shapes;
  lab.number_shapes = {shapes.front()};
  return lab;
}

// "32:16 " and so on: the section size of each batch that keeps a network, and of which N.
std::string drawn(const Lab& lab) {
  std::string text;
  for (const Task& task : make_plan(lab, {}))
    for (const Run& run : task.runs)
      if (run.batch.drawn != 0)
        text +=
            std::to_string(run.batch.shape.section) + ":" + std::to_string(run.batch.drawn) + " ";
  return text;
}

}  // namespace

TEST_CASE("a network survives the way through shared memory") {
  CHECK(checked_network(kTwoSums) == kTwoSums);
  CHECK(text_to_report(report_to_text({}, kTwoSums)).network == kTwoSums);
  CHECK(text_to_report(report_to_text({})).network.empty());
}

TEST_CASE("what is no network is left out") {
  for (const std::string text : {"", "{", "[]", "null", R"({"nodes": [], "outputs": []})",
                                 R"({"nodes": [1], "outputs": ["e"]})"})
    CHECK_MESSAGE(checked_network(text).empty(), text);
  CHECK_FALSE(checked_network(with_node(R"([2,0,2,0,2,"n0","i2"])")).empty());
  for (const std::string node : {
           R"([2,0,2,0,2,"n0"])",          // a field is missing
           R"([2,0,2,0,2,"n1","i2"])",     // its own operand
           R"([1,0,2,0,2,"n0","i2"])",     // not below its operand
           R"([0,0,2,0,2,"i0","i2"])",     // among the inputs
           R"([9999,0,2,0,2,"n0","i2"])",  // out of sight
           R"([2,0,2,0,2,"n0","i64"])",    // no lane
           R"([2,0,2,0,2,"n0","i"])",
           R"([2,0,2,0,2,"n0","<b>"])",
           R"([2,0,2,2,0,"n0","i2"])",  // ends before it begins
           R"([2,0,2,-1,2,"n0","i2"])",
           R"([2,0,-2,0,2,"n0","i2"])",  // nobody
           R"([2,0,1e3,0,2,"n0","i2"])",
           R"([2,0,18446744073709551615,0,2,"n0","i2"])",
       })
    CHECK_MESSAGE(checked_network(with_node(node)).empty(), node);
  std::string many = R"([1,0,1,0,1,"i0","i1"])";
  for (std::size_t i = 1; i < kMostNodes; ++i) many += R"(,[1,0,1,0,1,"i0","i1"])";
  CHECK(checked_network(with_node(many)).empty());
}

TEST_CASE("one small launch of a function is drawn, and one that a fault leaves standing") {
  CHECK(drawn(lab_of(Launched::by_harness, {{32}, {64}})) == "32:16 32:16 ");
  CHECK(drawn(lab_of(Launched::by_harness, {{32, 2}, {64, 4}})) == "64:16 32:16 ");
  CHECK(drawn(lab_of(Launched::by_driver, {{64}})) == "");
}

TEST_CASE("the first network that was drawn goes into the check, whatever the verdict") {
  Lab lab = lab_of(Launched::by_harness, {{32}});
  Run run;
  run.results.resize(3);
  run.results[0].ending = Ending::aborted;
  run.results[0].report.network = "not this one";
  for (const std::size_t i : {1U, 2U}) {
    run.results[i].ending = Ending::done;
    run.results[i].calls.resize(1);
    run.results[i].calls[0].wrong = 1;
  }
  run.results[2].report.network = kTwoSums;
  const Evidence evidence(lab, {run}, false);
  Check check;
  judge::right_for_every_size(evidence, 0, check);
  CHECK(check.verdict == Verdict::fail);
  CHECK(check.network == kTwoSums);
  const auto result = nlohmann::json::parse(to_json({}, {check, {}}, nullptr));
  CHECK(result["checks"][0]["network"] == nlohmann::json::parse(kTwoSums));
  CHECK_FALSE(result["checks"][1].contains("network"));
}

#ifdef SCANLAB_TEST_WORKERS
TEST_CASE("what is added later, by a thread or after a barrier, stands below") {
  const std::string build = SCANLAB_BINARY_DIR;
  const Submission submission{build + "/lib/test_submissions/two_intervals.so", "two_intervals.cpp",
                              build + "/bin/scanlab_worker"};
  Runner runner(worker_backend(submission), submission.source, 7, Limits{});
  Batch batch;
  batch.shape = {32};
  batch.extent = {32, 0};
  batch.sizes = {3, 4};
  batch.stop_after = 0;
  batch.drawn = 4;
  const auto results = runner.run(batch);
  CHECK(results[0].report.network.empty());
  CHECK(
      results[1].report.network ==
      R"({"nodes": [[1,0,1,0,1,"i0","i1"], [2,0,2,1,2,"i1","i2"], [3,0,2,2,3,"i2","i3"]], "outputs": ["i0", "n0", "n1", "n2"]})");
}
#endif
