// Atomic reads, writes and read-modify-writes. One that changes nothing is a poll: it may wait for
// news.
#include <cstring>

#include "machine/engine.hpp"
#include "machine/wording.hpp"

namespace scanlab::machine {
namespace {

enum Operation : unsigned {  // the order of ScanlabAtomic in cuda/scanlab_device.h
  kLoad,
  kStore,
  kExchange,
  kCompareExchange,
  kAdd,
  kSub,
  kAnd,
  kOr,
  kXor,
  kMin,
  kMax,
  kMinSigned,
  kMaxSigned,
  kInc,
  kDec,
  kAddFloat
};

struct Request {
  void* address;
  std::uint64_t value, compare;
  unsigned operation, size;
  int order, scope;
  Pc pc;
};

std::uint64_t load(const Request& r) {
  std::uint64_t value = 0;
  std::memcpy(&value, r.address, r.size);
  return value;
}

std::int64_t as_signed(std::uint64_t bits, unsigned size) {
  return size == 4 ? static_cast<std::int32_t>(bits) : static_cast<std::int64_t>(bits);
}

template <typename Float, typename Bits>
std::uint64_t add_floats(std::uint64_t a, std::uint64_t b) {
  const Bits low_a = static_cast<Bits>(a), low_b = static_cast<Bits>(b);
  Float x, y;
  std::memcpy(&x, &low_a, sizeof x);
  std::memcpy(&y, &low_b, sizeof y);
  x += y;
  Bits sum;
  std::memcpy(&sum, &x, sizeof x);
  return sum;
}

std::uint64_t combine(const Request& r, std::uint64_t old) {
  const std::uint64_t v = r.value;
  switch (r.operation) {
    case kStore:
    case kExchange:
      return v;
    case kCompareExchange:
      return old == r.compare ? v : old;
    case kAdd:
      return old + v;
    case kSub:
      return old - v;
    case kAnd:
      return old & v;
    case kOr:
      return old | v;
    case kXor:
      return old ^ v;
    case kMin:
      return v < old ? v : old;
    case kMax:
      return v > old ? v : old;
    case kMinSigned:
      return as_signed(v, r.size) < as_signed(old, r.size) ? v : old;
    case kMaxSigned:
      return as_signed(v, r.size) > as_signed(old, r.size) ? v : old;
    case kInc:
      return old >= v ? 0 : old + 1;
    case kDec:
      return old == 0 || old > v ? v : old - 1;
    case kAddFloat:
      return r.size == 4 ? add_floats<float, std::uint32_t>(old, v)
                         : add_floats<double, std::uint64_t>(old, v);
    default:
      return old;
  }
}

std::uint64_t truncate(std::uint64_t value, unsigned size) {
  return size >= 8 ? value : value & ((std::uint64_t{1} << (8 * size)) - 1);
}

void store(const Request& r, std::uint64_t value) { std::memcpy(r.address, &value, r.size); }

// A read, or a read-modify-write that would leave the word as it is, may be a poll.
bool only_looks(const Request& r) {
  const std::uint64_t old = load(r);
  return r.operation != kStore && truncate(combine(r, old), r.size) == old;
}

std::uint64_t run_on_device(const Request& r) {
  Engine& e = engine();
  Region* region = device_region(r.address, r.size, AccessKind::write, r.pc);
  const bool polls = only_looks(r);
  if (polls) note_poll(r.address, load(r), r.pc);
  count_atomic(polls, r.pc);
  const std::uint64_t old = load(r), fresh = truncate(combine(r, old), r.size);
  const bool changed = fresh != old || r.operation == kStore;
  if (region != nullptr) {
    const AccessKind kind = r.operation == kLoad ? AccessKind::read : AccessKind::write;
    const Access access{.region = region,
                        .offset = static_cast<std::uint32_t>(
                            reinterpret_cast<std::uintptr_t>(r.address) - region->begin),
                        .size = static_cast<std::uint16_t>(r.size),
                        .kind = kind,
                        .is_atomic = true,
                        .changed = changed,
                        .looks = r.operation != kStore && r.operation != kExchange,
                        .reads = r.operation != kStore,
                        .order = static_cast<std::uint8_t>(r.order),
                        .block_scope = r.scope == 0,
                        .pc = r.pc};
    for (Observer* observer : e.on_access) observer->access(*e.current, access);
  }
  store(r, fresh);
  if (changed) note_progress();
  return old;
}

std::uint64_t run_on_host(const Request& r) {
  const std::uint64_t old = load(r);
  store(r, truncate(combine(r, old), r.size));
  return old;
}

}  // namespace
}  // namespace scanlab::machine

using namespace scanlab::machine;

extern "C" unsigned long long scanlab_atomic(void* address, unsigned long long value,
                                             unsigned long long compare, unsigned operation,
                                             unsigned size, int order, int scope) {
  const Request request{address, value, compare, operation,
                        size,    order, scope,   __builtin_return_address(0)};
  return engine().current != nullptr ? run_on_device(request) : run_on_host(request);
}
