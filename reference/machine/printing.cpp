// printf and assert of the submission, in kernels and on the host; their output is part of the
// report.
#include <cstdarg>
#include <cstdio>
#include <string>

#include "machine/engine.hpp"
#include "machine/wording.hpp"

namespace scanlab::machine {
namespace {

void print(const char* text, std::size_t bytes) {
  Engine& e = engine();
  if (e.report.output.size() + bytes > e.options.output_limit && !e.options.echo_output) {
    report(words::output_flood(e.options.output_limit));
    if (e.current != nullptr) abort_launch();
    return;
  }
  if (e.options.echo_output) {
    std::fwrite(text, 1, bytes, stdout);
  } else {
    e.report.output.append(text, bytes);
  }
}

int print_formatted(const char* format, std::va_list arguments) {
  char text[4096];
  const int length = std::vsnprintf(text, sizeof text, format, arguments);
  if (length <= 0) return length;
  if (static_cast<std::size_t>(length) < sizeof text) {
    print(text, static_cast<std::size_t>(length));
  } else {
    print(text, sizeof text - 1);
  }
  return length;
}

}  // namespace
}  // namespace scanlab::machine

using namespace scanlab::machine;

extern "C" {
__attribute__((format(printf, 1, 2))) int __wrap_printf(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int length = print_formatted(format, arguments);
  va_end(arguments);
  return length;
}
int __wrap_puts(const char* text) {
  const std::string line = std::string(text) + "\n";
  print(line.data(), line.size());
  return 1;
}
int __wrap_putchar(int character) {
  const char c = static_cast<char>(character);
  print(&c, 1);
  return character;
}
[[noreturn]] void __wrap___assert_fail(const char* text, const char* file, unsigned line,
                                       const char* function) {
  Engine& e = engine();
  if (e.current != nullptr) fail_launch(words::assertion(text, line), kAssert);
  std::fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, function, text);
  __builtin_abort();
}
}
