#include "harness/options.hpp"

#include <charconv>
#include <stdexcept>

namespace scanlab::harness {
namespace {

enum class Type { text, number, flag };

struct Row {
  const char* name;
  Type type;
  const char* fallback;
  const char* help;
  void (*set)(Options&, const std::string&);
};

std::uint64_t number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc{} || end != text.data() + text.size())
    throw std::invalid_argument("'" + text + "' is no whole number");
  return value;
}

constexpr Row kTable[] = {
    {"--submission", Type::text, "", "the submission's shared object",
     [](Options& o, const std::string& v) { o.collect.submission.object = v; }},
    {"--source", Type::text, "", "the submission's file name, as findings give it",
     [](Options& o, const std::string& v) { o.collect.submission.source = v; }},
    {"--worker", Type::text, "", "path of scanlab_worker",
     [](Options& o, const std::string& v) { o.collect.submission.worker = v; }},
    {"--seed", Type::number, "20260101", "of inputs, poison and random schedules",
     [](Options& o, const std::string& v) { o.collect.plan.seed = number(v); }},
    {"--json", Type::text, "", "write the result here",
     [](Options& o, const std::string& v) { o.json = v; }},
    {"--sha256", Type::text, "", "of the submitted file, for the result",
     [](Options& o, const std::string& v) { o.sha256 = v; }},
    {"--sandbox", Type::text, "none", "what confines this process, for the result",
     [](Options& o, const std::string& v) { o.sandbox = v; }},
    {"--random-schedules", Type::number, "0", "so many random schedules beyond the usual ones",
     [](Options& o, const std::string& v) {
       o.collect.plan.random_schedules = static_cast<unsigned>(number(v));
     }},
    {"--thorough", Type::flag, "", "prove every N in 1..1024 for every section size",
     [](Options& o, const std::string&) { o.collect.plan.thorough = true; }},
    {"--many-blocks", Type::flag, "", "numbers on 300 blocks as well, for a GPU",
     [](Options& o, const std::string&) { o.collect.plan.many_blocks = true; }},
    {"--patience", Type::number, "1", "so many times the usual limits of processor time",
     [](Options& o, const std::string& v) { o.collect.time = o.collect.time * static_cast<double>(number(v)); }},
    {"--in-process", Type::flag, "", "load the submission into this process, for a debugger",
     [](Options& o, const std::string&) { o.collect.in_process = true; }},
    {"--help", Type::flag, "", "print this", [](Options& o, const std::string&) { o.help = true; }},
};

const Row& row_of(const std::string& name) {
  for (const Row& row : kTable)
    if (name == row.name) return row;
  throw std::invalid_argument("unknown option " + name);
}

void check_complete(const Options& options) {
  const Submission& submission = options.collect.submission;
  if (options.help) return;
  if (submission.object.empty()) throw std::invalid_argument("--submission is missing");
  if (submission.source.empty()) throw std::invalid_argument("--source is missing");
  if (submission.worker.empty() && !options.collect.in_process)
    throw std::invalid_argument("--worker is missing");
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].rfind("--dt-", 0) == 0) continue;
    const Row& row = row_of(arguments[i]);
    if (row.type != Type::flag && i + 1 == arguments.size())
      throw std::invalid_argument(std::string(row.name) + " wants a value");
    row.set(options, row.type == Type::flag ? "" : arguments[++i]);
  }
  check_complete(options);
  return options;
}

std::string usage(const std::string& program) {
  std::string text = "usage: " + program + " OPTIONS [--dt-...]\n";
  for (const Row& row : kTable) {
    std::string line = std::string("  ") + row.name + (row.type == Type::flag ? "" : " VALUE");
    line.resize(std::max<std::size_t>(line.size() + 1, 26), ' ');
    text += line + row.help;
    if (*row.fallback != '\0') text += std::string(" (") + row.fallback + ")";
    text += "\n";
  }
  return text;
}

}  // namespace scanlab::harness
