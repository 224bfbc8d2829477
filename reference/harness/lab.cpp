#include "harness/lab.hpp"

namespace scanlab::harness {

Extent extent_of(const Lab& lab, unsigned function, const Shape& shape) {
  const bool whole = lab.launched == Launched::by_driver;
  return {whole ? 0 : shape.length(), lab.functions.at(function).exclusive ? 1U : 0U};
}

std::string describe(const Shape& shape) {
  if (shape.section == 0) return {};
  if (shape.factor == 0) return "SECTION_SIZE = " + std::to_string(shape.section);
  return "THREADS = " + std::to_string(shape.section) +
         ", COARSE_FACTOR = " + std::to_string(shape.factor);
}

}  // namespace scanlab::harness
