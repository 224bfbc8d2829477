// Liv Bergström. The two arrays of lab 1, now on purpose.
template <typename T, unsigned SECTION_SIZE>
__global__ void double_buffered_inclusive_scan(const T *X, T *Y, unsigned N)
{
    __shared__ T halves[2 * SECTION_SIZE];
    const unsigned me = threadIdx.x;
    const unsigned g = blockIdx.x * SECTION_SIZE + me;
    unsigned from = 0, to = SECTION_SIZE;

    halves[me] = g < N ? X[g] : T{};
    for (unsigned d = 1; d < SECTION_SIZE; d <<= 1) {
        __syncthreads();
        halves[to + me] = me >= d ? halves[from + me - d] + halves[from + me] : halves[from + me];
        const unsigned t = from; from = to; to = t;
    }
    if (g < N) Y[g] = halves[from + me];
}
