// assert as the device has it: the machine reports the line. Guarded, so that including it twice adds nothing.
#ifndef SCANLAB_ASSERT_H
#define SCANLAB_ASSERT_H

extern "C" void __assert_fail(const char* text, const char* file, unsigned line, const char* function) noexcept
    __attribute__((noreturn));
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
#define assert(expression) \
  ((expression) ? (void)0 : __assert_fail(#expression, __FILE__, __LINE__, __func__))
#endif

#endif
