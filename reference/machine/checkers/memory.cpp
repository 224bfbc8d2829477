// memory.uninitialized: a value that nothing has written is read. A note where plain code reads it
// (the harness and the element types tell whether it reached an output), an error where a poll or
// an atomic is steered by it.
#include "machine/engine.hpp"
#include "machine/wording.hpp"

namespace scanlab::machine {
namespace {

class MemoryChecker final : public Observer {
 public:
  unsigned wants() const override { return kOnAccess; }
  bool has_quick_way() const override { return true; }

  void access(Thread& thread, const Access& a) override {
    std::vector<std::uint8_t>& bits = bits_of(thread, *a.region);
    const std::size_t begin = bit_offset(*a.region, 0), at = begin + a.offset;
    QuickView& view = quick_view(*a.region);
    if (begin % 8 == 0) view.bits = bits.data() + begin / 8;
    be_quick(view);
    if (!a.looks) return set_bits(bits, at, a.size);
    if (has_bits(bits, at, a.size)) return;
    check_read(thread, a, bits, at);
    if (a.kind == AccessKind::write) set_bits(bits, at, a.size);
  }

 private:
  // Static shared memory is one segment with a bitmap for each resident block.
  static bool is_static(const Region& region) {
    return region.begin - reinterpret_cast<std::uintptr_t>(engine().shared) < engine().shared_bytes;
  }
  static std::vector<std::uint8_t>& bits_of(Thread& thread, Region& region) {
    return region.space == Space::shared && is_static(region) ? thread.block->written_shared
                                                              : region.written;
  }
  static std::size_t bit_offset(const Region& region, std::size_t offset) {
    if (region.space != Space::shared || !is_static(region)) return offset;
    return region.begin - reinterpret_cast<std::uintptr_t>(engine().shared) + offset;
  }

  void check_read(Thread& thread, const Access& a, std::vector<std::uint8_t>& bits,
                  std::size_t at) {
    const auto* data = reinterpret_cast<const std::uint8_t*>(a.region->begin + a.offset);
    bool unwritten = false;
    for (std::size_t i = 0; i < a.size; ++i)
      if (!has_bits(bits, at + i, 1) && holds_poison(data + i, 1)) unwritten = true;
    if (!unwritten) return set_bits(bits, at, a.size);  // a store of a struct that no hook told of
    const bool steers = a.region->space == Space::global && (a.is_atomic || a.is_volatile);
    report_once(pair_key('u', a.pc),
                [&] { return words::uninitialized(thread, *a.region, a.offset, steers, a.pc); });
  }
};

const Registration registration{[](const Options& options) -> std::unique_ptr<Observer> {
  return options.checks.memory ? std::make_unique<MemoryChecker>() : nullptr;
}};

}  // namespace
}  // namespace scanlab::machine
