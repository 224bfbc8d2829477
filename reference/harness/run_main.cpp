// scanlab_run: a whole CUDA program on the machine, under its checkers. The program runs in a child process; this
// one passes on what it prints. A program that reads memory which nobody wrote is run a second time on other
// poison: only when that changes its output or what it copies to the host is the finding an error.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/check.hpp"
#include "harness/finding_json.hpp"
#include "harness/json_parts.hpp"
#include "harness/run_options.hpp"
#include "harness/shared_memory.hpp"
#include "harness/worker/signals.hpp"
#include "harness/worker_end.hpp"
#include "machine/machine.hpp"

namespace scanlab::harness {
namespace {

constexpr int kUsageStatus = 2;
constexpr int kFoundStatus = 1;
constexpr std::size_t kReportBytes = std::size_t{8} << 20;

// What the child leaves behind; `text` is report_to_text()'s.
struct ChildReport {
  CrashReport crash;
  std::uint64_t copied = 0;
  std::uint32_t complete = 0, bytes = 0;
  char text[kReportBytes];
};

struct Outcome {
  int status = 0;  // of the program, when it ended by itself
  std::vector<machine::Finding> findings;
  std::uint64_t copied = 0;
  std::uint64_t printed = 14695981039346656037ULL;  // FNV-1a of all that it printed
};

// ---- in the child -------------------------------------------------------------------------------

ChildReport* own_report = nullptr;

// Also when the program calls exit() itself.
void leave_report() {
  if (own_report->complete != 0) return;
  const machine::Report report = machine::end_run();
  const std::string text = report_to_text(report);
  own_report->bytes = static_cast<std::uint32_t>(std::min(text.size(), kReportBytes));
  std::memcpy(own_report->text, text.data(), own_report->bytes);
  own_report->copied = report.copied;
  own_report->complete = 1;
}

[[noreturn]] void run_program(const RunOptions& options, std::uint64_t poison) {
  const machine::Module module = machine::load_module(options.submission, options.source);
  if (module.program == nullptr) throw std::runtime_error("the file has no main");
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::vector<std::string> words{options.source};
  words.insert(words.end(), options.arguments.begin(), options.arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  machine::Options machine_options = options.machine;
  machine_options.poison_seed = poison;
  std::atexit(leave_report);
  machine::begin_run(machine_options);
  std::exit(module.program(static_cast<int>(words.size()), argv.data()));
}

[[noreturn]] void be_child(const RunOptions& options, std::uint64_t poison, ChildReport& report, int output) {
  dup2(output, STDOUT_FILENO);
  own_report = &report;
  install_handlers(report.crash, options.source);
  try {
    run_program(options, poison);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "scanlab_run: %s\n", problem.what());
    _exit(kUsageStatus);
  }
}

// ---- in the parent ------------------------------------------------------------------------------

enum class Echo { on, off };

void pass_on(int from, Echo echo, std::uint64_t& hash) {
  std::array<char, 65536> buffer;
  for (ssize_t got = 0; (got = read(from, buffer.data(), buffer.size())) > 0;) {
    for (ssize_t i = 0; i < got; ++i)
      hash = (hash ^ static_cast<unsigned char>(buffer[static_cast<std::size_t>(i)])) * 1099511628211ULL;
    if (echo == Echo::on && write(STDOUT_FILENO, buffer.data(), static_cast<std::size_t>(got)) < 0) return;
  }
}

Outcome outcome_of(const ChildReport& report, int status, const RunOptions& options) {
  Outcome outcome;
  outcome.copied = report.copied;
  outcome.findings = text_to_report({report.text, std::min<std::size_t>(report.bytes, kReportBytes)}).findings;
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  const bool died = WIFSIGNALED(status) || report.crash.set != 0 || report.complete == 0;
  if (died && outcome.status != kUsageStatus) {
    const RunOutcome end{WorkerEnd::died, WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                         WIFSIGNALED(status) ? WTERMSIG(status) : 0};
    outcome.findings.push_back(worker_end_finding(end, report.crash, options.source));
  }
  return outcome;
}

Outcome run_once(const RunOptions& options, std::uint64_t poison, Echo echo) {
  const Mapping shared = Mapping::create("scanlab-run", sizeof(ChildReport));
  auto& report = *static_cast<ChildReport*>(shared.data());
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("no process");
  if (child == 0) {
    close(ends[0]);
    be_child(options, poison, report, ends[1]);
  }
  close(ends[1]);
  std::uint64_t printed = Outcome{}.printed;
  pass_on(ends[0], echo, printed);
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome = outcome_of(report, status, options);
  outcome.printed = printed;
  return outcome;
}

bool is_uninitialized(const machine::Finding& finding) { return finding.kind == "memory.uninitialized"; }

bool same(const Outcome& a, const Outcome& b) {
  return a.copied == b.copied && a.printed == b.printed && a.status == b.status;
}

// Times and the like differ from run to run: then the same poison tells nothing either.
void settle_uninitialized(Outcome& outcome, const RunOptions& options) {
  auto& findings = outcome.findings;
  if (std::none_of(findings.begin(), findings.end(), is_uninitialized)) return;
  const std::uint64_t poison = options.machine.poison_seed;
  if (same(outcome, run_once(options, poison + 1, Echo::off))) return;
  if (!same(outcome, run_once(options, poison, Echo::off))) return;
  for (machine::Finding& finding : findings)
    if (is_uninitialized(finding)) mark_reached(finding);
}

std::vector<machine::Finding> wanted_findings(const Outcome& outcome, const RunOptions& options) {
  FindingMerger merger;
  for (const machine::Finding& finding : outcome.findings)
    if (options.wants(finding.kind)) merger.add(finding);
  return merger.take();
}

std::string run_json(const RunOptions& options, int status, const std::vector<machine::Finding>& findings) {
  nlohmann::ordered_json result = {{"schema", "scanlab/run/v1"},
                                   {"file", options.source},
                                   {"schedule", options.machine.schedule.name},
                                   {"checks", options.checks},
                                   {"exit_status", status},
                                   {"findings", nlohmann::ordered_json::array()}};
  for (const machine::Finding& finding : findings) result["findings"].push_back(to_json(finding));
  return result.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int run(const RunOptions& options) {
  Outcome outcome = run_once(options, options.machine.poison_seed, Echo::on);
  settle_uninitialized(outcome, options);
  const std::vector<machine::Finding> findings = wanted_findings(outcome, options);
  if (!options.json.empty()) write_file(options.json, run_json(options, outcome.status, findings));
  const bool error = std::any_of(findings.begin(), findings.end(), [](const machine::Finding& finding) {
    return finding.severity == machine::Severity::error;
  });
  return error ? kFoundStatus : outcome.status;
}

}  // namespace
}  // namespace scanlab::harness

int main(int argc, char** argv) {
  scanlab::machine::reserve_shared_memory(argv);
  using namespace scanlab::harness;
  try {
    return run(parse_run_options({argv + 1, argv + argc}));
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "scanlab_run: %s\n", problem.what());
    return kUsageStatus;
  }
}
