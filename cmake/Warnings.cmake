# scanlab::warnings: what all of our own code is compiled with. Submissions are not.
add_library(scanlab_warnings INTERFACE)
add_library(scanlab::warnings ALIAS scanlab_warnings)
target_compile_options(scanlab_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${SCANLAB_WERROR}>:-Werror>)

if(SCANLAB_SANITIZE)
  # Everything of ours is instrumented, the dependencies' headers included; so it is set for the tree.
  add_compile_options(-fsanitize=${SCANLAB_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SCANLAB_SANITIZE})
  add_compile_definitions(SCANLAB_SANITIZED=1)
endif()
