// The network of additions of one small launch, for a drawing: how the harness reads what a worker
// sent of it. The text is probe::to_json()'s; a node's level is its row in the drawing
// (worker/drawing.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace scanlab::harness {

// More than this nobody could look at.
inline constexpr std::size_t kMostNodes = 1200;
inline constexpr std::size_t kMostLanes = 64;

// `text` as it stands where it is a network within these bounds: operands stand before and above
// their sums, and no number is out of range. Else nothing: a drawing is left out, never guessed.
std::string checked_network(std::string_view text);

}  // namespace scanlab::harness
