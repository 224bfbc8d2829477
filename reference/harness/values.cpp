#include "harness/values.hpp"

#include <cmath>
#include <cstdio>

#include "scan/probe.hpp"

namespace scanlab::harness {
namespace {

using probe::Class;

std::uint32_t first_of(std::uint32_t index, Extent extent) {
  return extent.length == 0 ? 0 : index - index % extent.length;
}

std::string sum_text(std::uint32_t lo, std::uint32_t hi) {
  const std::string first = "X[" + std::to_string(lo) + "]";
  if (lo == hi) return first;
  const std::string last = "X[" + std::to_string(hi) + "]";
  return hi == lo + 1 ? first + "+" + last : first + "+...+" + last;
}

std::string text(const ProbeRecord& record) {
  switch (static_cast<Class>(record.cls)) {
    case Class::identity: return "T{}";
    case Class::interval: return sum_text(record.lo, record.hi);
    case Class::top: return "a sum with a gap or a repetition";
    case Class::undefined: break;
  }
  return "a value that is no sum of inputs";
}

std::string text(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.9g", value);
  return buffer;
}

void add_wrong(Values& values, std::uint32_t index, std::string expected, std::string got) {
  if (++values.wrong <= kListed)
    values.first_wrong.push_back({index, std::move(expected), std::move(got)});
}

void add_unwritten(Values& values, std::uint32_t index) {
  if (++values.unwritten <= kListed) values.first_unwritten.push_back(index);
}

// Is `record` the sum of X[lo..hi], or the identity where `empty`?
bool is_sum(const ProbeRecord& record, bool empty, std::uint32_t lo, std::uint32_t hi) {
  const auto cls = static_cast<Class>(record.cls);
  if (empty) return cls == Class::identity;
  return cls == Class::interval && record.lo == lo && record.hi == hi;
}

void judge_record(Values& values, std::uint32_t index, const ProbeRecord& record, Extent extent) {
  const std::uint32_t lo = first_of(index, extent);
  const bool empty = extent.exclusive != 0 && index == lo;
  const std::uint32_t hi = index - extent.exclusive;
  if (record.written == 0) {
    add_unwritten(values, index);
  } else if (is_sum(record, empty, lo, hi)) {
    if (!empty && record.strict == 0) ++values.reordered;
  } else if (static_cast<Class>(record.cls) == Class::undefined) {
    if (values.undefined++ == 0) values.first_undefined = index;
  } else if (static_cast<Class>(record.cls) == Class::top && record.weight != 0) {
    ++values.reordered, ++values.by_weight;
  } else {
    add_wrong(values, index, empty ? "T{}" : sum_text(lo, hi), text(record));
  }
}

// Calls judge(index, expected sum) for every written element, sums being of `Sum`; notes the unwritten.
template <typename Sum, typename T, typename Judge>
void judge_each(Values& values, const Numbers<T>& numbers, Extent extent, Judge judge) {
  Sum sum{};
  for (std::uint32_t i = 0; i < numbers.input.size(); ++i) {
    if (i == first_of(i, extent)) sum = Sum{};
    const Sum before = sum;
    sum = sum + Sum(numbers.input[i]);
    if (!numbers.written.empty() && numbers.written[i] == 0) add_unwritten(values, i);
    else judge(i, extent.exclusive != 0 ? before : sum);
  }
}

// A sum of floats in double, and the sum of their sizes.
struct RealSum {
  double value = 0, size = 0;
  RealSum() = default;
  explicit RealSum(float x) : value(x), size(std::fabs(x)) {}
  friend RealSum operator+(RealSum a, const RealSum& b) {
    a.value += b.value, a.size += b.size;
    return a;
  }
};

}  // namespace

Values judge_probe(std::span<const ProbeRecord> records, Extent extent) {
  Values values;
  for (std::uint32_t i = 0; i < records.size(); ++i) judge_record(values, i, records[i], extent);
  return values;
}

Values judge_integers(const Numbers<std::int32_t>& numbers, Extent extent) {
  Values values;
  judge_each<std::uint32_t>(values, numbers, extent, [&](std::uint32_t i, std::uint32_t sum) {
    const auto expected = static_cast<std::int32_t>(sum);
    const std::int32_t got = numbers.output[i];
    if (got != expected) add_wrong(values, i, std::to_string(expected), std::to_string(got));
  });
  return values;
}

Values judge_reals(const Numbers<float>& numbers, Extent extent, std::uint64_t depth) {
  constexpr double kUnitRoundoff = 0x1p-24;
  const double du = static_cast<double>(depth) * kUnitRoundoff;
  const double gamma = du / (1 - du);
  Values values;
  judge_each<RealSum>(values, numbers, extent, [&](std::uint32_t i, const RealSum& sum) {
    const double got = static_cast<double>(numbers.output[i]);
    if (!(std::fabs(got - sum.value) <= gamma * sum.size))
      add_wrong(values, i, text(sum.value), text(got));
  });
  return values;
}

}  // namespace scanlab::harness
