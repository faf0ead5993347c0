/* icd.c - see icd.h. Every kernel adds 1 to each float of its first argument. Its source does not matter. */
#define _POSIX_C_SOURCE 200809L
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <CL/cl_icd.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "icd.h"

static cl_icd_dispatch dispatch;
static icd_control control;
static cl_ulong virtual_ns = 1000000;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct _cl_platform_id { cl_icd_dispatch *dispatch; };
struct _cl_device_id { cl_icd_dispatch *dispatch; };
struct _cl_context { cl_icd_dispatch *dispatch; };
struct _cl_command_queue { cl_icd_dispatch *dispatch; cl_context context; cl_command_queue_properties properties; };
struct _cl_mem { cl_icd_dispatch *dispatch; size_t bytes; char *memory; };
struct _cl_program { cl_icd_dispatch *dispatch; char *text; };
struct _cl_kernel { cl_icd_dispatch *dispatch; cl_mem memory; };
struct _cl_event { cl_icd_dispatch *dispatch; cl_int status; cl_ulong start, end; bool timed; long number; };
static struct _cl_platform_id platform = { &dispatch };
static struct _cl_device_id device = { &dispatch };

static void *object(size_t bytes) {
    cl_icd_dispatch **made = (cl_icd_dispatch **)calloc(1, bytes);
    if (!made) abort();
    *made = &dispatch;
    return made;
}
static cl_int tell(const void *value, size_t size, size_t room, void *to, size_t *told) {
    if (to && room < size) return CL_INVALID_VALUE;
    if (to) memcpy(to, value, size);
    if (told) *told = size;
    return CL_SUCCESS;
}
#define TELL(type, ...) \
    do { \
        const type told = __VA_ARGS__; \
        return tell(&told, sizeof told, bytes, value, size); \
    } while (0)
#define TELL_TEXT(text) return tell(text, sizeof text, bytes, value, size)

static icd_control *CL_API_CALL get_control(void) { return &control; }
static cl_int CL_API_CALL get_platform_ids(cl_uint room, cl_platform_id *platforms, cl_uint *count) {
    if (platforms && room) platforms[0] = &platform;
    if (count) *count = 1;
    return CL_SUCCESS;
}
static cl_int CL_API_CALL get_platform_info(cl_platform_id of, cl_platform_info what, size_t bytes, void *value,
                                            size_t *size) {
    (void)of;
    switch (what) {
    case CL_PLATFORM_EXTENSIONS: TELL_TEXT("cl_khr_icd");
    case CL_PLATFORM_ICD_SUFFIX_KHR: TELL_TEXT("TEST");
    case CL_PLATFORM_VERSION: TELL_TEXT("OpenCL 1.2 test");
    default: TELL_TEXT("test");
    }
}
static cl_int CL_API_CALL get_device_ids(cl_platform_id of, cl_device_type type, cl_uint room, cl_device_id *devices,
                                         cl_uint *count) {
    (void)of, (void)type;
    if (devices && room) devices[0] = &device;
    if (count) *count = 1;
    return CL_SUCCESS;
}
static cl_int CL_API_CALL get_device_info(cl_device_id of, cl_device_info what, size_t bytes, void *value,
                                          size_t *size) {
    const size_t sizes[3] = { 1024, 1024, 64 };
    char long_text[101];
    (void)of;
    snprintf(long_text, sizeof long_text, "%-99s.", what == CL_DEVICE_NAME ? "test device" : "OpenCL 1.2 test");
    if (control.wordy && (what == CL_DEVICE_NAME || what == CL_DEVICE_VERSION))
        return tell(long_text, sizeof long_text, bytes, value, size);
    switch (what) {
    case CL_DEVICE_NAME: TELL_TEXT("test device");
    case CL_DEVICE_VERSION: TELL_TEXT("OpenCL 1.2 test");
    case CL_DRIVER_VERSION: TELL_TEXT("1");
    case CL_DEVICE_TYPE: TELL(cl_device_type, CL_DEVICE_TYPE_GPU);
    case CL_DEVICE_PLATFORM: TELL(cl_platform_id, &platform);
    case CL_DEVICE_MAX_COMPUTE_UNITS: TELL(cl_uint, 4);
    case CL_DEVICE_GLOBAL_MEM_SIZE: case CL_DEVICE_MAX_MEM_ALLOC_SIZE: TELL(cl_ulong, (cl_ulong)1 << 30);
    case CL_DEVICE_GLOBAL_MEM_CACHE_SIZE: TELL(cl_ulong, 4096);
    case CL_DEVICE_LOCAL_MEM_SIZE: TELL(cl_ulong, 32768);
    case CL_DEVICE_MAX_WORK_GROUP_SIZE: TELL(size_t, 1024);
    case CL_DEVICE_PROFILING_TIMER_RESOLUTION: TELL(size_t, 1);
    case CL_DEVICE_MAX_WORK_ITEM_SIZES: return tell(sizes, sizeof sizes, bytes, value, size);
    default: return CL_INVALID_VALUE;
    }
}
static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint count,
                                             const cl_device_id *devices,
                                             void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                             void *user, cl_int *error) {
    (void)properties, (void)count, (void)devices, (void)notify, (void)user;
    if (error) *error = CL_SUCCESS;
    return (cl_context)object(sizeof(struct _cl_context));
}
static cl_int CL_API_CALL keep_context(cl_context context) { (void)context; return CL_SUCCESS; }
/* The queue that was released last. The next queue gets its address. */
static cl_command_queue released;
static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id on,
                                                 cl_command_queue_properties properties, cl_int *error) {
    cl_command_queue queue = __atomic_exchange_n(&released, NULL, __ATOMIC_ACQ_REL);
    (void)on;
    if (!queue) queue = (cl_command_queue)object(sizeof *queue);
    queue->context = context;
    queue->properties = properties;
    if (error) *error = CL_SUCCESS;
    return queue;
}
static cl_int CL_API_CALL get_queue_info(cl_command_queue queue, cl_command_queue_info what, size_t bytes, void *value,
                                         size_t *size) {
    switch (what) {
    case CL_QUEUE_CONTEXT: TELL(cl_context, queue->context);
    case CL_QUEUE_DEVICE: TELL(cl_device_id, &device);
    case CL_QUEUE_PROPERTIES: TELL(cl_command_queue_properties, queue->properties);
    default: return CL_INVALID_VALUE;
    }
}
static cl_int answer(void) {
    return __atomic_load_n(&control.lost, __ATOMIC_RELAXED) ? CL_INVALID_COMMAND_QUEUE : CL_SUCCESS;
}
static cl_int CL_API_CALL flush(cl_command_queue queue) {
    (void)queue;
    __atomic_fetch_add(&control.waits, 1, __ATOMIC_RELAXED);
    return answer();
}
static cl_int CL_API_CALL finish(cl_command_queue queue) {
    long none = -1;
    __atomic_compare_exchange_n(&control.before_finish, &none, __atomic_load_n(&control.launches, __ATOMIC_RELAXED),
                                false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return flush(queue);
}
static cl_int CL_API_CALL free_queue(cl_command_queue queue) {
    free(__atomic_exchange_n(&released, queue, __ATOMIC_ACQ_REL));
    return CL_SUCCESS;
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host,
                                        cl_int *error) {
    cl_mem memory;
    (void)context;
    if (error) *error = control.no_memory ? CL_MEM_OBJECT_ALLOCATION_FAILURE : answer();
    if (control.no_memory || answer() != CL_SUCCESS) return NULL;
    memory = (cl_mem)object(sizeof *memory + bytes);
    memory->bytes = bytes;
    memory->memory = (char *)(memory + 1);
    if (flags & CL_MEM_COPY_HOST_PTR) memcpy(memory->memory, host, bytes);
    return memory;
}
static cl_int CL_API_CALL free_buffer(cl_mem memory) { free(memory); return CL_SUCCESS; }
static cl_int done(cl_event *event) {
    if (event) {
        *event = (cl_event)object(sizeof **event);
        (*event)->status = CL_COMPLETE;
    }
    return answer();
}
static cl_int CL_API_CALL copy_buffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t at, size_t to_at,
                                      size_t bytes, cl_uint count, const cl_event *list, cl_event *event) {
    (void)queue, (void)count, (void)list;
    if (answer() != CL_SUCCESS) return answer();
    memcpy(to->memory + to_at, from->memory + at, bytes);
    return done(event);
}
static cl_int CL_API_CALL fill_buffer(cl_command_queue queue, cl_mem to, const void *pattern, size_t size, size_t at,
                                      size_t bytes, cl_uint count, const cl_event *list, cl_event *event) {
    (void)queue, (void)size, (void)count, (void)list;
    memset(to->memory + at, *(const unsigned char *)pattern, bytes);
    return done(event);
}
static cl_int CL_API_CALL read_buffer(cl_command_queue queue, cl_mem from, cl_bool waits, size_t at, size_t bytes,
                                      void *to, cl_uint count, const cl_event *list, cl_event *event) {
    (void)queue, (void)waits, (void)count, (void)list;
    memcpy(to, from->memory + at, bytes);
    return done(event);
}
static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem to, cl_bool waits, size_t at, size_t bytes,
                                       const void *from, cl_uint count, const cl_event *list, cl_event *event) {
    (void)queue, (void)waits, (void)count, (void)list;
    memcpy(to->memory + at, from, bytes);
    return done(event);
}
static cl_int CL_API_CALL stand(cl_command_queue queue, cl_uint count, const cl_event *list, cl_event *event) {
    (void)queue, (void)count, (void)list;
    __atomic_fetch_add(&control.barriers, 1, __ATOMIC_RELAXED);
    return answer() == CL_SUCCESS ? done(event) : answer();
}

static cl_program CL_API_CALL with_source(cl_context context, cl_uint count, const char **texts, const size_t *lengths,
                                          cl_int *error) {
    cl_program program = (cl_program)object(sizeof *program);
    (void)context, (void)count, (void)lengths;
    program->text = strdup(texts[0]);
    __atomic_fetch_add(&control.builds, 1, __ATOMIC_RELAXED);
    if (control.kills) {                        /* after this pause the tuning thread waits for the build */
        const struct timespec pause = { 0, 50000000 };
        nanosleep(&pause, NULL);
        raise(SIGKILL);
    }
    *error = CL_SUCCESS;
    return program;
}
static cl_program CL_API_CALL with_binary(cl_context context, cl_uint count, const cl_device_id *devices,
                                          const size_t *lengths, const unsigned char **images, cl_int *statuses,
                                          cl_int *error) {
    cl_program program;
    (void)context, (void)count, (void)devices, (void)statuses;
    *error = lengths[0] ? CL_SUCCESS : CL_INVALID_VALUE;
    if (!lengths[0]) return NULL;
    program = (cl_program)object(sizeof *program);
    program->text = (char *)calloc(1, lengths[0] + 1);
    if (program->text) memcpy(program->text, images[0], lengths[0]);
    __atomic_fetch_add(&control.loads, 1, __ATOMIC_RELAXED);
    return program;
}
static cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *devices, const char *options,
                                void(CL_CALLBACK *notify)(cl_program, void *), void *user) {
    (void)program, (void)count, (void)devices, (void)options, (void)notify, (void)user;
    return CL_SUCCESS;
}
static cl_int CL_API_CALL get_build_info(cl_program program, cl_device_id of, cl_program_build_info what, size_t bytes,
                                         void *value, size_t *size) {
    (void)program, (void)of, (void)what;
    TELL_TEXT("");
}
static cl_int CL_API_CALL get_program_info(cl_program program, cl_program_info what, size_t bytes, void *value,
                                           size_t *size) {
    switch (what) {
    case CL_PROGRAM_NUM_DEVICES: TELL(cl_uint, 1);
    case CL_PROGRAM_DEVICES: TELL(cl_device_id, &device);
    case CL_PROGRAM_BINARY_SIZES: TELL(size_t, strlen(program->text));
    case CL_PROGRAM_BINARIES: memcpy(*(char **)value, program->text, strlen(program->text)); return CL_SUCCESS;
    default: return CL_INVALID_VALUE;
    }
}
static cl_int CL_API_CALL free_program(cl_program program) {
    free(program->text);
    free(program);
    return CL_SUCCESS;
}
static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *error) {
    (void)program, (void)name;
    *error = CL_SUCCESS;
    return (cl_kernel)object(sizeof(struct _cl_kernel));
}
static cl_int CL_API_CALL free_kernel(cl_kernel kernel) { free(kernel); return CL_SUCCESS; }
static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint at, size_t bytes, const void *value) {
    if (at == 0 && bytes == sizeof(cl_mem)) memcpy(&kernel->memory, value, bytes);
    return at ? CL_INVALID_ARG_INDEX : CL_SUCCESS;
}
static cl_int CL_API_CALL get_kernel_info(cl_kernel kernel, cl_kernel_info what, size_t bytes, void *value,
                                          size_t *size) {
    (void)kernel;
    if (what == CL_KERNEL_NUM_ARGS) TELL(cl_uint, 1);
    TELL_TEXT("add");
}
static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                 const size_t *global, const size_t *local, cl_uint count, const cl_event *list,
                                 cl_event *event) {
    const size_t size = local ? local[0] : 2;
    const cl_ulong ns = control.time_of ? (cl_ulong)control.time_of(size) : 500 + 100000 / size;
    cl_event made = NULL;
    float *values;
    size_t i, most;
    long number;
    (void)dimensions, (void)offset, (void)count, (void)list;
    if (answer() != CL_SUCCESS) return answer();
    if (control.refuse_local && local && (size_t)control.refuse_local == local[0])
        return control.refusal ? (cl_int)control.refusal : CL_OUT_OF_RESOURCES;
    if (event) made = *event = (cl_event)object(sizeof **event);
    pthread_mutex_lock(&lock);
    number = __atomic_add_fetch(&control.launches, 1, __ATOMIC_RELAXED);
    if (made) {
        made->start = virtual_ns + (cl_ulong)control.gap_ns;
        made->end = made->start + ns;
        virtual_ns = made->end;
        made->number = number;
        made->timed = (queue->properties & CL_QUEUE_PROFILING_ENABLE) != 0;
        made->status = number == control.hang_at                                     ? CL_RUNNING
                       : number == control.fail_at || number == control.lose_at ? CL_OUT_OF_RESOURCES
                                                                                     : CL_COMPLETE;
    }
    if (number == control.lose_at) control.lost = 1;
    values = (float *)(void *)kernel->memory->memory;
    most = kernel->memory->bytes / sizeof(float) < global[0] ? kernel->memory->bytes / sizeof(float) : global[0];
    for (i = 0; i < most; i++) values[i] += 1;
    pthread_mutex_unlock(&lock);
    return CL_SUCCESS;
}
static cl_int CL_API_CALL get_event_info(cl_event event, cl_event_info what, size_t bytes, void *value, size_t *size) {
    const long launches = __atomic_load_n(&control.launches, __ATOMIC_RELAXED);
    const bool done = !event->number || launches >= event->number + control.behind;
    const bool ends = event->status == CL_RUNNING && __atomic_load_n(&control.hang_ends, __ATOMIC_RELAXED);
    (void)what;
    TELL(cl_int, ends ? CL_COMPLETE : done ? event->status : CL_SUBMITTED);
}
static cl_int CL_API_CALL get_times(cl_event event, cl_profiling_info what, size_t bytes, void *value, size_t *size) {
    if (!event->timed) return CL_PROFILING_INFO_NOT_AVAILABLE;
    TELL(cl_ulong, what == CL_PROFILING_COMMAND_START ? event->start : event->end);
}
static cl_int CL_API_CALL free_event(cl_event event) { free(event); return CL_SUCCESS; }
static void *CL_API_CALL find_extension(cl_platform_id of, const char *name);

static cl_icd_dispatch dispatch = {
    .clGetPlatformIDs = get_platform_ids, .clGetPlatformInfo = get_platform_info, .clGetDeviceIDs = get_device_ids,
    .clGetDeviceInfo = get_device_info, .clCreateContext = create_context, .clRetainContext = keep_context,
    .clReleaseContext = keep_context, .clCreateCommandQueue = create_queue, .clReleaseCommandQueue = free_queue,
    .clGetCommandQueueInfo = get_queue_info, .clCreateBuffer = create_buffer, .clReleaseMemObject = free_buffer,
    .clCreateProgramWithSource = with_source, .clCreateProgramWithBinary = with_binary, .clBuildProgram = build,
    .clReleaseProgram = free_program, .clGetProgramInfo = get_program_info, .clGetProgramBuildInfo = get_build_info,
    .clCreateKernel = create_kernel, .clReleaseKernel = free_kernel, .clSetKernelArg = set_argument,
    .clGetKernelInfo = get_kernel_info, .clGetEventInfo = get_event_info,
    .clReleaseEvent = free_event, .clGetEventProfilingInfo = get_times, .clFlush = flush, .clFinish = finish,
    .clEnqueueReadBuffer = read_buffer, .clEnqueueWriteBuffer = write_buffer, .clEnqueueCopyBuffer = copy_buffer,
    .clEnqueueFillBuffer = fill_buffer, .clEnqueueNDRangeKernel = launch, .clEnqueueMarkerWithWaitList = stand,
    .clEnqueueBarrierWithWaitList = stand, .clGetExtensionFunctionAddressForPlatform = find_extension
};

static void *as_pointer(void (*function)(void)) {           /* ISO C cannot cast a function to void * */
    void *pointer;
    memcpy(&pointer, &function, sizeof pointer);
    return pointer;
}
static void *find(const char *name) {
    if (!strcmp(name, "clIcdGetPlatformIDsKHR")) return as_pointer((void (*)(void))get_platform_ids);
    return strcmp(name, "icd_control") ? NULL : as_pointer((void (*)(void))get_control);
}
static void *CL_API_CALL find_extension(cl_platform_id of, const char *name) {
    (void)of;
    return find(name);
}
void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) { return find(name); }
cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id of, cl_platform_info what, size_t bytes, void *value,
                                     size_t *size) {
    return get_platform_info(of, what, bytes, value, size);
}
