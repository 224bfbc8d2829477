// dim3, uint3 and the short vectors, with the alignment that CUDA gives them.
#ifndef SCANLAB_VECTOR_TYPES_H
#define SCANLAB_VECTOR_TYPES_H

#define SCANLAB_VECTORS(NAME, SCALAR, ALIGN2, ALIGN4)                                       \
  struct NAME##1 { SCALAR x; };                                                             \
  struct __attribute__((aligned(ALIGN2))) NAME##2 { SCALAR x, y; };                         \
  struct NAME##3 { SCALAR x, y, z; };                                                       \
  struct __attribute__((aligned(ALIGN4))) NAME##4 { SCALAR x, y, z, w; };                   \
  SCANLAB_INLINE NAME##1 make_##NAME##1(SCALAR x) { return NAME##1{x}; }                    \
  SCANLAB_INLINE NAME##2 make_##NAME##2(SCALAR x, SCALAR y) { return NAME##2{x, y}; }       \
  SCANLAB_INLINE NAME##3 make_##NAME##3(SCALAR x, SCALAR y, SCALAR z) {                     \
    return NAME##3{x, y, z};                                                                \
  }                                                                                         \
  SCANLAB_INLINE NAME##4 make_##NAME##4(SCALAR x, SCALAR y, SCALAR z, SCALAR w) {           \
    return NAME##4{x, y, z, w};                                                             \
  }

SCANLAB_VECTORS(char, signed char, 2, 4)
SCANLAB_VECTORS(uchar, unsigned char, 2, 4)
SCANLAB_VECTORS(short, short, 4, 8)
SCANLAB_VECTORS(ushort, unsigned short, 4, 8)
SCANLAB_VECTORS(int, int, 8, 16)
SCANLAB_VECTORS(uint, unsigned, 8, 16)
SCANLAB_VECTORS(long, long, 16, 16)
SCANLAB_VECTORS(ulong, unsigned long, 16, 16)
SCANLAB_VECTORS(longlong, long long, 16, 16)
SCANLAB_VECTORS(ulonglong, unsigned long long, 16, 16)
SCANLAB_VECTORS(float, float, 8, 16)
SCANLAB_VECTORS(double, double, 16, 16)
#undef SCANLAB_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};

#endif
