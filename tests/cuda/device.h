/* device.h - the part of CUDA's headers that a .cu file needs, for the host's C++ compiler. compile.sh includes it
   before the .cu file. */
#ifndef DEVICE_H
#define DEVICE_H

/* Includes no large header, since this file is compiled for each configuration. */
#include "standin.h"
#include <stdint.h>

extern "C" struct standin_device standin_device;

#define threadIdx  (standin_device.thread)
#define blockIdx   (standin_device.block)
#define blockDim   (standin_device.block_size)
#define gridDim    (standin_device.grid_size)
#define __global__ static
#define __device__ static
#define __host__
#define __constant__    __attribute__((visibility("default"), section(".nv.constant3")))
#define __forceinline__ inline
#define __launch_bounds__(...)
/* Blocks run one after the other, so one copy of shared memory is enough. All shared variables are in one section. The
   size of this section is the size of the shared memory of a block. */
#define __shared__ static __attribute__((section("standin_shared")))
#define STANDIN_DYNAMIC_SHARED(type, name) type *name = static_cast<type *>(standin_device.shared)

static inline void __syncthreads() { standin_device.barrier(); }
template <class T> static inline T __ldg(const T *at) { return *at; }
template <class T> static inline T atomicAdd(T *at, T value) {
    const T old = *at;
    *at += value;
    return old;
}
template <class T> static inline T atomicMax(T *at, T value) {
    const T old = *at;
    *at = old < value ? value : old;
    return old;
}
static inline double __longlong_as_double(long long bits) {
    double value;
    __builtin_memcpy(&value, &bits, sizeof value);
    return value;
}
static inline long long __double_as_longlong(double value) {
    long long bits;
    __builtin_memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline int __popcll(long long bits) { /* the builtin of gcc would call a function of libgcc */
    int count = 0;
    for (unsigned long long left = static_cast<unsigned long long>(bits); left; left &= left - 1) count++;
    return count;
}
/* Returns the value that another thread of the warp passes. Threads of a warp do not run in step here, so each writes
   its value to memory, and reads after a barrier of the block. So all threads of the block that have not ended must
   call this function. */
template <class T> static inline T standin_exchange(T value, unsigned other(unsigned, unsigned), unsigned by) {
    static T values[1024];
    const unsigned me = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), lane = other(me % 32, by);
    values[me] = value;
    __syncthreads();
    const T got = values[lane < 32 ? me / 32 * 32 + lane : me];
    __syncthreads();
    return got;
}
static inline unsigned standin_down(unsigned lane, unsigned by) { return lane + by; }
static inline unsigned standin_xor(unsigned lane, unsigned by) { return lane ^ by; }
template <class T> static inline T __shfl_down_sync(unsigned, T value, unsigned by) {
    return standin_exchange(value, standin_down, by);
}
template <class T> static inline T __shfl_xor_sync(unsigned, T value, unsigned by) {
    return standin_exchange(value, standin_xor, by);
}

template <class T> static inline T max(T a, T b) { return a < b ? b : a; }
template <class T> static inline T min(T a, T b) { return b < a ? b : a; }

template <size_t...> struct standin_indices {};
template <size_t N, size_t... I> struct standin_first : standin_first<N - 1, N - 1, I...> {};
template <size_t... I> struct standin_first<0, I...> {
    typedef standin_indices<I...> indices;
};
template <class... P, size_t... I>
static inline void standin_run(void (*kernel)(P...), void **arguments, standin_indices<I...>) {
    kernel(*static_cast<const P *>(arguments[I])...);
}
template <class... P> static standin_kernel standin_describe(void (*kernel)(P...)) {
    static const size_t sizes[] = {sizeof(P)..., 0};
    return {reinterpret_cast<void (*)(void)>(kernel),
            [](void (*function)(void), void **arguments) {
                standin_run(reinterpret_cast<void (*)(P...)>(function), arguments,
                            typename standin_first<sizeof...(P)>::indices());
            },
            sizes, sizeof...(P)};
}
/* The parameters of a kernel, as a cubin describes them: an attribute of 12 bytes for each parameter, and the number of
   bytes of all parameters. */
template <size_t N> struct standin_info {
    unsigned char attributes[16 * N + 4];
};
template <class... P> static constexpr standin_info<sizeof...(P)> standin_describe_parameters(void (*)(P...)) {
    standin_info<sizeof...(P)> info = {};
    for (size_t i = 0; i < sizeof...(P); i++)
        info.attributes[16 * i] = 4, info.attributes[16 * i + 1] = 0x17, info.attributes[16 * i + 2] = 12;
    if (sizeof...(P)) info.attributes[16 * sizeof...(P)] = 3, info.attributes[16 * sizeof...(P) + 1] = 0x19;
    return info;
}
/* Defines the data of a kernel. The stand-in finds these data by the name of the kernel. */
#define STANDIN_KERNEL(name, ...)                                                           \
    extern "C" standin_kernel standin_kernel_##name = standin_describe(__VA_ARGS__);        \
    __attribute__((used, section(".nv.info." #name))) \
    static constexpr auto standin_info_##name = standin_describe_parameters(__VA_ARGS__);

#endif
