#include "machine_support.hpp"

#include <dlfcn.h>
#include <doctest/doctest.h>
#include <sys/mman.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <new>
#include <numeric>
#include <set>
#include <stdexcept>

namespace scanlab::test {
namespace {

using scanlab_test::Case;
using scanlab_test::kElements;

// Device memory of every case, with gaps: an index past an end hits nobody.
struct Buffers {
  int x[kElements], gap_behind_x[kElements];
  int y[kElements], gap_behind_y[kElements];
  unsigned flags[kElements];
};

// Far from all that is the host's.
Buffers& map_buffers() {
  void* const wanted = reinterpret_cast<void*>(std::uintptr_t{3} << 44);
  void* memory =
      mmap(wanted, sizeof(Buffers), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return *static_cast<Buffers*>(memory);
}

std::string library_path(const std::string& file) {
  const std::string name = file.substr(0, file.rfind('.'));
  return SCANLAB_BINARY_DIR "/reference/tests/kernels/" + name + ".so";
}

void load(const std::string& file) {
  static std::string loaded;
  if (loaded == file) return;
  machine::load_module(library_path(file), file);
  loaded = file;
}

void (*find_case(const std::string& file, const std::string& name))(Case&) {
  void* library = dlopen(library_path(file).c_str(), RTLD_NOW | RTLD_NOLOAD);
  void* found = library != nullptr ? dlsym(library, ("case_" + name).c_str()) : nullptr;
  if (found == nullptr) throw std::invalid_argument("no case '" + name + "' in " + file);
  return reinterpret_cast<void (*)(Case&)>(found);
}

// line -> marker
const std::map<unsigned, std::string>& markers(const std::string& file) {
  static std::map<std::string, std::map<unsigned, std::string>> known;
  const auto [at, fresh] = known.try_emplace(file);
  if (!fresh) return at->second;
  std::ifstream source(SCANLAB_SOURCE_DIR "/reference/tests/kernels/" + file);
  std::string line;
  for (unsigned number = 1; std::getline(source, line); ++number) {
    const std::size_t mark = line.find("//@ ");
    if (mark != std::string::npos) at->second[number] = line.substr(mark + 4);
  }
  return at->second;
}

std::string index_text(const machine::Index3& i) {
  if (i.y == 0 && i.z == 0) return std::to_string(i.x);
  return "(" + std::to_string(i.x) + "," + std::to_string(i.y) + "," + std::to_string(i.z) + ")";
}

bool by_host(const machine::Finding& finding) {
  return finding.kind == "launch.invalid" || finding.kind == "memory.leak" ||
         finding.message.find("thread") == std::string::npos;
}

std::string site_text(const std::string& file, const machine::Site& site, bool host) {
  const auto& marks = markers(file);
  const auto mark = marks.find(site.line);
  std::string text = site.access + " ";
  text += mark != marks.end() ? mark->second
          : site.line == 0    ? "-"
                              : "line " + std::to_string(site.line);
  if (site.file != file && site.line != 0) text += " of " + site.file;
  return host ? text : text + " b" + index_text(site.block) + " t" + index_text(site.thread);
}

std::string join(std::vector<std::string> lines) {
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += (text.empty() ? "" : "\n") + line;
  return text;
}

}  // namespace

Outcome run_case(const std::string& file, const std::string& name, const Options& options,
                 std::uint64_t argument) {
  load(file);
  static Buffers& buffers = map_buffers();
  std::iota(std::begin(buffers.x), std::end(buffers.x), 1);
  std::fill(std::begin(buffers.flags), std::end(buffers.flags), 0u);
  machine::begin_run(options);
  machine::map_buffer(buffers.x, sizeof buffers.x, "X", machine::BufferState::written);
  machine::map_buffer(buffers.y, sizeof buffers.y, "Y", machine::BufferState::unwritten);
  machine::map_buffer(buffers.flags, sizeof buffers.flags, "flags", machine::BufferState::written);
  Case c{buffers.x, buffers.y, buffers.flags, argument, 0};
  find_case(file, name)(c);
  Outcome outcome;
  outcome.y.assign(std::begin(buffers.y), std::end(buffers.y));
  outcome.flags.assign(std::begin(buffers.flags), std::end(buffers.flags));
  for (const int& element : buffers.y)
    outcome.y_written.push_back(machine::was_written(&element, sizeof element));
  outcome.result = c.result;
  outcome.report = machine::end_run();
  return outcome;
}

Outcome run_case(const std::string& file, const std::string& name, std::string_view schedule) {
  Options options;
  options.schedule = machine::named_schedule(schedule, 1);
  options.access_limit = 1'000'000;
  return run_case(file, name, options);
}

std::string findings_text(const std::string& file, const Report& report) {
  std::vector<std::string> lines;
  for (const machine::Finding& finding : report.findings) {
    std::string line = finding.kind + " " + machine::to_string(finding.severity);
    const char* separator = ": ";
    for (const machine::Site& site : finding.sites) {
      line += separator + site_text(file, site, by_host(finding));
      separator = ", ";
    }
    lines.push_back(line);
  }
  return join(std::move(lines));
}

std::string kinds_text(const Report& report) {
  std::set<std::string> kinds;
  for (const machine::Finding& finding : report.findings)
    if (finding.severity != machine::Severity::note)
      kinds.insert(finding.kind + " " + machine::to_string(finding.severity));
  return join({kinds.begin(), kinds.end()});
}

std::vector<std::string> all_schedules(unsigned seeds) {
  std::vector<std::string> names = machine::schedule_names();
  for (unsigned seed = 1; seed <= seeds; ++seed) names.push_back(std::to_string(seed));
  return names;
}

void expect_kinds(const std::string& file, const std::string& name, const std::string& kinds) {
  INFO(file << ": " << name);
  for (const std::string& schedule : all_schedules()) {
    INFO("schedule " << schedule);
    const Outcome outcome = run_case(file, name, schedule);
    INFO(findings_text(file, outcome.report));
    const std::string found = kinds_text(outcome.report);
    CHECK(found == kinds);
    if (found != kinds) return;  // one schedule is enough to look at
  }
}

void expect(const std::string& file, const std::string& name, const std::string& golden) {
  INFO(file << ": " << name);
  const Outcome outcome = run_case(file, name);
  CHECK(findings_text(file, outcome.report) == golden);
  expect_kinds(file, name, kinds_text(outcome.report));
}

}  // namespace scanlab::test
