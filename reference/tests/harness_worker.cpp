// Real workers with submissions that behave and that do not.
#ifdef SCANLAB_TEST_WORKERS
#include <doctest/doctest.h>

#include "harness/runner.hpp"

using namespace scanlab::harness;

namespace {

Submission submission(const std::string& name) {
  const std::string build = SCANLAB_BINARY_DIR;
  return {build + "/lib/test_submissions/" + name + ".so", name + ".cpp", build + "/bin/scanlab_worker"};
}

Batch batch(std::vector<unsigned> sizes, Element element = Element::probe) {
  Batch made;
  made.element = element;
  made.shape = {32};
  made.extent = {32, 0};
  made.sizes = std::move(sizes);
  return made;
}

Runner runner(const std::string& name) {
  const Submission made = submission(name);
  return {worker_backend(made), made.source, 7, Limits{}};
}

const scanlab::machine::Finding& only_finding(const LaunchResult& result) {
  REQUIRE(result.report.findings.size() == 1);
  return result.report.findings.front();
}

}  // namespace

TEST_CASE("a right submission is right for every type, and its additions are counted") {
  Runner the_runner = runner("right");
  for (const Element element : {Element::probe, Element::integer, Element::real}) {
    const auto results = the_runner.run(batch({1, 31, 32, 33, 100}, element), 31);
    REQUIRE(results.size() == 5);
    for (const LaunchResult& result : results) CHECK(result.right());
    if (element != Element::probe) continue;
    CHECK(results[2].counts.additions == 31 * 32 / 2);
    CHECK(results[2].counts.depth == 31);
  }
}

TEST_CASE("thousands of launches go through one worker in several batches") {
  Runner the_runner = runner("right");
  std::vector<unsigned> sizes;
  for (unsigned i = 0; i < 3000; ++i) sizes.push_back(1 + i % 40);
  const auto results = the_runner.run(batch(sizes));
  REQUIRE(results.size() == sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) REQUIRE((results[i].right() && results[i].n == sizes[i]));
}

TEST_CASE("a crash is a finding of its launch, with signal and line; the launches after it go on") {
  Runner the_runner = runner("crash");
  const auto results = the_runner.run(batch({1, 3, 4}));
  CHECK(results[0].ending == Ending::done);
  CHECK(results[1].ending == Ending::died);
  CHECK(results[2].ending == Ending::done);
  const auto& crash = only_finding(results[1]);
  CHECK(crash.kind == "run.crash");
  CHECK(crash.message.find("SIGFPE") != std::string::npos);
  REQUIRE(crash.sites.size() == 1);
  CHECK(crash.sites[0].line == 9);
}

TEST_CASE("an endless loop ends at its limit, with its line, and the rest is not run") {
  Runner the_runner = runner("endless");
  const auto results = the_runner.run(batch({1, 2, 3}));
  CHECK(results[0].ending == Ending::done);
  CHECK(results[1].ending == Ending::timed_out);
  CHECK(results[2].ending == Ending::not_run);
  CHECK(only_finding(results[1]).kind == "run.timeout");
}

TEST_CASE("leaving the process proves nothing") {
  Runner the_runner = runner("leaves");
  const auto results = the_runner.run(batch({1, 2, 3, 4}));
  CHECK(only_finding(results[0]).kind == "run.crash");
  for (const LaunchResult& result : results) CHECK_FALSE(result.right());
}

TEST_CASE("a system call that a submission may not make is refused and told") {
  Runner the_runner = runner("forbidden_call");
  const auto results = the_runner.run(batch({1}));
  CHECK(only_finding(results[0]).message.find("system call") != std::string::npos);
}

TEST_CASE("state is kept between the calls of one launch and forgotten between launches") {
  Runner the_runner = runner("keeps_state");
  Batch twice = batch({1});
  twice.repeats = 2;
  const auto results = the_runner.run(twice);
  REQUIRE(results[0].calls.size() == 2);
  CHECK(results[0].calls[0].right());
  CHECK(results[0].calls[1].unwritten == 1);
  for (const LaunchResult& result : the_runner.run(batch({1, 1}))) CHECK(result.right());
}

TEST_CASE("a worker that cannot load its submission is our fault") {
  Submission missing = submission("right");
  missing.object += ".missing";
  Runner the_runner(worker_backend(missing), missing.source, 7, Limits{});
  CHECK_THROWS_AS(the_runner.run(batch({1})), std::runtime_error);
}
#endif
