// Block barriers, fences, and what a kernel asks about itself.
#include "machine/engine.hpp"
#include "machine/wording.hpp"

#define SCANLAB_PC __builtin_return_address(0)

namespace scanlab::machine {
namespace {

struct Triple {  // laid out as the header's uint3
  unsigned x, y, z;
};

Triple triple(const Index3& v) { return {v.x, v.y, v.z}; }

// Waits with a value; the answers are in the block afterwards.
const Block& wait_counting(int predicate, Pc pc) {
  Thread& self = *engine().current;
  self.operand = predicate != 0;
  self.block->counting = true;
  wait_at_barrier(pc);
  return *self.block;
}

void fence(Scope scope, Pc pc) {
  Engine& e = engine();
  if (e.current == nullptr) return;
  for (Observer* observer : e.on_fence) observer->fence(*e.current, scope, pc);
  advance_clock(*e.current);
}

}  // namespace
}  // namespace scanlab::machine

using namespace scanlab::machine;

extern "C" {
Triple scanlab_thread_idx() {
  return engine().current ? triple(engine().current->index) : Triple{0, 0, 0};
}
Triple scanlab_block_idx() {
  return engine().current ? triple(engine().current->block->index) : Triple{0, 0, 0};
}
Triple scanlab_block_dim() {
  return engine().grid ? triple(engine().grid->block) : Triple{1, 1, 1};
}
Triple scanlab_grid_dim() { return engine().grid ? triple(engine().grid->grid) : Triple{1, 1, 1}; }
unsigned scanlab_lane_id() { return engine().current ? engine().current->lane() : 0; }

void* scanlab_dynamic_shared() {
  Engine& e = engine();
  if (e.current == nullptr) return nullptr;
  return reinterpret_cast<void*>(e.current->block->dynamic_region->begin);
}

#ifndef SCANLAB_OWN_SWITCH
void __syncthreads() {
  if (engine().current != nullptr) wait_at_barrier(SCANLAB_PC);
}
#endif
int __syncthreads_count(int predicate) {
  return static_cast<int>(wait_counting(predicate, SCANLAB_PC).predicates);
}
int __syncthreads_and(int predicate) {
  const Block& block = wait_counting(predicate, SCANLAB_PC);
  return block.predicates == block.arrived;
}
int __syncthreads_or(int predicate) { return wait_counting(predicate, SCANLAB_PC).predicates != 0; }

void __threadfence_block() { fence(Scope::block, SCANLAB_PC); }
void __threadfence() { fence(Scope::device, SCANLAB_PC); }
void __threadfence_system() { fence(Scope::device, SCANLAB_PC); }
void scanlab_fence(int order, int scope) {
  if (order != 0) fence(scope == 0 ? Scope::block : Scope::device, SCANLAB_PC);
}

void __nanosleep(unsigned) {
  if (engine().current != nullptr) yield_thread();
}
long long clock64() {  // the machine has no time: accesses so far
  Engine& e = engine();
  return static_cast<long long>(time_now(e));
}
long __wrap_clock() { return static_cast<long>(clock64()); }
void __trap() {
  Engine& e = engine();
  if (e.current != nullptr) fail_launch(words::trapped(*e.current, SCANLAB_PC), kLaunchFailure);
}
}
