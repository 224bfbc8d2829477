# scanlab_add_submission(TARGET SOURCE): a shared object with the hooks of a submission, for benchmarks and tests. The
# source is what the launch pass would have made of a student's file.
function(scanlab_add_submission target source)
  add_library(${target} MODULE ${source})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/reference)
  set_target_properties(${target} PROPERTIES CXX_STANDARD 17)
  target_compile_options(${target} PRIVATE
    -O0 -g1 -fPIC -fsanitize=thread -fno-asynchronous-unwind-tables -fstack-clash-protection -w
    $<$<CXX_COMPILER_ID:GNU>:--param=tsan-distinguish-volatile=1;--param=tsan-instrument-func-entry-exit=0>
    "$<$<CXX_COMPILER_ID:Clang>:SHELL:-mllvm -tsan-distinguish-volatile>")
endfunction()
