// Random programs: the machine finds a race or a missing fence exactly where a model of the memory
// order has one.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "machine/random.hpp"
#include "machine_support.hpp"

using scanlab::machine::Random;
using scanlab::test::findings_text;
using scanlab::test::kEffort;
using scanlab::test::Options;
using scanlab::test::Outcome;
using scanlab::test::run_case;

namespace {

const char kFile[] = "random.cu";

// ---- as kernels/random.cu has them
enum Kind : unsigned { kNothing, kRead, kWrite, kAtomic, kBarrier, kMeetWarp };
struct Step {
  unsigned kind, offset, bytes;
};
constexpr unsigned kThreads = 64, kSteps = 12;
using Program = std::array<std::array<Step, kSteps>, kThreads>;

enum BlockKind : unsigned { kLoad, kStore, kFence, kSignal, kWait };
struct BlockStep {
  unsigned kind, what;
};
constexpr unsigned kBlocks = 5, kBlockSteps = 8;
using BlockProgram = std::array<std::array<BlockStep, kBlockSteps>, kBlocks>;

unsigned below(Random& random, unsigned bound) {
  return static_cast<unsigned>(random.below(bound));
}

Step random_access(Random& random) {
  const unsigned bytes = 1u << below(random, 4), kind = 1 + below(random, 3);
  if (kind == kAtomic) return {kind, 4 * below(random, 16), 4};
  return {kind, bytes * below(random, 64 / bytes), bytes};
}

// Few threads do something, so that about half of the programs have no race.
Program random_program(std::uint64_t seed) {
  Random random(seed);
  Program program{};
  for (unsigned i = 0; i < kSteps; ++i) {
    const unsigned meeting = below(random, 4);
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      Step& step = program[thread][i];
      if (meeting == 0) step.kind = kBarrier;
      if (meeting == 1) step.kind = kMeetWarp;
      if (meeting > 1 && below(random, 60) == 0) step = random_access(random);
    }
  }
  return program;
}

struct Access {
  unsigned thread, interval, meeting;
  Step step;
};

std::vector<Access> accesses(const Program& program) {
  std::vector<Access> all;
  for (unsigned thread = 0; thread < kThreads; ++thread) {
    unsigned interval = 0, meeting = 0;
    for (const Step& step : program[thread]) {
      if (step.kind == kBarrier) ++interval;
      if (step.kind == kMeetWarp) ++meeting;
      if (step.kind >= kRead && step.kind <= kAtomic)
        all.push_back({thread, interval, meeting, step});
    }
  }
  return all;
}

bool conflict(const Access& a, const Access& b) {
  if (a.thread == b.thread || a.interval != b.interval) return false;
  if (a.step.kind == kRead && b.step.kind == kRead) return false;
  if (a.step.kind == kAtomic && b.step.kind == kAtomic) return false;
  if (a.step.offset + a.step.bytes <= b.step.offset ||
      b.step.offset + b.step.bytes <= a.step.offset)
    return false;
  return a.thread / 32 != b.thread / 32 || a.meeting == b.meeting;
}

bool model_has_race(const Program& program) {
  const std::vector<Access> all = accesses(program);
  for (const Access& a : all)
    for (const Access& b : all)
      if (conflict(a, b)) return true;
  return false;
}

std::string schedule_of(std::uint64_t seed) {
  const auto& names = scanlab::machine::schedule_names();
  return seed % 2 == 0 ? names[seed / 2 % names.size()] : std::to_string(seed);
}

template <typename AnyProgram>
Outcome run_program(const char* name, const AnyProgram& program, std::uint64_t seed) {
  Options options;
  options.schedule = scanlab::machine::named_schedule(schedule_of(seed), seed);
  return run_case(kFile, name, options, reinterpret_cast<std::uint64_t>(&program));
}

bool has_errors(const Outcome& outcome) {
  return std::any_of(outcome.report.findings.begin(), outcome.report.findings.end(),
                     [](const auto& f) { return f.severity == scanlab::machine::Severity::error; });
}

BlockProgram random_block_program(std::uint64_t seed) {
  Random random(seed);
  BlockProgram program{};
  for (unsigned p = 0; p < kBlocks; ++p) {
    const unsigned signal = 3 + below(random, kBlockSteps - 3);
    for (unsigned i = 0; i < kBlockSteps; ++i) {
      BlockStep& step = program[p][i];
      step = {below(random, 5) == 0 ? unsigned{kStore} : unsigned{kLoad}, below(random, 12)};
      if (below(random, 3) == 0) step.kind = kFence;
      if (p > 0 && below(random, 3) == 0) step = {kWait, below(random, p)};
      if (i == signal) step.kind = kSignal;
    }
  }
  return program;
}

// before[a][i][b][j]: step i of block a is ordered before step j of block b.
class BlockOrder {
 public:
  explicit BlockOrder(const BlockProgram& program) : program_(program) {}

  bool before(unsigned a, unsigned i, unsigned b, unsigned j) const {
    if (a == b) return i < j;
    for (unsigned w = 0; w < j; ++w)
      if (program_[b][w].kind == kWait && told_by(program_[b][w].what, a, i)) return true;
    return false;
  }

 private:
  // Block q waits for smaller numbers only, so this ends.
  bool told_by(unsigned q, unsigned a, unsigned i) const {
    const unsigned signal = signal_of(q);
    for (unsigned f = 0; f < signal; ++f)
      if (program_[q][f].kind == kFence && before(a, i, q, f)) return true;
    return false;
  }
  unsigned signal_of(unsigned q) const {
    for (unsigned i = 0; i < kBlockSteps; ++i)
      if (program_[q][i].kind == kSignal) return i;
    return 0;
  }
  const BlockProgram& program_;
};

bool model_has_disorder(const BlockProgram& program) {
  const BlockOrder order(program);
  for (unsigned a = 0; a < kBlocks; ++a)
    for (unsigned b = a + 1; b < kBlocks; ++b)
      for (unsigned i = 0; i < kBlockSteps; ++i)
        for (unsigned j = 0; j < kBlockSteps; ++j) {
          const BlockStep &x = program[a][i], &y = program[b][j];
          if (x.kind > kStore || y.kind > kStore || x.what != y.what) continue;
          if (x.kind == kLoad && y.kind == kLoad) continue;
          if (!order.before(a, i, b, j) && !order.before(b, j, a, i)) return true;
        }
  return false;
}

}  // namespace

TEST_SUITE("random programs") {
  TEST_CASE("within a block: a race where the model has one, and nowhere else") {
    unsigned racy = 0;
    for (std::uint64_t seed = 1; seed <= 150 * kEffort; ++seed) {
      const Program program = random_program(seed);
      const bool expected = model_has_race(program);
      racy += expected;
      for (const char* name : {"in_shared_memory", "in_global_memory"}) {
        const Outcome outcome = run_program(name, program, seed);
        INFO(std::string(name) << ", seed " << seed << ", schedule " << schedule_of(seed) << "\n"
                               << findings_text(kFile, outcome.report));
        CHECK(has_errors(outcome) == expected);
      }
    }
    CHECK(racy > 40 * kEffort);
    CHECK(racy < 110 * kEffort);
  }

  TEST_CASE("between blocks: an error where the model has disorder, and nowhere else") {
    unsigned wrong = 0;
    for (std::uint64_t seed = 1; seed <= 400 * kEffort; ++seed) {
      const BlockProgram program = random_block_program(seed);
      const bool expected = model_has_disorder(program);
      wrong += expected;
      const Outcome outcome = run_program("between_blocks", program, seed);
      INFO("seed " << seed << ", schedule " << schedule_of(seed) << "\n"
                   << findings_text(kFile, outcome.report));
      CHECK(has_errors(outcome) == expected);
    }
    CHECK(wrong > 80 * kEffort);
    CHECK(wrong < 380 * kEffort);
  }
}
