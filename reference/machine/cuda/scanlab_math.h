// Device arithmetic that whole programs use and the C library lacks; the fast forms are as exact as the plain ones here.
#ifndef SCANLAB_MATH_H
#define SCANLAB_MATH_H

SCANLAB_INLINE float rsqrtf(float v) { return 1.0f / sqrtf(v); }
SCANLAB_INLINE double rsqrt(double v) { return 1.0 / sqrt(v); }
SCANLAB_INLINE float __saturatef(float v) { return v < 0.0f ? 0.0f : v > 1.0f ? 1.0f : v; }
SCANLAB_INLINE float __fdividef(float a, float b) { return a / b; }
SCANLAB_INLINE float __frsqrt_rn(float v) { return 1.0f / sqrtf(v); }
SCANLAB_INLINE float __fsqrt_rn(float v) { return sqrtf(v); }
SCANLAB_INLINE float __frcp_rn(float v) { return 1.0f / v; }
SCANLAB_INLINE float __fmaf_rn(float a, float b, float c) { return fmaf(a, b, c); }
SCANLAB_INLINE float __expf(float v) { return expf(v); }
SCANLAB_INLINE float __logf(float v) { return logf(v); }
SCANLAB_INLINE float __log2f(float v) { return log2f(v); }
SCANLAB_INLINE float __sinf(float v) { return sinf(v); }
SCANLAB_INLINE float __cosf(float v) { return cosf(v); }
SCANLAB_INLINE float __tanf(float v) { return tanf(v); }
SCANLAB_INLINE float __powf(float a, float b) { return powf(a, b); }
SCANLAB_INLINE int __float2int_rn(float v) { return (int)lrintf(v); }
SCANLAB_INLINE int __float2int_rd(float v) { return (int)floorf(v); }
SCANLAB_INLINE int __float2int_ru(float v) { return (int)ceilf(v); }
SCANLAB_INLINE int __float2int_rz(float v) { return (int)v; }
SCANLAB_INLINE float __int2float_rn(int v) { return (float)v; }

#endif
