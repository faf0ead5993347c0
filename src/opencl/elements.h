/* Fills and compares the elements of large outputs on the device, by a kernel. Each session that needs the kernel
   builds it. A device without double precision, or without 64-bit atomic functions, cannot build it. Then the CPU
   compares the elements. */
#pragma once
#include "../api/floor.h"
#include "../accelerator/floor.h"
#include "driver.h"
#include "device.h"
#include "session.h"

/* The kernel has the rules of formats.h, poison.h and outputs.h of the floor `device`. CUDA has the same kernel as PTX:
   tests/cuda/elements.sh makes the PTX from this text. */
static const char autotune__opencl_elements[] =
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n"
    "ulong load(__global const uchar *at, ulong size) {\n"
    "    return size == 1 ? *at : size == 2 ? *(__global const ushort *)at\n"
    "         : size == 4 ? *(__global const uint *)at : *(__global const ulong *)at; }\n"
    "void store(__global uchar *at, ulong size, ulong bits) {\n"
    "    if (size == 1) *at = (uchar)bits; else if (size == 2) *(__global ushort *)at = (ushort)bits;\n"
    "    else if (size == 4) *(__global uint *)at = (uint)bits; else *(__global ulong *)at = bits; }\n"
    "ulong poison(ulong offset, ulong nan_bits) {\n"
    "    const ulong y = (offset / 8 + 1) * 0x9E3779B97F4A7C15UL, z = (y ^ y >> 29) * 0xBF58476D1CE4E5B9UL;\n"
    "    return ((z ^ z >> 32) | nan_bits) >> offset % 8 * 8; }\n"
    "double value(ulong bits, ulong exponent) {\n"
    "    const ulong unit = exponent & (~exponent + 1), sign = exponent + unit, size = bits & (sign - 1);\n"
    "    const ulong digits = popcount(unit - 1), bias = ((ulong)1 << (popcount(exponent) - 1)) - 1;\n"
    "    const double v = digits == 52 ? as_double(size)\n"
    "                   : size < unit ? (double)size * as_double((1024 - bias - digits) << 52)\n"
    "                   : as_double((size << (52 - digits)) + ((1023 - bias) << 52));\n"
    "    return bits & sign ? -v : v; }\n"
    "int is_near(ulong x, double v, ulong y, ulong exponent, double relative, double absolute) {\n"
    "    const ulong below = exponent | (exponent - 1);\n"
    "    if (x == y || !exponent) return x == y;\n"
    "    if ((x & exponent) == exponent || (y & exponent) == exponent)\n"
    "        return (x & below) > exponent && (y & below) > exponent;\n"
    "    const double expected = value(y, exponent), distance = fabs(v - expected);\n"
    "    return (distance <= relative * fabs(expected) || distance <= absolute) && distance < 1e308; }\n"
    "ulong magnitude(ulong x, double v, ulong exponent) {\n"
    "    const ulong size = x & (exponent | (exponent - 1));\n"
    "    return size > exponent ? 0 : size == exponent ? 1 : 1 + as_ulong(fabs(v)); }\n"
    "__kernel void autotune_elements(__global uchar *memory, __global const uchar *expected, __global ulong *answer,\n"
    "        ulong work, ulong count, ulong size, ulong exponent, ulong nan_bits, double relative, double absolute) {\n"
    "    ulong best = 0;\n"
    "    for (ulong i = get_global_id(0); i < count && best <= ~count; i += get_global_size(0)) {\n"
    "        const ulong at = i * size, x = work ? load(memory + at, size) : poison(at, nan_bits);\n"
    "        const double v = exponent ? value(x, exponent) : 0;\n"
    "        if (work == 0) store(memory + at, size, x);\n"
    "        else if (work == 1) best = max(best, magnitude(x, v, exponent));\n"
    "        else if (!is_near(x, v, load(expected + at, size), exponent, relative, absolute)) best = ~i;\n"
    "    }\n"
    "    if (best) atom_max(answer, best); }\n";

/* Returns true if the device has built the kernel. */
static bool autotune__opencl_can_work_on(autotune__accelerator_session *common,
                                         const autotune_elements *elements AUTOTUNE__UNUSED) {
    const struct autotune__opencl_library *opencl = &autotune__libopencl;
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    const cl_device_id device = autotune__opencl_device(common->accelerator);
    const char *text = autotune__opencl_elements;
    cl_int error = CL_SUCCESS;
    cl_program program;
    if (session->asked_for_elements) return session->elements != NULL;
    session->asked_for_elements = true;
    program = opencl->clCreateProgramWithSource_(autotune__opencl_context(common->accelerator), 1, &text, NULL, &error);
    if (error == CL_SUCCESS) error = opencl->clBuildProgram_(program, 1, &device, "", NULL, NULL);
    if (error == CL_SUCCESS) session->elements = opencl->clCreateKernel_(program, "autotune_elements", &error);
    if (program) opencl->clReleaseProgram_(program);
    return session->elements != NULL;
}
static autotune_status autotune__opencl_start_work(autotune__accelerator_session *common,
                                                   const autotune_elements *elements) {
    const size_t most = 1 << 16, items = elements->count < most ? (size_t)elements->count : most;
    const struct autotune__opencl_library *opencl = &autotune__libopencl;
    autotune__opencl_session *session = autotune__opencl_session_of(&common->backend);
    const autotune_elements *const e = elements;
    const void *const arguments[] = { &e->memory, e->expected ? (const void *)&e->expected : &e->memory,
                                      &common->answer, &e->work, &e->count, &e->size, &e->exponent, &e->nan,
                                      &e->relative, &e->absolute };
    cl_int error = CL_SUCCESS;
    cl_uint i;
    for (i = 0; i < 10 && !error; i++)          /* three handles, then numbers of 8 bytes */
        error = opencl->clSetKernelArg_(session->elements, i, i < 3 ? sizeof(cl_mem) : 8, arguments[i]);
    if (!error) error = opencl->clEnqueueNDRangeKernel_(autotune__opencl_queue_in(session), session->elements, 1, NULL,
                                                        &items, NULL, 0, NULL, NULL);
    return error ? AUTOTUNE_REJECTED : AUTOTUNE_OK;
}
