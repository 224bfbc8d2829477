// main() of every lab's harness, and the reporter that makes a check of every doctest test case.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>
#include <exception>

#include "harness/options.hpp"
#include "harness/session.hpp"
#include "machine/machine.hpp"

namespace scanlab::harness {
namespace {

constexpr int kUsageStatus = 2;
constexpr int kFailedStatus = 3;  // the harness itself failed

class CheckReporter final : public doctest::IReporter {
 public:
  explicit CheckReporter(const doctest::ContextOptions&) {}

  void test_case_start(const doctest::TestCaseData& test) override {
    session().checks.push_back({});
    session().checks.back().name = test.m_name;
  }
  void test_case_exception(const doctest::TestCaseException&) override {
    session().checks.back().verdict = Verdict::error;
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

DOCTEST_REGISTER_LISTENER("scanlab", 1, CheckReporter);

void run_checks(int argc, char** argv) {
  doctest::Context context;
  context.setOption("order-by", "file");
  context.setOption("no-intro", true);
  context.applyCommandLine(argc, argv);
  context.run();
}

void write_result(const Options& options, const GraderError* error) {
  const ResultHead head{kLab.name, options.collect.submission.source, options.sha256, options.sandbox,
                        options.collect.plan.seed};
  if (!options.json.empty()) write_file(options.json, to_json(head, session().checks, error));
}

int run(const Options& options, int argc, char** argv) {
  try {
    const Evidence evidence = collect(kLab, options.collect);
    session().evidence = &evidence;
    run_checks(argc, argv);
    write_result(options, nullptr);
    return 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "scanlab harness: %s\n", problem.what());
    const GraderError error{"harness", problem.what()};
    session().checks.clear();
    write_result(options, &error);
    return kFailedStatus;
  }
}

}  // namespace
}  // namespace scanlab::harness

int main(int argc, char** argv) {
  using namespace scanlab::harness;
  try {
    const Options options = parse_options({argv + 1, argv + argc});
    if (options.help) return std::fputs(usage(argv[0]).c_str(), stdout) < 0;
    if (options.collect.in_process) scanlab::machine::reserve_shared_memory(argv);
    return run(options, argc, argv);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "%s\n%s", problem.what(), usage(argv[0]).c_str());
    return kUsageStatus;
  }
}
