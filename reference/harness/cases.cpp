#include "harness/cases.hpp"

#include <doctest/doctest.h>

#include "harness/session.hpp"

namespace scanlab::harness {

Session& session() {
  static Session the_session;
  return the_session;
}

namespace {

Check& current() { return session().checks.back(); }

// For who runs a harness by hand: the verdict as doctest's own.
void conclude() {
  const Check& check = current();
  for (const machine::Finding& finding : check.findings) {
    const std::string text = finding.kind + ": " + finding.message;
    if (finding.severity == machine::Severity::error) FAIL_CHECK(text);
    else MESSAGE(text);
  }
}

using Judge = void (*)(const Evidence&, Check&);
void judged_by(Judge judge) {
  judge(*session().evidence, current());
  conclude();
}

}  // namespace

void right_for_every_size(unsigned function) {
  judge::right_for_every_size(*session().evidence, function, current());
  conclude();
}

void numbers() { judged_by(judge::numbers); }
void schedules() { judged_by(judge::schedules); }
void races() { judged_by(judge::races); }
void waits() { judged_by(judge::waits); }
void memory() { judged_by(judge::memory); }
void second_launch() { judged_by(judge::second_launch); }
void work() { judged_by(judge::work); }
void steps() { judged_by(judge::steps); }
void barriers() { judged_by(judge::barriers); }
void divergence() { judged_by(judge::divergence); }
void traffic() { judged_by(judge::traffic); }

}  // namespace scanlab::harness
