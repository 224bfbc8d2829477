// Launches without a harness, for compute-sanitizer and for sizes that a harness does not ask for.
#pragma once

#include <string>
#include <vector>

namespace scanlab::device {

struct Launch {
  unsigned function = 0, section = 0, factor = 0, n = 0, length = 0, exclusive = 0;
};

// Throws std::invalid_argument.
Launch parse_launch(const std::string& text);

// Every launch is "function:section:factor:n:length:exclusive"; `length` elements make one scan, 0
// = all of them. Whole numbers, twice in a row, buffers exactly as long as N: so memcheck sees one
// element too far, and initcheck what nobody wrote. Prints a line for each; 0 all right, 1
// something is wrong. Throws CudaError.
int run_alone(const std::string& submission, const std::vector<std::string>& launches);

}  // namespace scanlab::device
