/* Fills and compares the elements of large outputs on the device, by a kernel. The kernel is PTX, which the driver
   compiles without NVRTC. Each session that needs the kernel loads it. */
#pragma once
#include "../api/floor.h"
#include "../accelerator/floor.h"
#include "driver.h"
#include "errors.h"
#include "context.h"
#include "session.h"

/* tests/cuda/elements.sh makes this PTX from the kernel in opencl/elements.h. */
static const char autotune__cuda_elements[] =
    ".version 6.0 .target sm_50 .address_size 64 .visible .entry autotune_elements(.param .u64 m0,.param .u64 m1,"
    ".param .u64 m2,.param .u64 m3,.param .u64 m4,.param .u64 m5,.param .u64 m6,.param .u64 m7,.param .f64 m8,.param "
    ".f64 m9){.reg .pred p<43>;.reg .b32 r<13>;.reg .f64 f<28>;.reg .b64 d<102>;ld.param.u64 d42,[m0];ld.param.u64 d43,"
    "[m1];ld.param.u64 d44,[m2];ld.param.u64 d96,[m3];ld.param.u64 d46,[m4];ld.param.u64 d47,[m5];ld.param.u64 d48,"
    "[m6];ld.param.u64 d49,[m7];ld.param.f64 f12,[m8];ld.param.f64 f13,[m9];mov.u32 r1,%ctaid.x;mov.u32 r2,%ntid.x;"
    "cvt.u64.u32 d1,r2;mul.wide.u32 d51,r1,r2;mov.u32 r3,%tid.x;cvt.u64.u32 d52,r3;add.s64 d94,d51,d52;setp.ge.u64 p5,"
    "d94,d46;mov.u64 d100,0;@p5 bra L49;neg.s64 d54,d48;mov.u64 d100,0;and.b64 d3,d54,d48;add.s64 d4,d3,d48;add.s64 d5,"
    "d4,-1;mov.u64 d55,-1;add.s64 d56,d3,-1;popc.b64 r4,d56;cvt.u64.u32 d6,r4;popc.b64 r5,d48;cvt.u64.u32 d57,r5;"
    "add.s64 d58,d57,-1;cvt.u32.u64 r6,d58;shl.b64 d59,d55,r6;mov.u32 r7,%nctaid.x;cvt.u64.u32 d60,r7;mul.lo.s64 d7,"
    "d60,d1;add.s64 d61,d48,-1;or.b64 d8,d61,d48;add.s64 d62,d59,1025;sub.s64 d63,d62,d6;shl.b64 d64,d63,52;mov.u64 "
    "d65,52;mov.b64 f1,d64;sub.s64 d9,d65,d6;shl.b64 d66,d59,52;add.s64 d10,d66,4611686018427387904;not.b64 d11,d46;"
    "mov.b64 d12,d42;mov.b64 d13,d43;cvt.u32.u64 r11,d9;L2:setp.eq.s64 p6,d96,0;mul.lo.s64 d18,d94,d47;add.s64 d19,d12,"
    "d18;@p6 bra L10;setp.eq.s64 p7,d47,1;@p7 bra L8;setp.eq.s64 p8,d47,2;@p8 bra L7;setp.ne.s64 p9,d47,4;@p9 bra L9;"
    "ld.u32 d25,[d19];bra L11;L10:shr.u64 d69,d18,3;mul.lo.s64 d70,d69,-7046029254386353131;add.s64 d71,d70,"
    "-7046029254386353131;shr.u64 d72,d71,29;xor.b64 d73,d72,d71;mul.lo.s64 d74,d73,-4658895280553007687;shr.u64 d75,"
    "d74,32;xor.b64 d76,d75,d74;or.b64 d77,d76,d49;cvt.u32.u64 r8,d18;shl.b32 r9,r8,3;and.b32 r10,r9,56;shr.u64 d25,"
    "d77,r10;bra L11;L8:ld.u8 d25,[d19];bra L11;L7:ld.u16 d25,[d19];bra L11;L9:ld.u64 d25,[d19];L11:setp.eq.s64 p10,"
    "d48,0;mov.f64 f26,0d0000000000000000;@p10 bra L18;setp.eq.s64 p11,d6,52;and.b64 d26,d25,d5;@p11 bra L16;bra L13;"
    "L16:mov.b64 f25,d26;bra L17;L13:setp.lt.u64 p12,d26,d3;@p12 bra L15;bra L14;L15:cvt.rn.f64.u64 f15,d26;mul.f64 "
    "f25,f1,f15;bra L17;L14:shl.b64 d78,d26,r11;add.s64 d79,d10,d78;mov.b64 f25,d79;L17:and.b64 d80,d25,d4;setp.eq.s64 "
    "p13,d80,0;neg.f64 f16,f25;selp.f64 f26,f25,f16,p13;L18:@p6 bra L41;setp.eq.s64 p15,d96,1;@p15 bra L37;bra L20;"
    "L37:and.b64 d35,d25,d8;setp.gt.u64 p33,d35,d48;mov.u64 d99,0;@p33 bra L40;setp.eq.s64 p34,d35,d48;mov.u64 d99,1;"
    "@p34 bra L40;abs.f64 f24,f26;mov.b64 d91,f24;add.s64 d99,d91,1;L40:max.u64 d100,d100,d99;bra L48;L41:setp.eq.s64 "
    "p35,d47,1;@p35 bra L46;setp.eq.s64 p36,d47,2;@p36 bra L45;setp.ne.s64 p37,d47,4;@p37 bra L47;st.u32 [d19],d25;bra "
    "L48;L20:add.s64 d27,d13,d18;setp.eq.s64 p16,d47,1;@p16 bra L25;setp.eq.s64 p17,d47,2;@p17 bra L24;setp.ne.s64 p18,"
    "d47,4;@p18 bra L26;ld.u32 d98,[d27];bra L27;L46:st.u8 [d19],d25;bra L48;L45:st.u16 [d19],d25;bra L48;L47:st.u64 "
    "[d19],d25;bra L48;L25:ld.u8 d98,[d27];bra L27;L24:ld.u16 d98,[d27];bra L27;L26:ld.u64 d98,[d27];L27:setp.eq.s64 "
    "p42,d25,d98;or.pred p20,p10,p42;@p20 bra L36;and.b64 d81,d25,d48;setp.eq.s64 p21,d81,d48;and.b64 d82,d98,d48;"
    "setp.eq.s64 p22,d82,d48;or.pred p23,p21,p22;@p23 bra L35;bra L29;L35:and.b64 d86,d25,d8;setp.gt.u64 p31,d86,d48;"
    "and.b64 d87,d98,d8;setp.gt.u64 p32,d87,d48;and.pred p42,p31,p32;bra L36;L29:setp.eq.s64 p24,d6,52;and.b64 d33,d98,"
    "d5;@p24 bra L33;bra L30;L33:mov.b64 f27,d33;bra L34;L30:setp.lt.u64 p25,d33,d3;@p25 bra L32;bra L31;"
    "L32:cvt.rn.f64.u64 f17,d33;mul.f64 f27,f1,f17;bra L34;L31:shl.b64 d83,d33,r11;add.s64 d84,d10,d83;mov.b64 f27,d84;"
    "L34:and.b64 d85,d98,d4;setp.eq.s64 p26,d85,0;neg.f64 f18,f27;selp.f64 f19,f27,f18,p26;sub.f64 f20,f26,f19;abs.f64 "
    "f21,f20;abs.f64 f22,f19;mul.f64 f23,f22,f12;setp.le.f64 p27,f21,f23;setp.le.f64 p28,f21,f13;or.pred p29,p28,p27;"
    "setp.lt.f64 p30,f21,0d7FE1CCF385EBC8A0;and.pred p42,p30,p29;L36:not.b64 d88,d94;selp.b64 d100,d100,d88,p42;"
    "L48:add.s64 d94,d94,d7;setp.lt.u64 p38,d94,d46;setp.le.u64 p39,d100,d11;and.pred p40,p39,p38;@p40 bra L2;"
    "L49:setp.eq.s64 p41,d100,0;@p41 bra L51;mov.b64 d92,d44;atom.max.u64 d93,[d92],d100;L51:ret;}";

/* Returns true if a kernel may work on the memory. The memory belongs to the device of the current context, and its
   address is a multiple of `size`. size: the size of an element. */
static bool autotune__cuda_is_own_memory(const void *memory, size_t size) {
    const CUdeviceptr address = (CUdeviceptr)(uintptr_t)memory;
    unsigned type = 0;
    int of_memory = 0;
    CUdevice own;
    return address % size == 0 && autotune__driver.cuCtxGetDevice_(&own) == CUDA_SUCCESS &&
           autotune__driver.cuPointerGetAttribute_(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address) == CUDA_SUCCESS &&
           autotune__driver.cuPointerGetAttribute_(&of_memory, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address) ==
               CUDA_SUCCESS && type == CU_MEMORYTYPE_DEVICE && of_memory == own;
}
static bool autotune__cuda_can_work_on(autotune__accelerator_session *common, const autotune_elements *elements) {
    const struct autotune__cuda_driver *cuda = &autotune__driver;
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    if (!autotune__cuda_is_own_memory(elements->memory, (size_t)elements->size)) return false;
    if (!session->asked_for_elements &&
        (cuda->cuModuleLoadDataEx_(&session->elements, autotune__cuda_elements, 0, NULL, NULL) != CUDA_SUCCESS ||
         cuda->cuModuleGetFunction_(&session->work_on, session->elements, "autotune_elements") != CUDA_SUCCESS))
        session->work_on = NULL;
    session->asked_for_elements = true;
    return session->work_on != NULL;
}
static autotune_status autotune__cuda_start_work(autotune__accelerator_session *common,
                                                 const autotune_elements *elements) {
    enum { THREADS = 256, BLOCKS = 8 };                             /* 8 * 256 threads fill a multiprocessor */
    autotune__cuda_session *session = autotune__cuda_session_of(&common->backend);
    autotune_elements e = *elements;
    void *arguments[] = { &e.memory, &e.expected, &common->answer, &e.work, &e.count, &e.size, &e.exponent, &e.nan,
                          &e.relative, &e.absolute };
    const unsigned blocks = BLOCKS * (unsigned)autotune__cuda_context_in(session)->multiprocessors;
    return autotune__driver_outcome(common, "comparing outputs: ", (int)autotune__driver.cuLaunchKernel_(
        session->work_on, blocks, 1, 1, THREADS, 1, 1, 0, autotune__cuda_stream(session), arguments, NULL));
}
