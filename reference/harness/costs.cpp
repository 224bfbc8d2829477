#include "harness/costs.hpp"

#include <algorithm>

namespace scanlab::harness {
namespace {

using cost::Algorithm;

// look_back has no ceiling of its own but must be linear: a scan of tiles of up to 2^10 takes 10 additions an
// element by Kogge-Stone, padding aside; three times that is still far from N^2.
constexpr std::uint64_t kLinearFactor = 32;
constexpr std::uint64_t kLinearPadding = 2048;

cost::Shape model_shape(const Lab& lab, const Shape& shape, unsigned n) {
  constexpr auto kKind = scan::SectionScan::kogge_stone;
  if (lab.launched == Launched::by_driver) return cost::Shape::driver(n, shape.section, kKind);
  if (shape.factor != 0) return cost::Shape::coarsened(shape.section, shape.factor, kKind);
  return cost::Shape::whole(shape.length());
}

// Right ways to an exclusive scan other than shifting on load: leaving out the last element's sum (or the
// identity in front), and Blelloch's down-sweep with or without the root.
std::vector<std::uint64_t> exclusive_counts(Algorithm algorithm, std::uint64_t exact, std::uint64_t length) {
  std::vector<std::uint64_t> counts{exact, exact - cost::floor_log2(length)};
  if (algorithm == Algorithm::brent_kung) counts.insert(counts.end(), {2 * length - 2, 2 * length - 3});
  return counts;
}

WorkRule section_rule(const Lab& lab, unsigned function, const Shape& shape, std::uint64_t sections) {
  const cost::Shape model = model_shape(lab, shape, 0);
  if (*lab.algorithm == Algorithm::coarsened)
    return {{}, sections * cost::work_ceiling(*lab.algorithm, model)};
  const std::uint64_t exact = cost::work(*lab.algorithm, model).exact;
  WorkRule rule{{exact}, 0};
  if (lab.functions[function].exclusive)
    rule.counts = exclusive_counts(*lab.algorithm, exact, shape.length());
  for (std::uint64_t& count : rule.counts) count *= sections;
  return rule;
}

}  // namespace

bool WorkRule::accepts(std::uint64_t additions) const {
  if (counts.empty()) return additions <= ceiling;
  return std::find(counts.begin(), counts.end(), additions) != counts.end();
}

std::optional<WorkRule> work_rule(const Lab& lab, unsigned function, const Shape& shape, unsigned n) {
  if (n == 0) return std::nullopt;
  if (!lab.algorithm) return WorkRule{{}, kLinearFactor * (n + kLinearPadding)};
  if (lab.launched == Launched::by_driver)
    return WorkRule{{}, cost::work_ceiling(*lab.algorithm, model_shape(lab, shape, n))};
  if (n % shape.length() != 0) return std::nullopt;
  return section_rule(lab, function, shape, n / shape.length());
}

std::optional<std::uint64_t> most_steps(const Lab& lab, unsigned function, const Shape& shape, unsigned n) {
  if (!lab.algorithm || n == 0) return std::nullopt;
  // Blelloch's exclusive scan has one level more.
  const bool down_sweep = *lab.algorithm == Algorithm::brent_kung && lab.functions[function].exclusive;
  return cost::steps_ceiling(*lab.algorithm, model_shape(lab, shape, n)) + (down_sweep ? 1 : 0);
}

std::optional<std::uint64_t> most_barriers(const Lab& lab, const Shape& shape) {
  if (!lab.algorithm || lab.launched == Launched::by_driver) return std::nullopt;
  return cost::barriers_allowed(*lab.algorithm, model_shape(lab, shape, 0));
}

std::uint64_t most_divergent_warps(const Shape& shape) {
  // One warp in each step of two trees is the least; twice that leaves room for guards in a style of one's own.
  return 4 * cost::floor_log2(shape.length());
}

}  // namespace scanlab::harness
