#include "harness/worker_end.hpp"

#include <signal.h>

#include <charconv>
#include <cstring>

namespace scanlab::harness {
namespace {

const char* signal_words(int signal) {
  switch (signal) {
    case SIGSEGV: return "SIGSEGV: an access to memory that is not there";
    case SIGBUS: return "SIGBUS: an access to memory that cannot be reached";
    case SIGFPE: return "SIGFPE: an integer division by zero or one that overflows";
    case SIGILL: return "SIGILL: no valid instruction";
    case SIGABRT: return "SIGABRT: the program gave up";
    case SIGTRAP: return "SIGTRAP: a trap";
    case SIGSYS: return "SIGSYS: a system call that a submission may not make";
    case SIGXCPU: return "SIGXCPU: out of processor time";
    case SIGKILL: return "SIGKILL: killed, most likely for using too much memory";
    default: return nullptr;
  }
}

std::string how_it_died(const RunOutcome& outcome, const CrashReport& crash) {
  const int signal = crash.set != 0 ? crash.signal : outcome.signal;
  if (signal == 0) return "it left by itself with status " + std::to_string(outcome.exit_status);
  const char* words = signal_words(signal);
  std::string text = words != nullptr ? words : "signal " + std::to_string(signal);
  if (signal == SIGSYS) text += " (number " + std::to_string(crash.system_call) + ")";
  return text;
}

// "kogge_stone.cu:21" as a site; none where it is no such thing.
void add_place(machine::Finding& finding, const CrashReport& crash, const std::string& source) {
  const std::string place(crash.place, strnlen(crash.place, sizeof crash.place));
  const std::size_t colon = place.rfind(':');
  unsigned line = 0;
  if (colon == std::string::npos || place.compare(0, colon, source) != 0) return;
  std::from_chars(place.data() + colon + 1, place.data() + place.size(), line);
  if (line != 0) finding.sites.push_back({source, line, {}, {}, "last seen"});
}

}  // namespace

bool is_timeout(const RunOutcome& outcome, const CrashReport& crash) {
  return outcome.end == WorkerEnd::silent || (crash.set != 0 && crash.signal == 0);
}

machine::Finding worker_end_finding(const RunOutcome& outcome, const CrashReport& crash,
                                    const std::string& source) {
  machine::Finding finding;
  if (is_timeout(outcome, crash)) {
    finding.kind = "run.timeout";
    finding.message = "The kernel was still computing when its time was up, and it is not waiting for another thread.";
    finding.help = "Look for a loop whose condition never becomes false: does its step change the variable?";
  } else {
    finding.kind = "run.crash";
    finding.message = "The process died in this launch: " + how_it_died(outcome, crash) + ".";
    finding.help = "Run the file under ./scanlab run, or the harness with --in-process under a debugger.";
  }
  add_place(finding, crash, source);
  return finding;
}

}  // namespace scanlab::harness
