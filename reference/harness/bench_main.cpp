// scanlab_bench [--json OUT] [--only NAME] [--backend cpu]: what the machine does in a second on one core.
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/bench/oclgrind.hpp"
#include "harness/check.hpp"
#include "harness/protocol.hpp"
#include "machine/machine.hpp"

namespace scanlab::harness {
namespace {

constexpr unsigned kThreads = 1024;
constexpr unsigned kBlocks = 4;
constexpr int kRepetitions = 7;
constexpr double kSeconds = 0.15;  // of each repetition, at least

struct Options {
  std::string json, only, backend = "cpu";
};

struct Result {
  std::string name;
  double value = 0, spread = 0;  // spread: (largest - smallest) / median
  std::optional<double> peer;    // oclgrind's
};

// One launch of 1024-thread Kogge-Stone blocks. Returns how often a thread arrived at a barrier.
double launch(const machine::Module& module, const machine::Checks& checks, std::vector<int>& x, std::vector<int>& y) {
  machine::Options options;
  options.checks = checks;
  machine::begin_run(options);
  machine::map_buffer(x.data(), x.size() * sizeof(int), "X", machine::BufferState::written);
  machine::map_buffer(y.data(), y.size() * sizeof(int), "Y", machine::BufferState::unwritten);
  const EntryRequest request{0, 1, kThreads, 0, x.data(), y.data(), static_cast<std::uint32_t>(x.size())};
  module.entry(&request);
  const machine::Report report = machine::end_run();
  if (!report.findings.empty()) throw std::runtime_error(report.findings.front().message);
  return static_cast<double>(report.launches.front().barriers) * kThreads * kBlocks;
}

// By the processor's clock, so that other processes do not count.
double cpu_seconds() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double rate_once(const std::function<double()>& work) {
  const double begin = cpu_seconds();
  double arrivals = 0, seconds = 0;
  while (seconds < kSeconds) {
    arrivals += work();
    seconds = cpu_seconds() - begin;
  }
  return arrivals / seconds;
}

Result measure(const std::string& name, const machine::Module& module, const machine::Checks& checks) {
  std::vector<int> x(kThreads * kBlocks, 1), y(x.size());
  std::vector<double> rates;
  rate_once([&] { return launch(module, checks, x, y); });  // warm up
  for (int i = 0; i < kRepetitions; ++i)
    rates.push_back(rate_once([&] { return launch(module, checks, x, y); }));
  std::sort(rates.begin(), rates.end());
  const double median = rates[rates.size() / 2];
  return {name, median, (rates.back() - rates.front()) / median, std::nullopt};
}

std::vector<Result> run_benchmarks(const Options& options) {
  const machine::Module module = machine::load_module(SCANLAB_BENCH_KERNEL, "kogge_stone.cpp");
  std::vector<Result> results;
  const auto wanted = [&](const char* name) { return options.only.empty() || options.only == name; };
  if (wanted("machine.checked")) {
    results.push_back(measure("machine.checked", module, machine::Checks{}));
    results.back().peer = oclgrind_rate();
  }
  if (wanted("machine.unchecked"))
    results.push_back(measure("machine.unchecked", module, machine::Checks::none()));
  return results;
}

nlohmann::ordered_json to_json(const Result& result) {
  nlohmann::ordered_json json = {{"name", result.name},     {"value", result.value},
                                 {"unit", "arrivals/s"},    {"spread", result.spread},
                                 {"compared_to", nullptr},  {"ratio", nullptr}};
  if (!result.peer) return json;
  json["compared_to"] = "oclgrind --data-races";
  json["ratio"] = result.value / *result.peer;
  return json;
}

void print(const Result& result) {
  std::printf("%-20s %8.2f million barrier arrivals/s, spread %.0f %%", result.name.c_str(), result.value / 1e6,
              result.spread * 100);
  if (result.peer) std::printf(", %.0f times oclgrind --data-races", result.value / *result.peer);
  std::printf("\n");
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    std::string* target = nullptr;
    if (std::strcmp(argv[i], "--json") == 0) target = &options.json;
    if (std::strcmp(argv[i], "--only") == 0) target = &options.only;
    if (std::strcmp(argv[i], "--backend") == 0) target = &options.backend;
    if (target == nullptr || i + 1 == argc)
      throw std::invalid_argument("usage: scanlab_bench [--json OUT] [--only NAME] [--backend cpu]");
    *target = argv[i + 1];
  }
  return options;
}

void run(const Options& options) {
  nlohmann::ordered_json json = {{"schema", "scanlab/bench/v1"}, {"results", nlohmann::ordered_json::array()}};
  for (const Result& result : run_benchmarks(options)) {
    print(result);
    json["results"].push_back(to_json(result));
  }
  if (!options.json.empty()) write_file(options.json, json.dump(2) + "\n");
}

}  // namespace
}  // namespace scanlab::harness

int main(int argc, char** argv) {
  scanlab::machine::reserve_shared_memory(argv);
  try {
    scanlab::harness::run(scanlab::harness::parse(argc, argv));
    return 0;
  } catch (const std::invalid_argument& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 2;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "scanlab_bench: %s\n", problem.what());
    return 3;
  }
}
