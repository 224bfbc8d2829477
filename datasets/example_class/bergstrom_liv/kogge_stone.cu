// Two arrays that swap roles, so one barrier a step is enough.
template <typename T, unsigned SECTION_SIZE>
__device__ T ping_pong(T mine)
{
    __shared__ T ping[SECTION_SIZE];
    __shared__ T pong[SECTION_SIZE];
    T *src = ping, *dst = pong;
    const unsigned me = threadIdx.x;

    src[me] = mine;
    for (unsigned d = 1; d < SECTION_SIZE; d <<= 1) {
        __syncthreads();
        dst[me] = (me >= d) ? src[me - d] + src[me] : src[me];
        T *t = src; src = dst; dst = t;
    }
    return src[me];
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_inclusive_scan(const T *X, T *Y, unsigned N)
{
    const unsigned g = blockIdx.x * SECTION_SIZE + threadIdx.x;
    const T result = ping_pong<T, SECTION_SIZE>(g < N ? X[g] : T{});
    if (g < N) Y[g] = result;
}

template <typename T, unsigned SECTION_SIZE>
__global__ void kogge_stone_exclusive_scan(const T *X, T *Y, unsigned N)
{
    const unsigned g = blockIdx.x * SECTION_SIZE + threadIdx.x;
    const bool has_left = threadIdx.x > 0 && g < N;
    const T result = ping_pong<T, SECTION_SIZE>(has_left ? X[g - 1] : T{});
    if (g < N) Y[g] = result;
}
