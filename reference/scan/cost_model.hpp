// What each scan algorithm costs: additions, dependent steps, barriers, steps on P units, traffic.
//
// Every figure comes twice, because courses quote the first and machines count the second:
//
//   textbook: as in W. Hwu, D. Kirk, I. El Hajj, "Programming Massively Parallel Processors", 4th
//     ed. (2022), chapter 11; for the drivers, the ceiling that the labs grade against;
//   exact: what the algorithm, written with the guards that it needs, really does.
//
// The exact closed forms are compared with a counting oracle (count_by_running) for every power of
// two in the tests. Sources of the algorithms: P. Kogge, H. Stone (1973); R. Brent, H. T. Kung
// (1982); W. Hillis, G. Steele (1986); G. Blelloch (1990); J. Sklansky (1960).
//
// Sizes are powers of two except `elements` of the drivers, which is any number. log2 is exact.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scan/plan.hpp"

namespace scanlab::cost {

enum class Algorithm : std::uint8_t {
  sequential,
  naive,
  kogge_stone,
  double_buffered,
  brent_kung,
  coarsened,
  hierarchical,
  domino,
};

inline constexpr Algorithm kAlgorithms[] = {Algorithm::sequential,   Algorithm::naive,
                                            Algorithm::kogge_stone,  Algorithm::double_buffered,
                                            Algorithm::brent_kung,   Algorithm::coarsened,
                                            Algorithm::hierarchical, Algorithm::domino};

// "Kogge-Stone", "three-phase coarsened", ...
std::string name_of(Algorithm algorithm);

// What is scanned, and how. Only what the algorithm needs is read.
struct Shape {
  std::uint64_t elements = 0;  // one section for labs 1 to 4; coarsened: threads * factor
  std::uint64_t section = 0;   // drivers
  std::uint64_t threads = 0;   // coarsened
  std::uint64_t factor = 0;    // coarsened
  scan::SectionScan kind =
      scan::SectionScan::kogge_stone;  // coarsened: phase 2; drivers: the sections

  static Shape whole(std::uint64_t elements) { return {elements, 0, 0, 0, {}}; }
  static Shape coarsened(std::uint64_t threads, std::uint64_t factor, scan::SectionScan phase_2) {
    return {threads * factor, 0, threads, factor, phase_2};
  }
  static Shape driver(std::uint64_t elements, std::uint64_t section, scan::SectionScan kind) {
    return {elements, section, 0, 0, kind};
  }
};

struct Count {
  std::uint64_t textbook = 0;
  std::uint64_t exact = 0;
};

// --- closed forms --------------------------------------------------------------------------------

bool is_power_of_two(std::uint64_t n);
std::uint64_t floor_log2(std::uint64_t n);  // n > 0
std::uint64_t ceil_log2(std::uint64_t n);   // n > 0

std::uint64_t sequential_work(std::uint64_t n);  // n - 1
std::uint64_t naive_work(std::uint64_t n);       // n(n - 1)/2
// Any n: the sum of n - stride over the strides below n. n log2 n - (n - 1) for powers of two.
std::uint64_t kogge_stone_work(std::uint64_t n);
// n log2 n, Hillis-Steele: every thread adds in every step, the identity where it has no neighbour.
std::uint64_t unguarded_work(std::uint64_t n);
std::uint64_t brent_kung_tree_work(std::uint64_t n);          // n - 1
std::uint64_t brent_kung_reverse_tree_work(std::uint64_t n);  // n - 1 - log2 n
std::uint64_t brent_kung_work(std::uint64_t n);               // 2n - 2 - log2 n
std::uint64_t coarsened_phase_1_work(std::uint64_t threads, std::uint64_t factor);  // S - T
// (T - 1)(factor - 1): the ends are final after phase 2, and the first thread has no carry.
std::uint64_t coarsened_phase_3_work(std::uint64_t threads, std::uint64_t factor);

// One level of the hierarchical scan: `elements` in `sections` sections.
struct Level {
  std::uint64_t elements = 0;
  std::uint64_t sections = 0;
};
// From the array to the level that is one section. Empty for 0 elements.
std::vector<Level> hierarchical_levels(std::uint64_t elements, std::uint64_t section);

// --- the model -----------------------------------------------------------------------------------

// Applications of +, padding of the last section included.
Count work(Algorithm algorithm, const Shape& shape);

// The longest chain of dependent additions. Textbook: Kogge-Stone log2 S, Brent-Kung 2 log2 S - 1
// (its steps, of which the chain uses all but one), coarsened factor + 2 log2 T, hierarchical 3
// log2 S per level, domino M + 2 log2 S + 2: what the labs allow.
Count steps(Algorithm algorithm, const Shape& shape);

// Barriers that a block may go through; nothing for the algorithms that no lab bounds.
std::optional<std::uint64_t> barriers_allowed(Algorithm algorithm, const Shape& shape);

// Elements read from and written to global memory. Textbook: 2N in one pass, 4N in three kernels.
Count traffic(Algorithm algorithm, const Shape& shape);

// What a submission may use at most: exact for labs 1 to 3, the textbook's count for coarsened, and
// for the drivers, per level, M S log2 S plus one addition per element (hierarchical: the level of
// the block sums counts even where there is one section, since the three kernels may be launched
// anyway), or M S log2 S + M S + M (domino).
std::uint64_t work_ceiling(Algorithm algorithm, const Shape& shape);
std::uint64_t steps_ceiling(Algorithm algorithm, const Shape& shape);

// Time on `units` execution units, in additions one after the other.
struct UnitSteps {
  double textbook = 0;           // see textbook_unit_steps()
  std::uint64_t by_threads = 0;  // sum over the steps of ceil(active threads / units)
  std::uint64_t by_warps = 0;    // the same with whole warps: one active thread costs a warp
};
inline constexpr std::uint64_t kWarp = 32;

// Work over units; for Brent-Kung also log2 units steps of divergence in each of the two trees
// (1024 elements on 32 units: Kogge-Stone 320, Brent-Kung 63.6 + 10 = 73.6, coarsened with 64
// threads 72). Sequential: N.
double textbook_unit_steps(Algorithm algorithm, const Shape& shape, std::uint64_t units);
UnitSteps unit_steps(Algorithm algorithm, const Shape& shape, std::uint64_t units);

struct SpeedUp {
  double textbook = 0;  // N / textbook steps
  double exact = 0;     // (N - 1) / steps by threads
};
SpeedUp speed_up(Algorithm algorithm, const Shape& shape, std::uint64_t units);

// --- the counting oracle -------------------------------------------------------------------------

// Only for shapes whose plan fits in memory (naive: some thousand elements).
scan::Plan plan_of(Algorithm algorithm, const Shape& shape);

struct Counts {
  std::uint64_t work = 0;   // by running on Counted
  std::uint64_t steps = 0;  // by running on Depth
  bool right = false;       // running on Counted and on Interval gave the prefix sums
};
Counts count_by_running(const scan::Plan& plan);

// --- recognition ---------------------------------------------------------------------------------

// Which algorithm makes `count` additions on one full section of `section` elements; `threads` and
// `factor` only for coarsened. A noun phrase such as "Brent-Kung's count" or "the naive N(N-1)/2";
// empty if none.
std::string recognise_work(std::uint64_t count, std::uint64_t section, std::uint64_t threads = 0,
                           std::uint64_t factor = 0);

// --- floats --------------------------------------------------------------------------------------

// gamma_d = d u / (1 - d u) with u = 2^-24: the relative error of a chain of d float additions is
// at most gamma_d, measured against the sum of magnitudes. N. Higham, "Accuracy and Stability of
// Numerical Algorithms", 2nd ed. (2002), sections 3.1 and 4.2.
double float_gamma(std::uint64_t depth);
// The bound on |computed - exact| for a sum of additions of that depth, `magnitude` = sum of |x|.
double float_bound(std::uint64_t depth, double magnitude);

// --- the figures that courses quote --------------------------------------------------------------

struct Figure {
  std::string id;    // "brent_kung.unit_steps.1024.32"
  std::string what;  // "Brent-Kung, 1024 elements on 32 units: steps"
  double textbook = 0;
  double exact = 0;
  std::string formula;  // how the textbook's comes about
};
std::vector<Figure> figures();

}  // namespace scanlab::cost
