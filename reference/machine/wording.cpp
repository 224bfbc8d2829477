#include "machine/wording.hpp"

#include <cstdlib>

namespace scanlab::machine::words {
namespace {

std::string number(unsigned long long n) { return std::to_string(n); }
std::string plural(unsigned long long n, const std::string& noun) {
  return number(n) + " " + noun + (n == 1 ? "" : "s");
}
std::string access_word(AccessKind kind) { return kind == AccessKind::read ? "read" : "write"; }
std::string line_text(Pc pc) {
  const Place place = place_of(pc);
  return place.line == 0 ? "an unknown line" : "line " + number(place.line);
}

std::string index_name(const char* noun, const Index3& i) {
  if (i.y == 0 && i.z == 0) return std::string(noun) + " " + number(i.x);
  return std::string(noun) + " (" + number(i.x) + ", " + number(i.y) + ", " + number(i.z) + ")";
}

Index3 thread_index(std::uint32_t n) {
  return unlinear(n % kMaxThreadsPerBlock, engine().grid->block);
}
Index3 block_index(std::uint32_t n) {
  return unlinear(n / kMaxThreadsPerBlock, engine().grid->grid);
}
bool same_block(std::uint32_t a, std::uint32_t b) {
  return a / kMaxThreadsPerBlock == b / kMaxThreadsPerBlock;
}

std::string party_name(std::uint32_t n, bool with_block) {
  const std::string thread = thread_name(thread_index(n));
  return with_block ? thread + " of " + index_name("block", block_index(n)) : thread;
}

std::string did(const std::string& access) {
  if (access == "read") return "read";
  return access == "atomic" ? "changed (atomically)" : "wrote";
}

Finding make(const char* kind, Severity severity, std::string message, std::string help,
             std::vector<Site> sites) {
  return {kind, severity, std::move(message), std::move(help), std::move(sites), 1};
}

Site host_site(Pc pc, std::string access) {
  const Place place = place_of(pc);
  return {place.file, place.line, {}, {}, std::move(access)};
}

// "XY[-1]", "XY[1024]": the element that an address outside the array would be.
std::string missed_element(const Region& region, std::uintptr_t address, std::size_t bytes) {
  const auto offset = static_cast<long long>(address) - static_cast<long long>(region.begin);
  const auto size = static_cast<long long>(bytes);
  const long long element = offset >= 0 ? offset / size : -((-offset + size - 1) / size);
  return region.name + "[" + std::to_string(element) + "]";
}

std::string how_far(const Resolution& at, const Region& region, std::size_t bytes) {
  const auto size = static_cast<long long>(bytes);
  const long long elements = (std::llabs(at.distance) + size - 1) / size;
  const std::string where = at.distance > 0 ? " past its end" : " before its beginning";
  return plural(static_cast<unsigned long long>(elements), "element") + where + "; " + region.name +
         " has " + plural(region.bytes / bytes, "element");
}

}  // namespace

std::string thread_name(const Index3& thread) { return index_name("thread", thread); }
std::string place_name(const Thread& thread) {
  return thread_name(thread.index) + " of " + index_name("block", thread.block->index);
}
std::string verb(AccessKind kind) { return kind == AccessKind::read ? "reads" : "writes"; }

Finding bad_address(const Thread& thread, std::uintptr_t address, std::size_t bytes,
                    AccessKind kind, Pc pc) {
  const std::vector<Site> sites{site_of(thread, pc, access_word(kind))};
  const std::string who = place_name(thread) + " " + verb(kind);
  const Resolution at = explain_address(address, bytes);
  if (at.nearest != nullptr && at.nearest == thread.block->dynamic_region.get() &&
      at.nearest->bytes == 0)
    return make(
        "memory.out_of_bounds", Severity::error,
        who + " dynamic shared memory at " + line_text(pc) + ", and the launch asks for none.",
        "The third value between <<< and >>> is the size of `extern __shared__` arrays, in bytes.",
        sites);
  if (is_fiber_stack(address))
    return make("memory.illegal", Severity::error,
                who + " a local variable of another thread at " + line_text(pc) + ".",
                "Local variables are each thread's own: threads meet in shared and global memory.",
                sites);
  if (at.nearest == nullptr || bytes == 0)
    return make("memory.illegal", Severity::error,
                who + " an address that is no device memory at " + line_text(pc) + ".",
                "Which pointer is it, and where does it get its value? A kernel can use memory "
                "from cudaMalloc, shared "
                "arrays and its own variables, not host memory or a pointer that was never set.",
                sites);
  const std::size_t element = at.wrapped != 0 ? at.wrapped : bytes;
  const std::uintptr_t real = address - (static_cast<std::uintptr_t>(at.wrapped) << 32);
  std::string message = who + " " + missed_element(*at.nearest, real, element) + " at " +
                        line_text(pc) + ", " + how_far(at, *at.nearest, element) + ".";
  if (at.wrapped != 0)
    message += " The index is unsigned: going below 0 it wrapped around to about 4 billion.";
  return make("memory.out_of_bounds", Severity::error, message,
              "Which threads may make this access, and for which of them is the index inside the "
              "array? On a GPU it "
              "may silently hit other data.",
              sites);
}

Finding freed(const Thread& thread, const Region& region, std::uintptr_t address, AccessKind kind,
              Pc pc) {
  return make("memory.illegal", Severity::error,
              place_name(thread) + " " + verb(kind) + " " +
                  element_name(region, address - region.begin) + " at " + line_text(pc) +
                  " after that memory was freed.",
              "Free device memory only after the last kernel that uses it has been launched.",
              {site_of(thread, pc, access_word(kind))});
}

Finding host_pointer(const Thread& thread, const Region& region, AccessKind kind, Pc pc) {
  return make("memory.illegal", Severity::error,
              place_name(thread) + " " + verb(kind) + " host memory (" + region.name + ") at " +
                  line_text(pc) + ".",
              "A kernel needs a device copy: cudaMalloc and cudaMemcpy.",
              {site_of(thread, pc, access_word(kind))});
}

Finding host_dereference(const Region& region, std::uintptr_t address, AccessKind kind, Pc pc) {
  return make("memory.illegal", Severity::error,
              "The host " + verb(kind) + " device memory (" +
                  element_name(region, address - region.begin) + ") directly at " + line_text(pc) +
                  "; on a real machine this crashes the program.",
              "Device memory is reached from the host with cudaMemcpy or cudaMemset only.",
              {host_site(pc, access_word(kind))});
}

Finding misaligned(const Thread& thread, const Region& region, std::uintptr_t address,
                   std::size_t bytes, AccessKind kind, Pc pc) {
  return make("memory.illegal", Severity::error,
              place_name(thread) + " " + verb(kind) + " " + plural(bytes, "byte") + " of " +
                  region.name + " at byte " + number(address - region.begin) + " (" +
                  line_text(pc) + "), which is not a multiple of " + number(bytes) + ".",
              "An access of 2, 4, 8 or 16 bytes needs an address that is a multiple of its size: "
              "look at the cast.",
              {site_of(thread, pc, access_word(kind))});
}

Finding still_running(const Thread& thread, Pc pc) {
  return make("run.timeout", Severity::error,
              "The kernel was still computing after " + number(engine().options.access_limit) +
                  " memory accesses; " + place_name(thread) + " was at " + line_text(pc) + ".",
              "Does the loop there end for every thread? Print its variable for one thread, or "
              "step through it by hand.",
              {site_of(thread, pc, "running")});
}

Finding uninitialized(const Thread& thread, const Region& region, std::uint64_t offset, bool steers,
                      Pc pc) {
  const std::string tail = steers ? " Other threads wait for it or choose their work by it, so the "
                                    "run depends on what the memory happened to hold."
                                  : " Whether that matters depends on where the value goes.";
  return make("memory.uninitialized", steers ? Severity::error : Severity::note,
              place_name(thread) + " reads " + element_name(region, offset) + " at " +
                  line_text(pc) + ", which nothing has written yet." + tail,
              region.space == Space::shared
                  ? "Shared memory starts with whatever the last block left there: who writes this "
                    "element, and for which threads does that not happen?"
                  : "Memory from cudaMalloc holds anything: set it with cudaMemset, or let a "
                    "kernel write it first.",
              {site_of(thread, pc, "read")});
}

Finding race(const Region& region, std::uint64_t offset, const Party& earlier, const Party& later,
             bool same_warp) {
  const bool shared = region.space == Space::shared,
             one_block = same_block(earlier.thread, later.thread);
  std::string message = party_name(later.thread, !one_block) + " " + did(later.access) + " " +
                        element_name(region, offset) + " at " + line_text(later.pc) + " while " +
                        party_name(earlier.thread, !one_block) + " " + did(earlier.access) +
                        " it at " + line_text(earlier.pc) + ", with ";
  message += one_block ? "no barrier between" : "nothing that orders the two blocks";
  if (one_block) message += " (" + index_name("block", block_index(later.thread)) + ")";
  message += ".";
  if (same_warp)
    message += " Both are in one warp: older GPUs hide this, since Volta lanes do not run in step.";
  const char* help =
      one_block ? "Either of the two may come first, so the value is a matter of luck, even if the "
                  "output was right this time. "
                  "What has to be finished before what, and how do all threads of the block know?"
                : "Blocks run in any order. Which block must be done before the other, and how is "
                  "it told?";
  return make(shared ? "race.shared" : "race.global", Severity::error, message, help,
              {site_of(later.thread, later.pc, later.access),
               site_of(earlier.thread, earlier.pc, earlier.access)});
}

Finding fence_missing(const Region& region, std::uint64_t offset, const Party& data,
                      const Party& flag, const Party& reader) {
  const std::string passed_on = same_block(data.thread, flag.thread)
                                    ? ""
                                    : party_name(flag.thread, true) + " learnt of that and ";
  const std::string message =
      party_name(data.thread, true) + " wrote " + element_name(region, offset) + " at " +
      line_text(data.pc) + (passed_on.empty() ? " and " : "; " + passed_on) +
      "told other blocks by the flag at " + line_text(flag.pc) +
      ", with no __threadfence() between: " + party_name(reader.thread, true) +
      " may see the flag and still " +
      (reader.access == "read" ? "read old data" : "be overtaken by that write") + " at " +
      line_text(reader.pc) + ".";
  return make(
      "fence.missing", Severity::error, message,
      "Stores to different addresses may reach other blocks in another order than they were made. "
      "What must be visible before the flag is?",
      {site_of(data.thread, data.pc, data.access), site_of(flag.thread, flag.pc, "flag write"),
       site_of(reader.thread, reader.pc, reader.access)});
}

Finding fence_note(const Region& region, std::uint64_t offset, const Party& reader,
                   const Party& poll) {
  return make("fence.missing", Severity::note,
              party_name(reader.thread, true) + " reads " + element_name(region, offset) + " at " +
                  line_text(reader.pc) + " after its poll at " + line_text(poll.pc) +
                  " with no fence or acquire between. This is the textbook's form and works on "
                  "today's GPUs; the memory model asks for one.",
              "To be strict, put a __threadfence() behind the poll, or poll with an acquire.",
              {site_of(reader.thread, reader.pc, "read"), site_of(poll.thread, poll.pc, "poll")});
}

Finding barrier_mixed(const Thread& here, const Thread& there, unsigned here_count,
                      unsigned there_count) {
  return make("barrier.divergent", Severity::error,
              plural(here_count, "thread") + " of " + index_name("block", here.block->index) +
                  " wait at the barrier at " + line_text(here.pc) + " (" + thread_name(here.index) +
                  " is one) while " + plural(there_count, "thread") + " wait at another one, at " +
                  line_text(there.pc) + " (" + thread_name(there.index) + " is one).",
              "__syncthreads() must be reached by all threads of the block together. Which "
              "condition or loop sends some of them elsewhere?",
              {site_of(here, here.pc, "barrier"), site_of(there, there.pc, "barrier")});
}

Finding barrier_missed(const Thread& waiting, const Thread& missing, unsigned waiting_count,
                       unsigned missing_count) {
  return make("barrier.divergent", Severity::error,
              plural(waiting_count, "thread") + " of " + index_name("block", waiting.block->index) +
                  " wait at the barrier at " + line_text(waiting.pc) + ", but " +
                  plural(missing_count, "thread") + " that live never come: " +
                  thread_name(missing.index) + " waits at " + line_text(missing.pc) + ".",
              "A barrier waits for every living thread of the block. Is it inside a branch that "
              "not all threads take?",
              {site_of(waiting, waiting.pc, "barrier"), site_of(missing, missing.pc, "waiting")});
}

Finding barrier_left(const Thread& waiting, const Thread& gone, unsigned waiting_count,
                     unsigned gone_count) {
  return make(
      "barrier.divergent", Severity::warning,
      plural(waiting_count, "thread") + " of " + index_name("block", waiting.block->index) +
          " meet at the barrier at " + line_text(waiting.pc) + " after " +
          plural(gone_count, "thread") + " (" + thread_name(gone.index) +
          " is one) have left the kernel. Since Volta the barrier then waits for the others only; "
          "before, it was undefined.",
      "Keep all threads to the end and guard their loads and stores instead of returning early.",
      {site_of(waiting, waiting.pc, "barrier"), site_of(gone, nullptr, "exit")});
}

Finding mask_without_self(const Thread& thread, std::uint32_t mask, Pc pc) {
  return make("barrier.divergent", Severity::error,
              place_name(thread) + " calls a warp function at " + line_text(pc) + " with a mask (" +
                  number(mask) + ") that does not name its own lane.",
              "The mask names the lanes that take part, the caller's among them.",
              {site_of(thread, pc, "warp")});
}

Finding trapped(const Thread& thread, Pc pc) {
  return make("run.crash", Severity::error,
              place_name(thread) + " called __trap() at " + line_text(pc) + ".",
              "The kernel ended itself there: which of its own conditions failed?",
              {site_of(thread, pc, "trap")});
}

Finding warp_missed(const Thread& waiting, const Thread& missing) {
  return make("barrier.divergent", Severity::error,
              place_name(waiting) + " waits at the warp function at " + line_text(waiting.pc) +
                  " for lane " + number(missing.lane()) +
                  ", which is named in the mask but waits at " + line_text(missing.pc) + ".",
              "All lanes of the mask must reach the same warp function. Is it inside a branch, or "
              "is the mask too wide?",
              {site_of(waiting, waiting.pc, "warp"), site_of(missing, missing.pc, "waiting")});
}

Finding deadlock(const Grid& grid, const Thread& polling, unsigned pollers) {
  const Region* region =
      find_region(reinterpret_cast<std::uintptr_t>(polling.last_poll.address), 1);
  const std::string flag =
      region != nullptr
          ? element_name(*region, reinterpret_cast<std::uintptr_t>(polling.last_poll.address) -
                                      region->begin)
          : "a word";
  std::string message = "Nobody can go on: " + place_name(polling) + " polls " + flag + " at " +
                        line_text(polling.last_poll.pc) + " and it never changes (" +
                        plural(pollers, "thread") + " poll in all).";
  if (!grid.pending.empty())
    message += " " + plural(grid.pending.size(), "block") + " of " + number(grid.blocks) +
               " were never started, " +
               index_name("block", unlinear(grid.pending.back(), grid.grid)) +
               " the next of them: the machine is full of blocks that wait.";
  return make(
      "deadlock", Severity::error, message,
      grid.pending.empty()
          ? "Who sets this word, and can that thread get there? Follow the first block by hand."
          : "Blocks start in any order and only some are on the GPU at once. May a block wait for "
            "one that may not have started?",
      {site_of(polling, polling.last_poll.pc, "poll")});
}

Finding launch_refused(const std::string& kernel, const std::string& why, Pc pc) {
  const Site site = host_site(pc, "launch");
  const bool own = site.file == engine().source;  // else the harness made the launch
  return make(
      "launch.invalid", Severity::error,
      "The launch of " + kernel + (own ? " at " + line_text(pc) : "") + " is refused: " + why + ".",
      "Compute grid and block for this size by hand; cudaGetLastError() after a launch tells when "
      "it was refused.",
      own ? std::vector<Site>{site} : std::vector<Site>{});
}

Finding leak(std::size_t bytes, unsigned allocations, Pc first) {
  return make("memory.leak", Severity::warning,
              plural(allocations, "allocation") + " of " + number(bytes) +
                  " bytes in all were not freed; the first was made at " + line_text(first) + ".",
              "Whoever calls cudaMalloc calls cudaFree, on every way out of the function.",
              {host_site(first, "allocation")});
}

Finding assertion(const std::string& text, unsigned line) {
  const Thread& thread = *engine().current;
  Site site = site_of(thread, nullptr, "assert");
  site.file = engine().source;
  site.line = line;
  return make(
      "run.crash", Severity::error,
      place_name(thread) + ": the assertion \"" + text + "\" at line " + number(line) + " failed.",
      "Your own assert speaks: print the values that it compares.", {site});
}

Finding output_flood(std::size_t limit) {
  return make("run.limit", Severity::error,
              "The program printed more than " + number(limit) + " bytes.",
              "Print from one thread or for few elements.", {});
}

Finding bad_free(Pc pc) {
  return make("memory.illegal", Severity::error,
              "cudaFree at " + line_text(pc) +
                  " gets a pointer that cudaMalloc did not give, or that was freed before.",
              "Free each allocation once, with the very pointer that cudaMalloc set.",
              {host_site(pc, "free")});
}

Finding bad_copy(const Region& region, std::size_t offset, std::size_t bytes, AccessKind kind,
                 Pc pc) {
  if (region.freed)
    return make(
        "memory.illegal", Severity::error,
        "The copy or set at " + line_text(pc) + " uses " + region.name + " after it was freed.",
        "Free device memory after its last use.", {host_site(pc, access_word(kind))});
  return make("memory.out_of_bounds", Severity::error,
              "The copy or set at " + line_text(pc) + " " + verb(kind) + " " + number(bytes) +
                  " bytes from byte " + number(offset) + " of " + region.name + ", which has " +
                  number(region.bytes) + ".",
              "Sizes are in bytes: a count of elements times sizeof the element.",
              {host_site(pc, access_word(kind))});
}

Finding copied_unwritten(const Region& region, Pc pc) {
  return make("memory.uninitialized", Severity::note,
              "The copy to the host at " + line_text(pc) + " takes along bytes of " + region.name +
                  " that nothing has written.",
              "Which thread should have written them?", {host_site(pc, "read")});
}

}  // namespace scanlab::machine::words
