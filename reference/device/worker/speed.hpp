// How fast a submission is, beside a copy and cub::DeviceScan in the same run.
#pragma once

#include <string>

namespace scanlab::device {

// `launch` as in alone.hpp; the elements are floats. Writes to `json`: {"n", "samples", "us",
// "spread", "copy_us", "cub_us", "wrong"}, times in microseconds a call, medians; "spread": between
// the quartiles. A file, because standard output is the submission's too. Throws CudaError.
void measure_speed(const std::string& submission, const std::string& launch,
                   const std::string& json);

}  // namespace scanlab::device
