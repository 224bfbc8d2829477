// The switch between two fibers on x86-64, and the barrier that ends in one.
//
// Processors predict a `ret` to return to the last `call`, which another fiber made; each would be
// mispredicted. An indirect jump is predicted by where it went in the past: the next thread goes on
// where the one before it did.
#include "machine/engine.hpp"

#ifdef SCANLAB_OWN_SWITCH

asm(R"(
        .text
        .macro  SAVE_REGISTERS
        push    %rbp
        push    %rbx
        push    %r12
        push    %r13
        push    %r14
        push    %r15
        .endm
        .macro  GO_ON
        pop     %r15
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %rbx
        pop     %rbp
        pop     %rcx
        jmp     *%rcx
        .endm

        .globl  scanlab_switch                  # (void** from, void* to)
        .type   scanlab_switch, @function
scanlab_switch:
        SAVE_REGISTERS
        mov     %rsp, (%rdi)
        mov     %rsi, %rsp
        GO_ON
        .size   scanlab_switch, . - scanlab_switch

        .globl  __syncthreads
        .type   __syncthreads, @function
__syncthreads:
        mov     (%rsp), %rdi                    # the caller's place, for findings
        SAVE_REGISTERS
        mov     %rsp, %rsi
        sub     $8, %rsp                        # calls want the stack aligned
        call    scanlab_arrive
        mov     %rax, %rsp
        GO_ON
        .size   __syncthreads, . - __syncthreads
)");

#endif
