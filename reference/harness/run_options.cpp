#include "harness/run_options.hpp"

#include <algorithm>
#include <sstream>
#include <stdexcept>

namespace scanlab::harness {
namespace {

bool begins_with(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::istringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');)
    if (!part.empty()) parts.push_back(part);
  return parts;
}

// Which checkers find these kinds.
machine::Checks checks_for(const std::vector<std::string>& kinds) {
  machine::Checks checks = machine::Checks::none();
  for (const std::string& kind : kinds) {
    checks.race = checks.race || begins_with(kind, "race") || begins_with(kind, "fence");
    checks.memory = checks.memory || begins_with(kind, "memory");
    checks.barrier = checks.barrier || begins_with(kind, "barrier");
  }
  return checks;
}

void set_checks(RunOptions& options, const std::string& list) {
  options.checks = list;
  if (list == "all") return;
  options.machine.checks = machine::Checks::none();
  if (list == "none") return;
  options.kinds = split(list);
  options.machine.checks = checks_for(options.kinds);
}

struct Row {
  const char* name;
  void (*set)(RunOptions&, const std::string&);
};
constexpr Row kTable[] = {
    {"--submission", [](RunOptions& o, const std::string& v) { o.submission = v; }},
    {"--source", [](RunOptions& o, const std::string& v) { o.source = v; }},
    {"--json", [](RunOptions& o, const std::string& v) { o.json = v; }},
    {"--checks", [](RunOptions& o, const std::string& v) { set_checks(o, v); }},
    {"--schedule",
     [](RunOptions& o, const std::string& v) { o.machine.schedule = machine::named_schedule(v, 1); }},
};

}  // namespace

bool RunOptions::wants(std::string_view kind) const {
  if (kinds.empty() || begins_with(kind, "run.") || begins_with(kind, "launch.")) return true;
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const std::string& wanted) { return begins_with(kind, wanted); });
}

RunOptions parse_run_options(const std::vector<std::string>& arguments) {
  RunOptions options;
  options.machine.echo_output = true;
  const auto own_end = std::find(arguments.begin(), arguments.end(), "--");
  for (auto at = arguments.begin(); at != own_end; at += 2) {
    const auto row = std::find_if(std::begin(kTable), std::end(kTable),
                                  [&](const Row& entry) { return *at == entry.name; });
    if (row == std::end(kTable)) throw std::invalid_argument("unknown option " + *at);
    if (at + 1 == own_end) throw std::invalid_argument(*at + " wants a value");
    row->set(options, at[1]);
  }
  if (own_end != arguments.end()) options.arguments.assign(own_end + 1, arguments.end());
  if (options.submission.empty() || options.source.empty())
    throw std::invalid_argument("--submission and --source are missing");
  return options;
}

}  // namespace scanlab::harness
