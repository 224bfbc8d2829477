// What a checker has to say: plain structs. One function (to_words in wording.hpp) turns them into
// sentences.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scanlab::machine {

struct Index3 {
  unsigned x = 0, y = 0, z = 0;
  friend bool operator==(const Index3&, const Index3&) = default;
};

enum class Severity : std::uint8_t { note, warning, error };

// One place in the submission: its own line, and who was there.
struct Site {
  std::string file;
  unsigned line = 0;  // 1-based; 0 = not known
  Index3 block, thread;
  std::string access;  // "read", "write", "atomic", "barrier", "fence", "flag write", "exit", ...
  friend bool operator==(const Site&, const Site&) = default;
};

// One finding of CONTRACT.md section 4. `kind` is a name of that closed list.
struct Finding {
  std::string kind;
  Severity severity = Severity::error;
  std::string message;  // what happened, where and why it is wrong
  std::string help;     // what to try; never the solution
  std::vector<Site> sites;
  std::uint64_t count = 1;  // how often it was seen in this run
};

const char* to_string(Severity severity);

}  // namespace scanlab::machine
